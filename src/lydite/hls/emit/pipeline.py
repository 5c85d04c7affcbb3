# SPDX-License-Identifier: Apache-2.0
"""Writes a pipelined loop or function: one state of the controller, a phase, valid bits.

The phase counts the cycles from one start of an iteration to the next. An operation of stage s and
phase p acts when the phase is p and stage s valid. While the controller is elsewhere, the first
stage is set valid, so that a loop begins in the cycle in which its state is entered; it leaves the
state when its last iteration is through.

A pipelined function has no controller beside: in phase 0, `ap_start` makes the first stage valid;
the phase rests at 0 while no call is at work. In one that others call, each cycle of a call has a
valid bit, which is its phase as well, and everything stands still without `ap_enable`.
"""

from __future__ import annotations

from lydite.hls.bind.binding import Pipe
from lydite.hls.contract.diagnostics import place
from lydite.hls.emit import call_pipeline, local_store
from lydite.hls.emit.function import FunctionEmitter, MemoryPort, made_signal
from lydite.hls.emit.pipe_control import go, names_of, pipes_of
from lydite.hls.emit.pipe_names import PipeNames
from lydite.hls.emit.verilog import comment, literal, span
from lydite.hls.ir import cfg
from lydite.hls.ir.graph import STREAMING, Op, Stream


def registers(emitter: FunctionEmitter) -> list[str]:
    """Declare valid bits, phases, copies."""
    lines: list[str] = []
    for mine in pipes_of(emitter):
        pipe = mine.pipe
        what, of = ("function", "a call") if pipe.calls else ("loop", "an iteration")
        if pipe.rewind is not None:
            what, of = "loop over all calls of", "an iteration"
        note = f"II={pipe.ii}, {pipe.depth} cycles {of}"
        at = emitter.function.where if pipe.calls else pipe.block.where
        where = f", {place(at)}" if at else ""
        lines.append(f"  // Pipelined {what} {mine.stem}{where}: {note}.")
        if pipe.valid_bits:
            lines.append(f"  reg {span(pipe.valid_bits)}{mine.stem}_valid_q;")
        if pipe.ii > 1 and not pipe.by_time:
            lines.append(f"  reg {span((pipe.ii - 1).bit_length())}{mine.stem}_phase_q;")
        for op in pipe.values:
            row = list(mine.copies.get(op, ()))
            if op in pipe.in_phi:
                row = row[1:]
            elif op in pipe.kept:
                row.append(mine.later[op])
            for item in row:
                before, after = item.waiver
                shown = f"  // {op.name}" if op.name else ""
                lines.append(f"  {before}reg {span(item.width)}{item.name};{after}{shown}")
    return lines


def control(emitter: FunctionEmitter) -> list[str]:
    """Write how a loop starts iterations, and when it is left."""
    lines: list[str] = []
    for mine in pipes_of(emitter):
        pipe = mine.pipe
        lines.append("")
        if pipe.module is not None:
            lines += call_pipeline.guard(mine)
            continue
        if pipe.calls:
            lines += call_pipeline.control(emitter, mine)
            continue
        if pipe.ii > 1 or pipe.stages > 1:
            label = emitter.state_names[pipe.state]
            lines.append(f"  wire {mine.stem}_run = state_q == {label};")
        lines += go(emitter, mine)
        lines += _stop(emitter, mine)
        lines += _counters(mine)
    return lines


def _stop(emitter: FunctionEmitter, mine: PipeNames) -> list[str]:
    """Write the test and the condition for leaving."""
    pipe, stem = mine.pipe, mine.stem
    test, goes_on = cfg.loop_condition(pipe.block)
    if test is None or pipe.decide is None:
        return []
    text = emitter.ref(test, pipe.times[pipe.decide])
    stop = f"~{text}" if goes_on else text
    terms = [stop, mine.valid(pipe.decide), mine.phase(pipe.decide), mine.go(pipe.decide)]
    lines = [f"  wire {stem}_stop = {' & '.join(filter(None, terms))};{comment(pipe.block.where)}"]
    last = pipe.stages - 1
    if pipe.decide // pipe.ii == last:
        leave = f"{stem}_stop"
    else:
        younger = f"~{stem}_valid_q[{last - 1}]"
        if mine.waits and pipe.ii == 1 and last > 1:
            younger = f"~|{stem}_valid_q[{last - 1}:0]"  # there may be gaps
        terms = [f"{stem}_valid_q[{last}]", younger, mine.phase(pipe.depth - 1)]
        leave = " & ".join(filter(None, [*terms, mine.go(pipe.depth - 1)]))
    return [*lines, f"  wire {stem}_leave = {leave};"]


def _counters(mine: PipeNames) -> list[str]:
    """Write the phase and the valid bits."""
    pipe, stem = mine.pipe, mine.stem
    resets: list[str] = []
    steps: list[str] = []
    bits = (pipe.ii - 1).bit_length()
    last_phase = mine.phase(pipe.ii - 1)
    if pipe.ii > 1:
        phase = f"{stem}_phase_q"
        resets.append(f"{phase} <= {literal(bits, 0)};")
        following = f"{phase} + {literal(bits, 1)}"
        if pipe.ii & (pipe.ii - 1):
            following = f"{last_phase} ? {literal(bits, 0)} : {following}"
        steps.append(f"{phase} <= {following};")
    if pipe.stages > 1:
        resets.append(f"{stem}_valid_q <= {literal(pipe.stages, 1)};")
        move = f"{stem}_valid_q <= {_following_valid(mine)};"
        steps.append(f"if {last_phase} {move}" if last_phase else move)
    if not steps:
        return []
    go = f" if ({stem}_go)" if mine.waits and pipe.ii > 1 else ""
    return [
        "",
        "  always @(posedge ap_clk) begin",
        f"    if (ap_rst | ~{stem}_run) begin",
        *[f"      {line}" for line in resets],
        f"    end else{go} begin",
        *[f"      {line}" for line in steps],
        "    end",
        "  end",
    ]


def _following_valid(mine: PipeNames) -> str:
    """Give the valid bits of the next stage: what the test drops does not come."""
    pipe, stem = mine.pipe, mine.stem
    valid = f"{stem}_valid_q"
    if mine.waits and pipe.ii == 1:
        return _following_with_gaps(mine)
    test, _ = cfg.loop_condition(pipe.block)
    if test is None or pipe.decide is None:
        return (
            f"{{{valid}[{pipe.stages - 2}:0], 1'b1}}"
            if pipe.stages > 2
            else f"{{{valid}[0], 1'b1}}"
        )
    guarded = min(pipe.decide // pipe.ii, pipe.stages - 1)
    parts: list[str] = []
    if pipe.stages - 2 >= guarded:
        high, low = pipe.stages - 2, guarded
        parts.append(f"{valid}[{high}:{low}]" if high > low else f"{valid}[{low}]")
    if guarded:
        bits = f"{valid}[{guarded - 1}:0]" if guarded > 1 else f"{valid}[0]"
        goes = f"{{{guarded}{{~{stem}_stop}}}}" if guarded > 1 else f"~{stem}_stop"
        parts.append(f"{bits} & {goes}")
    parts.append(f"{valid}[0] & ~{stem}_stop")
    return f"{{{', '.join(parts)}}}"


def _following_with_gaps(mine: PipeNames) -> str:
    """Give the valid bits of the next cycle where a stage may wait while older ones go on."""
    pipe, stem = mine.pipe, mine.stem
    valid = f"{stem}_valid_q"
    guarded = -1 if pipe.decide is None else pipe.decide
    stay = f" & ~{stem}_stop"
    parts = [f"{valid}[0]{stay if guarded >= 0 else ''}"]
    for stage in range(1, pipe.stages):
        comes, goes = mine.go(stage - 1), mine.go(stage)
        one, own = f"{valid}[{stage - 1}]", f"{valid}[{stage}]"
        if not comes:
            text = one
        elif not goes:
            text = f"({comes} & {one})"
        else:
            held = own if comes == goes else f"(~{goes} & {own})"
            text = f"({comes} ? {one} : {held})"
        parts.append(text + (stay if stage <= guarded else ""))
    return f"{{{', '.join(reversed(parts))}}}"


def next_state(emitter: FunctionEmitter, pipe: Pipe, after: str) -> list[str]:
    """Write the controller's arm: it stays until the loop is left; `after` follows a return."""
    mine = names_of(emitter, pipe)
    label = emitter.state_names[pipe.state]
    targets = [target for target in pipe.block.targets if target is not pipe.block]
    if not targets:
        return [f"      {label}: ;"]
    first = emitter.binding.first.get(targets[0])
    to = after if first is None else emitter.state_names[first]
    return [f"      {label}: if ({mine.stem}_leave) state_d = {to};"]


def leave(emitter: FunctionEmitter, pipe: Pipe) -> str:
    """Give the condition that a loop is left, in its state."""
    return f"{names_of(emitter, pipe).stem}_leave"


def last(emitter: FunctionEmitter, pipe: Pipe, value: Op) -> str:
    """Give a value in the cycle in which the loop is left."""
    late = value in pipe.outs and pipe.outs[value] < pipe.depth - 1
    return emitter.ref(value, pipe.state if late else pipe.times[-1])


def transfers(emitter: FunctionEmitter, pipe: Pipe) -> list[str]:
    """Write what a pipeline puts into registers and local memories, phase by phase."""
    mine = names_of(emitter, pipe)
    by_phase: dict[int, list[str]] = {}

    def put(time: int, line: str, *, always: bool = False) -> None:
        condition = "" if always else mine.valid(time)
        condition = " & ".join(filter(None, [condition, mine.go(time)]))
        text = f"if ({condition}) {line}" if condition else line
        by_phase.setdefault(mine.slot(time), []).append(text)

    for phi, time in pipe.moves.items():
        value = phi.args[phi.attr.index(pipe.block)]
        if value is not phi:
            text = emitter.ref(value, pipe.times[time])
            put(time, f"{emitter.kept[phi].name} <= {text};")
    for op in pipe.values:
        _copy_moves(emitter, mine, op, put)
        if op in pipe.kept:
            time = pipe.outs[op]
            put(time, f"{mine.later[op].name} <= {emitter.ref(op, pipe.times[time])};")
        if op.kind == "store" and op not in emitter.binding.port:
            time = pipe.plan.state[op]
            for move in local_store.local_store(emitter, op, pipe.times[time]):
                put(time, move)
    lines = _phases(mine, by_phase)
    leaving = _leaving(emitter, pipe)
    if leaving:
        lines += [f"if ({mine.stem}_leave) begin", *[f"  {line}" for line in leaving], "end"]
    return arm(emitter, pipe, lines)


def arm(emitter: FunctionEmitter, pipe: Pipe, lines: list[str]) -> list[str]:
    """Give the controller's arm for a loop; a function has no controller."""
    if not lines or pipe.calls:
        return [f"    {line}" for line in lines]
    label = emitter.state_names[pipe.state]
    return [f"      {label}: begin", *[f"        {line}" for line in lines], "      end"]


def _copy_moves(emitter, mine, op, put) -> None:  # type: ignore[no-untyped-def]
    pipe = mine.pipe
    row = mine.copies.get(op)
    if not row:
        return
    time = pipe.written(op)
    source = made_signal(emitter, op)
    for number, target in enumerate(row):
        if number or op not in pipe.in_phi:
            gated = number == 0 and op in pipe.gated
            # Each copy takes over when its iteration goes on.
            put(time + number * pipe.ii, f"{target.name} <= {source.all()};", always=not gated)
        source = target


def _phases(mine: PipeNames, by_phase: dict[int, list[str]]) -> list[str]:
    lines: list[str] = []
    for phase, moves in sorted(by_phase.items()):
        condition = mine.phase(phase)
        if condition:
            lines += [f"if {condition} begin", *[f"  {move}" for move in moves], "end"]
        else:
            lines += moves
    return lines


def _leaving(emitter: FunctionEmitter, pipe: Pipe) -> list[str]:
    """Write the phis of the block behind the loop."""
    lines: list[str] = []
    for target in dict.fromkeys(pipe.block.targets):
        if target is pipe.block or target in emitter.binding.exits:
            continue
        for phi in target.phis():
            text = last(emitter, pipe, phi.args[phi.attr.index(pipe.block)])
            lines.append(f"{emitter.kept[phi].name} <= {text};")
    return lines


def memory_arm(emitter: FunctionEmitter, pipe: Pipe, port: MemoryPort) -> list[str]:
    """Write what a loop asks of a memory's port, phase by phase."""
    mine = names_of(emitter, pipe)
    target, number = port.memory, port.number
    stem = emitter.stem(target.name)
    lines: list[str] = []
    for op in pipe.block.ops:
        if emitter.binding.port.get(op) != number or op.attr is not target:
            continue
        time = pipe.plan.state[op]
        state, condition = pipe.times[time], mine.phase(time)
        valid = " & ".join(filter(None, [mine.valid(time), mine.go(time)]))
        moves = [f"{stem}_address{number} = {emitter.ref(op.args[0], state)};{comment(op.where)}"]
        if port.enabled:
            moves.append(f"{stem}_ce{number} = {valid or literal(1, 1)};")
        if op.kind == "store":
            gate = f"{{{target.lanes}{{{valid}}}}} & " if valid else ""
            mask = emitter.ref(op.args[2], state)
            moves.append(f"{stem}_we{number} = {gate}{mask};")
            moves.append(f"{stem}_d{number} = {emitter.ref(op.args[1], state)};")
        if condition:
            moves = [f"if {condition} begin", *[f"  {move}" for move in moves], "end"]
        lines += moves
    return arm(emitter, pipe, lines)


def stream_arm(emitter: FunctionEmitter, pipe: Pipe, target: Stream) -> list[str]:
    """Write what a loop takes from a stream or gives to it, phase by phase."""
    mine = names_of(emitter, pipe)
    stem = emitter.stem(target.name)
    act = f"{stem}_put" if target.writes else f"{stem}_take"
    lines: list[str] = []
    for op in pipe.block.ops:
        if op.kind not in STREAMING or op.attr is not target:
            continue
        time = pipe.plan.state[op]
        state, phase = pipe.times[time], mine.phase(time)
        terms = [mine.valid(time), mine.go(time)]
        if op.args[-1].kind != "const":
            terms.append(emitter.ref(op.args[-1], state))
        moves = [f"{act} = {' & '.join(filter(None, terms))};{comment(op.where)}"]
        if target.writes:
            moves.append(f"{stem}_beat = {emitter.ref(op.args[0], state)};")
        if phase:
            moves = [f"if {phase} begin", *[f"  {move}" for move in moves], "end"]
        lines += moves
    return arm(emitter, pipe, lines)
