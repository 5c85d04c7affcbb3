# SPDX-License-Identifier: Apache-2.0
"""Co-simulation of C and the hardware made of it: the user's own `main` is the testbench.

The program is compiled and run natively with a wrapper in the top function's place that records
each call: arguments, arrays before and after, result. The calls are then replayed on the Verilated
hardware, which is reset once, before the first: state in globals and statics persists in both.
Arrays are memories of their own, as `lydite.hls.interface` has it; what else of the program touches
the top function's globals is not seen by the hardware.

With `main` itself as the top function, its return value is the verdict that is compared.
"""

from __future__ import annotations

import dataclasses
import math
import re
import time
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from pathlib import Path

from lydite.base import CheckFailed
from lydite.hls.interface import Compiled, Interface, Options, Warn
from lydite.sim import cosim_claims, cosim_flow, cosim_native, cosim_streams, sanitize
from lydite.sim.cosim_native import ArrayField, Recording
from lydite.sim.cosim_verilog import Hardware, Replay

TIMEOUT_CYCLES = 10_000_000


@dataclass(frozen=True, slots=True)
class Mismatch:
    """The first call in which the hardware is not the C.

    Attributes
    ----------
    call, calls : int
        Which call, from 1, of how many.
    variable : str
        `return value`, or the C name with its indices: `state[3]`; empty for a hang and the like.
    expected, got : str
        The two values, or what was wanted and what happened.
    arguments : str
        Scalar arguments of the call: `n = 3, key = 0x1f`.
    note : str
        A likely reason, where there is one.
    wave : Path or None
        VCD of this call.
    """

    call: int
    calls: int
    variable: str
    expected: str
    got: str
    arguments: str
    note: str
    wave: Path | None

    def error(self, top: str) -> CheckFailed:
        """Give the error that says all of this."""
        at = f"co-simulation of {top}, call {self.call} of {self.calls}"
        if self.arguments:
            at += f" ({self.arguments})"
        at += f": {self.variable} differs" if self.variable else ""
        got = self.got + (f"\n  note: {self.note}" if self.note else "")
        return CheckFailed(self.expected, got + (f"\n  wave: {self.wave}" if self.wave else ""), at)


@dataclass(frozen=True, slots=True)
class Result:
    """What co-simulation found.

    Attributes
    ----------
    top : str
        The function.
    calls : int
        Calls replayed and right.
    latency_min, latency_max, latency_mean : int, int, float
        Cycles from the one that takes `ap_start` to the one that shows `ap_done`, both counted, of
        those calls; of a rewound loop, from the one that offers it.
    latencies : tuple of int
        The same, of each of those calls.
    cycles : int
        Of all calls together, one after the other.
    interval_min, interval_max : int or None
        Of a pipelined function: cycles from a call to the next, of those that were offered as soon
        as the one before was taken.
    mismatch : Mismatch or None
        The first wrong call; None if all are right.
    notes : tuple of Warn
        What the user should know beside.
    native_rc : int
        Exit status of the C program.
    seconds : tuple of (str, float)
        Time of each step: `native`, `build`, `replay`.
    findings : tuple of Finding
        What C leaves undefined and the program does.
    fills : tuple of Fill
        Of a dataflow design, the highest fill of each channel where no stream stands still.
    """

    top: str
    calls: int
    latency_min: int
    latency_max: int
    latency_mean: float
    latencies: tuple[int, ...]
    cycles: int
    mismatch: Mismatch | None
    notes: tuple[Warn, ...]
    native_rc: int
    seconds: tuple[tuple[str, float], ...]
    fills: tuple[cosim_flow.Fill, ...] = ()
    findings: tuple[sanitize.Finding, ...] = ()
    interval_min: int | None = None
    interval_max: int | None = None

    def check(self) -> None:
        """Raise CheckFailed if a call is wrong."""
        if self.mismatch is not None:
            raise self.mismatch.error(self.top)


def run(
    options: Options,
    compiled: Compiled,
    folder: Path,
    *,
    seed: int = 1,
    gaps: bool = False,
    timeout_cycles: int = TIMEOUT_CYCLES,
    arguments: Sequence[str] = (),
    max_calls: int | None = None,
    effort: str = "quick",
    findings: tuple[sanitize.Finding, ...] = (),
) -> Result:
    """Run the C program, replay its calls of the top function on the hardware, and compare.

    Parameters
    ----------
    options : Options
        What `compiled` was made from.
    folder : Path
        Scratch folder; Verilog, the native program and a waveform stay there.
    seed : int
        Of power-up values, of gaps, and of what is on the ports while it has no meaning.
    gaps : bool
        Whether calls are apart by random numbers of cycles; else they follow at once.
    timeout_cycles : int
        Cycles of one call that mean a hang.
    arguments : sequence of str
        Command line of the C program.
    max_calls : int, optional
        Calls after which no more are compared.
    effort : str
        As `lydite.sim.build.build_model` has it.
    findings : tuple of Finding
        Of `sanitize.run`, for the result.

    Raises
    ------
    InputError
        There is no `main`, it never calls the top function, or it crashes.
    ToolFailed
        The Verilog does not go through Verilator or the C++ compiler.
    """
    clock = _Clock()
    recording = cosim_native.record(
        options, compiled.interface, folder, arguments=arguments, max_calls=max_calls
    )
    clock.lap("native")
    hardware = Hardware(compiled, recording, folder, effort=effort)
    hardware.build()
    clock.lap("build")
    tries = [_Try(hardware, recording, timeout_cycles, seed, gaps)]
    measured = replay = tries[0].replay()
    if replay.failed is None:
        # The same again from other power-up values, with the other way of idling between calls, and
        # with streams that stand still at times.
        short = replay.cycles <= _SHORT_CYCLES
        more = _AGAIN if short else _AGAIN[:1] if recording.beats else ()
        stalls = more if recording.beats else (0,) * len(more)
        tries += [
            _Try(hardware, recording, timeout_cycles, seed + n, not gaps, stalled)
            for n, stalled in zip(more, stalls, strict=True)
        ]
    mismatch = None
    for again in tries:
        replay = measured if again is tries[0] else again.replay()
        if replay.failed is not None:
            note = "" if replay is measured else _STALLED if again.stalls else _SOMETIMES
            wave = again.draw(replay, folder)
            note = cosim_claims.blame(compiled, recording, replay.failed) or note
            mismatch = _explain(compiled.interface, recording, replay, wave, note)
            if compiled.report.processes and "cycles" in replay.error:
                lines = cosim_flow.blocked(compiled, replay.flow, recording, replay.failed)
                got = "\n  ".join([mismatch.got, *lines])
                mismatch = dataclasses.replace(mismatch, got=got)
            break
    clock.lap("replay")
    done = replay.latency if mismatch else measured.latency
    steady = () if mismatch else measured.intervals
    return Result(
        top=compiled.interface.top,
        calls=len(done),
        latency_min=min(done, default=0),
        latency_max=max(done, default=0),
        latency_mean=sum(done) / len(done) if done else 0.0,
        latencies=done,
        cycles=measured.cycles,
        mismatch=mismatch,
        notes=tuple(_notes(options, recording, max_calls)),
        native_rc=recording.rc,
        seconds=clock.laps,
        fills=cosim_flow.fills(compiled, measured.highest),
        findings=findings,
        interval_min=min(steady, default=None),
        interval_max=max(steady, default=None),
    )


# A hang is drawn for this long only.
_WAVE_CYCLES = 10_000
# Runs up to this long are repeated, from as many more power-up values.
_SHORT_CYCLES = 200_000
_AGAIN = (1, 2, 3)
_SOMETIMES = "it is right from other power-up values, or with other pauses between calls"
_STALLED = "it is right where no stream stands still"


@dataclass(frozen=True, slots=True)
class _Try:
    """One replay: from which power-up values, whether with pauses, how often streams stall."""

    hardware: Hardware
    recording: Recording
    timeout_cycles: int
    seed: int
    gaps: bool
    stalls: int = 0

    def replay(self) -> Replay:
        """Run all calls."""
        return self.hardware.replay(
            self.recording,
            seed=self.seed,
            gaps=self.gaps,
            timeout_cycles=self.timeout_cycles,
            stalls=self.stalls,
        )

    def draw(self, replay: Replay, folder: Path) -> Path:
        """Run them again with a waveform of the call that failed, and give its file."""
        assert replay.failed is not None, "only a failure is drawn"
        wave = folder / f"{self.hardware.top}_call{replay.failed + 1}.vcd"
        self.hardware.replay(
            self.recording,
            seed=self.seed,
            gaps=self.gaps,
            timeout_cycles=self.timeout_cycles,
            stalls=self.stalls,
            wave=wave,
            trace_from=replay.failed,
            trace_cycles=_WAVE_CYCLES if replay.error else None,
        )
        return wave


class _Clock:
    """Times steps one after the other."""

    def __init__(self) -> None:
        self._start = time.monotonic()
        self.laps: tuple[tuple[str, float], ...] = ()

    def lap(self, name: str) -> None:
        now = time.monotonic()
        self.laps += ((name, now - self._start),)
        self._start = now


def _notes(options: Options, recording: Recording, max_calls: int | None) -> Iterator[Warn]:
    where = str(options.sources[0])
    if recording.rc:
        yield Warn(where, f"the C program itself returned {recording.rc}")
    if recording.cut:
        yield Warn(where, f"the program ended inside {options.top}; that call is not compared")
    if max_calls is not None and len(recording) == max_calls:
        yield Warn(where, f"only the first {max_calls} calls of {options.top} are compared")


def _explain(
    interface: Interface, recording: Recording, replay: Replay, wave: Path, note: str
) -> Mismatch:
    """Say what went wrong in the call that failed."""
    assert replay.failed is not None, "only a failure is explained"
    number, cut = replay.failed, recording.layout
    call = recording.call(number)
    variable, expected, got = "", "ap_done and right values", replay.error
    if replay.beat is not None:
        stream, index, value = replay.beat
        beats = recording.beats[stream]
        variable, expected, got = cosim_streams.difference(beats, number, index, value)
    elif not replay.error:
        start = number * cut.record_bytes + cut.in_bytes
        right = recording.data[start : start + cut.out_bytes]
        variable, expected, got = _first_difference(interface, recording, right, replay.got)
        note = _overlap(recording, number) or note
    return Mismatch(
        call=number + 1,
        calls=len(recording),
        variable=variable,
        expected=expected,
        got=got,
        arguments=", ".join(f"{name} = {value}" for name, value in call.scalars.items()),
        note=note,
        wave=wave if wave.exists() else None,
    )


def _first_difference(
    interface: Interface, recording: Recording, right: bytes, got: bytes
) -> tuple[str, str, str]:
    """Give variable, expected and got of the first wrong value: the result, else an array's."""
    cut = recording.layout
    wanted, given = right[cut.result :], got[cut.result :]
    if wanted != given:
        width, signed = interface.return_width, interface.return_signed
        return (
            "return value",
            _value(wanted, width, signed=signed),
            _value(given, width, signed=signed),
        )
    writable = [field for field in cut.arrays if field.arg.direction != "in"]
    for field in (*writable, *(f for f in cut.arrays if f not in writable)):
        wanted = right[field.out : field.out + field.bytes]
        given = got[field.out : field.out + field.bytes]
        if wanted == given or field.arg.name in recording.by_value:
            continue
        at = next(i for i in range(field.bytes) if wanted[i] != given[i])
        name, start, size = element(field, at)
        return (
            name,
            _value(wanted[start : start + size], 8 * size, signed=False),
            _value(given[start : start + size], 8 * size, signed=False),
        )
    raise AssertionError("the harness saw a difference")


def element(field: ArrayField, at: int) -> tuple[str, int, int]:
    """Give the C name of the element that byte `at` of an array lies in, and its bytes.

    Returns
    -------
    tuple of str, int, int
        Name with indices, first byte and number of bytes. Of an element larger than a word of the
        port, the word.
    """
    arg = field.arg
    word = arg.element_width // 8
    shape = [int(size) for size in re.findall(r"\[\s*(?:static\s+)?(\d+)\s*\]", arg.c_type)]
    brackets = arg.c_type.count("[")
    count = math.prod(shape)
    if not shape or len(shape) != brackets or arg.c_bytes % count:
        shape, size = [], word
    else:
        size = arg.c_bytes // count
    if not shape and arg.c_bytes <= word:
        return f"*{arg.name}", 0, min(arg.c_bytes, field.bytes)
    rest, indices = at // size, ""
    for length in reversed(shape[1:]):
        rest, index = divmod(rest, length)
        indices = f"[{index}]{indices}"
    name, start = f"{arg.name}[{rest}]{indices}", at // size * size
    if size > 8:
        inside = (at - start) // word * word
        return f"{name} at byte {inside}", start + inside, min(word, size - inside)
    return name, start, size


def _value(raw: bytes, width: int, *, signed: bool) -> str:
    """Give a value in hexadecimal and decimal."""
    value = int.from_bytes(raw, "little")
    decimal = value - (1 << width) if signed and value >> (width - 1) else value
    return f"0x{value:0{(width + 3) // 4}x} ({decimal})"


def _overlap(recording: Recording, number: int) -> str:
    """Say which arrays of a call overlap, since that is no longer so in hardware."""
    base = number * recording.layout.record_bytes
    spans = []
    for field in recording.layout.arrays:
        raw = recording.data[base + field.offset : base + field.offset + 8]
        spans.append((int.from_bytes(raw, "little"), field))
    for i, (start, field) in enumerate(spans):
        for other_start, other in spans[i + 1 :]:
            if start < other_start + other.bytes and other_start < start + field.bytes:
                names = f"{field.arg.name} and {other.arg.name}"
                return f"{names} overlap in this call; in hardware each is a memory of its own"
    return ""
