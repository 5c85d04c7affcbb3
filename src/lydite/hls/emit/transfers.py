# SPDX-License-Identifier: Apache-2.0
"""Writes what each state puts into registers and local memories."""

from __future__ import annotations

from lydite.hls.bind.binding import Register, State
from lydite.hls.emit import blocks, bursts, controller, local_store
from lydite.hls.emit import pipeline as emit_pipeline
from lydite.hls.emit.function import FunctionEmitter
from lydite.hls.emit.structure import Arm, Body, Form, If, Priority, Statement, Write, statements
from lydite.hls.ir.graph import Op
from lydite.hls.schedule.problem import WAITING


def transfers(emitter: FunctionEmitter, idle: str) -> list[Arm]:
    """Write what each state puts into registers and local memories."""
    arms: list[Arm] = []
    if emitter.binding.starts is None and emitter.function.params:
        given = If("ap_start", tuple(_arguments(emitter)))
        arms.append(Arm((idle,), (given,), form=Form.BELOW))
    for state in emitter.binding.states:
        if state.pipe is not None:
            moves = emit_pipeline.transfers(emitter, state.pipe)
            if moves:
                arms.append(Arm((emitter.state_names[state],), moves))
            continue
        levels = _of_state(emitter, state)
        early = tuple(bursts.results(emitter, state))
        if early and not levels:
            arms.append(Arm((emitter.state_names[state],), early))
        if not levels:
            continue
        moves = levels[0] if len(levels) == 1 else (Priority(levels),)
        first = moves[0]
        line = len(moves) == 1 and (isinstance(first, Write) or _is_line(first))
        form = Form.BELOW if line else Form.BLOCK
        done = emitter.done(state)
        label = (emitter.state_names[state],)
        if early:
            arms.append(Arm(label, (*early, If(done, moves, form=form))))
        elif done:
            arms.append(Arm(label, (If(done, moves, form=form),), form=Form.INLINE))
        else:
            arms.append(Arm(label, moves, form=form))
    return arms


def _is_line(statement: object) -> bool:
    return isinstance(statement, If) and statement.form is Form.INLINE


def _of_state(emitter: FunctionEmitter, state: State) -> tuple[Body, ...]:
    """Give what a state writes, in levels: a later store before an earlier one, phis before all.

    What is kept of a value that a phi takes, too, may be in the phi's register.
    """
    kept = _arguments(emitter) if state is emitter.binding.starts else []
    ends = (op for op in emitter.kept_at.get(state, ()) if op not in state.turns)
    kept += [move for op in ends for move in _keep(emitter, op, state)]
    levels: list[Body] = [tuple(kept)]
    stores = (op for op in state.ops if op.kind == "store" and op not in emitter.binding.port)
    levels += [local_store.local_store(emitter, op, state) for op in stores]
    if state.last:
        levels.append(tuple(_phi_moves(emitter, state)))
    if state.block.end == "jump":
        levels = _once(levels)
    return tuple(level for level in levels if level)


def _once(levels: list[Body]) -> list[Body]:
    """Leave out what an earlier level writes all the same, if no level since then writes there."""
    last: dict[str, Statement] = {}
    result: list[Body] = []
    for level in levels:
        fresh = tuple(
            move
            for move in dict.fromkeys(level)
            if not all(last.get(target) == move for target in _targets(move))
        )
        last |= {target: move for move in fresh for target in _targets(move)}
        result.append(fresh)
    return result


def _targets(move: Statement) -> list[str]:
    """Give the registers and arrays of which a statement writes something."""
    return [blocks.target(item) for item in statements((move,)) if isinstance(item, Write)]


def _arguments(emitter: FunctionEmitter) -> list[Write]:
    """Keep the arguments that are read later."""
    return [
        move
        for param in emitter.function.params
        if param in emitter.binding.kept_params
        for move in _write(emitter, param, emitter.ports[param].name)
    ]


def _keep(emitter: FunctionEmitter, op: Op, state: State) -> list[Write]:
    """Keep a value that a state makes."""
    if op.kind in WAITING:
        return _write(emitter, op, emitter.wires[op].name)
    return _write(emitter, op, local_store.copied(emitter, op, state))


def _write(emitter: FunctionEmitter, value: Op, text: str) -> list[Write]:
    """Write a value into its register, unless it is there."""
    name = emitter.kept[value].name
    return [Write(name, text)] if text != name else []


def turns(
    emitter: FunctionEmitter, state: State, registers: frozenset[Register]
) -> tuple[Write, ...]:
    """Write what a loop of one state puts, for its next turn, into some of its registers."""
    block, storage = state.block, emitter.binding.storage
    return tuple(
        move
        for phi in block.phis()
        if storage[phi] in registers
        for move in _phi_move(emitter, phi, state)
    )


def _phi_move(emitter: FunctionEmitter, phi: Op, state: State) -> list[Write]:
    """Write a phi of a block that a state goes to."""
    value = phi.args[phi.attr.index(state.block)]
    return _write(emitter, phi, local_store.copied(emitter, value, state))


def _phi_moves(emitter: FunctionEmitter, state: State) -> list[Write | If]:
    """Write the phis of the blocks that a state may go to."""
    block = state.block
    found: list[Write | If] = []
    for target in dict.fromkeys(block.targets):
        moves: list[Write] = []
        for phi in target.phis() if target not in emitter.binding.exits else ():
            moves += _phi_move(emitter, phi, state)
        if moves and block.end == "jump":
            return list(moves)
        if moves:
            taken = controller.taken(emitter, block, target, state)
            found.append(If(taken, tuple(moves)))
    return found
