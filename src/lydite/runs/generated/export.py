# SPDX-License-Identifier: Apache-2.0
"""Writes cores: Verilog and a `core.toml`, for `lydite bench`.

One is made of what the HLS compiler wrote: the function must be a streaming core as docs/cores.md
has it. Its claims of cycles are measured by simulation, and written down; `verify` of the bench
then holds them against the hardware again. Another one is a design as it was proven.
"""

from __future__ import annotations

import re
from collections.abc import Mapping
from pathlib import Path

import msgspec

from lydite import cores
from lydite.base.errors import InputError
from lydite.base.files import write_atomic
from lydite.cores import Design, Primitive, catalog
from lydite.cores.catalog import FILE, SCHEMA
from lydite.cores.design import Bounds, Claims
from lydite.hls.compiled import Compiled
from lydite.hls.contract.interface import Interface
from lydite.runs.generated.description import (
    Measured,
    claimed,
    copy_primitive,
    inline,
    lines,
    listed,
    measured,
    primitive_table,
    quoted,
)
from lydite.sim.build import Sources

# Names of the stream arguments of a core.
IN, OUT = "s_axis", "m_axis"
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
        copy_primitive(own, folder)
        head = primitive_table(own) + "\n"
    top = compiled.interface.top
    title = title or f"C, compiled for {compiled.report.clock_ns:g} ns"
    path = folder / FILE

    def document(claims: Measured) -> str:
        return (
            f"# Made by Lydite from C, source digest {compiled.source_digest[:16]}.\n"
            f"schema = {SCHEMA}\ntitle = {quoted(f'{primitive_name} by HLS')}\n\n{head}"
            f"[[design]]\nname = {quoted(name)}\ntitle = {quoted(title)}\n"
            f"primitives = [{quoted(primitive_name)}]\n"
            f"sources = {listed(sorted(texts))}\n"
            f'top = {quoted(top)}\nclock = "ap_clk"\nreset = "ap_rst"\n' + claimed(claims)
        )

    operations = _operations(own, primitive_name)
    found = measured(document([(name, {}) for name in operations]), folder)
    write_atomic(path, document(found))
    return path


def write_design(design: Design, sources: Sources, folder: Path) -> None:
    """Write a design as a core of its own: its files, its primitive's, and a `core.toml`.

    All formulas are settled, and what was C is Verilog.
    """
    primitive = design.primitive
    sources.copy_to(folder)
    copy_primitive(primitive, folder)
    path = folder / FILE
    parameters = sources.parameters
    write_atomic(
        path,
        f"# {design.label} as it was proven, made by Lydite.\n"
        f"schema = {SCHEMA}\ntitle = {quoted(design.title)}\npart = true\n\n"
        f"{primitive_table(primitive)}\n"
        f"[[design]]\nname = {quoted(design.name)}\ntitle = {quoted(design.title)}\n"
        f"primitives = [{quoted(primitive.name)}]\noperations = {listed(design.operations)}\n"
        f"sources = {listed(sources.files)}\n"
        f"top = {quoted(design.top)}\nclock = {quoted(design.clock)}\n"
        f"reset = {quoted(design.reset)}\ninterface = {quoted(design.interface)}\n"
        f"release = {quoted(design.release)}\n"
        + (f"parameters = {inline(parameters)}\n" if parameters else "")
        + (f"registers = {inline(design.registers)}\n" if design.registers else "")
        + "".join(f"\n[[design.streams]]\n{lines(one)}" for one in design.streams)
        + "\n"
        + "".join(
            f"[design.claims.{name}]\n{lines(claims)}\n"
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


def _operations(own: Primitive | None, name: str) -> tuple[str, ...]:
    """Give the names of a primitive's operations."""
    primitive = own or catalog.primitive(name)
    return tuple(operation.name for operation in primitive.operations)
