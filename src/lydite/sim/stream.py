# SPDX-License-Identifier: Apache-2.0
"""A core with streams, simulated: packets in, packets and their cycles out.

What the packets mean is said by `framing`.
"""

from __future__ import annotations

import ctypes
from collections.abc import Sequence
from pathlib import Path

import msgspec

from lydite.base.errors import CheckFailed, bytes_around
from lydite.sim import build
from lydite.sim.build import Sources

HARNESS = build.NATIVE / "stream.cpp"
_POWER_UP_SEED = 1


class Stalls(msgspec.Struct, frozen=True):
    """How the two sides of a core pause.

    Attributes
    ----------
    name : str
        For messages and records.
    sink, source : int
        Of the words offered to the core, and of the core's words taken: 0 no pause, 1 one word in
        four cycles, 2 at random; of the source also 3, ready only once a word is offered, and 4,
        never ready.
    """

    name: str
    sink: int
    source: int


PATIENT = 3
# Cycles without any transfer after which a core hangs, unless it is known to be silent for longer.
PATIENCE_CYCLES = 100_000
# Most cycles in a waveform, and how many of them come after what it is about.
_WAVE_CYCLES, _WAVE_AFTER = 20_000, 200
NO_STALLS = Stalls("none", 0, 0)
# For runs that a reset ends: all that a core can hold back is held back.
BLOCKED = Stalls("blocked", 0, 4)
STALL_MODES = (
    NO_STALLS,
    Stalls("input", 1, 0),
    Stalls("output", 0, 1),
    Stalls("both", 1, 1),
    Stalls("random", 2, 2),
    # A sink may wait for tvalid before it shows tready; a source may not wait for tready.
    Stalls("patient", 0, PATIENT),
)


class Packet(msgspec.Struct, frozen=True):
    """What passes a stream up to `tlast`.

    Attributes
    ----------
    data : bytes
        Its bytes; of an output, the right ones.
    user : int
        `tuser`, on all of its beats; of an input.
    compared : bool
        Whether its bytes mean something; of an output.
    """

    data: bytes
    user: int = 0
    compared: bool = True


class Call(msgspec.Struct, frozen=True):
    """What a core is given and must answer: on each stream, in the order of its `Face`, packets.

    Attributes
    ----------
    registers : bytes
        Values of its registers, one after the other.
    where : str
        Where the pair comes from, for errors.
    """

    inputs: tuple[tuple[Packet, ...], ...]
    outputs: tuple[tuple[Packet, ...], ...]
    registers: bytes = b""
    where: str = ""


def message(data: bytes, output: bytes, where: str = "") -> Call:
    """Give the simplest call: one packet in, one out, `tuser` with the length of the output."""
    return Call(((Packet(data, len(output)),),), ((Packet(output),),), b"", where)


class Cycles(msgspec.Struct, frozen=True):
    """In which cycles a call's first and last beats passed, on any stream, counted from reset."""

    first_in: int
    last_in: int
    first_out: int
    last_out: int


class Wire(msgspec.Struct, frozen=True, kw_only=True):
    """A stream's ports.

    Attributes
    ----------
    name : str
        What their names begin with: `s_axis_t`, `pdi_`.
    bytes : int
        Of a word.
    has_user, has_keep, has_last : bool
        Whether there are such ports; without the last two packets are whole words, and their
        lengths are known.
    big_endian : bool
        The first byte is in the highest bits.
    has_id : bool
        Whether there is `tid`.
    """

    name: str
    bytes: int
    has_user: bool = False
    has_id: bool = False
    has_keep: bool = True
    has_last: bool = True
    big_endian: bool = False


class Held(msgspec.Struct, frozen=True):
    """A port that holds a value of so many bytes while the core has a call."""

    port: str
    bytes: int


class Face(msgspec.Struct, frozen=True, kw_only=True):
    """The ports of a core but clock and reset.

    Attributes
    ----------
    lanes : int
        Number of values of `tid`: so many calls at once, call n under n modulo that. 1 without.
    silent_cycles : int
        Cycles without any transfer that the core says it may take beyond PATIENCE_CYCLES.
    """

    sinks: tuple[Wire, ...]
    sources: tuple[Wire, ...]
    registers: tuple[Held, ...] = ()
    lanes: int = 1
    silent_cycles: int = 0

    @property
    def defines(self) -> dict[str, str]:
        """Give the tables of the harness."""
        sinks = [
            f'{{"{w.name}",{w.bytes},{int(w.big_endian)},PUT({w.name}data,{w.bytes}),'
            f"SET({w.name}valid),GET({w.name}ready),{_port('SET', w, 'keep', w.has_keep)},"
            f"{_port('SET', w, 'last', w.has_last)},{_port('SET', w, 'user', w.has_user)},"
            f"{_port('SET', w, 'id', w.has_id)}}},"
            for w in self.sinks
        ]
        sources = [
            f'{{"{w.name}",{w.bytes},{int(w.big_endian)},TAKE({w.name}data,{w.bytes}),'
            f"GET({w.name}valid),SET({w.name}ready),{_port('GET', w, 'keep', w.has_keep)},"
            f"{_port('GET', w, 'last', w.has_last)},{_port('GET', w, 'id', w.has_id)}}},"
            for w in self.sources
        ]
        held = [f"{{{h.bytes},PUT({h.port},{h.bytes})}}," for h in self.registers]
        return {
            "LYDITE_SINKS": "".join(sinks),
            "LYDITE_SOURCES": "".join(sources),
            "LYDITE_REGISTERS": "".join(held),
            "LYDITE_LANES": str(self.lanes),
        }


def _port(macro: str, wire: Wire, name: str, there: object) -> str:
    return f"{macro}({wire.name}{name})" if there else "nullptr"


class Packets(ctypes.Structure):
    """The packets of one stream as harnesses take them (`sim/native/streams.h`)."""

    _fields_ = (
        ("count", ctypes.c_uint64),
        ("data", ctypes.c_void_p),
        ("bytes", ctypes.POINTER(ctypes.c_uint64)),
        ("user", ctypes.POINTER(ctypes.c_uint32)),
        ("job", ctypes.POINTER(ctypes.c_uint64)),
    )


class _Batch(ctypes.Structure):
    _fields_ = (
        ("jobs", ctypes.c_uint64),
        ("sinks", ctypes.POINTER(Packets)),
        ("sources", ctypes.POINTER(Packets)),
        ("registers", ctypes.c_char_p),
        ("first_in", ctypes.POINTER(ctypes.c_uint64)),
        ("last_in", ctypes.POINTER(ctypes.c_uint64)),
        ("first_out", ctypes.POINTER(ctypes.c_uint64)),
        ("last_out", ctypes.POINTER(ctypes.c_uint64)),
        ("stall_in", ctypes.c_uint32),
        ("stall_out", ctypes.c_uint32),
        ("seed", ctypes.c_uint64),
        ("stop_at", ctypes.c_uint64),
        ("patience", ctypes.c_uint64),
        ("strict", ctypes.c_uint32),
        ("cycles", ctypes.c_uint64),
        ("quiet", ctypes.c_uint64),
        ("failed", ctypes.c_uint64),
        ("error", ctypes.c_char * 512),
    )


def packets(
    calls: Sequence[Sequence[Packet]], data: bytes | ctypes.Array[ctypes.c_char]
) -> Packets:
    """Give the packets of one stream, of each call, as harnesses take them."""
    flat = [(packet, job) for job, packets in enumerate(calls) for packet in packets]
    numbers = ctypes.c_uint64 * max(len(flat), 1)
    return Packets(
        count=len(flat),
        data=ctypes.cast(data, ctypes.c_void_p),  # type: ignore[arg-type]
        bytes=numbers(*(len(packet.data) for packet, _ in flat)),
        user=(ctypes.c_uint32 * max(len(flat), 1))(*(packet.user for packet, _ in flat)),
        job=numbers(*(job for _, job in flat)),
    )


def _joined(calls: Sequence[Sequence[Packet]]) -> bytes:
    return b"".join(packet.data for packets in calls for packet in packets)


class StreamModel:
    """A simulated streaming core; a context manager, since the model lives outside Python.

    Parameters
    ----------
    sources : Sources
        The core.
    face : Face
        Its streams.
    clock, reset : str
        Names of these ports.
    effort : str
        See `build.build_model`.
    wave : Path, optional
        Waveform (VCD) to write.
    ports_only : bool
        Whether only the ports stand in it.
    shown : tuple of int, optional
        First and last of the cycles that stand in it, as `window` of a model that ran the same.
    """

    def __init__(
        self,
        sources: Sources,
        face: Face,
        *,
        clock: str,
        reset: str,
        effort: build.Effort = "quick",
        wave: Path | None = None,
        ports_only: bool = False,
        shown: tuple[int, int] | None = None,
    ) -> None:
        defines = {"LYDITE_CLK": clock, "LYDITE_RST": reset, **face.defines}
        if ports_only:
            defines["LYDITE_TRACE_LEVELS"] = "1"
        library = build.build_model(
            sources, HARNESS, defines=defines, effort=effort, trace=wave is not None
        )
        self._library = ctypes.CDLL(str(library))
        self._library.lydite_open.restype = ctypes.c_void_p
        self._library.lydite_open.argtypes = (ctypes.c_uint64, ctypes.c_char_p)
        self._library.lydite_close.argtypes = (ctypes.c_void_p,)
        self._library.lydite_run.argtypes = (ctypes.c_void_p, ctypes.POINTER(_Batch))
        self._library.lydite_ticks.restype = ctypes.c_uint64
        self._library.lydite_ticks.argtypes = (ctypes.c_void_p,)
        self._library.lydite_show.argtypes = (ctypes.c_void_p, ctypes.c_uint64, ctypes.c_uint64)
        self._top = sources.top
        name = str(wave).encode() if wave else None
        self._model = self._library.lydite_open(_POWER_UP_SEED, name)
        assert self._model, "the model could not be made"
        if shown is not None:
            self._library.lydite_show(self._model, *shown)
        #: Cycles simulated so far.
        self.cycles = 0
        #: Its streams.
        self.face = face
        #: Number of the call, of its run, with which the last failure was.
        self.failed = 0
        #: First and last cycle, those in reset included, of what failed last, or of the last run
        #: for time.
        self.window = (0, 0)
        self._begun = 0

    def __enter__(self) -> StreamModel:
        return self

    def __exit__(self, *error: object) -> None:
        self.close()

    def close(self) -> None:
        """End the model; a waveform is whole only then."""
        if self._model:
            self._library.lydite_close(self._model)
            self._model = None

    def answer(self, call: Call) -> tuple[bytes, ...]:
        """Run one call from reset and give what comes out on each stream, in packets as long as
        those of the call.
        """
        return self._run([call], NO_STALLS, 1, 0, strict=False, label="")[0]

    def cycles_of(
        self, calls: Sequence[Call], *, patience: int | None = None
    ) -> tuple[Cycles, ...]:
        """Run calls back to back without stalls; only time is asked."""
        ran = self._run(calls, NO_STALLS, 1, 0, strict=False, label="timing", patience=patience)
        self._choose_window(0, max((one.last_out for one in ran[1]), default=0))
        return ran[1]

    def run(
        self,
        calls: Sequence[Call],
        *,
        stalls: Stalls = NO_STALLS,
        seed: int = 1,
        cut_off: Sequence[Call] = (),
        reset_at: int = 0,
        before: Stalls = NO_STALLS,
        label: str = "",
        patience: int | None = None,
    ) -> tuple[Cycles, ...]:
        """Run calls back to back from reset and check every output.

        Parameters
        ----------
        seed : int
            Of random stalls and of what stands on a bus that is not valid.
        cut_off : sequence of Call
            Calls that are run first, and cut off by a reset in cycle `reset_at`; no output of
            theirs is checked, but the rules of the protocol are.
        before : Stalls
            The stalls of these.
        label : str
            What this run shows, for errors.
        patience : int, optional
            Cycles without any transfer after which a core hangs; without, those of its face.

        Raises
        ------
        CheckFailed
            An output is wrong, a rule of the protocol is broken, or the core hangs.
        """
        if cut_off:
            # The next run begins with the reset.
            told = f"{label}, before it"
            self._run(cut_off, before, seed, reset_at, strict=False, label=told, patience=reset_at)
        outputs, cycles = self._run(
            calls, stalls, seed, 0, strict=_strict(stalls), label=label, patience=patience
        )
        for number, got in enumerate(outputs):
            streams = [call.outputs[number] for call in calls]
            if got != _joined(streams):
                self._compare(calls, number, got, f"{label}", stalls, seed, cycles)
        return cycles

    def _compare(
        self,
        calls: Sequence[Call],
        number: int,
        got: bytes,
        label: str,
        stalls: Stalls,
        seed: int,
        cycles: Sequence[Cycles],
    ) -> None:
        """Find the first byte of a stream that is wrong; those that mean nothing may be."""
        at = 0
        for index, call in enumerate(calls):
            for packet in call.outputs[number]:
                found, right = got[at : at + len(packet.data)], packet.data
                at += len(right)
                if found == right or not packet.compared:
                    continue
                first = next(i for i, (a, b) in enumerate(zip(found, right, strict=True)) if a != b)
                self.failed = index
                self._choose_window(cycles[index].first_in, cycles[index].last_out)
                stream = f" on {self.face.sources[number].name}data" if number else ""
                place = self._at(label, stalls, seed, index, calls)
                raise CheckFailed(
                    bytes_around(right, first),
                    bytes_around(found, first),
                    f"{place}: byte {first} of the output{stream}",
                )

    def _choose_window(self, first: int, last: int) -> None:
        """Choose the window: from one cycle of the last run to another, or less."""
        end = self._begun + last + _WAVE_AFTER
        self.window = max(self._begun + first, end - _WAVE_CYCLES), end

    def _at(self, label: str, stalls: Stalls, seed: int, index: int, calls: Sequence[Call]) -> str:
        what = f"{self._top}, {label}, stalls {stalls.name}"
        what += f" (seed {seed})" if _strict(stalls) else ""
        lane = f" of tid {index % self.face.lanes}" if self.face.lanes > 1 else ""
        told = f", message {index}{lane} ({_told(calls[index])})" if index < len(calls) else ""
        return what + told

    def _run(
        self,
        calls: Sequence[Call],
        stalls: Stalls,
        seed: int,
        stop_at: int,
        *,
        strict: bool,
        label: str,
        patience: int | None = None,
    ) -> tuple[tuple[bytes, ...], tuple[Cycles, ...]]:
        count = len(calls)
        stamps = [(ctypes.c_uint64 * max(count, 1))() for _ in range(4)]
        sinks = [[call.inputs[n] for call in calls] for n in range(len(self.face.sinks))]
        sources = [[call.outputs[n] for call in calls] for n in range(len(self.face.sources))]
        room = [
            ctypes.create_string_buffer(max(sum(len(p.data) for c in one for p in c), 1))
            for one in sources
        ]
        given = [_joined(one) for one in sinks]
        batch = _Batch(
            jobs=count,
            sinks=(Packets * len(sinks))(*map(packets, sinks, given)),
            sources=(Packets * len(sources))(*map(packets, sources, room)),
            registers=b"".join(call.registers for call in calls) if self.face.registers else None,
            stall_in=stalls.sink,
            stall_out=stalls.source,
            seed=seed,
            stop_at=stop_at,
            patience=PATIENCE_CYCLES + self.face.silent_cycles if patience is None else patience,
            strict=strict,
        )
        for name, stamp in zip(
            ("first_in", "last_in", "first_out", "last_out"), stamps, strict=True
        ):
            setattr(batch, name, stamp)
        self._begun = self._library.lydite_ticks(self._model)
        failed = self._library.lydite_run(self._model, ctypes.byref(batch))
        self.cycles += batch.cycles
        if failed:
            self.failed = int(batch.failed)
            begun = stamps[0][self.failed] if self.failed < count else 0
            self._choose_window(begun, batch.cycles - batch.quiet)
            raise CheckFailed(
                "a right output in time, and the rules of the streams kept",
                batch.error.decode(errors="replace"),
                self._at(label, stalls, seed, batch.failed, calls),
            )
        outputs = tuple(
            one.raw[: sum(len(p.data) for packets in stream for p in packets)]
            for one, stream in zip(room, sources, strict=True)
        )
        return outputs, tuple(Cycles(*row) for row in zip(*stamps, strict=True))[:count]


def _told(call: Call) -> str:
    return call.where or " and ".join(
        f"{len(packet.data)} bytes" for packets in call.inputs for packet in packets
    )


def _strict(stalls: Stalls) -> bool:
    """Say whether a run tries more than stalls: that is the same for every seed of the others."""
    return stalls.sink == 2 or stalls.source == PATIENT
