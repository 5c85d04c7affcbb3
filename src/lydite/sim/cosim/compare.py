# SPDX-License-Identifier: Apache-2.0
"""Co-simulation of C and the hardware made of it: the user's own `main` is the testbench.

The program is compiled and run natively with a wrapper in the top function's place that records
each call: arguments, arrays before and after, result. The calls are then replayed on the Verilated
hardware, which is reset once, before the first: state in globals and statics persists in both.
Arrays are memories of their own, as `lydite.hls.contract.interface` has it. What else of the
program changes the top function's globals is not seen by the hardware: the recorder sees it, and a
difference that follows is the program's.

With `main` itself as the top function, its return value is the verdict that is compared.
"""

from __future__ import annotations

import dataclasses
import time
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from pathlib import Path

from lydite.base import CheckFailed, InputError, LimitReached, LyditeError
from lydite.base.errors import waveform
from lydite.hls.compiled import Compiled
from lydite.hls.contract.diagnostics import Diagnostic
from lydite.hls.contract.interface import Interface
from lydite.hls.contract.options import Options
from lydite.sim.build import Effort
from lydite.sim.cosim import claims as cosim_claims
from lydite.sim.cosim import differences, flow, native, sanitize, streams
from lydite.sim.cosim import watch as cosim_watch
from lydite.sim.cosim.endings import LIMITS, Changed, Limits
from lydite.sim.cosim.native import Recording
from lydite.sim.cosim.verilog import Hardware, Replay
from lydite.sim.cosim.watch import Watch

# Cycles of one call after which it is given up. One that never ends is mostly found before.
TIMEOUT_CYCLES = 100_000_000


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
    changed : tuple of Changed
        Variables of the top function that something else had changed before: then it is no fault of
        the hardware, which has its own.
    undefined : tuple of Finding
        What the top function did up to this call that C leaves undefined: C does not say which
        value is right then.
    """

    call: int
    calls: int
    variable: str
    expected: str
    got: str
    arguments: str
    note: str
    wave: Path | None
    changed: tuple[Changed, ...] = ()
    undefined: tuple[sanitize.Finding, ...] = ()

    @property
    def blamed(self) -> bool:
        """Whether the program has itself to blame, so that nothing is known of the hardware."""
        return bool(self.changed or self.undefined)

    def error(self, top: str) -> LyditeError:
        """Give the error that says all of this: bad input where the program is to blame."""
        at = f"co-simulation of {top}, call {self.call} of {self.calls}"
        if self.arguments:
            at += f" ({self.arguments})"
        if self.undefined and not self.changed:
            return self._undefined(at)
        if not self.changed:
            at += f": {self.variable} differs" if self.variable else ""
            return CheckFailed(self.expected, self.got, at, note=self.note, wave=self.wave)
        what = f"{self.variable or 'the hardware'} differs, and the program has itself to blame: "
        what += "; ".join(f"{item.name} was changed {item.when(top)}" for item in self.changed)
        hint = (
            f"expected {self.expected}\n  got      {self.got}\n  {top} uses {self._names()}, and "
            "the hardware has its own, which nothing else can change: give the testbench its own, "
            "pass it as an argument, or make a table a constant"
        )
        return InputError(at, what, hint + (f"\n  {waveform(self.wave)}" if self.wave else ""))

    def _undefined(self, at: str) -> InputError:
        places = list(dict.fromkeys(item.where for item in self.undefined))
        what = f"{self.variable or 'the hardware'} differs, but may depend on what C leaves "
        what += f"undefined at {', '.join(places)}"
        lines = [f"expected {self.expected}", f"got      {self.got}"]
        lines += [f"{item.where}: {item.what}" for item in self.undefined]
        lines.append("natively and in hardware this may give anything: mend it, then compare")
        return InputError(
            at, what, "\n  ".join(lines + ([waveform(self.wave)] if self.wave else []))
        )

    def _names(self) -> str:
        return ", ".join(item.name.partition(" (")[0] for item in self.changed)


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
    notes : tuple of Diagnostic
        What the user should know beside.
    limit : str
        Why a call was given up that may well be right: by which limit; empty if none was.
    native_rc : int or None
        Exit status of the C program; None if it was ended for taking too long.
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
    notes: tuple[Diagnostic, ...]
    native_rc: int | None
    seconds: tuple[tuple[str, float], ...]
    fills: tuple[flow.Fill, ...] = ()
    findings: tuple[sanitize.Finding, ...] = ()
    interval_min: int | None = None
    interval_max: int | None = None
    limit: str = ""

    @property
    def failure(self) -> LyditeError | None:
        """What keeps the hardware from being right: a wrong call, or one that was given up."""
        if self.mismatch is not None:
            return self.mismatch.error(self.top)
        if self.limit:
            where = f"co-simulation of {self.top}"
            return LimitReached(where, f"limit reached, not compared: {self.limit}", _MORE)
        return None

    def check(self) -> None:
        """Raise if a call is wrong, or was given up.

        Raises
        ------
        CheckFailed
            The hardware is wrong.
        InputError
            It is not the C, since the program changed what the hardware cannot see, or did before
        what C leaves undefined.
        LimitReached
            A call took too long.
        """
        failure = self.failure
        if failure is not None:
            raise failure


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
    effort: Effort = "quick",
    limits: Limits = LIMITS,
    watch: Watch | None = None,
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
        Cycles of one call after which it is given up.
    arguments : sequence of str
        Command line of the C program.
    max_calls : int, optional
        Calls after which no more are compared.
    effort : str
        As `lydite.sim.build.build_model` has it.
    limits : Limits
        Of the native run and its record, and of the time of each replay.
    watch : callable, optional
        Is told what goes on, a few times a second.
    findings : tuple of Finding
        Of `sanitize.run`, for the result, and for the blame of a call that differs.

    Raises
    ------
    InputError
        There is no `main`, it crashes, or no call of the top function can be compared.
    ToolFailed
        The Verilog does not go through Verilator or the C++ compiler.
    """
    clock = _Clock()
    recording = native.record(
        options,
        compiled.interface,
        folder,
        arguments=arguments,
        max_calls=max_calls,
        limits=limits,
        watch=watch,
    )
    _check_moved(options, compiled.interface, recording)
    clock.lap("native")
    hardware = Hardware(compiled, recording, folder, effort=effort)
    hardware.build()
    clock.lap("build")
    first = _Try(hardware, recording, timeout_cycles, seed, gaps, limits.replay_s, watch)
    measured = replay = first.replay()
    mismatch, limit = None, ""
    for again in (first, *(first.others(measured) if measured.failed is None else ())):
        replay = measured if again is first else again.replay()
        if replay.limited:
            limit = _given_up(compiled, recording, replay)
        elif replay.failed is not None:
            mismatch = _mismatch(compiled, first, again, replay, folder, findings)
        if replay.failed is not None:
            break
    clock.lap("replay")
    failed = replay.failed is not None
    done = replay.latency if failed else measured.latency
    steady = () if failed else measured.intervals
    return Result(
        top=compiled.interface.top,
        calls=len(done),
        latency_min=min(done, default=0),
        latency_max=max(done, default=0),
        latency_mean=sum(done) / len(done) if done else 0.0,
        latencies=done,
        cycles=measured.cycles,
        mismatch=mismatch,
        notes=tuple(_notes(options, compiled, recording, mismatch)),
        native_rc=recording.rc,
        seconds=clock.laps,
        fills=flow.fills(compiled, measured.highest),
        findings=findings,
        interval_min=min(steady, default=None),
        interval_max=max(steady, default=None),
        limit=limit,
    )


# A hang is drawn for this long only.
_WAVE_CYCLES = 10_000
# Runs up to this long are repeated, from as many more power-up values.
_SHORT_CYCLES = 200_000
_AGAIN = (1, 2, 3)
_SOMETIMES = "it is right from other power-up values, or with other pauses between calls"
_STALLED = "it is right where no stream stands still"
_MORE = "--max-cycles N gives a call N cycles, and --timeout-s S the simulation S seconds"


@dataclass(frozen=True, slots=True)
class _Try:
    """One replay: from which power-up values, whether with pauses, how often streams stall."""

    hardware: Hardware
    recording: Recording
    timeout_cycles: int
    seed: int
    gaps: bool
    seconds: float
    watch: Watch | None
    stalls: int = 0

    def others(self, measured: Replay) -> tuple[_Try, ...]:
        """Give the same again from other power-up values, with the other way of idling between
        calls, and with streams that stand still at times.
        """
        beats = self.recording.beats
        short = measured.cycles <= _SHORT_CYCLES
        more = _AGAIN if short else _AGAIN[:1] if beats else ()
        return tuple(
            dataclasses.replace(
                self, seed=self.seed + n, gaps=not self.gaps, stalls=n if beats else 0
            )
            for n in more
        )

    def replay(self) -> Replay:
        """Run all calls."""
        return self.hardware.replay(
            self.recording,
            seed=self.seed,
            gaps=self.gaps,
            timeout_cycles=self.timeout_cycles,
            stalls=self.stalls,
            watch=cosim_watch.of_replay(len(self.recording), self.seconds, self.watch),
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


def _notes(
    options: Options, compiled: Compiled, recording: Recording, mismatch: Mismatch | None
) -> Iterator[Diagnostic]:
    where, top = str(options.sources[0]), compiled.interface.top
    for note in recording.notes:
        yield Diagnostic(where, note)
    if not _outputs(compiled.interface, recording):
        yield Diagnostic(where, f"{top} gives nothing that could be compared, only its end is")
    for item in recording.changed if mismatch is None else ():
        what = f"{item.name}, which {top} uses, was changed {item.when(top)}: hardware has its own"
        yield Diagnostic(
            where, f"{what}, which only {top} changes; its answers are right all the same"
        )


def _outputs(interface: Interface, recording: Recording) -> bool:
    """Whether a call has something to compare."""
    if interface.return_width and interface.block != "ap_ctrl_none":
        return True
    written = {arg.name for arg in interface.arrays if arg.direction != "in" and not arg.unused}
    given = any(item.arg.direction == "out" and item.ends[-1] for item in recording.beats)
    return given or bool(written - recording.by_value)


def _check_moved(options: Options, interface: Interface, recording: Recording) -> None:
    """Refuse calls that can neither be started nor seen to end."""
    if interface.block != "ap_ctrl_none" or any(item.ends[-1] for item in recording.beats):
        return
    what = f"no beat moves in {len(recording)} calls of {interface.top}, which has no ap_start"
    hint = "nothing can be compared: let main give its streams beats"
    raise InputError(str(options.sources[0]), what, hint)


def _given_up(compiled: Compiled, recording: Recording, replay: Replay) -> str:
    """Say of a call that does not end in time which one it is, and how far it came."""
    assert replay.failed is not None, "a call was given up"
    shown = f"call {replay.failed + 1} of {len(recording)}: {replay.error}"
    if compiled.report.processes:
        lines = flow.blocked(compiled, replay.flow, recording, replay.failed)
        shown = "\n  ".join([shown, *lines])
    return shown


def _mismatch(
    compiled: Compiled,
    first: _Try,
    again: _Try,
    replay: Replay,
    folder: Path,
    findings: Sequence[sanitize.Finding],
) -> Mismatch:
    """Say what went wrong in the call that failed, and leave a waveform of it."""
    assert replay.failed is not None, "only a failure is explained"
    recording = first.recording
    note = "" if again is first else _STALLED if again.stalls else _SOMETIMES
    wave = again.draw(replay, folder)
    claims = cosim_claims.blame(compiled, recording, replay.failed)
    found = _explain(compiled.interface, recording, replay, wave, claims or note)
    undefined = () if claims else tuple(f for f in findings if 0 < f.call <= found.call)
    changed = tuple(item for item in recording.changed if item.call <= found.call)
    if compiled.report.processes and replay.hangs:
        lines = flow.blocked(compiled, replay.flow, recording, replay.failed)
        found = dataclasses.replace(found, got="\n  ".join([found.got, *lines]))
    return dataclasses.replace(found, changed=changed, undefined=undefined)


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
        variable, expected, got = streams.difference(beats, number, index, value)
    elif not replay.error:
        start = number * cut.record_bytes + cut.in_bytes
        right = recording.data[start : start + cut.out_bytes]
        variable, expected, got = differences.first(interface, recording, right, replay.got)
        note = differences.overlap(recording, number) or note
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
