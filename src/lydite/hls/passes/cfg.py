# SPDX-License-Identifier: Apache-2.0
"""Simplifies the control flow: folds known branches, merges blocks, and skips empty ones.

Each block costs at least a cycle, so a block that does nothing must not stay.
"""

from __future__ import annotations

from collections.abc import Sequence

from lydite.hls.contract.directives import Directive
from lydite.hls.ir import cfg
from lydite.hls.ir import graph as ir_graph
from lydite.hls.ir.graph import Block, Function, Op, const
from lydite.hls.ir.module import Module
from lydite.hls.passes.context import Context

_ONE = const(1, 1)

DOC = "fold branches on constants, merge blocks in a row, skip empty blocks"


def run(module: Module, _: Context) -> None:
    """Simplify every function until nothing changes."""
    for function in module.functions.values():
        while (
            _fold_branches(function, module.pragmas)
            | drop_unreachable(function)
            | _merge(function)
            | _skip_empty(function)
        ):
            pass


def _fold_branches(function: Function, known: Sequence[Directive]) -> bool:
    changed = False
    regions = {b for b in function.blocks if any(known[n].iterates for n in b.pragmas)}
    for block in function.blocks:
        if block.end not in ("branch", "switch"):
            continue
        assert block.arg is not None
        if block.end == "switch":
            changed |= _trim_switch(block)
        taken: Block | None = None
        if block.arg.kind == "const":
            if block.end == "branch":
                taken = block.targets[0 if block.arg.attr else 1]
            else:
                cases = dict(zip(block.cases, block.targets[1:], strict=True))
                taken = cases.get(block.arg.attr, block.targets[0])
        elif len(set(block.targets)) == 1:
            taken = block.targets[0]
        if taken is not None and _ends_one(regions.difference({taken}), block, function):
            continue  # what its iteration is told holds even if there is one
        if taken is not None:
            for other in dict.fromkeys(block.targets):
                if other is not taken:
                    remove_edge(block, other)
            block.end, block.arg, block.targets, block.cases = "jump", None, [taken], []
            changed = True
        elif block.end == "branch" and block.arg.kind == "xor" and block.arg.args[1] is _ONE:
            # `if (!x)`: turn the branch, not the value.
            block.arg = block.arg.args[0]
            block.targets.reverse()
            changed = True
    return changed


def _ends_one(headers: set[Block], latch: Block, function: Function) -> bool:
    """Whether a block may go back to one of some heads of loops."""
    ahead = headers.intersection(latch.targets)
    if not ahead:
        return False
    spans = cfg.dominator_spans(cfg.immediate_dominators(function))
    return any(latch in spans and cfg.dominates(spans, header, latch) for header in ahead)


def joins_loops(function: Function, block: Block) -> bool:
    """Whether a loop that is told something would be one with that around it without a block."""
    if not block.targets[0].pragmas:
        return False
    return any(loop.header is block for loop in cfg.find_loops(function))


def _trim_switch(block: Block) -> bool:
    """Drop the cases that go where the default goes."""
    default = block.targets[0]
    pairs = [
        (case, target)
        for case, target in zip(block.cases, block.targets[1:], strict=True)
        if target is not default
    ]
    if len(pairs) == len(block.cases):
        return False
    block.cases = [case for case, _ in pairs]
    block.targets = [default, *[target for _, target in pairs]]
    return True


def remove_edge(source: Block, target: Block) -> None:
    """Take a predecessor out of the phis of a block."""
    for phi in target.phis():
        if source in phi.attr:
            index = phi.attr.index(source)
            del phi.attr[index], phi.args[index]


def drop_unreachable(function: Function) -> bool:
    """Drop the blocks that no path reaches; give whether there were any."""
    reached = set(cfg.reverse_postorder(function))
    gone = [block for block in function.blocks if block not in reached]
    for block in gone:
        for target in dict.fromkeys(block.targets):
            if target in reached:
                remove_edge(block, target)
    function.blocks = [block for block in function.blocks if block in reached]
    return bool(gone)


def _merge(function: Function) -> bool:
    """Append a block to its only predecessor, if that goes nowhere else."""
    predecessors = function.predecessors()
    values: dict[Op, Op] = {}
    gone: set[Block] = set()
    for block in function.blocks:
        if block in gone:
            continue
        while block.end == "jump":
            target = block.targets[0]
            if target is block or predecessors[target] != [block] or target.pragmas:
                break
            for phi in list(target.phis()):
                values[phi] = phi.args[0]
            block.ops += [op for op in target.ops if op.kind != "phi"]
            block.end, block.arg = target.end, target.arg
            block.targets, block.cases = target.targets, target.cases
            block.where = target.where or block.where
            for following in dict.fromkeys(block.targets):
                predecessors[following] = [
                    block if other is target else other for other in predecessors[following]
                ]
                for phi in following.phis():
                    phi.attr = [block if other is target else other for other in phi.attr]
            gone.add(target)
    function.blocks = [block for block in function.blocks if block not in gone]
    ir_graph.replace(function, values)
    return bool(gone)


def _skip_empty(function: Function) -> bool:
    """Let predecessors of an empty block jump past it, where phis allow it."""
    changed = False
    predecessors = function.predecessors()
    for block in function.blocks[1:]:
        if block.ops or block.end != "jump" or block.targets[0] is block:
            continue
        target = block.targets[0]
        before = predecessors[block]
        known = set(predecessors[target])
        if not before or (any(p in known for p in before) and any(True for _ in target.phis())):
            continue
        if joins_loops(function, block):
            continue
        for phi in target.phis():
            index = phi.attr.index(block)
            value = phi.args[index]
            phi.attr[index : index + 1] = before
            phi.args[index : index + 1] = [value] * len(before)
        for other in before:
            other.targets = [target if t is block else t for t in other.targets]
        if block.pragmas and not target.pragmas:
            target.pragmas = block.pragmas
        target.loop = target.loop or block.loop
        block.targets = []
        block.end = "ret"
        block.arg = None
        function.blocks.remove(block)
        return True
    return changed
