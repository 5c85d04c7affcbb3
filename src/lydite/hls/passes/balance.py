# SPDX-License-Identifier: Apache-2.0
"""Balances trees of one associative operation, so that chains of n become log n deep.

Sums, ands, ors, exclusive ors: where an operand is the same operation and has no other use, its
operands join the tree; the tree is then built anew, the operands that are ready first at the
bottom. In a loop that is to be pipelined, what an iteration gets from earlier ones is ready as many
clock periods earlier as iterations lie between: what can be added up ahead of time, is.
"""

from __future__ import annotations

import heapq
import math

from lydite.hls import ir, pipeline
from lydite.hls.build import Builder
from lydite.hls.delay_model import DelayModel
from lydite.hls.directives import ExpressionBalance, of
from lydite.hls.ir import Block, Function, Module, Op

DOC = "balance trees of sums and of bitwise operations"

_KINDS = frozenset(("add", "and", "or", "xor"))


_TIMELESS = frozenset(("store", "phi", "call", "divmod", "read", "write"))
# Rounds after which the times of values that are carried around a loop are taken as they are; how
# many iterations ahead is as early as one likes; how exact the time of an iteration is.
_ROUNDS = 12
_FLOOR = 5
_STEP_NS = 0.1


def run(module: Module, model: DelayModel) -> None:
    """Balance every block of every function."""
    for function in module.functions.values():
        uses = ir.uses(function)
        values: dict[Op, Op] = {}
        pipelined = pipeline.pipelined_blocks(function, module.pragmas)
        left = _left_alone(function, module)
        for block in function.blocks:
            if block in left:
                continue
            ready: dict[Op, float] = {}
            if block in pipelined:
                ready, _ = carried(block, model)
            _balance(block, uses, values, model, ready)
        ir.replace(function, values)


def _left_alone(function: Function, module: Module) -> set[Block]:
    """Give the blocks for which `expression_balance off` stands."""

    def off(numbers: tuple[int, ...]) -> bool:
        return any(item.off for item in of(numbers, module.pragmas, ExpressionBalance))

    if off(function.pragmas):
        return set(function.blocks)
    if not any(block.pragmas for block in function.blocks):
        return set()
    loops = [loop for loop in ir.find_loops(function) if off(loop.header.pragmas)]
    return {block for loop in loops for block in loop.blocks}


def carried(block: Block, model: DelayModel) -> tuple[dict[Op, float], float]:
    """Give the times at which the phis of a pipelined loop are there, and the time of an iteration.

    That time is what the slowest recurrence needs, whose phis are there at 0. Others are there
    earlier, down to a floor for what is known as early as one likes, like counters.
    """
    steps = _steps(block, model)
    low, high = 0.0, max(_walk(steps, {}).values(), default=0.0) + 1.0
    while high - low > _STEP_NS:
        middle = (low + high) / 2
        settled = _settle(block, steps, middle)
        if max(settled.values(), default=0.0) > 0:
            low = middle
        else:
            high = middle
    return _settle(block, steps, high), high


# Operations with what they read and the time that they take.
_Steps = list[tuple[Op, list[Op], float]]


def _steps(block: Block, model: DelayModel) -> _Steps:
    result: _Steps = []
    for op in block.ops:
        if op.kind not in _TIMELESS:
            delay = model.bram_read_ns if op.kind == "load" else model.delay_ns(op)
            result.append((op, [arg for arg in op.args if arg.kind != "const"], delay))
    return result


def _walk(steps: _Steps, phis: dict[Op, float]) -> dict[Op, float]:
    ready = dict(phis)
    for op, args, delay in steps:
        ready[op] = max([ready.get(arg, 0.0) for arg in args], default=0.0) + delay
    return ready


def _settle(block: Block, steps: _Steps, period_ns: float) -> dict[Op, float]:
    """Let phis take the times of their sources, a period earlier, for some rounds."""
    result = dict.fromkeys(block.phis(), 0.0)
    for _ in range(_ROUNDS):
        ready = _walk(steps, result)
        for phi in result:
            back = phi.args[phi.attr.index(block)]
            at = ready.get(back, -math.inf) - period_ns
            result[phi] = max(at, floor(period_ns))
    return result


def floor(period_ns: float) -> float:
    """Give the time of what is known as early as one likes."""
    return -_FLOOR * period_ns


def times(block: Block, model: DelayModel, phis: dict[Op, float]) -> dict[Op, float]:
    """Give the times at which the values of a block are there, by those of its phis."""
    return _walk(_steps(block, model), phis)


def _balance(
    block: Block,
    uses: dict[Op, int],
    values: dict[Op, Op],
    model: DelayModel,
    ready: dict[Op, float],
) -> None:
    inside = set(block.ops)
    absorbed: set[Op] = set()
    roots: list[Op] = []
    for op in reversed(block.ops):
        if op.kind in _KINDS and op not in absorbed:
            members: list[Op] = []
            _leaves(op, inside, uses, members)
            if len(members) >= 2:
                absorbed.update(members)
                roots.append(op)
    if not roots:
        return
    chosen = set(roots)
    old, block.ops = block.ops, []
    build = Builder(block.ops)
    for op in old:
        if op in absorbed:
            continue
        if op in chosen:
            leaves: list[Op] = []
            _collect(op, absorbed, leaves)
            start = len(block.ops)
            values[op] = _tree(op, leaves, ready, build, model)
            for made in block.ops[start:]:
                _time(made, ready, values, model)
            continue
        block.ops.append(op)
        _time(op, ready, values, model)


def _time(op: Op, ready: dict[Op, float], values: dict[Op, Op], model: DelayModel) -> None:
    if op.kind in _TIMELESS:
        return
    known = [arg for arg in op.args if arg.kind != "const"]
    at = max((ready.get(values.get(arg, arg), 0.0) for arg in known), default=0.0)
    ready[op] = at + (model.bram_read_ns if op.kind == "load" else model.delay_ns(op))


def _leaves(root: Op, inside: set[Op], uses: dict[Op, int], members: list[Op]) -> None:
    """Collect the operations under a root that belong to its tree."""
    pending = [root]
    while pending:
        for arg in pending.pop().args:
            if (
                arg.kind == root.kind
                and arg.width == root.width
                and uses.get(arg, 0) == 1
                and arg in inside
            ):
                members.append(arg)
                pending.append(arg)


def _collect(root: Op, absorbed: set[Op], leaves: list[Op]) -> None:
    """Collect the operands of a tree, from left to right."""
    pending = list(reversed(root.args))
    while pending:
        arg = pending.pop()
        if arg in absorbed and arg.kind == root.kind and arg.width == root.width:
            pending += reversed(arg.args)
        else:
            leaves.append(arg)


def _tree(
    root: Op, leaves: list[Op], ready: dict[Op, float], build: Builder, model: DelayModel
) -> Op:
    """Join the two operands that are ready first, again and again; constants come last."""
    build.where = root.where
    constants = [leaf for leaf in leaves if leaf.kind == "const"]
    heap = [
        (ready.get(leaf, 0.0), number, leaf)
        for number, leaf in enumerate(leaves)
        if leaf.kind != "const"
    ]
    heapq.heapify(heap)
    number = len(leaves)
    while len(heap) > 1:
        first_at, _, first = heapq.heappop(heap)
        second_at, _, second = heapq.heappop(heap)
        build.name = root.name if not heap and not constants else ""
        made = build.binary(root.kind, first, second)
        at = max(first_at, second_at) + model.at(
            "add" if root.kind == "add" else "logic", root.width
        )
        number += 1
        heapq.heappush(heap, (at, number, made))
    result = heap[0][2] if heap else constants.pop()
    for leaf in constants:
        build.name = root.name
        result = build.binary(root.kind, result, leaf)
    return result
