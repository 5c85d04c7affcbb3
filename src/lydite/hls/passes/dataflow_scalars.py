# SPDX-License-Identifier: Apache-2.0
"""Moves what is computed from one process's results into the process that takes it.

Between the calls of a dataflow region stand loads of scalars that one process wrote, and sums of
such results, for the arguments of a later one. If the region's function computed them, it would
wait for the first process before it starts the second. So they move into the later process: a
result then goes there directly, and a scalar in memory is one more memory between two processes.
"""

from __future__ import annotations

from collections.abc import Mapping

from lydite.hls.contract.names import words
from lydite.hls.ir import graph as ir_graph
from lydite.hls.ir.graph import Function, Op
from lydite.hls.ir.module import Module
from lydite.hls.passes.dataflow_regions import Region, Touched

_PURE = (
    ir_graph.BINARY
    | ir_graph.SHIFTS
    | ir_graph.COMPARES
    | words("mux slice concat zext sext divmod")
)


def localise(module: Module, region: Region, usage: Touched) -> None:
    """Move them, in place; what a module computes stays the same."""
    position = {op: index for index, op in enumerate(region.home.ops)}
    movable = _movable(module, region, usage, position)
    for call in region.calls:
        for index in reversed(range(len(call.args))):
            cone: list[Op] = []
            if _collect(call.args[index], region, position, movable, call, cone) and cone:
                cone.sort(key=lambda op: position[op])
                _move(call, index, cone)
    _drop_dead(region)


def _movable(
    module: Module, region: Region, usage: Touched, position: Mapping[Op, int]
) -> dict[Op, Op]:
    """Give the loads that may move, with the call that they move into."""
    result: dict[Op, Op] = {}
    users = _users(region.function)
    for memory in module.memories.values():
        if memory.constant or memory.port or region.number not in memory.pragmas:
            continue
        calls = [call for call in region.calls if memory in usage.memories[call.attr]]
        loads = [op for op in region.function.ops() if op.attr is memory]
        if len(calls) != 1 or memory not in usage.stores[calls[0].attr]:
            continue
        if any(op.kind != "load" or position.get(op, -1) < position[calls[0]] for op in loads):
            continue
        others = [f for f, ops in usage.own.items() for op in ops if op.attr is memory]
        if set(others) - {region.function} - _below(calls[0].attr):
            continue
        takers = {taker for op in loads for taker in _takers(op, region, position, users)}
        taker = takers.pop() if len(takers) == 1 else None
        if taker is not None:
            result.update(dict.fromkeys(loads, taker))
    return result


def _below(function: Function) -> set[Function]:
    found = {function}
    for op in function.ops():
        if op.kind == "call" and op.attr not in found:
            found |= _below(op.attr)
    return found


def _users(function: Function) -> dict[Op, list[Op | None]]:
    """Give the users of each value; None for the end of a block."""
    result: dict[Op, list[Op | None]] = {}
    for block in function.blocks:
        for op in block.ops:
            for arg in op.args:
                result.setdefault(arg, []).append(op)
        if block.arg is not None:
            result.setdefault(block.arg, []).append(None)
    return result


def _takers(
    value: Op, region: Region, position: Mapping[Op, int], users: Mapping[Op, list[Op | None]]
) -> set[Op | None]:
    """Give the calls that take a value, or what is computed of it; None for other uses."""
    result: set[Op | None] = set()
    for user in users.get(value, ()):
        if user in region.calls:
            result.add(user)
        elif user is not None and user in position and user.kind in _PURE:
            result |= _takers(user, region, position, users)
        else:
            result.add(None)
    return result


def _collect(
    value: Op,
    region: Region,
    position: Mapping[Op, int],
    movable: Mapping[Op, Op],
    call: Op,
    cone: list[Op],
) -> bool:
    """Collect what a value is computed by; whether results of processes are behind it."""
    if value in cone:
        return True
    if value in region.calls:
        return True
    if movable.get(value) is call:
        cone.append(value)
        return True
    if value not in position or value.kind not in _PURE:
        return False
    found = [_collect(arg, region, position, movable, call, cone) for arg in value.args]
    if any(found):
        cone.append(value)
    return any(found)


def _move(call: Op, index: int, cone: list[Op]) -> None:
    """Move a value that is an argument of a call, with its cone, into the callee."""
    callee: Function = call.attr
    entry = callee.blocks[0]
    copies: dict[Op, Op] = {}
    for op in cone:
        args: list[Op] = []
        for arg in op.args:
            if arg.kind == "const":
                args.append(arg)
                continue
            if arg not in copies:
                copies[arg] = Op("param", arg.width, attr=len(callee.params), name=arg.name)
                callee.params.append(copies[arg])
                call.args.append(arg)
            args.append(copies[arg])
        copies[op] = Op(op.kind, op.width, args, attr=op.attr, name=op.name, where=op.where)
    phis = len(list(entry.phis()))
    entry.ops[phis:phis] = [copies[op] for op in cone]
    old = callee.params.pop(index)
    value = copies[call.args.pop(index)]
    for number, param in enumerate(callee.params):
        param.attr = number
    ir_graph.replace(callee, {old: value})


def _drop_dead(region: Region) -> None:
    """Drop what nothing takes any more."""
    while True:
        used = ir_graph.uses(region.function)
        dead = {
            op
            for op in region.home.ops
            if op.kind in _PURE | {"load"} and op.width and op not in used
        }
        if not dead:
            return
        region.home.ops = [op for op in region.home.ops if op not in dead]


__all__ = ["localise"]
