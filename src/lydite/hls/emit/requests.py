# SPDX-License-Identifier: Apache-2.0
"""Writes what a function asks of memories, callees, dividers and shared multipliers, by states."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from typing import Literal

from lydite.hls.bind.binding import Pipe, State
from lydite.hls.contract.diagnostics import place
from lydite.hls.emit import bursts, macro_calls, pipe_control
from lydite.hls.emit import pipeline as emit_pipeline
from lydite.hls.emit.function import FunctionEmitter, MemoryPort
from lydite.hls.emit.pipe_names import PipeNames
from lydite.hls.emit.structure import (
    Arm,
    Assign,
    Body,
    Case,
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
    statements,
    wire,
)
from lydite.hls.emit.verilog import literal
from lydite.hls.ir.graph import SIGNS, STREAMING, Function, Op, OpKind, Stream
from lydite.hls.schedule import multipliers


def memory(emitter: FunctionEmitter, port: MemoryPort) -> Process:
    """Write the signals of a memory port, by states."""
    target, number = port.memory, port.number
    stem = emitter.stem(target.name)
    choice = _by_states(
        emitter,
        lambda state: _access(emitter, port, state),
        lambda pipe: emit_pipeline.memory_moves(emitter, pipe, port),
    )
    address, data = f"{stem}_address{number}", f"{stem}_d{number}"
    # Of LUT RAM, which has no enable, words come out in the cycle of their address.
    defaults = [
        _unseen(emitter, target.name, address, target.index_width, choice, clocked=port.enabled)
    ]
    if port.enabled:
        defaults.append(Write(f"{stem}_ce{number}", literal(1, 0)))
    quiet = Write(f"{stem}_we{number}", literal(target.lanes, 0))
    if port.writes:
        defaults += [quiet, _unseen(emitter, target.name, data, target.width, choice, clocked=True)]
    # The state that power-up leaves is not known before the first edge in reset.
    last: Body = (If("ap_rst", (quiet,), form=Form.INLINE),) if port.writes else ()
    return _process(tuple(defaults), choice, last)


def _access(emitter: FunctionEmitter, port: MemoryPort, state: State) -> list[Arm]:
    """Write what a state asks of a memory's port."""
    target, number = port.memory, port.number
    stem = emitter.stem(target.name)
    arms: list[Arm] = []
    for op in state.ops:
        if emitter.binding.port.get(op) != number or op.attr is not target:
            continue
        done = emitter.done(state)
        moves = [Write(f"{stem}_address{number}", emitter.ref(op.args[0], state))]
        if port.enabled:
            moves.append(Write(f"{stem}_ce{number}", done or literal(1, 1)))
        if op.kind == "store":
            mask = emitter.ref(op.args[2], state)
            gate = f"{{{target.lanes}{{{done}}}}} & " if done else ""
            moves.append(Write(f"{stem}_we{number}", f"{gate}{mask}"))
            moves.append(Write(f"{stem}_d{number}", emitter.ref(op.args[1], state)))
        arms.append(Arm((emitter.state_names[state],), tuple(moves), place(op.where)))
    return arms


def _unseen(
    emitter: FunctionEmitter, name: str, net: str, width: int, choice: Body, *, clocked: bool
) -> Write:
    """Write what a net takes where nobody looks at it: what it mostly does, so that there is one
    thing less to choose from; 0 where requests of functions are joined.

    What answers in the same cycle, not `clocked`, takes that only if it is all that it ever takes:
    else two such could each be asked with the other one's answer, round and round.
    """
    writes = [one for one in statements(choice) if isinstance(one, Write) and one.target == net]
    texts = [one.value for one in writes]
    if emitter.joined(name) or not texts or not (clocked or len({*texts}) == 1):
        return Write(net, literal(width, 0))
    return Write(net, max(texts, key=texts.count))


def _process(*levels: Body) -> Process:
    """Write a process without a clock, of which later levels count before earlier ones."""
    return Process((Priority(tuple(filter(None, levels))),), clocked=False)


def _by_states(
    emitter: FunctionEmitter,
    of_state: Callable[[State], list[Arm]],
    of_pipe: Callable[[Pipe], list[Body]],
    *,
    loops_first: bool = False,
) -> Body:
    """Write what is asked in each state, or in a pipelined function, which has no states."""
    if emitter.binding.calls is not None:
        return emit_pipeline.turns(emitter.binding.calls, of_pipe(emitter.binding.calls))
    arms: list[Arm] = []
    states = emitter.binding.states
    if loops_first:
        states = sorted(states, key=lambda state: state.pipe is None)
    for state in states:
        if state.pipe is not None:
            moves = emit_pipeline.turns(state.pipe, of_pipe(state.pipe))
            arms += [Arm((emitter.state_names[state],), moves)] * bool(moves)
        arms += of_state(state)
    return (Case("state_q", tuple(arms)),)


def call(emitter: FunctionEmitter, callee: Function) -> Process:
    """Write start and arguments of a callee, by states."""
    stem = emitter.stem(callee.name)
    issued = callee in emitter.body.issued

    def wanted(op: Op) -> bool:
        return op.kind == "call" and op.attr is callee

    def moves(pipe: Pipe) -> list[Body]:
        # Where calls do not share one, a pipeline's have modules of their own, and only the bursts
        # of states issue this.
        return macro_calls.moves(emitter, pipe, callee.name, stem) if callee.shared else []

    choice = _by_states(
        emitter,
        lambda state: (
            bursts.requests(emitter, callee, stem, state)
            or _unit_arms(emitter, wanted, stem, state)
        ),
        moves,
        loops_first=True,
    )
    defaults = [Write(f"{stem}_start", literal(1, 0))]
    defaults += [
        _unseen(emitter, callee.name, f"{stem}_arg{index}", param.width, choice, clocked=issued)
        for index, param in enumerate(callee.params)
    ]
    if issued:
        defaults += [Write(f"{stem}_{word}", literal(1, 0)) for word in ("issue", "wait")]
    return _process(tuple(defaults), choice)


def stream(emitter: FunctionEmitter, target: Stream) -> Process:
    """Write the signals that take beats from a stream or give them to it, by states."""
    stem = emitter.stem(target.name)
    act = f"{stem}_put" if target.writes else f"{stem}_take"
    given: list[str] = []

    def accesses(state: State) -> list[Arm]:
        arms: list[Arm] = []
        for op in state.ops:
            if op.kind not in STREAMING or op.attr is not target:
                continue
            when = emitter.done(state)
            if op.args[-1].kind != "const":
                when = f"{when} & {emitter.ref(op.args[-1], state)}"
            moves = [Write(act, when)]
            if target.writes:
                given.append(emitter.ref(op.args[0], state))
                moves.append(Write(f"{stem}_beat", given[-1]))
            arms.append(Arm((emitter.state_names[state],), tuple(moves), place(op.where)))
        return arms

    choice = _by_states(
        emitter, accesses, lambda pipe: emit_pipeline.stream_moves(emitter, pipe, target)
    )
    defaults = [Write(act, literal(1, 0))]
    if target.writes:
        # Nobody looks at a beat that is not put: one less to choose from.
        free = given and not emitter.joined(target.name)
        defaults.append(Write(f"{stem}_beat", given[-1] if free else literal(target.width, 0)))
    return _process(tuple(defaults), choice)


def divider(emitter: FunctionEmitter, unit: int) -> Process:
    """Write start and operands of a divider, by states."""
    width = emitter.binding.divider_widths[unit]
    defaults = [Write(f"div{unit}_start", literal(1, 0))]
    defaults += [Write(f"div{unit}_arg{index}", literal(width, 0)) for index in range(2)]

    def wanted(op: Op) -> bool:
        return emitter.binding.divider.get(op) == unit

    choice = _by_states(
        emitter, lambda state: _unit_arms(emitter, wanted, f"div{unit}", state), lambda pipe: []
    )
    return _process(tuple(defaults), choice)


def multiplier(emitter: FunctionEmitter, number: int) -> list[Item]:
    """Write a multiplier that serves several states, with its choice of factors."""
    unit = emitter.binding.units[number]
    shape = unit.shape
    stem = f"mul{number}"
    first = _extended(f"{stem}_arg0", shape.first, shape.width, signed=shape.first_signed)
    second = _extended(f"{stem}_arg1", shape.second, shape.width, signed=shape.second_signed)
    result = wire(f"{stem}_result", shape.width, f"{first} * {second}")
    widths = [shape.first, shape.second]
    if any(emitter.binding.home[op].pipe is not None for op in unit.ops):
        factors = [(op, [multipliers.factor(arg)[0] for arg in op.args]) for op in unit.ops]
        return _chosen(emitter, stem, factors, widths, result)
    arms: list[Arm] = []
    for op in unit.ops:
        state = emitter.binding.home[op]
        moves = tuple(
            Write(f"{stem}_arg{index}", emitter.ref(multipliers.factor(arg)[0], state))
            for index, arg in enumerate(op.args)
        )
        arms.append(Arm((emitter.state_names[state],), moves, place(op.where)))
    defaults = tuple(
        Write(f"{stem}_arg{index}", literal(width, 0)) for index, width in enumerate(widths)
    )
    return [
        Note(),
        *(reg(f"{stem}_arg{index}", width) for index, width in enumerate(widths)),
        result,
        Note(),
        _process(defaults, (Case("state_q", tuple(arms)),)),
    ]


def unit(emitter: FunctionEmitter, number: int) -> list[Item]:
    """Write a unit whose number directives limit, with its choice of operands.

    In states that do not use it, it takes what most of the others do.
    """
    item = emitter.binding.shared[number]
    stem = f"{item.kind}{number}"
    widths = [max(op.args[index].width for op, _ in item.ops) for index in range(2)]
    operands = [(op, list(op.args[::-1] if swapped else op.args)) for op, swapped in item.ops]
    net = emitter.unit_result(number)
    result = wire(net.name, net.width, _operation(item.kind, stem))
    return _chosen(emitter, stem, operands, widths, result)


# Where a unit is used: a state of the controller, or a phase of a pipeline.
_Turn = tuple[str, int]


def _chosen(
    emitter: FunctionEmitter,
    stem: str,
    operands: Sequence[tuple[Op, Sequence[Op]]],
    widths: Sequence[int],
    result: Declare,
) -> list[Item]:
    """Write a unit between the choice of its operands and its result."""
    choices: list[dict[str, list[_Turn]]] = [{}, {}]
    pipes: dict[str, PipeNames] = {}
    for op, args in operands:
        state = emitter.binding.home[op]
        label, phase = emitter.state_names[state], -1
        if state.pipe is not None:
            pipes[label] = pipe_control.names_of(emitter, state.pipe)
            phase = pipes[label].slot(state.time)
        for index, arg in enumerate(args):
            text = emitter.ref(arg, state)
            if arg.width < widths[index]:
                text = f"{{{literal(widths[index] - arg.width, 0)}, {text}}}"
            choices[index].setdefault(text, []).append((label, phase))
    items: list[Item] = [Note()]
    for index, width in enumerate(widths):
        kind: Literal["reg", "wire"] = "reg" if len(choices[index]) > 1 else "wire"
        items.append(Declare(kind, (Net(f"{stem}_arg{index}", width),)))
    items.append(result)
    for index, texts in enumerate(choices):
        usual = max(texts, key=lambda text: len(texts[text]))
        others = {text: turns for text, turns in texts.items() if text != usual}
        target = f"{stem}_arg{index}"
        if not others:
            items.append(Assign(target, usual))
            continue
        known = {label for turns in texts.values() for label, _ in turns}
        if len(known) == 1 and pipes:
            # Nobody looks at the unit elsewhere.
            label = known.pop()
            choice = _by_phase(pipes[label], label, others, target)
        else:
            choice = _by_state(pipes, others, target)
        items += [Note(), _process((Write(target, usual),), choice)]
    return items


def _by_state(
    pipes: Mapping[str, PipeNames], texts: Mapping[str, Sequence[_Turn]], target: str
) -> Body:
    """Write the choice of an operand by states, and in those of pipelines by phases."""
    arms: list[Arm] = []
    for text, turns in texts.items():
        labels = tuple(label for label, phase in turns if phase < 0)
        if labels:
            arms.append(Arm(labels, (Write(target, text),), form=Form.INLINE))
    for label, mine in pipes.items():
        choice = _by_phase(mine, label, texts, target)
        if choice:
            arms.append(Arm((label,), choice, form=Form.INLINE))
    return (Case("state_q", tuple(arms)),)


def _by_phase(
    mine: PipeNames, label: str, texts: Mapping[str, Sequence[_Turn]], target: str
) -> Body:
    """Write the choice of an operand in a pipeline; nothing if all phases take what is usual."""
    bits = (mine.pipe.ii - 1).bit_length()
    arms: list[Arm] = []
    levels: list[Body] = []
    for text, turns in texts.items():
        phases = sorted({phase for at, phase in turns if at == label})
        moves = (Write(target, text),)
        if phases and mine.pipe.by_time:
            when = " | ".join(mine.phase(time) for time in phases)
            levels.append((If(when, moves, form=Form.INLINE),))
        elif phases:
            listed = tuple(literal(bits, phase) for phase in phases)
            arms.append(Arm(listed, moves, form=Form.INLINE))
    if levels:
        return (Priority(tuple(levels)),)
    return (Case(f"{mine.stem}_phase_q", tuple(arms)),) if arms else ()


def _operation(kind: OpKind, stem: str) -> str:
    signed = kind in ("slt", "sle", "ashr")
    first = f"$signed({stem}_arg0)" if signed else f"{stem}_arg0"
    second = f"$signed({stem}_arg1)" if kind in ("slt", "sle") else f"{stem}_arg1"
    return f"{first} {SIGNS[kind]} {second}"


def _unit_arms(
    emitter: FunctionEmitter, wanted: Callable[[Op], bool], stem: str, state: State
) -> list[Arm]:
    """Write a unit's start and operands in a state, if that waits for it."""
    op = next(filter(wanted, state.waits_for), None)
    if op is None:
        return []
    over = emitter.body.joined[op.attr][0] if len(state.waits_for) > 1 else ""
    moves = [Write(f"{stem}_start", f"~{over}" if over else literal(1, 1))]
    moves += [
        Write(f"{stem}_arg{index}", emitter.ref(arg, state)) for index, arg in enumerate(op.args)
    ]
    return [Arm((emitter.state_names[state],), tuple(moves), place(op.where))]


def _extended(name: str, width: int, to: int, *, signed: bool) -> str:
    """Give the text of a factor at the width of the product."""
    if width == to:
        text = name
    else:
        fill = f"{{{to - width}{{{name}[{width - 1}]}}}}" if signed and width > 1 else None
        fill = fill or (f"{{{to - width}{{{name}}}}}" if signed else literal(to - width, 0))
        text = f"{{{fill}, {name}}}"
    return f"$signed({text})" if signed else text
