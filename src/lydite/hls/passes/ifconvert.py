# SPDX-License-Identifier: Apache-2.0
"""Turns short branches into multiplexers: both sides are computed, and stores get a condition.

A branch costs at least a cycle and ends the block that can be scheduled as one. A side is taken in
if it is a block of its own that only that branch reaches, holds no call or division, and costs less
than the cycle that it saves.
"""

from __future__ import annotations

from collections.abc import Callable

from lydite.hls.ir.builder import Builder
from lydite.hls.ir.delay_model import WIRING, DelayModel
from lydite.hls.ir.graph import STREAMING, Block, Function, Op
from lydite.hls.ir.module import Module
from lydite.hls.passes.context import Context

DOC = "turn short branches into multiplexers and conditional stores"

# Operations, without wiring, that a side may hold, and how long its chain may be, in clock periods.
_MAX_OPS = 12
_MAX_PERIODS = 0.75
_MAX_ACCESSES = 1


def run(module: Module, context: Context) -> None:
    """Convert branches in every function until none is left that is short."""
    for function in module.functions.values():
        run_on(function, context.model, context.period_ns(function, module))


def run_on(function: Function, model: DelayModel, clock_ns: float) -> None:
    """Convert branches in one function until none is left that is short."""
    while _convert_one(function, model, clock_ns):
        pass


def _convert_one(function: Function, model: DelayModel, clock_ns: float) -> bool:
    predecessors = function.predecessors()
    changed = False
    gone: set[Block] = set()
    for block in function.blocks:
        if block in gone:
            continue
        while block.end == "branch":
            join = meeting(block, predecessors, lambda side: _is_short(side, model, clock_ns))
            if join is None:
                break
            sides = [t for t in block.targets if t is not join]
            absorb(block, join, sides)
            for side in sides:
                gone.add(side)
            predecessors[join] = [
                other for other in predecessors[join] if other not in sides and other is not block
            ] + [block]
            changed = True
    function.blocks = [block for block in function.blocks if block not in gone]
    return changed


def meeting(
    block: Block, predecessors: dict[Block, list[Block]], fits: Callable[[Block], bool]
) -> Block | None:
    """Give the block where both sides of a branch meet, if both may be taken in."""
    first, second = block.targets
    if first is second:
        return None

    def short(side: Block) -> bool:
        return (
            predecessors[side] == [block]
            and side.end == "jump"
            and not side.pragmas
            and side is not block
            and fits(side)
        )

    if short(first) and first.targets[0] is second and second is not block:
        return second
    if short(second) and second.targets[0] is first and first is not block:
        return first
    if short(first) and short(second) and first.targets[0] is second.targets[0]:
        join = first.targets[0]
        return join if join not in (first, second, block) else None
    return None


def _is_short(side: Block, model: DelayModel, clock_ns: float) -> bool:
    count = accesses = 0
    ready: dict[Op, float] = {}
    longest = 0.0
    for op in side.ops:
        if op.kind in ("call", "divmod", "phi"):
            return False
        if op.kind in ("load", "store", "read", "write"):
            # A bank of one word is a register: it has no port to wait for.
            bank = op.kind in ("load", "store") and op.attr.part
            accesses += not (bank and op.attr.depth == 1 and not op.attr.port)
            continue
        if op.kind not in WIRING:
            count += 1
        at = max((ready.get(arg, 0.0) for arg in op.args), default=0.0) + model.delay_ns(op)
        ready[op] = at
        longest = max(longest, at)
    return count <= _MAX_OPS and accesses <= _MAX_ACCESSES and longest <= clock_ns * _MAX_PERIODS


def guard(call: Op, taken: Op, build: Builder) -> None:
    """Let the call of a macro with state happen under a condition only."""
    if not call.attr.stateful:
        return
    if len(call.args) == len(call.attr.params):
        call.args.append(taken)
    else:
        call.args[-1] = build.binary("and", call.args[-1], taken)


def absorb(block: Block, join: Block, sides: list[Block]) -> None:
    """Append the sides to the block, choose by its condition, and jump to where they met."""
    condition = block.arg
    assert condition is not None
    build = Builder(block.ops)
    build.where = block.where
    holds = block.targets[0]
    inverse: Op | None = None
    for side in sides:
        taken = condition
        if side is not holds:
            inverse = inverse or build.invert(condition)
            taken = inverse
        for op in side.ops:
            if op.kind == "store":
                build.where = op.where
                lanes = build.resize(taken, op.args[2].width, signed=True)
                op.args[2] = build.binary("and", op.args[2], lanes)
            elif op.kind in STREAMING:
                build.where = op.where
                op.args[-1] = build.binary("and", op.args[-1], taken)
            elif op.kind == "call":
                build.where = op.where
                guard(op, taken, build)
            block.ops.append(op)
    build.where = block.where
    first = holds if holds in sides else block
    second = block.targets[1] if block.targets[1] in sides else block
    for phi in join.phis():
        yes = phi.args[phi.attr.index(first)]
        no = phi.args[phi.attr.index(second)]
        build.name = phi.name
        value = build.mux(condition, yes, no)
        kept = [
            (arg, source)
            for arg, source in zip(phi.args, phi.attr, strict=True)
            if source is not first and source is not second
        ]
        phi.args = [arg for arg, _ in kept] + [value]
        phi.attr = [source for _, source in kept] + [block]
    block.end, block.arg, block.targets = "jump", None, [join]
