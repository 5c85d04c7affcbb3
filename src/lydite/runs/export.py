# SPDX-License-Identifier: Apache-2.0
"""Writes cores: Verilog and a `core.toml`, for `lydite bench`.

One is made of what the HLS compiler wrote: the function must be a streaming core as docs/cores.md
has it. Its claims of cycles are measured by simulation, and written down; `verify` of the bench
then holds them against the hardware again. Another one is a design as it was proven.
"""

from __future__ import annotations

import json
import re
import shutil
import tempfile
from collections.abc import Iterable, Mapping, Sequence
from fractions import Fraction
from pathlib import Path

import msgspec

from lydite import cores
from lydite.base.errors import InputError
from lydite.base.files import write_atomic
from lydite.cores import Design, Primitive, catalog, kat
from lydite.cores.catalog import FILE, SCHEMA
from lydite.cores.design import Bounds, Claims
from lydite.hls.compiled import Compiled
from lydite.hls.contract.interface import Interface
from lydite.sim import specification, timing, verify
from lydite.sim.build import Sources
from lydite.sim.suites import Oracle
from lydite.sim.timing import Timing

# Columns of what is written, where there is a choice.
_LINE = 100
# Names of the stream arguments of a core.
IN, OUT = "s_axis", "m_axis"
# Greater than that of any steady state, which is measured over a few blocks.
_DENOMINATOR = 1000
# Operations with their claims.
Measured = Sequence[tuple[str, Mapping[str, str | int]]]
_HINT = (
    f"a core is void, has the streams {IN} and {OUT} as its only arguments, and says "
    "#pragma HLS interface mode=ap_ctrl_none port=return"
)


def write(
    compiled: Compiled, primitive: str, folder: Path, *, title: str = "", name: str = "hls"
) -> Path:
    """Write a core and give its `core.toml`.

    Parameters
    ----------
    primitive : str
        What it computes: a primitive of the catalogue, or a path to a `core.toml` that has just
        one, whose known answers are copied.
    folder : Path
        Made if need be; files of these names are replaced.
    title, name : str
        Of the design.

    Raises
    ------
    InputError
        The function is no streaming core, or there is no such primitive.
    CheckFailed, ToolFailed
        Simulation finds no steady state, or something that breaks the rules of the streams.
    """
    _check(compiled.interface)
    own, primitive_name = _primitive(primitive)
    texts = {file.name: file.text for file in compiled.files}
    for file, text in texts.items():
        write_atomic(folder / file, text)
    head = ""
    if own is not None:
        _copy(own, folder)
        head = _primitive_table(own) + "\n"
    top = compiled.interface.top
    title = title or f"C, compiled for {compiled.report.clock_ns:g} ns"
    path = folder / FILE

    def document(claims: Measured) -> str:
        return (
            f"# Made by Lydite from C, source digest {compiled.source_digest[:16]}.\n"
            f"schema = {SCHEMA}\ntitle = {_text(f'{primitive_name} by HLS')}\n\n{head}"
            f"[[design]]\nname = {_text(name)}\ntitle = {_text(title)}\n"
            f"primitives = [{_text(primitive_name)}]\n"
            f"sources = {_list(sorted(texts))}\n"
            f'top = {_text(top)}\nclock = "ap_clk"\nreset = "ap_rst"\n' + _claims(claims)
        )

    operations = _operations(own, primitive_name)
    measured = _measured(document([(name, {}) for name in operations]), folder)
    write_atomic(path, document(measured))
    return path


def write_design(design: Design, sources: Sources, folder: Path) -> None:
    """Write a design as a core of its own: its files, its primitive's, and a `core.toml`.

    All formulas are settled, and what was C is Verilog. Vectors of chains are left out.
    """
    primitive = design.primitive
    single = tuple(entry for entry in primitive.kat_files if entry.format not in kat.CHAINS)
    primitive = msgspec.structs.replace(primitive, kat_files=single)
    sources.copy_to(folder)
    _copy(primitive, folder)
    told = [
        specification.inputs(primitive, operation, reference)
        for operation in primitive.operations
        for reference in (operation.spec, operation.fast)
    ]
    for name, _ in (pair for inputs in told for pair in inputs.get("read", ())):
        if (primitive.folder / name).is_file() and not (folder / name).exists():
            (folder / name).parent.mkdir(parents=True, exist_ok=True)
            shutil.copyfile(primitive.folder / name, folder / name)
    path = folder / FILE
    parameters = sources.parameters
    write_atomic(
        path,
        f"# {design.label} as it was proven, made by Lydite.\n"
        f"schema = {SCHEMA}\ntitle = {_text(design.title)}\n\n{_primitive_table(primitive)}\n"
        f"[[design]]\nname = {_text(design.name)}\ntitle = {_text(design.title)}\n"
        f"primitives = [{_text(primitive.name)}]\noperations = {_list(design.operations)}\n"
        f"sources = {_list(sources.files)}\n"
        f"top = {_text(design.top)}\nclock = {_text(design.clock)}\n"
        f"reset = {_text(design.reset)}\ninterface = {_text(design.interface)}\n"
        f"release = {_text(design.release)}\n"
        + (f"parameters = {_inline(parameters)}\n" if parameters else "")
        + (f"registers = {_inline(design.registers)}\n" if design.registers else "")
        + "".join(f"\n[[design.streams]]\n{_lines(one)}" for one in design.streams)
        + "\n"
        + "".join(
            f"[design.claims.{name}]\n{_lines(claims)}\n"
            for name, claims in _settled(design).items()
        ),
    )


def _settled(design: Design) -> dict[str, msgspec.Struct]:
    """Give the claims with their names replaced by what these stand for, as formulas."""
    return {name: _with_names(claims, design.names) for name, claims in design.claims.items()}


def _with_names(claims: Claims, names: Mapping[str, int]) -> Claims:
    told: dict[str, Bounds] = {}
    for name in claims.__struct_fields__:
        value: Bounds | None = getattr(claims, name)
        # In a total N is the number of blocks, whatever else has that name.
        known = {n: v for n, v in names.items() if n != "N" or name != "total_cycles"}
        if isinstance(value, tuple):
            low, high = value
            told[name] = (_filled(low, known), _filled(high, known))
        elif value is not None:
            told[name] = _filled(value, known)
    return msgspec.convert(told, Claims)


def _filled(formula: str | int, names: Mapping[str, int]) -> str | int:
    if isinstance(formula, int):
        return formula
    return re.sub(r"[A-Za-z_]\w*", lambda m: str(names.get(m[0], m[0])), formula)


def _lines(record: msgspec.Struct) -> str:
    """Give the fields of a record that are told, a line each."""
    pairs = ((name, getattr(record, name)) for name in record.__struct_fields__)
    return "".join(f"{name} = {_value(v)}\n" for name, v in pairs if v not in (None, "", ()))


def _value(value: object) -> str:
    return json.dumps(list(value) if isinstance(value, tuple) else value)


def _list(names: Iterable[str]) -> str:
    return f"[\n{''.join(f'    {_text(name)},{chr(10)}' for name in names)}]"


def _inline(table: Mapping[str, object]) -> str:
    return f"{{ {', '.join(f'{name} = {_value(value)}' for name, value in table.items())} }}"


def _claims(claims: Measured) -> str:
    return "".join(f"claims.{name} = {_inline(told)}\n" for name, told in claims)


def _check(face: Interface) -> None:
    """Refuse what is no streaming core."""
    found = [(arg.name, arg.direction) for arg in face.streams]
    if face.block != "ap_ctrl_none":
        raise InputError("--core", f"{face.top} has the block protocol {face.block}", _HINT)
    if len(face.args) != 2 or found not in ([(IN, "in"), (OUT, "out")], [(OUT, "out"), (IN, "in")]):
        names = ", ".join(arg.name for arg in face.args) or "no arguments"
        raise InputError("--core", f"{face.top} has {names}", _HINT)


def _primitive(name: str) -> tuple[Primitive | None, str]:
    """Give the primitive of a file and its name; None for one of the catalogue."""
    path = Path(name)
    if path.suffix == ".toml" or path.is_dir():
        core = cores.load(path / FILE if path.is_dir() else path)
        if len(core.primitives) != 1:
            known = ", ".join(p.name for p in core.primitives) or "none"
            raise InputError("--primitive", f"{path} has not one primitive but: {known}")
        return core.primitives[0], core.primitives[0].name
    known_names = [p.name for p in catalog.primitives()]
    if name not in known_names:
        hint = f"there are: {', '.join(known_names)}; or name a core.toml"
        raise InputError("--primitive", f"no such primitive: {name!r}", hint)
    return None, name


def _copy(primitive: Primitive, folder: Path) -> None:
    names = [entry.file for entry in primitive.kat_files]
    references = [ref for one in primitive.operations for ref in (one.spec, one.fast) if ref]
    names += dict.fromkeys(reference.partition(":")[0] for reference in references)
    for name in names:
        target = folder / name
        target.parent.mkdir(parents=True, exist_ok=True)
        if not (target.exists() and target.samefile(primitive.folder / name)):
            shutil.copyfile(primitive.folder / name, target)


def _primitive_table(primitive: Primitive) -> str:
    lines = ["[[primitive]]"]
    told = [(field, getattr(primitive, field)) for field in ("name", "title", "standard")]
    lines += [f"{field} = {_text(value)}" for field, value in told]
    if primitive.constants:
        lines.append(f"constants = {_inline(primitive.constants)}")
    lines.append(_tables("kat", primitive.kat_files))
    for operation in primitive.operations:
        lines += ["", "[[primitive.operation]]"]
        for name in operation.__struct_fields__:
            value = getattr(operation, name)
            if name in ("inputs", "outputs"):
                lines.append(_tables(name, value))
            elif value and not (name == "kind" and value == operation.name):
                lines.append(f"{name} = {_value(value)}")
    return "\n".join(lines) + "\n"


def _tables(name: str, records: Sequence[msgspec.Struct]) -> str:
    """Give a list of records: in one line, or a line each."""
    rows = [_inline(_told(record)) for record in records]
    line = f"{name} = [{', '.join(rows)}]"
    if len(line) <= _LINE:
        return line
    return f"{name} = [\n{''.join(f'    {row},{chr(10)}' for row in rows)}]"


def _told(record: msgspec.Struct) -> dict[str, object]:
    """Give what a record says beside what it says unsaid."""
    fields = msgspec.structs.fields(record)
    return {f.name: v for f in fields if (v := getattr(record, f.name)) != f.default}


def _text(value: str) -> str:
    """Give a text as TOML writes it: JSON's form is one of its own."""
    return json.dumps(value)


def _operations(own: Primitive | None, name: str) -> tuple[str, ...]:
    """Give the names of a primitive's operations."""
    primitive = own or next(one for one in catalog.primitives() if one.name == name)
    return tuple(operation.name for operation in primitive.operations)


def _measured(document: str, folder: Path) -> Measured:
    """Measure the claims, with a description that lies beside the real one only for that."""
    with tempfile.NamedTemporaryFile("w", dir=folder, suffix=".toml", encoding="utf-8") as stream:
        stream.write(document)
        stream.flush()
        [design] = cores.load(Path(stream.name)).designs
        with (
            verify.open_model(design) as model,
            Oracle(design.primitive, design.operations) as oracle,
        ):
            found = [timing.measure(design, name, model, oracle) for name in design.operations]
    return [(one.operation, _claims_of(one)) for one in found]


def _claims_of(measured: Timing) -> dict[str, str | int]:
    """Give the claims that say what was measured: a number that is not whole is a formula."""
    told = {
        "cycles_per_block": measured.cycles_per_block,
        "latency_cycles": measured.latency_cycles,
        "cycles_per_message": measured.cycles_per_message,
    }
    exact = {
        name: Fraction(found.mean).limit_denominator(_DENOMINATOR)
        for name, found in told.items()
        if found is not None
    }
    return {name: int(n) if n.denominator == 1 else str(n) for name, n in exact.items()}
