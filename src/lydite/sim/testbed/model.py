# SPDX-License-Identifier: Apache-2.0
"""A testbed, simulated: jobs that a host starts, moved by a DMA, under two clocks.

What is measured and what is modelled is told in `sim/native/testbed.cpp`.
"""

from __future__ import annotations

import ctypes
from collections.abc import Iterable, Sequence
from enum import IntEnum
from pathlib import Path

import msgspec

from lydite.base.errors import CheckFailed
from lydite.sim import build
from lydite.sim.stream import PATIENCE_CYCLES, Call, Packet, Packets, packets
from lydite.sim.testbed import registers
from lydite.sim.testbed.wrapper import Wrapped
from lydite.targets.links import Link

HARNESS = build.NATIVE / "testbed.cpp"
_POWER_UP_SEED = 1
# A job's place in addresses, as the harness has it.
_JOB_SHIFT = 32
_PS_PER_NS = 1000
# Cycles before a failure that a waveform shows.
_WAVE_CYCLES = 2_000


class Kind(IntEnum):
    """What the host does."""

    WRITE = 0
    READ = 1
    INTERRUPT = 2
    MARK = 3


class Access(msgspec.Struct, frozen=True):
    """A step of the host: an access to a register, a wait, or a mark of the time."""

    kind: Kind
    address: int = 0
    value: int = 0


class Clocks(msgspec.Struct, frozen=True, kw_only=True):
    """Two clocks, in picoseconds.

    Attributes
    ----------
    dma_ps, core_ps : int
        Periods.
    dma_phase_ps, core_phase_ps : int
        When the first edge is later than a period after the start.
    jitter_ps : int
        How far each edge lies off its place at most, either way.
    """

    dma_ps: int
    core_ps: int
    dma_phase_ps: int = 0
    core_phase_ps: int = 0
    jitter_ps: int = 0


class Ran(msgspec.Struct, frozen=True, kw_only=True):
    """What a run took.

    Attributes
    ----------
    values : tuple of int
        For each access what was read, or the time in ps of a mark.
    first_in_ps, last_in_ps, first_out_ps, last_out_ps : int
        When words passed at the core, over all jobs.
    starved_cycles, blocked_cycles : int
        Cycles in which the core could have taken a word and none was there, and in which it could
        not give one.
    core_cycles, dma_cycles : int
        Of both clocks, from the reset to the end.
    """

    values: tuple[int, ...]
    first_in_ps: int
    last_in_ps: int
    first_out_ps: int
    last_out_ps: int
    starved_cycles: int
    blocked_cycles: int
    core_cycles: int
    dma_cycles: int


class _Access(ctypes.Structure):
    _fields_ = (
        ("kind", ctypes.c_uint32),
        ("address", ctypes.c_uint32),
        ("value", ctypes.c_uint64),
    )


class _Right(ctypes.Structure):
    _fields_ = (("data", ctypes.c_char_p), ("counts", ctypes.c_char_p))


_U64 = ctypes.c_uint64


class _Run(ctypes.Structure):
    _fields_ = (
        ("jobs", _U64),
        ("sinks", ctypes.POINTER(Packets)),
        ("sources", ctypes.POINTER(Packets)),
        ("right", ctypes.POINTER(_Right)),
        ("job", ctypes.POINTER(_U64)),
        ("together", ctypes.POINTER(_U64)),
        ("delimited", ctypes.c_char_p),
        ("accesses", ctypes.POINTER(_Access)),
        ("access_count", _U64),
        ("dma_period", _U64),
        ("core_period", _U64),
        ("dma_phase", _U64),
        ("core_phase", _U64),
        ("jitter", _U64),
        ("read_latency", _U64),
        ("write_latency", _U64),
        ("write_access", _U64),
        ("read_access", _U64),
        ("interrupt", _U64),
        ("packet", _U64),
        ("bytes_per_s", ctypes.c_double),
        ("burst", _U64),
        ("bursts", _U64),
        ("traffic", ctypes.c_uint32),
        ("seed", _U64),
        ("patience", _U64),
        ("wave_from", _U64),
        ("first_in", _U64),
        ("last_in", _U64),
        ("first_out", _U64),
        ("last_out", _U64),
        ("starved", _U64),
        ("blocked", _U64),
        ("core_cycles", _U64),
        ("dma_cycles", _U64),
        ("failed", _U64),
        ("error", ctypes.c_char * 1024),
    )


class TestbedModel:
    """A simulated testbed; a context manager, since the model lives outside Python.

    Parameters
    ----------
    wave : Path, optional
        Waveform (VCD) to write, of the last cycles before the one in `wave_to`.
    effort : str
        See `build.build_model`.
    doubt : bool
        Whether crossings take bits that change near an edge either way at random.
    """

    __test__ = False  # no test of pytest

    def __init__(
        self,
        wrapped: Wrapped,
        *,
        effort: build.Effort = "long",
        wave: Path | None = None,
        doubt: bool = False,
    ) -> None:
        macros = {**wrapped.sources.defines, "LYDITE_CDC": "1"}
        library = build.build_model(
            msgspec.structs.replace(wrapped.sources, defines=macros),
            HARNESS,
            defines={**wrapped.face.defines, "LYDITE_WATCHED": wrapped.watched},
            effort=effort,
            trace=wave is not None,
        )
        self._library = ctypes.CDLL(str(library))
        self._library.lydite_open.restype = ctypes.c_void_p
        self._library.lydite_open.argtypes = (_U64, ctypes.c_char_p, ctypes.c_int)
        self._library.lydite_close.argtypes = (ctypes.c_void_p,)
        self._library.lydite_run_jobs.argtypes = (ctypes.c_void_p, ctypes.POINTER(_Run))
        name = str(wave).encode() if wave else None
        self._model = self._library.lydite_open(_POWER_UP_SEED, name, doubt)
        assert self._model, "the model could not be made"
        self.wrapped = wrapped
        #: Cycle of the core at which the last run ended.
        self.ended = 0

    def __enter__(self) -> TestbedModel:
        return self

    def __exit__(self, *error: object) -> None:
        if self._model:
            self._library.lydite_close(self._model)
            self._model = None

    def run(
        self,
        jobs: Sequence[Sequence[Call]],
        clocks: Clocks,
        link: Link,
        *,
        accesses: Sequence[Access],
        label: str,
        traffic: bool = False,
        seed: int = 1,
        wave_to: int = 0,
        silent_cycles: int = 0,
    ) -> Ran:
        """Run jobs from reset and check every output.

        Parameters
        ----------
        jobs : sequence of sequence of Call
            Calls of each job, back to back; of a core with several calls at once call n, counted
            over all jobs, under `tid` n modulo that number.
        accesses : sequence of Access
            What the host does; the run ends with the last.
        label : str
            What this run shows, for errors.
        traffic : bool
            Whether both ends of each stream pause at random, and memory takes up to four times as
            long.
        silent_cycles : int
            For which the core may work without a transfer, beside what is usual and it claims.

        Raises
        ------
        CheckFailed
            An output is wrong, the registers say other than the jobs, or nothing moves any more.
        """
        face, silent = self.wrapped.face, self.wrapped.core.silent_cycles + silent_cycles
        calls = [call for job in jobs for call in job]
        numbers = [number for number, job in enumerate(jobs) for _ in job]
        sinks = [[call.inputs[n] for call in calls] for n in range(len(face.sinks))]
        sources = [_merged(self.wrapped, calls, n) for n in range(len(face.sources))]
        right = [b"".join(p.data for c in one for p in c) for one in sources]
        counts = [_counts(calls, n) for n in range(len(face.sources))]
        steps = (_Access * len(accesses))(*(_Access(a.kind, a.address, a.value) for a in accesses))
        given = [b"".join(p.data for c in one for p in c) for one in sinks]
        run = _Run(
            jobs=len(jobs),
            sinks=(Packets * len(sinks))(*map(packets, sinks, given)),
            sources=(Packets * len(sources))(*map(packets, sources, right)),
            right=(_Right * len(right))(*map(_Right, right, counts)),
            job=(_U64 * len(numbers))(*numbers),
            together=(_U64 * len(sinks))(*_together(self.wrapped)),
            delimited=bytes(wire.has_last and wire.has_keep for wire in self.wrapped.core.sources),
            accesses=steps,
            access_count=len(accesses),
            dma_period=clocks.dma_ps,
            core_period=clocks.core_ps,
            dma_phase=clocks.dma_phase_ps,
            core_phase=clocks.core_phase_ps,
            jitter=clocks.jitter_ps,
            read_latency=round(link.read_ns * _PS_PER_NS),
            write_latency=round(link.write_ns * _PS_PER_NS),
            write_access=round(link.register_write_ns * _PS_PER_NS),
            read_access=round(link.register_read_ns * _PS_PER_NS),
            interrupt=round(link.interrupt_ns * _PS_PER_NS),
            packet=round(link.packet_ns * _PS_PER_NS),
            bytes_per_s=link.mbyte_per_s * 1e6,
            burst=link.burst_words,
            bursts=link.bursts,
            traffic=traffic,
            seed=seed,
            patience=_patience(clocks, link, face.sinks[0].bytes) + silent * clocks.core_ps,
            wave_from=max(wave_to - _WAVE_CYCLES, 0),
        )
        failed = self._library.lydite_run_jobs(self._model, ctypes.byref(run))
        self.ended = int(run.core_cycles)
        if failed:
            told = calls[run.failed].where
            place = f"{label}, job {numbers[run.failed]}" + (f" ({told})" if told else "")
            raise CheckFailed(
                "every output right, in time, as the job registers say",
                run.error.decode(errors="replace"),
                place,
            )
        return Ran(
            values=tuple(step.value for step in steps),
            first_in_ps=run.first_in,
            last_in_ps=run.last_in,
            first_out_ps=run.first_out,
            last_out_ps=run.last_out,
            starved_cycles=run.starved,
            blocked_cycles=run.blocked,
            core_cycles=run.core_cycles,
            dma_cycles=run.dma_cycles,
        )


def _patience(clocks: Clocks, link: Link, word_bytes: int) -> int:
    """Give the ps without any transfer after which nothing will come any more: cycles of the slower
    clock, of which a core may be silent as many as in its proof, and what the link takes.
    """
    slow_ns = link.read_ns + link.write_ns + link.interrupt_ns
    slow_ns += link.register_read_ns + link.register_write_ns + link.packet_ns
    word_ps = word_bytes * link.burst_words / link.mbyte_per_s * 1e6
    cycles = PATIENCE_CYCLES * max(clocks.dma_ps, clocks.core_ps)
    return cycles + round(4 * (slow_ns * _PS_PER_NS + word_ps))


def _together(wrapped: Wrapped) -> list[int]:
    """Give of each input the words of the DMA that make one of the core."""
    sides = zip(wrapped.core.sinks, wrapped.face.sinks, strict=True)
    return [max(core.bytes // dma.bytes, 1) for core, dma in sides]


def _merged(wrapped: Wrapped, calls: Sequence[Call], number: int) -> list[tuple[Packet, ...]]:
    """Give the packets of an output; one a call where nothing tells where one ends."""
    wire = wrapped.core.sources[number]
    each = [call.outputs[number] for call in calls]
    if wire.has_last and wire.has_keep:
        return each
    return [(Packet(b"".join(packet.data for packet in one)),) for one in each]


def _counts(calls: Sequence[Call], number: int) -> bytes | None:
    """Give for each byte of an output whether it counts; None if all do."""
    each = [packet for call in calls for packet in call.outputs[number]]
    if all(packet.compared for packet in each):
        return None
    return b"".join(bytes([packet.compared]) * len(packet.data) for packet in each)


def arguments(wrapped: Wrapped, calls: Sequence[Call], job: int, *, delay: int = 0) -> list[Access]:
    """Give the writes that tell the registers a job of some calls, without its start."""
    held = calls[0].registers
    assert all(call.registers == held for call in calls), "registers change in a job"
    values = {
        "source_address": job << _JOB_SHIFT,
        "source_bytes": _length(call.inputs for call in calls),
        "destination_address": job << _JOB_SHIFT,
        "destination_bytes": _length(call.outputs for call in calls),
        "start_delay": delay,
    }
    for number, wire in enumerate(wrapped.core.sources):
        values[registers.packets(wire)] = sum(_ends(wrapped, call, number) for call in calls)
    at = 0
    for one in wrapped.core.registers:
        value = held[at : at + one.bytes]
        values[one.port] = int.from_bytes(value, "little")
        at += one.bytes
    found = []
    for item in wrapped.registers.registers:
        for word in range(0 if item.writes else item.words):
            part = values[item.name] >> 32 * word & 0xFFFFFFFF
            found.append(Access(Kind.WRITE, item.offset + 4 * word, part))
    return found


def _length(calls: Iterable[Sequence[Sequence[Packet]]]) -> int:
    return sum(len(packet.data) for call in calls for stream in call for packet in stream)


def _ends(wrapped: Wrapped, call: Call, number: int) -> int:
    """Give how often an output's tlast comes."""
    wire = wrapped.core.sources[number]
    if wire.has_keep:
        return len(call.outputs[number])
    total = sum(len(packet.data) for packet in call.outputs[number])
    return 1 if wire.has_last else total // wire.bytes


def start() -> Access:
    """Start the job that the registers say."""
    return Access(Kind.WRITE, registers.CONTROL, registers.START)


def enable() -> list[Access]:
    """Let the end of a job interrupt."""
    return [
        Access(Kind.WRITE, registers.GLOBAL_ENABLE, 1),
        Access(Kind.WRITE, registers.ENABLE, registers.DONE),
    ]


def collect(wrapped: Wrapped) -> list[Access]:
    """Wait for the end of a job, read its code, and take note of it."""
    return [
        Access(Kind.INTERRUPT),
        Access(Kind.READ, registers.offset(wrapped.registers, "return")),
        Access(Kind.WRITE, registers.STATUS, registers.DONE),
    ]
