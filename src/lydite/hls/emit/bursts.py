# SPDX-License-Identifier: Apache-2.0
"""Writes how states give several calls to one module, and keep the results as they come out.

A register counts the cycles of such a state. It chooses the call that begins, whose arguments are
there for that cycle alone, and the register that takes a result.
"""

from __future__ import annotations

from collections.abc import Iterator

from lydite.hls.bind.binding import State
from lydite.hls.contract.diagnostics import place
from lydite.hls.emit.function import FunctionEmitter
from lydite.hls.emit.structure import (
    Arm,
    Case,
    Form,
    If,
    Item,
    Note,
    Process,
    Statement,
    Write,
    reg,
)
from lydite.hls.emit.verilog import literal
from lydite.hls.ir.graph import Function


def registers(emitter: FunctionEmitter) -> Iterator[Item]:
    """Declare the counter."""
    turn = emitter.body.turn
    if turn is not None:
        yield reg(turn.name, turn.width, "cycles of a state that calls a module several times")


def processes(emitter: FunctionEmitter) -> Iterator[Item]:
    """Write the counter."""
    turn = emitter.body.turn
    if turn is None:
        return
    arms: list[Arm] = []
    for state in (state for state in emitter.binding.states if state.turns):
        step = literal(turn.width, 1)
        if len(state.turns) < len(state.waits_for):
            more = f"{turn.name} <= {literal(turn.width, state.until)}"
            step = f"{{{literal(turn.width - 1, 0)}, {more}}}"
        following = f"{emitter.done(state)} ? {literal(turn.width, 0)} : {turn.name} + {step}"
        label = (emitter.state_names[state],)
        arms.append(Arm(label, (Write(turn.name, following),), form=Form.INLINE))
    reset = (Write(turn.name, literal(turn.width, 0)),)
    yield Note()
    yield Process((If("ap_rst", reset, (Case("state_q", tuple(arms)),)),))


def requests(emitter: FunctionEmitter, callee: Function, stem: str, state: State) -> list[Arm]:
    """Write the calls of a module in a state's burst, with their arguments."""
    turn = emitter.body.turn
    calls = [op for op in state.turns if op.attr is callee]
    if turn is None or not calls:
        return []
    arms: list[Arm] = []
    for op in calls:
        moves = [Write(f"{stem}_issue", literal(1, 1))]
        moves += [
            Write(f"{stem}_arg{index}", emitter.ref(arg, state))
            for index, arg in enumerate(op.args)
        ]
        begins = literal(turn.width, state.turns[op])
        arms.append(Arm((begins,), tuple(moves), place(op.where)))
    return [Arm((emitter.state_names[state],), (Case(turn.name, tuple(arms)),))]


def results(emitter: FunctionEmitter, state: State) -> Iterator[Statement]:
    """Write the results of a state's bursts into their registers, each when it comes."""
    turn = emitter.body.turn
    if turn is None:
        return
    for op in (op for op in state.turns if op in emitter.registers):
        comes = f"{turn.name} == {literal(turn.width, state.answered(op))}"
        taken = (Write(emitter.kept[op].name, emitter.wires[op].name),)
        yield If(comes, taken, form=Form.INLINE)
