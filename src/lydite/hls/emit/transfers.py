# SPDX-License-Identifier: Apache-2.0
"""Writes what each state puts into registers and local memories."""

from __future__ import annotations

from lydite.hls.bind.binding import State
from lydite.hls.emit import controller, local_store
from lydite.hls.emit import pipeline as emit_pipeline
from lydite.hls.emit.function import FunctionEmitter
from lydite.hls.ir.graph import Block, Op
from lydite.hls.schedule.problem import WAITING


def transfers(emitter: FunctionEmitter, idle: str) -> list[str]:
    """Write what each state puts into registers and local memories."""
    lines: list[str] = []
    if emitter.binding.starts is None and emitter.function.params:
        lines += [f"      {idle}:", "        if (ap_start) begin"]
        lines += [f"          {move}" for move in _arguments(emitter)]
        lines += ["        end"]
    for state in emitter.binding.states:
        if state.pipe is not None:
            lines += emit_pipeline.transfers(emitter, state.pipe)
            continue
        moves = _of_state(emitter, state)
        if not moves:
            continue
        done = emitter.done(state)
        lines.append(f"      {emitter.state_names[state]}:" + (f" if ({done})" if done else ""))
        if len(moves) > 1:
            lines[-1] += " begin"
        lines += [f"        {move}" for move in moves]
        if len(moves) > 1:
            lines.append("      end")
    return lines


def _of_state(emitter: FunctionEmitter, state: State) -> list[str]:
    # Where one register gets several values, the last line wins, and that is the phi's.
    moves = _arguments(emitter) if state is emitter.binding.starts else []
    moves += [move for op in emitter.kept_at.get(state, ()) for move in _keep(emitter, op, state)]
    for op in state.ops:
        if op.kind == "store" and op not in emitter.binding.port:
            moves += local_store.local_store(emitter, op, state)
    if state.last:
        moves += _phi_moves(emitter, state)
    return list(dict.fromkeys(moves)) if state.block.end == "jump" else moves


def _arguments(emitter: FunctionEmitter) -> list[str]:
    """Keep the arguments that are read later."""
    return [
        move
        for param in emitter.function.params
        if param in emitter.binding.kept_params
        for move in _write(emitter, param, emitter.ports[param].all())
    ]


def _keep(emitter: FunctionEmitter, op: Op, state: State) -> list[str]:
    """Keep a value that a state makes."""
    if op.kind in WAITING:
        return _write(emitter, op, emitter.wires[op].all())
    return _write(emitter, op, local_store.copied(emitter, op, state))


def _write(emitter: FunctionEmitter, value: Op, text: str) -> list[str]:
    """Write a value into its register, unless it is there."""
    name = emitter.kept[value].name
    return [f"{name} <= {text};"] if text != name else []


def _phi_moves(emitter: FunctionEmitter, state: State) -> list[str]:
    """Write the phis of the blocks that a state may go to."""
    block = state.block
    per_target: list[tuple[Block, list[str]]] = []
    for target in dict.fromkeys(block.targets):
        moves = []
        for phi in target.phis() if target not in emitter.binding.exits else ():
            value = phi.args[phi.attr.index(block)]
            moves += _write(emitter, phi, local_store.copied(emitter, value, state))
        if moves:
            per_target.append((target, moves))
    if not per_target:
        return []
    if block.end == "jump":
        return per_target[0][1]
    lines: list[str] = []
    for target, moves in per_target:
        lines.append(f"if ({controller.taken(emitter, block, target, state)}) begin")
        lines += [f"  {move}" for move in moves]
        lines.append("end")
    return lines
