# SPDX-License-Identifier: Apache-2.0
"""Moves what costs no time into the blocks before, so that a block with nothing else goes away.

Where an edge leads to a phi, LLVM puts the loads for that phi into a block of their own, which
would cost a cycle, as would wiring behind a loop. A word in a register, and wiring, can be read in
the blocks before as well.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable

from lydite.hls.ir import graph as ir_graph
from lydite.hls.ir.delay_model import WIRING
from lydite.hls.ir.graph import Block, Function, Memory, Op, is_word
from lydite.hls.ir.module import Module
from lydite.hls.passes.cfg import drop_unreachable, joins_loops
from lydite.hls.passes.context import Context

DOC = "move wiring and words in registers out of blocks with nothing else"


def run(module: Module, _: Context) -> None:
    """Lead the edges past every such block, as far as phis allow it."""
    for function in module.functions.values():
        uses, predecessors = ir_graph.uses(function), function.predecessors()
        done = False
        for block in function.blocks[1:]:
            if _hoist(function, block, uses, predecessors) or _hoist_return(
                block, uses, predecessors
            ):
                predecessors, done = function.predecessors(), True
        if done:
            drop_unreachable(function)


def _hoist(
    function: Function,
    block: Block,
    uses: dict[Op, int],
    predecessors: dict[Block, list[Block]],
) -> bool:
    """Copy a block into each of its predecessors, if it only makes values for its successor."""
    if block.end != "jump" or block.pragmas or not all(map(_is_free, block.ops)):
        return False
    target = block.targets[0]
    before = predecessors[block]
    phis = list(target.phis())
    if target is block or not before or any(source in predecessors[target] for source in before):
        return False
    if not _serves_only(block, uses, phis) or joins_loops(function, block):
        return False
    words = {op.attr for op in block.ops if op.kind == "load"}
    if any(_writes(source, words) for source in before):
        return False
    touched = dict.fromkeys([block, target, *before])
    _count(touched, uses, -1)
    for source in before:
        made = _copy(block, source)
        for phi in phis:
            value = phi.args[phi.attr.index(block)]
            phi.args.append(made.get(value, value))
            phi.attr.append(source)
        source.targets = [target if t is block else t for t in source.targets]
    for phi in phis:
        index = phi.attr.index(block)
        del phi.args[index], phi.attr[index]
    block.targets, block.end = [], "ret"
    _count(touched, uses, 1)
    return True


def _count(touched: Iterable[Block], uses: dict[Op, int], times: int) -> None:
    for block in touched:
        ir_graph.count_uses(block, uses, times)


def _hoist_return(
    block: Block, uses: dict[Op, int], predecessors: dict[Block, list[Block]]
) -> bool:
    """Copy what a block makes only to return it into the blocks before; it then takes no cycle.

    Only behind loops with directives: without any, hardware stays as it was fuzzed.
    """
    before, value = predecessors[block], block.arg
    if block.end != "ret" or value is None or not any(source.pragmas for source in before):
        return False
    if all(op.kind == "phi" for op in block.ops) or not all(map(_is_free, block.ops)):
        return False
    words = {op.attr for op in block.ops if op.kind == "load"}
    if any(_writes(source, words) for source in before):
        return False
    touched = dict.fromkeys([block, *before])
    _count(touched, uses, -1)
    copies = [_copy(block, source) for source in before]
    values = [made.get(value, value) for made in copies]
    block.ops, block.arg = [], values[0]
    if len(before) > 1:
        block.arg = Op("phi", value.width, values, attr=list(before), where=value.where)
        block.ops = [block.arg]
    _count(touched, uses, 1)
    return True


def _is_free(op: Op) -> bool:
    return op.kind in WIRING or (op.kind == "load" and is_word(op.attr))


def _serves_only(block: Block, uses: dict[Op, int], phis: list[Op]) -> bool:
    """Whether only the block itself, and phis on its edge, use what it makes."""
    own = Counter(arg for op in block.ops for arg in op.args)
    own.update(phi.args[phi.attr.index(block)] for phi in phis)
    return all(own[op] == uses.get(op, 0) for op in block.ops)


def _writes(block: Block, words: set[Memory]) -> bool:
    """Whether a block may change one of some words: a call changes none in registers."""
    return any(op.kind == "store" and op.attr in words for op in block.ops)


def _copy(block: Block, source: Block) -> dict[Op, Op]:
    """Append the operations of a block to one before it, phis replaced by what it brings."""
    made: dict[Op, Op] = {}
    for op in block.ops:
        if op.kind == "phi":
            value = op.args[op.attr.index(source)]
            made[op] = made.get(value, value)
            continue
        args = [made.get(arg, arg) for arg in op.args]
        made[op] = Op(op.kind, op.width, args, attr=op.attr, name=op.name, where=op.where)
        source.ops.append(made[op])
    return made
