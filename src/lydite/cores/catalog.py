# SPDX-License-Identifier: Apache-2.0
"""The catalogue of cores: primitives, their designs and their software.

A core is a folder with a `core.toml` (contract: docs/cores.md). Ours stand in this package; others
come from the entry point group `lydite.cores` (a function or string that gives a folder), or from a
path that the user names. A user's core may implement a primitive of the catalogue and then has its
known answers and its software to stand against.
"""

from __future__ import annotations

import functools
import importlib.metadata
from collections.abc import Iterator, Mapping, Sequence
from pathlib import Path

import msgspec

from lydite.base import schema
from lydite.base.errors import InputError
from lydite.base.schema import Data
from lydite.cores import design as designs_of
from lydite.cores import primitive as primitives_of
from lydite.cores import software as software_of
from lydite.cores.design import Design, RawDesign
from lydite.cores.primitive import Primitive, RawPrimitive
from lydite.cores.software import RawSoftware, Software

FOLDER = Path(__file__).parent
FILE = "core.toml"
ENTRY_POINTS = "lydite.cores"
SCHEMA = 2


class _Version(msgspec.Struct, frozen=True):
    """What every version of the contract begins with; the rest is read once it is known."""

    schema: int


class _File(Data, frozen=True, kw_only=True):
    schema: int
    title: str
    part: bool = False
    primitive: tuple[RawPrimitive, ...] = ()
    design: tuple[RawDesign, ...] = ()
    software: tuple[RawSoftware, ...] = ()


class Core(msgspec.Struct, frozen=True, kw_only=True):
    """All that one `core.toml` describes."""

    path: Path
    title: str
    primitives: tuple[Primitive, ...]
    designs: tuple[Design, ...]
    software: tuple[Software, ...]


def load(path: Path) -> Core:
    """Read a core's description and check all that can be checked without a tool.

    Raises
    ------
    InputError
        The file, or a file that it names, cannot be read, or breaks the contract; with the field.
    """
    # An older file has other fields: its version says more than the first that does not fit.
    version = schema.load(path, _Version, "a core description").schema
    if version != SCHEMA:
        what = f"version {version} is not known"
        raise InputError(f"{path}: schema", what, f"this is {SCHEMA}: see docs/cores.md")
    raw = schema.load(path, _File, "a core description")
    folder = path.parent.resolve()
    own = {entry.name: primitives_of.read(path, folder, entry) for entry in raw.primitive}
    _unique(path, "primitive", [entry.name for entry in raw.primitive])
    expanded = [one for entry in raw.design for one in designs_of.expand(path, entry)]
    # Of each primitive: those of another one may have the same names.
    for primitive in dict.fromkeys(name for entry in expanded for name in entry.primitives):
        _unique(path, "design", [e.name for e in expanded if primitive in e.primitives])
    for primitive in dict.fromkeys(name for entry in raw.software for name in entry.primitives):
        _unique(path, "software", [e.name for e in raw.software if primitive in e.primitives])
    designs = [
        designs_of.read(path, folder, entry, _resolve(path, f"design {entry.name}", name, own))
        for entry in expanded
        for name in entry.primitives
    ]
    software = [
        software_of.read(path, folder, entry, _resolve(path, f"software {entry.name}", name, own))
        for entry in raw.software
        for name in entry.primitives
    ]
    if not raw.part:
        _check_made(path, own, designs, software)
    return Core(
        path=path,
        title=raw.title,
        primitives=tuple(own.values()),
        designs=tuple(designs),
        software=tuple(software),
    )


def _unique(path: Path, kind: str, names: list[str]) -> None:
    for name in names:
        if names.count(name) > 1:
            raise InputError(f"{path}: {kind}", f"{name!r} stands twice", "names are unique")
        if not name.replace("-", "").replace(".", "").isalnum() or not name.isascii():
            raise InputError(
                f"{path}: {kind}", f"not a name: {name!r}", "letters, digits, '-' and '.'"
            )


def _check_made(
    path: Path,
    own: Mapping[str, Primitive],
    designs: Sequence[Design],
    software: Sequence[Software],
) -> None:
    """Check that each operation of a file's primitives is done by something, if anything is.

    One that only makes the tests of another, as its inverse, or its keys, need not be.
    """
    for name, primitive in own.items():
        entries: tuple[Design | Software, ...] = (*designs, *software)
        makers = [one for one in entries if one.primitive is primitive]
        done = {operation for one in makers for operation in one.operations}
        named = [primitive.operation(operation) for operation in done]
        done |= {other for one in named for other in (one.inverse, one.keys)}
        for operation in primitive.operations:
            if makers and operation.name not in done:
                raise InputError(
                    f"{path}: primitive {name}: operation {operation.name}",
                    "no design has it, and no software",
                    "add it to their `operations`, or take it out",
                )


def _resolve(path: Path, where: str, name: str, own: Mapping[str, Primitive]) -> Primitive:
    if name in own:
        return own[name]
    if path.resolve() not in _catalogue_paths():
        for primitive in primitives():
            if primitive.name == name:
                return primitive
    raise InputError(f"{path}: {where}: primitives", f"no such primitive: {name!r}")


@functools.cache
def _catalogue_paths() -> tuple[Path, ...]:
    own = [path.resolve() for path in sorted(FOLDER.glob(f"*/{FILE}"))]
    others = []
    for entry in importlib.metadata.entry_points(group=ENTRY_POINTS):
        try:
            given = entry.load()
        except (ImportError, AttributeError) as error:
            raise InputError(
                f"entry point {ENTRY_POINTS}: {entry.name}",
                f"cannot be loaded: {error}",
                "mend or uninstall the package that brings it",
            ) from error
        others.append(Path(given() if callable(given) else given).resolve() / FILE)
    return (*own, *sorted(others))


@functools.cache
def cores() -> tuple[Core, ...]:
    """Give all cores of the catalogue: ours, then those of entry points."""
    return tuple(load(path) for path in _catalogue_paths())


def primitives() -> tuple[Primitive, ...]:
    """Give all primitives of the catalogue."""
    return tuple(primitive for core in cores() for primitive in core.primitives)


def primitive(name: str) -> Primitive:
    """Give a primitive that is known to be in the catalogue."""
    [found] = [one for one in primitives() if one.name == name]
    return found


def design(primitive: str, name: str) -> Design:
    """Give a design that is known to be in the catalogue."""
    [found] = [one for one in designs(primitive) if one.name == name]
    return found


def designs(primitive: str) -> tuple[Design, ...]:
    """Give the catalogue's designs of a primitive."""
    return tuple(d for core in cores() for d in core.designs if d.primitive.name == primitive)


def software(primitive: str, *, gpu: bool = False) -> tuple[Software, ...]:
    """Give the catalogue's software of a primitive: of a processor, or of a GPU."""
    return tuple(s for core in cores() for s in _software_of(core, primitive, gpu))


def _software_of(core: Core, primitive: str, gpu: bool = False) -> Iterator[Software]:
    for one in core.software:
        if one.primitive.name == primitive and (one.role == "gpu") == gpu:
            yield one


class Selection(msgspec.Struct, frozen=True):
    """What one bench is about: a primitive, designs of it, and software to stand against."""

    primitive: Primitive
    designs: tuple[Design, ...]
    software: tuple[Software, ...]


def select(name: str, *, every: bool = False) -> tuple[Selection, ...]:
    """Give what a user names: `PRIMITIVE`, `PRIMITIVE/DESIGN`, or a path to a `core.toml`.

    A path, or that of its folder, gives one selection for each primitive that the file's designs
    implement, with all of them; `PATH/DESIGN` only that design.

    Parameters
    ----------
    every : bool
        With a primitive: all its designs, not only the default ones.

    Raises
    ------
    InputError
        There is no such thing; the message lists what there is.
    """
    own = _description(Path(name))
    folder, _, last = name.rstrip("/").rpartition("/")
    above = _description(Path(folder)) if folder else None
    if own is not None and own.is_file():
        return _select_core(load(own))
    if above is not None and above.is_file():
        return _select_core(load(above), last)
    primitive_name, _, design_name = name.partition("/")
    primitive = next((p for p in primitives() if p.name == primitive_name), None)
    if primitive is None and (own is not None or above is not None):
        return _select_core(load(own or above or Path(name)))  # it is not there: that is the error
    if primitive is None:
        known = ", ".join(p.name for p in primitives())
        hint = f"there are: {known}; or name a core.toml"
        raise InputError("PRIMITIVE", f"no such primitive: {primitive_name!r}", hint)
    found = designs(primitive_name)
    if design_name:
        known = ", ".join(design.label for design in found)
        found = tuple(design for design in found if design.name == design_name)
        if not found:
            raise InputError("DESIGN", f"no such design: {name!r}", f"there are: {known}")
    elif not every:
        found = tuple(design for design in found if design.default)
    return (Selection(primitive, found, software(primitive_name)),)


def _description(path: Path) -> Path | None:
    """Give the `core.toml` that a path means; None if it is no path to one."""
    if path.suffix == ".toml":
        return path
    return path / FILE if path.is_dir() else None


def _select_core(core: Core, design: str = "") -> tuple[Selection, ...]:
    if not core.designs:
        raise InputError(str(core.path), "describes no design", "add a [[design]]")
    wanted = [d for d in core.designs if design in ("", d.name)]
    if not wanted:
        known = ", ".join(dict.fromkeys(d.name for d in core.designs))
        raise InputError("DESIGN", f"no design {design!r} in {core.path}", f"there are: {known}")
    chosen: dict[str, Primitive] = {d.primitive.name: d.primitive for d in wanted}
    return tuple(
        Selection(
            primitive,
            tuple(d for d in wanted if d.primitive.name == name),
            tuple(_software_of(core, name)) or software(name),
        )
        for name, primitive in chosen.items()
    )
