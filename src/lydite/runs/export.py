# SPDX-License-Identifier: Apache-2.0
"""Writes cores: Verilog and a `core.toml`, for `lydite bench`.

One is made of what the HLS compiler wrote: the function must be a streaming core as docs/cores.md
has it. Its claims of cycles are measured by simulation, and written down; `verify` of the bench
then holds them against the hardware again. Another one is a design as it was proven.
"""

from __future__ import annotations

import json
import shutil
import tempfile
from collections.abc import Iterable, Mapping, Sequence
from pathlib import Path

import msgspec

from lydite import cores
from lydite.base.errors import InputError
from lydite.base.files import write_atomic
from lydite.cores import Design, Primitive, catalog
from lydite.cores.catalog import FILE
from lydite.hls.compiled import Compiled
from lydite.hls.contract.interface import Interface
from lydite.sim import specification, verify
from lydite.sim.build import Sources

# Names of the stream arguments of a core.
IN, OUT = "s_axis", "m_axis"
_CLAIMS = ("cycles_per_block", "latency_cycles", "cycles_per_message")
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

    def document(claims: Sequence[int]) -> str:
        told = _inline(dict(zip(_CLAIMS, claims, strict=True)))
        return (
            f"# Made by Lydite from C, source digest {compiled.source_digest[:16]}.\n"
            f"schema = 1\ntitle = {_text(f'{primitive_name} by HLS')}\n\n{head}"
            f"[[design]]\nname = {_text(name)}\ntitle = {_text(title)}\n"
            f"primitives = [{_text(primitive_name)}]\n"
            f"sources = {_list(sorted(texts))}\n"
            f'top = {_text(top)}\nclock = "ap_clk"\nreset = "ap_rst"\n'
            f"claims = {told}\n"
        )

    measured = _measured(document((1, 1, 1)), folder)
    write_atomic(path, document(measured))
    return path


def write_design(design: Design, sources: Sources, folder: Path) -> None:
    """Write a design as a core of its own: its files, its primitive's, and a `core.toml`.

    All formulas are settled, and what was C is Verilog. Vectors of chains are left out.
    """
    primitive = design.primitive
    single = tuple(entry for entry in primitive.kat_files if entry.format != "cavp-chain")
    primitive = msgspec.structs.replace(primitive, kat_files=single)
    sources.copy_to(folder)
    _copy(primitive, folder)
    told = [specification.inputs(primitive, each) for each in (primitive.spec, primitive.fast)]
    for name, _ in (pair for inputs in told for pair in inputs.get("read", ())):
        if (primitive.folder / name).is_file() and not (folder / name).exists():
            (folder / name).parent.mkdir(parents=True, exist_ok=True)
            shutil.copyfile(primitive.folder / name, folder / name)
    cycles = {name: getattr(design, name) for name in _CLAIMS if getattr(design, name) is not None}
    tables = {"parameters": sources.parameters, "claims": cycles}
    path = folder / FILE
    write_atomic(
        path,
        f"# {design.label} as it was proven, made by Lydite.\n"
        f"schema = 1\ntitle = {_text(design.title)}\n\n{_primitive_table(primitive)}\n"
        f"[[design]]\nname = {_text(design.name)}\ntitle = {_text(design.title)}\n"
        f"primitives = [{_text(primitive.name)}]\nsources = {_list(sources.files)}\n"
        f"top = {_text(design.top)}\nclock = {_text(design.clock)}\n"
        f"reset = {_text(design.reset)}\n"
        + "".join(f"{name} = {_inline(table)}\n" for name, table in tables.items() if table),
    )


def _list(names: Iterable[str]) -> str:
    return f"[\n{''.join(f'    {_text(name)},{chr(10)}' for name in names)}]"


def _inline(table: Mapping[str, int]) -> str:
    return f"{{ {', '.join(f'{name} = {value}' for name, value in table.items())} }}"


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
    named = [spec.partition(":")[0] for spec in (primitive.spec, primitive.fast) if spec]
    names += dict.fromkeys(named)
    for name in names:
        target = folder / name
        target.parent.mkdir(parents=True, exist_ok=True)
        if not (target.exists() and target.samefile(primitive.folder / name)):
            shutil.copyfile(primitive.folder / name, target)


def _primitive_table(primitive: Primitive) -> str:
    lines = ["[[primitive]]"]
    texts = ("name", "title", "standard", "kind", "spec", "fast")
    told = [(field, getattr(primitive, field)) for field in texts]
    lines += [f"{field} = {_text(value)}" for field, value in told if value]
    lines += [f"{field} = {getattr(primitive, field)}" for field in ("block_bytes", "output_bytes")]
    if primitive.constants:
        lines.append(f"constants = {_inline(primitive.constants)}")
    for entry in primitive.kat_files:
        lines += ["", "[[primitive.kat]]", f"file = {_text(entry.file)}"]
        lines += [f"format = {_text(entry.format)}", f"records = {entry.records}"]
    return "\n".join(lines) + "\n"


def _text(value: str) -> str:
    """Give a text as TOML writes it: JSON's form is one of its own."""
    return json.dumps(value)


def _measured(document: str, folder: Path) -> tuple[int, int, int]:
    """Measure the claims, with a description that lies beside the real one only for that."""
    with tempfile.NamedTemporaryFile("w", dir=folder, suffix=".toml", encoding="utf-8") as stream:
        stream.write(document)
        stream.flush()
        [design] = cores.load(Path(stream.name)).designs
        with verify.open_model(design) as model:
            per_block, per_message, latency = verify.measure(design, model)
    return per_block, latency, per_message
