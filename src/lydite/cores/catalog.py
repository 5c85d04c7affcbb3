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
import re
from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import Literal

import msgspec

from lydite.base import digest, schema
from lydite.base.errors import InputError
from lydite.base.schema import Data
from lydite.cores import formula, kat

FOLDER = Path(__file__).parent
FILE = "core.toml"
ENTRY_POINTS = "lydite.cores"


# Names of the ports: of a core in Verilog, of one that the HLS compiler makes.
_OWN_CLOCK = ("clk", "ap_clk")
_OWN_RESET = ("rst", "ap_rst")


class KatFile(Data, frozen=True, kw_only=True):
    """A vectors file: its format, and how many records it must hold."""

    file: str
    format: Literal["cavp-messages", "cavp-chain", "json"]
    records: int


class _Primitive(Data, frozen=True, kw_only=True):
    name: str
    title: str
    standard: str
    kind: Literal["hash", "xof"]
    block_bytes: int
    output_bytes: int
    spec: str = ""
    fast: str = ""
    constants: dict[str, int] = msgspec.field(default_factory=dict)
    kat: tuple[KatFile, ...]


class Claims(Data, frozen=True, kw_only=True):
    """What a design claims of its speed, as formulas over its parameters; simulation measures it.

    Attributes
    ----------
    cycles_per_block : str or int
        Cycles from block to block of a long message, in steady state.
    latency_cycles : str or int
        Cycles from the first beat taken to the last beat given of a message of one whole block
        (for a sponge: of the longest message that takes one block), both ends counted.
    cycles_per_message : str or int, optional
        Cycles from message to message, of one block each, back to back, in steady state.
    """

    cycles_per_block: str | int
    latency_cycles: str | int
    cycles_per_message: str | int | None = None


class _Hls(Data, frozen=True, kw_only=True):
    sources: tuple[str, ...]
    top: str
    clock_ns: float
    target: str
    includes: tuple[str, ...] = ()
    defines: dict[str, str | int] = msgspec.field(default_factory=dict)
    std: str = ""
    directives: tuple[str, ...] = ()


class _Design(Data, frozen=True, kw_only=True):
    name: str
    title: str
    primitives: tuple[str, ...]
    claims: Claims
    sources: tuple[str, ...] = ()
    top: str = ""
    hls: _Hls | None = None
    interface: Literal["axi4-stream"] = "axi4-stream"
    clock: str = ""
    reset: str = ""
    default: bool = True
    parameters: dict[str, str | int] = msgspec.field(default_factory=dict)


class _Software(Data, frozen=True, kw_only=True):
    name: str
    title: str
    role: Literal["reference", "single", "multi", "peer"]
    primitives: tuple[str, ...]
    sources: tuple[str, ...]
    includes: tuple[str, ...] = ()
    cpu: tuple[str, ...] = ()
    defines: dict[str, str | int] = msgspec.field(default_factory=dict)
    flags: tuple[str, ...] = ("-O3 -march=native", "-O2 -march=native")


class _File(Data, frozen=True, kw_only=True):
    schema: int
    title: str
    primitive: tuple[_Primitive, ...] = ()
    design: tuple[_Design, ...] = ()
    software: tuple[_Software, ...] = ()


class Primitive(msgspec.Struct, frozen=True, kw_only=True):
    """A function with its known answers.

    Attributes
    ----------
    kind : str
        `hash`, or `xof`: the output length comes with each message.
    block_bytes : int
        Bytes of a message that one call of the inner function takes.
    output_bytes : int
        Length of the output; for an `xof` the one that is measured.
    spec : str
        `FILE.py:FUNCTION` of the specification in Python, or empty.
    fast : str
        The same function, quick enough for hundreds of thousands of messages; or empty.
    """

    folder: Path
    name: str
    title: str
    standard: str
    kind: str
    block_bytes: int
    output_bytes: int
    spec: str
    fast: str
    constants: Mapping[str, int]
    kat_files: tuple[KatFile, ...]

    @property
    def names(self) -> dict[str, int]:
        """What formulas of designs and software may use."""
        return {
            "block_bytes": self.block_bytes,
            "output_bytes": self.output_bytes,
            "xof": int(self.kind == "xof"),
            **self.constants,
        }

    @property
    def one_block_bytes(self) -> int:
        """Length of the longest message of one block: a byte less than a block where padding
        takes room, as the constant `padding_bytes` says.
        """
        return self.block_bytes - self.constants.get("padding_bytes", 0)

    def vectors(self) -> tuple[kat.Vector, ...]:
        """Give all known answers that are single messages."""
        found: list[kat.Vector] = []
        for entry in self.kat_files:
            path = self.folder / entry.file
            if entry.format == "cavp-messages":
                found += kat.read_messages(path, entry.records)
            elif entry.format == "json":
                found += kat.read_json(path, entry.records)
            if self.kind == "hash":
                _whole_outputs(path, found, self.output_bytes)
        return tuple(found)

    def chains(self) -> tuple[kat.Chain, ...]:
        """Give all Monte Carlo chains."""
        found = []
        for entry in self.kat_files:
            if entry.format == "cavp-chain":
                path = self.folder / entry.file
                found.append(kat.read_chain(path, entry.records))
                if self.kind == "hash":
                    _whole_outputs(path, found[-1].checkpoints, self.output_bytes)
        return tuple(found)

    @property
    def vectors_digest(self) -> str:
        """Digest of all known answers that are single messages."""
        return digest.of_value(
            [
                [entry.format, entry.records, digest.of_file(self.folder / entry.file)]
                for entry in self.kat_files
                if entry.format != "cavp-chain"
            ]
        )


def _whole_outputs(path: Path, vectors: Sequence[kat.Vector], output_bytes: int) -> None:
    for vector in vectors:
        if len(vector.output) != output_bytes:
            raise InputError(
                str(path),
                f"{vector.where}: an output of {len(vector.output)} bytes, not {output_bytes}",
                "the file is cut short, or output_bytes is wrong",
            )


class Hls(msgspec.Struct, frozen=True, kw_only=True):
    """C that `lydite hls` makes Verilog of, for a design that instantiates it.

    Attributes
    ----------
    includes : tuple of str
        Headers that the sources include.
    clock_ns : float
        Period that it is scheduled for, with the delays of `target`.
    std : str
        As `-std=` of a C compiler; empty for its default.
    directives : tuple of str
        Files of directives that join those in the sources.
    """

    sources: tuple[str, ...]
    includes: tuple[str, ...]
    top: str
    clock_ns: float
    target: str
    defines: Mapping[str, int]
    std: str
    directives: tuple[str, ...]


class Design(msgspec.Struct, frozen=True, kw_only=True):
    """One implementation in hardware of one primitive, its parameters settled.

    Attributes
    ----------
    default : bool
        Whether a bench of the primitive has it without being asked.
    """

    folder: Path
    name: str
    title: str
    primitive: Primitive
    sources: tuple[str, ...]
    top: str
    clock: str
    reset: str
    default: bool
    hls: Hls | None
    parameters: Mapping[str, int]
    cycles_per_block: int
    latency_cycles: int
    cycles_per_message: int | None

    @property
    def label(self) -> str:
        """Name on the command line and in tables: `sha3-256/rtl`."""
        return f"{self.primitive.name}/{self.name}"


class Software(msgspec.Struct, frozen=True, kw_only=True):
    """One implementation in C of one primitive.

    Attributes
    ----------
    role : str
        `reference` (to be read), `single` (one message at a time), `multi` (several), `peer`
        (another project's, called).
    cpu : tuple of str
        Processor features that it needs, as Linux names them in /proc/cpuinfo.
    flags : tuple of str
        Sets of compiler flags to try; the fastest counts.
    """

    folder: Path
    name: str
    title: str
    role: str
    primitive: Primitive
    sources: tuple[str, ...]
    includes: tuple[str, ...]
    cpu: tuple[str, ...]
    defines: Mapping[str, int]
    flags: tuple[str, ...]

    @property
    def label(self) -> str:
        """Name in tables: `sha3-256/avx512-x8`."""
        return f"{self.primitive.name}/{self.name}"


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
    raw = schema.load(path, _File, "a core description")
    if raw.schema != 1:
        raise InputError(f"{path}: schema", f"version {raw.schema} is not known", "this is 1")
    folder = path.parent.resolve()
    own = {entry.name: _primitive(path, folder, entry) for entry in raw.primitive}
    _unique(path, "primitive", [entry.name for entry in raw.primitive])
    _unique(path, "design", [entry.name for entry in raw.design])
    _unique(path, "software", [entry.name for entry in raw.software])
    designs = [
        _design(path, folder, entry, _resolve(path, f"design {entry.name}", name, own))
        for entry in raw.design
        for name in entry.primitives
    ]
    software = [
        _software(path, folder, entry, _resolve(path, f"software {entry.name}", name, own))
        for entry in raw.software
        for name in entry.primitives
    ]
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


def _resolve(path: Path, where: str, name: str, own: Mapping[str, Primitive]) -> Primitive:
    if name in own:
        return own[name]
    if path.resolve() not in _catalogue_paths():
        for primitive in primitives():
            if primitive.name == name:
                return primitive
    raise InputError(f"{path}: {where}: primitives", f"no such primitive: {name!r}")


def _file(path: Path, folder: Path, where: str, name: str) -> None:
    found = (folder / name).resolve()
    if not found.is_relative_to(folder):
        raise InputError(f"{path}: {where}", f"{name} lies outside the core's folder")
    if not found.is_file():
        raise InputError(f"{path}: {where}", f"no such file: {name}", f"looked in {folder}")


def _primitive(path: Path, folder: Path, raw: _Primitive) -> Primitive:
    where = f"primitive {raw.name}"
    for field, size in (("block_bytes", raw.block_bytes), ("output_bytes", raw.output_bytes)):
        if size < 1:
            raise InputError(f"{path}: {where}: {field}", f"must be at least 1, not {size}")
    if all(entry.format == "cavp-chain" for entry in raw.kat):
        raise InputError(
            f"{path}: {where}",
            "no known answers of single messages",
            "nothing is measured that is not proven first",
        )
    for entry in raw.kat:
        _file(path, folder, f"{where}: kat", entry.file)
        if entry.records < 1:
            raise InputError(f"{path}: {where}: kat", f"{entry.file}: records must be at least 1")
    for field, value in (("spec", raw.spec), ("fast", raw.fast)):
        if value:
            file, _, function = value.partition(":")
            if not function.isidentifier():
                raise InputError(f"{path}: {where}: {field}", f"not FILE.py:FUNCTION: {value!r}")
            _file(path, folder, f"{where}: {field}", file)
    return Primitive(
        folder=folder,
        name=raw.name,
        title=raw.title,
        standard=raw.standard,
        kind=raw.kind,
        block_bytes=raw.block_bytes,
        output_bytes=raw.output_bytes,
        spec=raw.spec,
        fast=raw.fast,
        constants=raw.constants,
        kat_files=raw.kat,
    )


def _design(path: Path, folder: Path, raw: _Design, primitive: Primitive) -> Design:
    where = f"design {raw.name}"
    if not raw.sources and raw.hls is None:
        raise InputError(f"{path}: {where}: sources", "no files")
    for name in raw.sources:
        _file(path, folder, f"{where}: sources", name)
    # C with stream arguments is a core as it comes out of the compiler.
    whole = raw.hls is not None and not raw.sources
    top = raw.top or (raw.hls.top if whole and raw.hls is not None else "")
    if not top:
        raise InputError(f"{path}: {where}: top", "missing", "name the top module of the sources")
    clock, reset = raw.clock or _OWN_CLOCK[whole], raw.reset or _OWN_RESET[whole]
    for name in (top, clock, reset, *raw.parameters):
        if not re.fullmatch(r"[A-Za-z_][A-Za-z0-9_$]*", name):
            raise InputError(f"{path}: {where}", f"not a name of Verilog: {name!r}")
    names = primitive.names
    parameters = {
        name: formula.evaluate(value, names, where=f"{path}: {where}: parameters.{name}")
        for name, value in raw.parameters.items()
    }
    names |= parameters
    cycles = {
        name: formula.evaluate(value, names, where=f"{path}: {where}: claims.{name}")
        for name in ("cycles_per_block", "latency_cycles", "cycles_per_message")
        if (value := getattr(raw.claims, name)) is not None
    }
    return Design(
        folder=folder,
        name=raw.name,
        title=raw.title,
        primitive=primitive,
        sources=raw.sources,
        top=top,
        clock=clock,
        reset=reset,
        default=raw.default,
        hls=_hls(path, folder, where, raw.hls, primitive) if raw.hls else None,
        parameters=parameters,
        cycles_per_block=cycles["cycles_per_block"],
        latency_cycles=cycles["latency_cycles"],
        cycles_per_message=cycles.get("cycles_per_message"),
    )


def _hls(path: Path, folder: Path, where: str, raw: _Hls, primitive: Primitive) -> Hls:
    for name in (*raw.sources, *raw.includes, *raw.directives):
        _file(path, folder, f"{where}: hls.sources", name)
    if not raw.sources:
        raise InputError(f"{path}: {where}: hls.sources", "no files")
    if not raw.clock_ns > 0:
        raise InputError(f"{path}: {where}: hls.clock_ns", f"must be above 0, not {raw.clock_ns:g}")
    return Hls(
        sources=raw.sources,
        includes=raw.includes,
        top=raw.top,
        clock_ns=raw.clock_ns,
        target=raw.target,
        defines=_defines(path, f"{where}: hls", raw.defines, primitive),
        std=raw.std,
        directives=raw.directives,
    )


def _defines(
    path: Path, where: str, raw: Mapping[str, str | int], primitive: Primitive
) -> dict[str, int]:
    return {
        name: formula.evaluate(value, primitive.names, where=f"{path}: {where}: defines.{name}")
        for name, value in raw.items()
    }


def _software(path: Path, folder: Path, raw: _Software, primitive: Primitive) -> Software:
    where = f"software {raw.name}"
    for name in (*raw.sources, *raw.includes):
        _file(path, folder, f"{where}: sources", name)
    if not raw.sources:
        raise InputError(f"{path}: {where}: sources", "no files")
    if not raw.flags:
        raise InputError(f"{path}: {where}: flags", "no set of compiler flags")
    return Software(
        folder=folder,
        name=raw.name,
        title=raw.title,
        role=raw.role,
        primitive=primitive,
        sources=raw.sources,
        includes=raw.includes,
        cpu=raw.cpu,
        defines=_defines(path, where, raw.defines, primitive),
        flags=raw.flags,
    )


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


def designs(primitive: str) -> tuple[Design, ...]:
    """Give the catalogue's designs of a primitive."""
    return tuple(d for core in cores() for d in core.designs if d.primitive.name == primitive)


def software(primitive: str) -> tuple[Software, ...]:
    """Give the catalogue's software of a primitive."""
    return tuple(s for core in cores() for s in core.software if s.primitive.name == primitive)


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
            tuple(s for s in core.software if s.primitive.name == name) or software(name),
        )
        for name, primitive in chosen.items()
    )
