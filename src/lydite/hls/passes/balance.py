# SPDX-License-Identifier: Apache-2.0
"""Balances trees of one associative operation, so that chains of n become log n deep.

Sums, ands, ors, exclusive ors: where an operand is the same operation and has no other use, its
operands join the tree; the tree is then built anew, the operands that are ready first at the
bottom. In a loop that is to be pipelined, what an iteration gets from earlier ones is ready as many
clock periods earlier as iterations lie between: what can be added up ahead of time, is.
"""

from __future__ import annotations

import heapq

from lydite.hls.ir import graph as ir_graph
from lydite.hls.ir.builder import Builder
from lydite.hls.ir.graph import Block, Op
from lydite.hls.ir.module import Module
from lydite.hls.passes import arrival, as_written, pipelining
from lydite.hls.passes.arrival import Arrival
from lydite.hls.passes.context import Context

DOC = "balance trees of sums and of bitwise operations"

_KINDS = frozenset(("add", "and", "or", "xor"))


def run(module: Module, context: Context) -> None:
    """Balance every block of every function."""
    for function in module.functions.values():
        uses = ir_graph.uses(function)
        values: dict[Op, Op] = {}
        pipelined = pipelining.pipelined_blocks(function, module.pragmas)
        left = as_written.blocks(function, module)
        for block in function.blocks:
            if block in left:
                continue
            ready = Arrival(context.model)
            if block in pipelined:
                ready, _ = arrival.carried(block, context.model)
            _balance(block, uses, values, ready)
        ir_graph.replace(function, values)


def _balance(
    block: Block,
    uses: dict[Op, int],
    values: dict[Op, Op],
    ready: Arrival,
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
            values[op] = _tree(op, leaves, ready, build)
            for made in block.ops[start:]:
                ready.enter(made, [values.get(arg, arg) for arg in made.args])
            continue
        block.ops.append(op)
        if op.kind != "phi":
            ready.enter(op, [values.get(arg, arg) for arg in op.args])


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


def _tree(root: Op, leaves: list[Op], ready: Arrival, build: Builder) -> Op:
    """Join the two operands that are ready first, again and again; constants come last."""
    build.where = root.where
    constants = [leaf for leaf in leaves if leaf.kind == "const"]
    heap = [
        (ready[leaf], number, leaf) for number, leaf in enumerate(leaves) if leaf.kind != "const"
    ]
    heapq.heapify(heap)
    number = len(leaves)
    while len(heap) > 1:
        _, _, first = heapq.heappop(heap)
        _, _, second = heapq.heappop(heap)
        build.name = root.name if not heap and not constants else ""
        made = build.binary(root.kind, first, second)
        ready.enter(made, (first, second))
        number += 1
        heapq.heappush(heap, (ready[made], number, made))
    result = heap[0][2] if heap else constants.pop()
    for leaf in constants:
        build.name = root.name
        result = build.binary(root.kind, result, leaf)
    return result
