# SPDX-License-Identifier: Apache-2.0
"""Designs: hardware of a primitive, the streams that carry its fields, and what it claims."""

from __future__ import annotations

import itertools
import re
from collections.abc import Iterator, Mapping, Sequence
from fractions import Fraction
from pathlib import Path
from typing import Literal

import msgspec

from lydite.base.errors import InputError
from lydite.base.schema import Data
from lydite.cores import formula
from lydite.cores.operation import VERDICT, Operation
from lydite.cores.primitive import Primitive, check_file
from lydite.cores.software import defines_of, operations_of

# Names of the ports: of a core in Verilog, of one that the HLS compiler makes.
_OWN_CLOCK = ("clk", "ap_clk")
_OWN_RESET = ("rst", "ap_rst")
# What ports of streams begin with: those that take fields, and those that give them.
SINK, SOURCE = "s_axis", "m_axis"
# A formula, or the least and the greatest where time depends on data.
Bounds = str | int | tuple[str | int, str | int]
# What the ports of a design are, and whether what a rejected call gives comes out.
Interface = Literal["axi4-stream", "lwc"]
Release = Literal["verified", "unverified"]
CLAIMS = ("cycles_per_block", "latency_cycles", "cycles_per_message", "total_cycles")
# Blocks for which `total_cycles` is measured.
TOTAL_BLOCKS = (1, 2, 3, 6, 18)
# Calls that a design may have at once: values of `tid`.
MAX_INTERLEAVED = 256
_NAME = re.compile(r"[A-Za-z_][A-Za-z0-9_$]*")


class Claims(Data, frozen=True, kw_only=True):
    """What a design claims of the speed of an operation, as formulas; simulation measures it.

    Attributes
    ----------
    cycles_per_block : optional
        Cycles from block to block of a long payload, in steady state.
    latency_cycles : optional
        Cycles from the first beat taken to the last beat given of a call with a payload of one
        whole block (with padding: of the longest that takes one block), both ends counted.
    cycles_per_message : optional
        Cycles from call to call, of one block each, back to back, in steady state.
    total_cycles : optional
        As `latency_cycles`, of a payload of N blocks: a formula over N.
    """

    cycles_per_block: Bounds | None = None
    latency_cycles: Bounds | None = None
    cycles_per_message: Bounds | None = None
    total_cycles: Bounds | None = None


class Stream(Data, frozen=True, kw_only=True):
    """A stream of a design: one packet for each of its fields that an operation has.

    Attributes
    ----------
    port : str
        What its ports begin with: `s_axis...` takes fields, `m_axis...` gives them.
    user : str
        Formula of `tuser`, over `operation` (its number) and `<field>_bytes`; or empty.
    header : tuple of str
        What a first packet says in words of 32 bits: `operation`, or the length of a field.
    """

    port: str
    fields: tuple[str, ...]
    user: str = ""
    header: tuple[str, ...] = ()

    @property
    def is_sink(self) -> bool:
        """Whether it takes fields."""
        return self.port.startswith(SINK)


class RawHls(Data, frozen=True, kw_only=True):
    """C as `core.toml` writes it."""

    sources: tuple[str, ...]
    top: str
    clock_ns: float
    target: str
    includes: tuple[str, ...] = ()
    defines: dict[str, str | int] = msgspec.field(default_factory=dict)
    std: str = ""
    directives: tuple[str, ...] = ()
    macros: tuple[str, ...] = ()


class RawVariantHls(Data, frozen=True, kw_only=True):
    """What a variant has otherwise in its C: what it defines joins that of the design."""

    clock_ns: float | None = None
    defines: dict[str, str | int] = msgspec.field(default_factory=dict)
    std: str | None = None
    directives: tuple[str, ...] | None = None
    macros: tuple[str, ...] | None = None


class RawVariant(Data, frozen=True, kw_only=True):
    """A variant of a design: its own values of some parameters, lists of which make one each."""

    name: str
    title: str = ""
    parameters: dict[str, str | int | tuple[str | int, ...]] = msgspec.field(default_factory=dict)
    claims: dict[str, Claims] = msgspec.field(default_factory=dict)
    default: bool | None = None
    hls: RawVariantHls | None = None


class RawDesign(Data, frozen=True, kw_only=True):
    """A design as `core.toml` writes it."""

    name: str
    title: str
    primitives: tuple[str, ...]
    claims: dict[str, Claims]
    operations: tuple[str, ...] = ()
    sources: tuple[str, ...] = ()
    top: str = ""
    hls: RawHls | None = None
    interface: Interface = "axi4-stream"
    streams: tuple[Stream, ...] = ()
    registers: dict[str, str] = msgspec.field(default_factory=dict)
    interleaved: int = 1
    release: Release = "verified"
    clock: str = ""
    reset: str = ""
    default: bool = True
    parameters: dict[str, str | int] = msgspec.field(default_factory=dict)
    variant: tuple[RawVariant, ...] = ()


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
    macros : tuple of str
        Files of functions that are Verilog modules in hardware.
    """

    sources: tuple[str, ...]
    includes: tuple[str, ...]
    top: str
    clock_ns: float
    target: str
    defines: Mapping[str, int]
    std: str
    directives: tuple[str, ...]
    macros: tuple[str, ...]


class Design(msgspec.Struct, frozen=True, kw_only=True):
    """One implementation in hardware of one primitive, its parameters settled.

    Attributes
    ----------
    operations : tuple of str
        Those of the primitive that it has; the place of one is its number.
    streams : tuple of Stream
        None for the interface `lwc`, which has its own.
    registers : mapping
        Input port to the field that it holds.
    interleaved : int
        Calls that it has at once, told apart by `tid`; 1 for a design without.
    release : Release
        Whether outputs of a rejected call come out: `verified`, they are empty; `unverified`, they
        came out before it was known, and mean nothing.
    claims : mapping
        Operation to its claims.
    names : mapping
        What formulas of claims may name.
    default : bool
        Whether a bench of the primitive has it without being asked.
    made : mapping, optional
        Verilog that its C was compiled to, name to place; None before, and where there is no C.
    """

    folder: Path
    name: str
    title: str
    primitive: Primitive
    operations: tuple[str, ...]
    sources: tuple[str, ...]
    top: str
    interface: Interface
    streams: tuple[Stream, ...]
    registers: Mapping[str, str]
    interleaved: int
    release: Release
    clock: str
    reset: str
    default: bool
    hls: Hls | None
    parameters: Mapping[str, int]
    claims: Mapping[str, Claims]
    names: Mapping[str, int]
    made: Mapping[str, Path] | None = None

    @property
    def label(self) -> str:
        """Name on the command line and in tables: `sha3-256/rtl`."""
        return f"{self.primitive.name}/{self.name}"

    def claim(
        self, operation: str, name: str, *, blocks: int = 1
    ) -> tuple[Fraction, Fraction] | None:
        """Give the least and the greatest number of cycles of a claim; None if there is none."""
        value: Bounds | None = getattr(self.claims[operation], name)
        if value is None:
            return None
        names = {**self.names, "N": blocks} if name == "total_cycles" else self.names
        return _bounds(value, names, where=f"{self.label}: claims.{operation}.{name}")


def expand(path: Path, raw: RawDesign) -> Iterator[RawDesign]:
    """Give a design and its variants, each as a design of its own.

    Raises
    ------
    InputError
        A variant names a parameter that the design has not, or two would have one name.
    """
    yield msgspec.structs.replace(raw, variant=())
    for variant in raw.variant:
        where = f"{path}: design {raw.name}: variant {variant.name}"
        for name in variant.parameters:
            if name not in raw.parameters:
                known = ", ".join(raw.parameters) or "none"
                hint = f"the design has {known}"
                raise InputError(f"{where}: parameters", f"no such parameter: {name!r}", hint)
        lists = {n: v for n, v in variant.parameters.items() if isinstance(v, tuple)}
        for name in lists:
            if not lists[name]:
                raise InputError(f"{where}: parameters", f"no values of {name!r}")
            if f"{{{name}}}" not in variant.name:
                hint = f"write {{{name}}} where its value is to stand"
                raise InputError(f"{where}: name", f"one name for all values of {name}", hint)
        for values in itertools.product(*lists.values()):
            chosen = dict(zip(lists, values, strict=True))
            yield _variant(raw, variant, chosen, where)


def _variant(
    raw: RawDesign, variant: RawVariant, chosen: Mapping[str, str | int], where: str
) -> RawDesign:
    settled = {n: v for n, v in variant.parameters.items() if not isinstance(v, tuple)}
    settled |= chosen
    hls = raw.hls
    if variant.hls is not None:
        if hls is None:
            raise InputError(f"{where}: hls", "the design has no C")
        more = {
            name: value
            for name in ("clock_ns", "std", "directives", "macros")
            if (value := getattr(variant.hls, name)) is not None
        }
        hls = msgspec.structs.replace(hls, defines={**hls.defines, **variant.hls.defines}, **more)
    try:
        name, title = (
            text.format(**settled) for text in (variant.name, variant.title or raw.title)
        )
    except (KeyError, ValueError, IndexError) as error:
        raise InputError(f"{where}: name", f"cannot be filled in: {error}") from error
    return msgspec.structs.replace(
        raw,
        name=name,
        title=title,
        parameters={**raw.parameters, **settled},
        claims={**raw.claims, **variant.claims},
        default=raw.default if variant.default is None else variant.default,
        hls=hls,
        variant=(),
    )


def read(path: Path, folder: Path, raw: RawDesign, primitive: Primitive) -> Design:
    """Check a design of a description, for one of its primitives.

    Raises
    ------
    InputError
        It breaks the contract; the message names the field.
    """
    where = f"design {raw.name}"
    if not raw.sources and raw.hls is None:
        raise InputError(f"{path}: {where}: sources", "no files")
    for name in raw.sources:
        check_file(path, folder, f"{where}: sources", name, may_be_shared=True)
    # C with stream arguments is a core as it comes out of the compiler.
    whole = raw.hls is not None and not raw.sources
    top = raw.top or (raw.hls.top if whole and raw.hls is not None else "")
    if not top:
        raise InputError(f"{path}: {where}: top", "missing", "name the top module of the sources")
    clock, reset = raw.clock or _OWN_CLOCK[whole], raw.reset or _OWN_RESET[whole]
    ports = (*raw.registers, *(stream.port for stream in raw.streams))
    for name in (top, clock, reset, *raw.parameters, *ports):
        if not _NAME.fullmatch(name):
            raise InputError(f"{path}: {where}", f"not a name of Verilog: {name!r}")
    place = f"{path}: {where}"
    parameters = {
        name: formula.evaluate(value, primitive.names, where=f"{place}: parameters.{name}")
        for name, value in raw.parameters.items()
    }
    operations = operations_of(raw.operations, primitive, where=place)
    mine = [primitive.operation(name) for name in operations]
    design = Design(
        folder=folder,
        name=raw.name,
        title=raw.title,
        primitive=primitive,
        operations=operations,
        sources=raw.sources,
        top=top,
        interface=raw.interface,
        streams=_streams(place, raw, mine),
        registers=raw.registers,
        interleaved=_interleaved(place, raw),
        release=raw.release,
        clock=clock,
        reset=reset,
        default=raw.default,
        hls=_hls(path, folder, where, raw.hls, primitive) if raw.hls else None,
        parameters=parameters,
        claims=_claims(place, raw, operations),
        names={**primitive.names, **parameters},
    )
    _check_claims(place, design)
    return design


def _hls(path: Path, folder: Path, where: str, raw: RawHls, primitive: Primitive) -> Hls:
    for name in (*raw.sources, *raw.includes, *raw.directives, *raw.macros):
        check_file(path, folder, f"{where}: hls.sources", name)
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
        defines=defines_of(raw.defines, primitive.names, where=f"{path}: {where}: hls"),
        std=raw.std,
        directives=raw.directives,
        macros=raw.macros,
    )


def _claims(where: str, raw: RawDesign, operations: Sequence[str]) -> dict[str, Claims]:
    for name in raw.claims:
        if name not in operations:
            hint = f"claims stand by operation: {', '.join(operations)}"
            raise InputError(f"{where}: claims", f"no such operation: {name!r}", hint)
    for name in operations:
        if name not in raw.claims:
            hint = "what is claimed is measured"
            raise InputError(f"{where}: claims.{name}", "missing", hint)
    return {name: raw.claims[name] for name in operations}


def _bounds(value: Bounds, names: Mapping[str, int], *, where: str) -> tuple[Fraction, Fraction]:
    low, high = value if isinstance(value, tuple) else (value, value)
    return formula.rational(low, names, where=where), formula.rational(high, names, where=where)


def _check_claims(where: str, design: Design) -> None:
    """Check that formulas are ones, over what is known, and whole where cycles are counted."""
    for operation, claims in design.claims.items():
        for name in CLAIMS:
            value: Bounds | None = getattr(claims, name)
            if value is None:
                continue
            place = f"{where}: claims.{operation}.{name}"
            if name != "total_cycles":
                _check_bounds(place, name, _bounds(value, design.names, where=place))
                continue
            for blocks in TOTAL_BLOCKS:
                bounds = _bounds(value, {**design.names, "N": blocks}, where=place)
                _check_bounds(f"{place} of N = {blocks}", name, bounds)


def _check_bounds(place: str, name: str, bounds: tuple[Fraction, Fraction]) -> None:
    low, high = bounds
    if low < 0:
        raise InputError(place, f"{low} cycles", "no time is below 0")
    if low > high:
        raise InputError(place, f"{low} to {high} cycles", "the least stands first")
    if name in ("latency_cycles", "total_cycles") and low == high and low % 1:
        hint = "a number of cycles is whole: use // to round down"
        raise InputError(place, f"{low} cycles", hint)


def _streams(where: str, raw: RawDesign, operations: Sequence[Operation]) -> tuple[Stream, ...]:
    """Give the streams of a design: those by default where none are told."""
    if raw.interface == "lwc":
        if raw.streams or raw.registers:
            hint = "its ports are those of the LWC hardware API"
            raise InputError(f"{where}: streams", "not for the interface lwc", hint)
        return ()
    streams = raw.streams or _default_streams(raw.registers, operations)
    _check_streams(where, streams, operations)
    _check_registers(where, raw.registers, operations)
    for operation in operations:
        ports = [
            *((s.port, s.fields) for s in streams if s.is_sink),
            *((port, (field,)) for port, field in raw.registers.items()),
        ]
        _check_placed(where, operation, operation.input_names, ports)
        sinks = [stream for stream in streams if stream.is_sink]
        if not any(one.header or {*one.fields} & {*operation.input_names} for one in sinks):
            what = f"no stream takes a field of the operation {operation.name}"
            hint = "a call begins with a beat: registers alone cannot hold it"
            raise InputError(f"{where}: streams", what, hint)
        given = (*operation.output_names, *((VERDICT,) if operation.rejects else ()))
        outputs = [(s.port, s.fields) for s in streams if not s.is_sink]
        _check_placed(where, operation, given, outputs)
    return streams


def _interleaved(where: str, raw: RawDesign) -> int:
    """Give how many calls a design has at once."""
    here = f"{where}: interleaved"
    if not 1 <= raw.interleaved <= MAX_INTERLEAVED:
        raise InputError(here, f"must be 1 to {MAX_INTERLEAVED}, not {raw.interleaved}")
    if raw.interleaved > 1 and raw.interface == "lwc":
        raise InputError(here, "not for the interface lwc", "its streams have no tid")
    if raw.interleaved > 1 and raw.registers:
        hint = "send the field over a stream"
        raise InputError(here, "a register holds a field of one call alone", hint)
    return raw.interleaved


def _default_streams(
    registers: Mapping[str, str], operations: Sequence[Operation]
) -> tuple[Stream, ...]:
    """Give one stream that takes all fields, in the order of the operations, and one that gives
    all; `tuser` tells the operation where there are several, else the length of the output.
    """
    held = set(registers.values())
    taken = dict.fromkeys(n for o in operations for n in o.input_names if n not in held)
    given = dict.fromkeys(n for o in operations for n in o.output_names)
    verdict = (VERDICT,) if any(o.rejects for o in operations) else ()
    free = next((o.free.name for o in operations if o.free is not None), "")
    user = f"{free}_bytes" if free else "operation" if len(operations) > 1 else ""
    return (
        Stream(port=SINK, fields=tuple(taken), user=user),
        Stream(port=SOURCE, fields=(*given, *verdict)),
    )


def _check_streams(where: str, streams: Sequence[Stream], operations: Sequence[Operation]) -> None:
    taken = {name for one in operations for name in one.input_names}
    given = {name for one in operations for name in one.output_names}
    given |= {VERDICT for one in operations if one.rejects}
    ports = [stream.port for stream in streams]
    for stream in streams:
        place = f"{where}: stream {stream.port}"
        if not stream.port.startswith((SINK, SOURCE)) or ports.count(stream.port) > 1:
            hint = f"it begins with {SINK} or {SOURCE}, and is the only one of its name"
            raise InputError(place, "not a name of a stream", hint)
        if not stream.fields:
            raise InputError(place, "has no field", "a stream carries the fields of operations")
        known, told = (taken, "takes") if stream.is_sink else (given, "gives")
        for name in (*stream.fields, *(h for h in stream.header if h != "operation")):
            if name not in known:
                hint = f"it {told} of: {', '.join(sorted(known))}"
                raise InputError(place, f"no such field: {name!r}", hint)
        if not stream.is_sink and (stream.user or stream.header):
            raise InputError(place, "only a stream that takes fields has `user` or `header`")
    for operation in operations:
        for stream in streams:
            if stream.user:
                lengths = (0,) * len(operation.inputs)
                names = lengths_by_name(operation, lengths, operation.output_lengths(lengths))
                place = f"{where}: stream {stream.port}: user"
                formula.evaluate(stream.user, {**names, "operation": 0}, where=place)


def _check_registers(
    where: str, registers: Mapping[str, str], operations: Sequence[Operation]
) -> None:
    fixed = {f.name for o in operations for f in o.inputs if f.bytes is not None}
    for port, field in registers.items():
        if field not in fixed:
            hint = f"a register holds an input of fixed length: {', '.join(sorted(fixed))}"
            raise InputError(f"{where}: registers.{port}", f"not such a field: {field!r}", hint)


def _check_placed(
    where: str,
    operation: Operation,
    fields: Sequence[str],
    ports: Sequence[tuple[str, Sequence[str]]],
) -> None:
    for name in fields:
        places = [port for port, carried in ports for each in carried if each == name]
        if len(places) != 1:
            told = "is on no stream" if not places else f"is on {' and '.join(places)}"
            raise InputError(
                f"{where}: field {name}",
                f"{told}, for the operation {operation.name}",
                "each field of an operation goes through one stream, or is held by a register",
            )


def lengths_by_name(
    operation: Operation, inputs: Sequence[int], outputs: Sequence[int]
) -> dict[str, int]:
    """Give the lengths of fields as formulas name them: `<field>_bytes`."""
    names = (*operation.input_names, *operation.output_names)
    return {f"{name}_bytes": n for name, n in zip(names, (*inputs, *outputs), strict=True)}
