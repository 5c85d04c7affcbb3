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
from lydite.hls.emit.structure import (
    Arm,
    Assign,
    Body,
    Declare,
    Form,
    If,
    Item,
    Net,
    Note,
    Priority,
    Process,
    Write,
    reg,
    wire,
)
from lydite.hls.emit.verilog import literal
from lydite.hls.ir import cfg
from lydite.hls.ir.graph import STREAMING, Op, Stream


def registers(emitter: FunctionEmitter) -> list[Item]:
    """Declare valid bits, phases, copies."""
    items: list[Item] = []
    for mine in pipes_of(emitter):
        pipe = mine.pipe
        what, of = ("function", "a call") if pipe.calls else ("loop", "an iteration")
        if pipe.rewind is not None:
            what, of = "loop over all calls of", "an iteration"
        note = f"II={pipe.ii}, {pipe.depth} cycles {of}"
        at = emitter.function.where if pipe.calls else pipe.block.where
        where = f", {place(at)}" if at else ""
        items.append(Note(f"Pipelined {what} {mine.stem}{where}: {note}."))
        if pipe.valid_bits:
            items.append(reg(f"{mine.stem}_valid_q", pipe.valid_bits))
        if pipe.ii > 1 and not pipe.by_time:
            items.append(reg(f"{mine.stem}_phase_q", (pipe.ii - 1).bit_length()))
        for op in pipe.values:
            row = list(mine.copies.get(op, ()))
            if op in pipe.in_phi:
                row = row[1:]
            elif op in pipe.kept:
                row.append(mine.later[op])
            items += [Declare("reg", (net,), note=op.name) for net in row]
        items += [Declare("wire", (net,), note=op.name) for op, net in mine.bypasses.items()]
        items += [reg(mine.answered(time), 1) for time in pipe.answer_times]
    return items


def control(emitter: FunctionEmitter) -> list[Item]:
    """Write how a loop starts iterations, and when it is left."""
    items: list[Item] = []
    for mine in pipes_of(emitter):
        pipe = mine.pipe
        items.append(Note())
        if pipe.module is not None:
            items += call_pipeline.guard(mine)
            continue
        if pipe.calls:
            items += call_pipeline.control(emitter, mine)
            continue
        if pipe.ii > 1 or pipe.stages > 1:
            label = emitter.state_names[pipe.state]
            items.append(wire(f"{mine.stem}_run", 1, f"state_q == {label}"))
        items += go(emitter, mine)
        items += _bypasses(emitter, mine)
        items += _stop(emitter, mine)
        items += _counters(mine)
    return items


def _bypasses(emitter: FunctionEmitter, mine: PipeNames) -> list[Item]:
    """Write phis as they are while their registers are written: then the iteration before is there.

    Where it is not, since it never was or has gone on, the register has its value. Of those that
    memories hold it has the first value, until there was an iteration.
    """
    pipe = mine.pipe
    items: list[Item] = []
    for phi, net in mine.bypasses.items():
        time = pipe.moves[phi]
        value = phi.args[phi.attr.index(pipe.block)]
        answer = emitter.ref(value, pipe.times[time])
        there = mine.answered(pipe.held[phi]) if phi in pipe.held else mine.valid(time)
        items.append(Assign(net.name, f"{there} ? {answer} : {emitter.kept[phi].name}"))
    for time in pipe.answer_times:
        flag = mine.answered(time)
        goes = " & ".join(filter(None, [mine.at(time), mine.go(time)]))
        steps = _when(goes, Write(flag, literal(1, 1)))
        off = (Write(flag, literal(1, 0)),)
        items += [Note(), Process((If(f"ap_rst | ~{mine.stem}_run", off, steps),))]
    return items


def _stop(emitter: FunctionEmitter, mine: PipeNames) -> list[Item]:
    """Write the test and the condition for leaving."""
    pipe, stem = mine.pipe, mine.stem
    test, goes_on = cfg.loop_condition(pipe.block)
    if test is None or pipe.decide is None:
        return []
    text = emitter.ref(test, pipe.times[pipe.decide])
    stop = f"~{text}" if goes_on else text
    terms = [stop, mine.valid(pipe.decide), mine.phase(pipe.decide), mine.go(pipe.decide)]
    stops = " & ".join(filter(None, terms))
    last = pipe.stages - 1
    if pipe.decide // pipe.ii == last:
        leave = f"{stem}_stop"
    else:
        younger = f"~{stem}_valid_q[{last - 1}]"
        if mine.waits and pipe.ii == 1 and last > 1:
            younger = f"~|{stem}_valid_q[{last - 1}:0]"  # there may be gaps
        terms = [f"{stem}_valid_q[{last}]", younger, mine.phase(pipe.depth - 1)]
        leave = " & ".join(filter(None, [*terms, mine.go(pipe.depth - 1)]))
    return [
        wire(f"{stem}_stop", 1, stops, place(pipe.block.where)),
        wire(f"{stem}_leave", 1, leave),
    ]


def _counters(mine: PipeNames) -> list[Item]:
    """Write the phase and the valid bits."""
    pipe, stem = mine.pipe, mine.stem
    resets: list[Write] = []
    steps: list[Write | If] = []
    bits = (pipe.ii - 1).bit_length()
    if pipe.ii > 1:
        phase = f"{stem}_phase_q"
        resets.append(Write(phase, literal(bits, 0)))
        following = f"{phase} + {literal(bits, 1)}"
        if pipe.ii & (pipe.ii - 1):
            following = f"{mine.phase(pipe.ii - 1)} ? {literal(bits, 0)} : {following}"
        steps.append(Write(phase, following))
    if pipe.stages > 1:
        resets.append(Write(f"{stem}_valid_q", literal(pipe.stages, 1)))
        steps += _when(mine.in_phase(pipe.ii - 1), Write(f"{stem}_valid_q", _following_valid(mine)))
    if not steps:
        return []
    moves: Body = tuple(steps)
    if mine.waits and pipe.ii > 1:
        moves = (If(f"{stem}_go", moves),)
    return [Note(), Process((If(f"ap_rst | ~{stem}_run", tuple(resets), moves),))]


def _when(condition: str, *moves: Write | If) -> tuple[Write | If, ...]:
    """Put a statement under a condition, if there is one."""
    return (If(condition, moves, form=Form.INLINE),) if condition else moves


def _in_phase(mine: PipeNames, time: int, moves: Body) -> Body:
    """Put statements under the phase of a time, if it has any."""
    condition = mine.in_phase(time)
    return (If(condition, moves),) if condition else moves


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


def next_state(emitter: FunctionEmitter, pipe: Pipe, after: str) -> Arm:
    """Write the controller's arm: it stays until the loop is left; `after` follows a return."""
    mine = names_of(emitter, pipe)
    label = (emitter.state_names[pipe.state],)
    targets = [target for target in pipe.block.targets if target is not pipe.block]
    if not targets:
        return Arm(label, ())
    first = emitter.binding.first.get(targets[0])
    to = after if first is None else emitter.state_names[first]
    moves = _when(f"{mine.stem}_leave", Write("state_d", to))
    return Arm(label, moves, form=Form.INLINE)


def leave(emitter: FunctionEmitter, pipe: Pipe) -> str:
    """Give the condition that a loop is left, in its state."""
    return f"{names_of(emitter, pipe).stem}_leave"


def last(emitter: FunctionEmitter, pipe: Pipe, value: Op) -> str:
    """Give a value in the cycle in which the loop is left."""
    late = value in pipe.outs and pipe.outs[value] < pipe.depth - 1
    return emitter.ref(value, pipe.state if late else pipe.times[-1])


def transfers(emitter: FunctionEmitter, pipe: Pipe) -> Body:
    """Write what a pipeline puts into registers and local memories, phase by phase.

    What leaving the loop writes counts, whatever its iterations write.
    """
    mine = names_of(emitter, pipe)
    moves = _Moves(mine)
    for phi, time in pipe.moves.items():
        value = phi.args[phi.attr.index(pipe.block)]
        if value is not phi and phi not in pipe.held:
            moves.put(time, Write(emitter.kept[phi].name, emitter.ref(value, pipe.times[time])))
    for op in pipe.values:
        _copy_moves(emitter, mine, op, moves)
        if op in pipe.kept:
            time = pipe.outs[op]
            moves.put(time, Write(mine.later[op].name, emitter.ref(op, pipe.times[time])))
        if op.kind == "store" and op not in emitter.binding.port:
            time = pipe.plan.state[op]
            moves.put(time, *local_store.local_store(emitter, op, pipe.times[time]), store=True)
    phases = moves.phases()
    leaving = _leaving(emitter, pipe)
    if not leaving:
        return phases
    return (Priority((phases, (If(f"{mine.stem}_leave", leaving),))),)


class _Moves:
    """What is written in each phase; of stores to one word, the last one counts."""

    def __init__(self, mine: PipeNames) -> None:
        self.mine = mine
        self.by_slot: dict[int, list[tuple[Body, bool]]] = {}

    def put(self, time: int, *moves: Write | If, always: bool = False, store: bool = False) -> None:
        """Enter what is written at a time if the iteration there is valid and goes on."""
        mine = self.mine
        valid = "" if always else mine.valid(time)
        condition = " & ".join(filter(None, [valid, mine.go(time)]))
        found = tuple(each for move in moves for each in _when(condition, move))
        self.by_slot.setdefault(mine.slot(time), []).append((found, store))

    def phases(self) -> Body:
        """Give all of it, phase by phase; where phases meet in a cycle, the later one counts."""
        mine = self.mine
        levels: list[Body] = []
        for slot, entries in sorted(self.by_slot.items()):
            levels.append(_in_phase(mine, slot, _levels(entries)))
        if mine.pipe.by_time and len(levels) > 1:
            return (Priority(tuple(levels)),)
        return tuple(statement for level in levels for statement in level)


def _levels(entries: list[tuple[Body, bool]]) -> Body:
    """Give statements as they are, or in levels where there is more than one store."""
    if sum(store for _, store in entries) < 2:
        return tuple(move for moves, _ in entries for move in moves)
    return (Priority(tuple(moves for moves, _ in entries)),)


def _copy_moves(emitter: FunctionEmitter, mine: PipeNames, op: Op, moves: _Moves) -> None:
    pipe = mine.pipe
    row = mine.copies.get(op)
    if not row:
        return
    time = pipe.written(op)
    source: Net = made_signal(emitter, op)
    for number, target in enumerate(row):
        if number or op not in pipe.in_phi:
            gated = number == 0 and op in pipe.gated
            # Each copy takes over when its iteration goes on.
            move = Write(target.name, source.name)
            moves.put(time + number * pipe.ii, move, always=not gated)
        source = target


def _leaving(emitter: FunctionEmitter, pipe: Pipe) -> Body:
    """Write the phis of the block behind the loop."""
    moves: list[Write] = []
    for target in dict.fromkeys(pipe.block.targets):
        if target is pipe.block or target in emitter.binding.exits:
            continue
        for phi in target.phis():
            text = last(emitter, pipe, phi.args[phi.attr.index(pipe.block)])
            moves.append(Write(emitter.kept[phi].name, text))
    return tuple(moves)


def memory_moves(emitter: FunctionEmitter, pipe: Pipe, port: MemoryPort) -> list[Body]:
    """Write what a loop asks of a memory's port, phase by phase."""
    mine = names_of(emitter, pipe)
    target, number = port.memory, port.number
    stem = emitter.stem(target.name)
    found: list[Body] = []
    for op in pipe.block.ops:
        if emitter.binding.port.get(op) != number or op.attr is not target:
            continue
        time = pipe.plan.state[op]
        state = pipe.times[time]
        valid = " & ".join(filter(None, [mine.valid(time), mine.go(time)]))
        address = emitter.ref(op.args[0], state)
        moves = [Write(f"{stem}_address{number}", address, place(op.where))]
        if port.enabled:
            moves.append(Write(f"{stem}_ce{number}", valid or literal(1, 1)))
        if op.kind == "store":
            gate = f"{{{target.lanes}{{{valid}}}}} & " if valid else ""
            mask = emitter.ref(op.args[2], state)
            moves.append(Write(f"{stem}_we{number}", f"{gate}{mask}"))
            moves.append(Write(f"{stem}_d{number}", emitter.ref(op.args[1], state)))
        found.append(_in_phase(mine, time, tuple(moves)))
    return found


def stream_moves(emitter: FunctionEmitter, pipe: Pipe, target: Stream) -> list[Body]:
    """Write what a loop takes from a stream or gives to it, phase by phase."""
    mine = names_of(emitter, pipe)
    stem = emitter.stem(target.name)
    act = f"{stem}_put" if target.writes else f"{stem}_take"
    found: list[Body] = []
    for op in pipe.block.ops:
        if op.kind not in STREAMING or op.attr is not target:
            continue
        time = pipe.plan.state[op]
        state = pipe.times[time]
        terms = [mine.valid(time), mine.go(time)]
        if op.args[-1].kind != "const":
            terms.append(emitter.ref(op.args[-1], state))
        moves = [Write(act, " & ".join(filter(None, terms)), place(op.where))]
        if target.writes:
            moves.append(Write(f"{stem}_beat", emitter.ref(op.args[0], state)))
        found.append(_in_phase(mine, time, tuple(moves)))
    return found


def turns(pipe: Pipe, found: list[Body]) -> Body:
    """Give what a loop asks in its cycles; where cycles of several calls meet, the later counts."""
    if pipe.by_time and len(found) > 1:
        return (Priority(tuple(found)),)
    return tuple(statement for moves in found for statement in moves)
