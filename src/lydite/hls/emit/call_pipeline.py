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
from lydite.hls.emit.verilog import literal


def guard(mine: PipeNames) -> list[str]:
    """Write the valid bits of a function that others call: one for each cycle of a call."""
    pipe, stem = mine.pipe, mine.stem
    if not pipe.guarded:
        return ["  wire unused = &{1'b0, ap_start, ap_rst};"]
    valid = f"{stem}_valid_q"
    lines = [f"  wire {stem}_start = ap_start & ~ap_rst;"]
    if not pipe.valid_bits:
        return [*lines, f"  wire unused = &{{1'b0, {stem}_start}};"]
    following = _shifted(valid, pipe.valid_bits, f"{stem}_start")
    return [
        *lines,
        "",
        "  always @(posedge ap_clk) begin",
        f"    if (ap_rst) {valid} <= {literal(pipe.valid_bits, 0)};",
        f"    else if ({ENABLE}) {valid} <= {following};",
        "  end",
    ]


def control(emitter: FunctionEmitter, mine: PipeNames) -> list[str]:
    """Write when a call is taken, the phase, and the valid bits."""
    pipe, stem = mine.pipe, mine.stem
    terms = [_asked(emitter, pipe), "~ap_rst"]
    if pipe.ii > 1 and 0 in mine.waits:
        terms += pipe_control.waits_at(emitter, mine, 0, "")
    lines = [f"  wire {stem}_start = {' & '.join(terms)};"]
    lines += pipe_control.go(emitter, mine)
    taken = " & ".join(filter(None, [f"{stem}_start", mine.phase(0), mine.go(0)]))
    lines.append(f"  wire {stem}_taken = {taken};")
    return lines + _registers(mine)


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


def _registers(mine: PipeNames) -> list[str]:
    pipe, stem = mine.pipe, mine.stem
    resets = [f"{stem}_valid_q <= {literal(pipe.valid_bits, 0)};"]
    head = "    end else begin"
    if pipe.ii == 1:
        steps = [f"{stem}_valid_q <= {_following(mine)};"]
    else:
        bits = (pipe.ii - 1).bit_length()
        resets.insert(0, f"{stem}_phase_q <= {literal(bits, 0)};")
        steps = _phase_steps(mine, bits)
        head = f"    end else if ({mine.go(0)}) begin" if mine.go(0) else head
    return [
        "",
        "  always @(posedge ap_clk) begin",
        "    if (ap_rst) begin",
        *[f"      {line}" for line in resets],
        head,
        *[f"      {line}" for line in steps],
        "    end",
        "  end",
    ]


def _phase_steps(mine: PipeNames, bits: int) -> list[str]:
    """Write how phase and valid bits go on, with an interval of more than a cycle."""
    pipe, stem = mine.pipe, mine.stem
    valid, phase = f"{stem}_valid_q", f"{stem}_phase_q"
    shifted = _shifted(valid, pipe.valid_bits, literal(1, 0))
    return [
        f"if ({mine.phase(0)}) begin",
        f"  {mine.bit(0)} <= {stem}_start;",
        f"  if ({stem}_start | {busy(pipe, stem)}) {phase} <= {literal(bits, 1)};",
        f"end else if ({mine.phase(pipe.ii - 1)}) begin",
        f"  {valid} <= {shifted};",
        f"  {phase} <= {literal(bits, 0)};",
        "end else begin",
        f"  {phase} <= {phase} + {literal(bits, 1)};",
        "end",
    ]


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


def without_taken(emitter: FunctionEmitter, lines: list[str]) -> list[str]:
    """Leave out when a call is taken: without a block protocol nobody asks."""
    if emitter.binding.calls is None:
        return lines
    head = f"  wire {pipe_control.of_calls(emitter).stem}_taken = "
    return [line for line in lines if not line.startswith(head)]


def done(emitter: FunctionEmitter) -> str:
    """Give the condition that a call is in its last cycle."""
    mine = pipe_control.of_calls(emitter)
    pipe, end = mine.pipe, mine.pipe.depth - 1
    terms = [mine.valid(end), mine.phase(end), mine.go(end)]
    if pipe.rewind is not None:
        terms.append(emitter.ref(pipe.rewind.last, pipe.times[end]))
    return " & ".join(filter(None, terms))


def process(emitter: FunctionEmitter) -> list[str]:
    """Write what a process says that is a rewound loop; co-simulation looks at its `state_q`."""
    return [
        "",
        f"  wire state_q = ~({idle(emitter)});",
        "  assign ap_idle = ~state_q;",
        f"  assign ap_ready = {taken(emitter)};",
    ]


def resets(emitter: FunctionEmitter) -> list[str]:
    """Write what a rewound loop begins with: its values that have a start."""
    pipe = emitter.binding.calls
    if pipe is None or pipe.rewind is None or not pipe.rewind.resets:
        return []
    lines = ["    if (ap_rst) begin"]
    for phi in pipe.rewind.resets:
        start = next(a for a, s in zip(phi.args, phi.attr, strict=True) if s is not pipe.block)
        lines.append(f"      {emitter.kept[phi].name} <= {literal(phi.width, start.attr)};")
    return [*lines, "    end"]
