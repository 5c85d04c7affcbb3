# SPDX-License-Identifier: Apache-2.0
"""How calls of operations go through a design's streams: docs/cores.md, as packets and ports."""

from __future__ import annotations

import itertools
import struct
from collections.abc import Iterable, Sequence

import msgspec

from lydite.base.errors import InputError
from lydite.cores import Design, formula
from lydite.cores.design import Stream, lengths_by_name
from lydite.cores.kat import Vector
from lydite.cores.operation import VERDICT, Operation
from lydite.sim import lwc
from lydite.sim.stream import Call, Face, Held, Packet, Wire
from lydite.tools.yosys import Port

_HINT = "an axi4-stream core has the ports that docs/cores.md lists"
# The streams of the LWC hardware API: whether they take words, and what their ports begin with.
_LWC = ((True, "pdi_"), (True, "sdi_"), (False, "do_"))
# Less is nothing to what any simulation waits for, a testbed's 20,000 too.
_LONG_CYCLES = 10_000


class Job(msgspec.Struct, frozen=True, kw_only=True):
    """A call of an operation, with its answer.

    Attributes
    ----------
    inputs, outputs : tuple of bytes
        In the order of the operation. A rejected call has no right outputs: these have the lengths
        that outputs would have.
    accepted : bool
        Whether it must be accepted.
    where : str
        Where it comes from, for errors.
    """

    operation: Operation
    inputs: tuple[bytes, ...]
    outputs: tuple[bytes, ...]
    accepted: bool = True
    where: str = ""


def job_of(operation: Operation, vector: Vector) -> Job:
    """Give the call of a known answer."""
    inputs = tuple(vector.fields[name] for name in operation.input_names)
    if vector.accepted:
        outputs = tuple(vector.fields[name] for name in operation.output_names)
    else:
        lengths = operation.output_lengths([len(value) for value in inputs])
        outputs = tuple(map(bytes, lengths))
    return Job(
        operation=operation,
        inputs=inputs,
        outputs=outputs,
        accepted=vector.accepted,
        where=vector.where + ("" if vector.accepted else ", to be rejected"),
    )


def face(ports: Sequence[Port], design: Design) -> Face:
    """Check that a module has the ports of a design, and give its streams.

    Raises
    ------
    InputError
        A port is missing, superfluous, of the wrong direction or width.
    """
    where = f"{design.label}: {design.top}"
    found = {port.name: port for port in ports}
    wanted = {design.clock: "input", design.reset: "input"}
    is_lwc = design.interface == "lwc"
    wires = _LWC if is_lwc else tuple((s.is_sink, f"{s.port}_t") for s in design.streams)
    optional = {f"{s.port}_tuser": "input" for s in design.streams if s.is_sink and not s.user}
    for is_sink, name in wires:
        forward, back = ("input", "output") if is_sink else ("output", "input")
        sides = ("data", "valid") if is_lwc else ("data", "keep", "last", "valid")
        wanted |= {f"{name}{side}": forward for side in sides} | {f"{name}ready": back}
    wanted |= {f"{s.port}_tuser": "input" for s in design.streams if s.user}
    if design.interleaved > 1:
        ids = {f"{s.port}_tid": "input" if s.is_sink else "output" for s in design.streams}
        _check_ids(found, ids, design.interleaved, where)
        wanted |= ids
    wanted |= {"do_last": "output"} if is_lwc else {}
    wanted |= dict.fromkeys(design.registers, "input")
    control = {design.clock, design.reset}
    control |= {f"{name}{side}" for _, name in wires for side in ("valid", "ready", "last")}
    _check_ports(found, wanted, optional, control, where)
    held = _held(found, design, where)
    return Face(
        sinks=tuple(_wire(found, n, design, where) for is_sink, n in wires if is_sink),
        sources=tuple(_wire(found, n, design, where) for is_sink, n in wires if not is_sink),
        registers=held,
        lanes=design.interleaved,
        silent_cycles=_silent_cycles(design),
    )


def _silent_cycles(design: Design) -> int:
    """Give the cycles that a core claims a call may take, where that is long."""
    claims = (design.claim(name, "latency_cycles") for name in design.operations)
    most = max((int(bounds[1]) for bounds in claims if bounds is not None), default=0)
    return most if most > _LONG_CYCLES else 0


def _check_ids(found: dict[str, Port], ids: Iterable[str], lanes: int, where: str) -> None:
    """Hold the widths of `tid` against the calls that there are at once."""
    bits = (lanes - 1).bit_length()
    for name in ids:
        if name in found and found[name].width != bits:
            what = f"port {name} has {found[name].width} bits, not {bits}"
            raise InputError(where, what, f"so many tell {lanes} calls apart (interleaved)")


def _check_ports(
    found: dict[str, Port],
    wanted: dict[str, str],
    optional: dict[str, str],
    control: set[str],
    where: str,
) -> None:
    """Hold ports against those that there must and may be; those of control have one bit."""
    there = {name: direction for name, direction in optional.items() if name in found}
    for name, direction in (wanted | there).items():
        if name not in found:
            raise InputError(where, f"port {name} is missing", _HINT)
        width = found[name].width
        if width != 1 and name in control:
            raise InputError(where, f"port {name} has {width} bits, not 1", _HINT)
        if found[name].direction != direction:
            raise InputError(where, f"port {name} is an {found[name].direction}", _HINT)
    for name in sorted(found.keys() - wanted.keys() - optional.keys()):
        raise InputError(where, f"port {name} is not part of the interface", _HINT)


def _held(found: dict[str, Port], design: Design, where: str) -> tuple[Held, ...]:
    held = tuple(
        Held(port, length)
        for port, (_, length) in zip(design.registers, _register_bytes(design), strict=True)
    )
    for one, field in zip(held, design.registers.values(), strict=True):
        width = found[one.port].width
        if width != 8 * one.bytes:
            what = f"port {one.port} has {width} bits, the field {field} {8 * one.bytes}"
            raise InputError(where, what, "a register has the bits of the field that it holds")
    return held


def _register_bytes(design: Design) -> list[tuple[str, int]]:
    """Give the fields that registers hold and their lengths; also those that an operation lacks."""
    fixed = {
        field.name: field.bytes
        for name in design.operations
        for field in design.primitive.operation(name).inputs
        if field.bytes is not None
    }
    return [(field, fixed[field]) for field in design.registers.values()]


def _wire(found: dict[str, Port], name: str, design: Design, where: str) -> Wire:
    data = found[f"{name}data"].width
    if design.interface == "lwc":
        if data != 8 * lwc.WORD_BYTES:
            what = f"{name}data has {data} bits, not {8 * lwc.WORD_BYTES}"
            raise InputError(where, what, "cores of the LWC hardware API are of 32 bits here")
        last = f"{name}last" in found
        return Wire(name=name, bytes=lwc.WORD_BYTES, has_keep=False, has_last=last, big_endian=True)
    keep = found[f"{name}keep"].width
    if data != 8 * keep or keep not in (1, 2, 4, 8, 16, 32, 64):
        what = f"{name}data has {data} bits and {name}keep {keep}"
        raise InputError(where, what, "tdata has 8 bits for each of tkeep, 8 to 512 in all")
    return Wire(
        name=name,
        bytes=keep,
        has_user=f"{name}user" in found,
        has_id=design.interleaved > 1,
    )


def call(design: Design, job: Job) -> Call:
    """Give what a design is given and must answer for a job."""
    if design.interface == "lwc":
        return _lwc_call(job)
    operation = job.operation
    values = dict(zip(operation.input_names, job.inputs, strict=True))
    held = _register_bytes(design) if design.registers else ()
    registers = b"".join(values.get(name, bytes(n)) for name, n in held)
    given = dict(zip(operation.output_names, job.outputs, strict=True))
    return Call(
        tuple(_inputs(s, values, design, job) for s in design.streams if s.is_sink),
        tuple(
            _outputs(s, given, job, released=design.release == "unverified")
            for s in design.streams
            if not s.is_sink
        ),
        registers,
        job.where,
    )


def _lwc_call(job: Job) -> Call:
    operation = job.operation
    fields = dict(zip(operation.input_names, job.inputs, strict=True))
    outputs = dict(zip(operation.output_names, job.outputs, strict=True))
    accepted = job.accepted
    pdi, sdi, do = lwc.frame(operation.kind, fields, outputs, accepted=accepted)
    counts = lwc.mask(operation.kind, fields, outputs, accepted=accepted)
    given = []
    at = 0
    # Words that are compared, and such as are not, by turns.
    for counted, run in itertools.groupby(counts):
        length = len(list(run))
        given.append(Packet(do[at : at + length], compared=bool(counted)))
        at += length
    return Call(((Packet(pdi),), (Packet(sdi),)), (tuple(given),), b"", job.where)


def _inputs(
    stream: Stream, values: dict[str, bytes], design: Design, job: Job
) -> tuple[Packet, ...]:
    # A port that no formula tells has the length of the outputs, which a core may look at.
    user = sum(map(len, job.outputs))
    if stream.user:
        numbers = _numbers(design, job)
        user = formula.evaluate(stream.user, numbers, where=f"{stream.port}: user")
    packets = [Packet(values[name], user) for name in stream.fields if name in values]
    if not stream.header:
        return tuple(packets)
    numbers = _numbers(design, job)
    words = [numbers.get(n if n == "operation" else f"{n}_bytes", 0) for n in stream.header]
    return (Packet(struct.pack(f"<{len(words)}I", *words), user), *packets)


def _numbers(design: Design, job: Job) -> dict[str, int]:
    """Give what formulas and headers of a stream may name."""
    lengths = (list(map(len, values)) for values in (job.inputs, job.outputs))
    number = design.operations.index(job.operation.name)
    return {**lengths_by_name(job.operation, *lengths), "operation": number}


def _outputs(
    stream: Stream, given: dict[str, bytes], job: Job, *, released: bool
) -> tuple[Packet, ...]:
    packets = []
    for name in stream.fields:
        if name == VERDICT and job.operation.rejects:
            packets.append(Packet(bytes([job.accepted])))
        elif name in given:
            data = given[name] if job.accepted or released else b""
            packets.append(Packet(data, compared=job.accepted))
    return tuple(packets)


def answered(design: Design, job: Job, given: Sequence[bytes]) -> dict[str, bytes]:
    """Give the outputs of an accepted call by name, out of what came from each stream."""
    lengths = dict(zip(job.operation.output_names, map(len, job.outputs), strict=True))
    sources = [stream for stream in design.streams if not stream.is_sink]
    found = {}
    for stream, data in zip(sources, given, strict=True):
        at = 0
        for name in stream.fields:
            if name in lengths:
                found[name] = data[at : at + lengths[name]]
                at += lengths[name]
            elif name == VERDICT and job.operation.rejects:
                at += 1
    return found
