# SPDX-License-Identifier: Apache-2.0
"""Writes what starts and ends the calls of a pipelined function: it has no controller.

A call is taken in a cycle of phase 0 in which `ap_start` is high and its first accesses to streams
can go; `ap_ready` says so. The phase rests at 0 while nothing is at work. A valid bit goes with
each call through the stages, and in its last cycle it is done.

Where calls are a rewound loop of it, all this is about iterations, of which only a call's first one
needs `ap_start`, and only its last one gives `ap_ready` and is done.

A function that others call has no say in when that is: they know its interval and its latency.
"""

from __future__ import annotations

from lydite.hls.bind.binding import Pipe
from lydite.hls.emit import pipe_control
from lydite.hls.emit.function import FunctionEmitter
from lydite.hls.emit.pipe_names import ENABLE, PipeNames
from lydite.hls.emit.structure import (
    Assign,
    Body,
    Form,
    If,
    Item,
    Note,
    Offer,
    Process,
    Write,
    unread,
    wire,
)
from lydite.hls.emit.verilog import literal


def guard(mine: PipeNames) -> list[Item]:
    """Write the valid bits of a function that others call: one for each cycle of a call."""
    pipe, stem = mine.pipe, mine.stem
    if not pipe.guarded:
        return [unread("", "ap_start", "ap_rst")]
    valid = f"{stem}_valid_q"
    starts = wire(f"{stem}_start", 1, "ap_start & ~ap_rst")
    if not pipe.valid_bits:
        return [starts, unread("", f"{stem}_start")]
    following = _shifted(valid, pipe.valid_bits, f"{stem}_start")
    step = If(ENABLE, (Write(valid, following),), form=Form.INLINE)
    reset = Write(valid, literal(pipe.valid_bits, 0))
    process = Process((If("ap_rst", (reset,), (step,), Form.INLINE),))
    return [starts, Note(), process]


def control(emitter: FunctionEmitter, mine: PipeNames) -> list[Item]:
    """Write when a call is taken, the phase, and the valid bits."""
    pipe, stem = mine.pipe, mine.stem
    terms = [_asked(emitter, pipe), "~ap_rst"]
    if pipe.ii > 1 and 0 in mine.waits:
        terms += pipe_control.waits_at(emitter, mine, 0, "")
    text = " & ".join(filter(None, [f"{stem}_start", mine.phase(0), mine.go(0)]))
    taken = wire(f"{stem}_taken", 1, text)
    return [
        wire(f"{stem}_start", 1, " & ".join(terms)),
        *pipe_control.go(emitter, mine),
        # Without a block protocol, nobody asks.
        Offer(f"{stem}_taken", lambda: (taken,)),
        Note(),
        Process((_counters(mine),)),
    ]


def _asked(emitter: FunctionEmitter, pipe: Pipe) -> str:
    """Give the condition that something is to begin: a call, or the next iteration of one."""
    if pipe.rewind is None:
        return "ap_start"
    return f"(ap_start | ~{emitter.ref(pipe.rewind.first, pipe.times[0])})"


def _shifted(bits: str, count: int, first: str) -> str:
    """Give so many valid bits in the next cycle, `first` in front."""
    if count == 1:
        return first
    older = f"{bits}[{count - 2}:0]" if count > 2 else f"{bits}[0]"
    return f"{{{older}, {first}}}"


def _counters(mine: PipeNames) -> If:
    """Write how phase and valid bits go on, and what they begin with."""
    pipe, stem = mine.pipe, mine.stem
    resets = [Write(f"{stem}_valid_q", literal(pipe.valid_bits, 0))]
    steps: Body = (Write(f"{stem}_valid_q", _following(mine)),)
    if pipe.ii > 1:
        bits = (pipe.ii - 1).bit_length()
        resets.insert(0, Write(f"{stem}_phase_q", literal(bits, 0)))
        steps = (_phase_step(mine, bits),)
        steps = (If(mine.go(0), steps),) if mine.go(0) else steps
    return If("ap_rst", tuple(resets), steps, nested=not mine.go(0))


def _phase_step(mine: PipeNames, bits: int) -> If:
    """Write how phase and valid bits go on, with an interval of more than a cycle."""
    pipe, stem = mine.pipe, mine.stem
    valid, phase = f"{stem}_valid_q", f"{stem}_phase_q"
    begins = (Write(phase, literal(bits, 1)),)
    first = (
        Write(mine.bit(0), f"{stem}_start"),
        If(f"{stem}_start | {busy(pipe, stem)}", begins, form=Form.INLINE),
    )
    shifted = Write(valid, _shifted(valid, pipe.valid_bits, literal(1, 0)))
    last = (shifted, Write(phase, literal(bits, 0)))
    others = (Write(phase, f"{phase} + {literal(bits, 1)}"),)
    return If(mine.phase(0), first, (If(mine.phase(pipe.ii - 1), last, others),))


def _following(mine: PipeNames) -> str:
    """Give the valid bits of the next cycle; a stage may wait while older ones go on."""
    parts: list[str] = []
    for stage in range(1, mine.pipe.stages):
        comes, goes = mine.go(stage - 1), mine.go(stage)
        one, own = mine.valid(stage - 1), mine.valid(stage)
        if not comes:
            parts.append(one)
        elif not goes:
            parts.append(f"({comes} & {one})")
        else:
            held = own if comes == goes else f"(~{goes} & {own})"
            parts.append(f"({comes} ? {one} : {held})")
    return parts[0] if len(parts) == 1 else f"{{{', '.join(reversed(parts))}}}"


def busy(pipe: Pipe, stem: str) -> str:
    """Give the condition that a call is at work."""
    return f"|{stem}_valid_q" if pipe.valid_bits > 1 else f"{stem}_valid_q"


def idle(emitter: FunctionEmitter) -> str:
    """Give the condition that no call is at work."""
    mine = pipe_control.of_calls(emitter)
    rest = f"~{busy(mine.pipe, mine.stem)}"
    if mine.pipe.rewind is None:
        return rest
    return f"{rest} & {emitter.ref(mine.pipe.rewind.first, mine.pipe.times[0])}"


def taken(emitter: FunctionEmitter) -> str:
    """Give the condition that a call is taken, or of a rewound loop its last iteration."""
    mine = pipe_control.of_calls(emitter)
    pipe = mine.pipe
    if pipe.rewind is None:
        return f"{mine.stem}_taken"
    time = pipe.told
    last = emitter.ref(pipe.rewind.last, pipe.times[time])
    if time == 0:
        return f"{mine.stem}_taken & {last}"
    return " & ".join(filter(None, [mine.valid(time), mine.phase(time), mine.go(time), last]))


def done(emitter: FunctionEmitter) -> str:
    """Give the condition that a call is in its last cycle."""
    mine = pipe_control.of_calls(emitter)
    pipe, end = mine.pipe, mine.pipe.depth - 1
    terms = [mine.valid(end), mine.phase(end), mine.go(end)]
    if pipe.rewind is not None:
        terms.append(emitter.ref(pipe.rewind.last, pipe.times[end]))
    return " & ".join(filter(None, terms))


def process(emitter: FunctionEmitter) -> list[Item]:
    """Write what a process says that is a rewound loop; co-simulation looks at its `state_q`."""
    return [
        Note(),
        wire("state_q", 1, f"~({idle(emitter)})"),
        Assign("ap_idle", "~state_q"),
        Assign("ap_ready", taken(emitter)),
    ]


def resets(emitter: FunctionEmitter) -> Body:
    """Write what a rewound loop begins with: its values that have a start."""
    pipe = emitter.binding.calls
    if pipe is None or pipe.rewind is None or not pipe.rewind.resets:
        return ()
    moves: list[Write] = []
    for phi in pipe.rewind.resets:
        start = next(a for a, s in zip(phi.args, phi.attr, strict=True) if s is not pipe.block)
        moves.append(Write(emitter.kept[phi].name, literal(phi.width, start.attr)))
    return (If("ap_rst", tuple(moves)),)
