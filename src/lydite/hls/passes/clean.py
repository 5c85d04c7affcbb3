# SPDX-License-Identifier: Apache-2.0
"""Folds, shares and drops operations: constants and identities, common subexpressions, dead code.

Common subexpressions are found along the dominator tree; loads are shared only within a block and
between stores, calls are never. A phi whose values are all the same is that value.
"""

from __future__ import annotations

from collections.abc import Iterable
from typing import Any

from lydite.hls.ir import cfg
from lydite.hls.ir import graph as ir_graph
from lydite.hls.ir.builder import Builder
from lydite.hls.ir.graph import Block, Function, Memory, Op
from lydite.hls.ir.module import Module
from lydite.hls.passes.context import Context

DOC = "fold constants and identities, share common subexpressions, drop dead code"


def run(module: Module, _: Context) -> None:
    """Clean every function; drop functions that the top one does not reach."""
    reached = {function.name for function in module.callees_first()}
    for name in [name for name in module.functions if name not in reached]:
        del module.functions[name]
    _drop_dead_stores(module)
    for function in module.functions.values():
        clean(function)


def clean(function: Function) -> None:
    """Clean one function."""
    while _fold(function) | _drop_phis(function):
        pass
    drop_dead(function)


def _drop_dead_stores(module: Module) -> None:
    """Drop the stores to memories that nothing reads."""
    read = {op.attr for f in module.functions.values() for op in f.ops() if op.kind == "load"}
    for function in module.functions.values():
        for block in function.blocks:
            block.ops = [
                op for op in block.ops if op.kind != "store" or op.attr.port or op.attr in read
            ]


def _key(op: Op) -> Any:
    args = tuple(op.args)
    if op.kind in ir_graph.COMMUTATIVE and id(args[0]) > id(args[1]):
        args = args[::-1]
    return (op.kind, op.width, op.attr, args)


class _Scope:
    """A table of expressions that remembers what was entered, so that it can be taken out."""

    __slots__ = ("entered", "known")

    def __init__(self, known: dict[Any, Op], entered: list[Any]) -> None:
        self.known = known
        self.entered = entered

    def same(self, op: Op) -> Op:
        """Give the known operation that computes the same: `op` itself if it is the first."""
        key = _key(op)
        found = self.known.get(key)
        if found is None:
            self.known[key] = found = op
            self.entered.append(key)
        return found


def _fold(function: Function) -> bool:
    """Rebuild all operations through the folding builder; give whether anything changed."""
    dominators = cfg.immediate_dominators(function)
    children: dict[Block, list[Block]] = {}
    for block in cfg.reverse_postorder(function):
        if dominators[block] is not block:
            children.setdefault(dominators[block], []).append(block)
    values: dict[Op, Op] = {}
    build = Builder([])
    changed = False
    # What is known where, along the tree: a block's own entries go when its subtree is done.
    known: dict[Any, Op] = {}
    stack: list[tuple[Block, list[Any] | None]] = [(function.blocks[0], None)]
    while stack:
        block, entered = stack.pop()
        if entered is not None:
            for key in entered:
                del known[key]
            continue
        entered = []
        changed |= _fold_block(block, _Scope(known, entered), values, build)
        stack.append((block, entered))
        stack += [(child, None) for child in reversed(children.get(block, []))]
    ir_graph.replace(function, values)
    return changed


def _fold_block(block: Block, known: _Scope, values: dict[Op, Op], build: Builder) -> bool:
    old, block.ops = block.ops, []
    fresh: list[Op] = []
    build.ops = fresh
    loads: dict[tuple[Memory, Op], Op] = {}
    changed = False
    for op in old:
        if op.kind == "phi":
            block.ops.append(op)
            continue
        for index, arg in enumerate(op.args):
            while arg in values:
                arg = op.args[index] = values[arg]
        if op.kind == "store":
            changed |= _store(op, loads, block)
            continue
        if op.kind == "call" or op.kind in ir_graph.STREAMING:
            changed |= _access(op, values, loads, block)
            continue
        if op.kind == "load":
            same = loads.setdefault((op.attr, op.args[0]), op)
            if same is not op:
                values[op] = same
                changed = True
            else:
                block.ops.append(op)
            continue
        build.where, build.name = op.where, op.name
        folded = build.fold(op.kind, op.width, op.args, op.attr)
        for made in fresh:
            _share(made, known, values, block)
        fresh.clear()
        if folded is not None:
            values[op] = values.get(folded, folded)
            changed = True
        else:
            changed |= _share(op, known, values, block)
    return changed


def _store(op: Op, loads: dict[tuple[Memory, Op], Op], block: Block) -> bool:
    """Keep a store, unless it is known not to happen; forget the loads that it may change."""
    if op.args[2].kind == "const" and op.args[2].attr == 0:
        return True
    for key in [key for key in loads if key[0] is op.attr]:
        del loads[key]
    block.ops.append(op)
    return False


def _access(op: Op, values: dict[Op, Op], loads: dict[tuple[Memory, Op], Op], block: Block) -> bool:
    """Keep a call, or a read or write of a stream, unless it is known not to happen."""
    condition = op.args[-1] if op.kind != "call" else ir_graph.condition(op)
    if condition is None or condition.kind != "const" or condition.attr:
        if op.kind == "call":
            loads.clear()
        block.ops.append(op)
        return False
    if op.width:
        values[op] = ir_graph.const(op.width, 0)
    return True


def _share(op: Op, known: _Scope, values: dict[Op, Op], block: Block) -> bool:
    for index, arg in enumerate(op.args):
        while arg in values:
            arg = op.args[index] = values[arg]
    same = known.same(op)
    if same is op:
        block.ops.append(op)
        return False
    if not same.name:
        same.name = op.name
    values[op] = same
    return True


def _drop_phis(function: Function) -> bool:
    """Replace phis whose values are one value or themselves."""
    values: dict[Op, Op] = {}
    for block in function.blocks:
        kept = []
        seen: dict[tuple[Op, ...], Op] = {}
        for op in block.ops:
            if op.kind == "phi":
                others = {arg for arg in op.args if arg is not op}
                if len(others) == 1:
                    values[op] = others.pop()
                    continue
                order = tuple(
                    arg
                    for _, arg in sorted(
                        zip([source.name for source in op.attr], op.args, strict=True),
                        key=lambda pair: pair[0],
                    )
                )
                same = seen.setdefault(order, op)
                if same is not op:
                    values[op] = same
                    continue
            kept.append(op)
        block.ops = kept
    # A phi may have been replaced by another that was replaced in turn, in a circle of copies.
    for op in list(values):
        end = values[op]
        while end in values and end is not op:
            end = values[end]
        assert end is not op, "phis that are only each other have no value"
    ir_graph.replace(function, values)
    return bool(values)


def drop_dead(function: Function, used: Iterable[Op] = ()) -> None:
    """Drop operations whose result nothing uses and that have no effect."""
    live = find_live(function, used)
    for block in function.blocks:
        block.ops = [op for op in block.ops if op in live]


def find_live(function: Function, used: Iterable[Op] = ()) -> set[Op]:
    """Give the operations that have an effect, or whose result something of them uses."""
    live: set[Op] = set()
    pending: list[Op] = list(used)
    for block in function.blocks:
        pending += [op for op in block.ops if op.kind in ir_graph.EFFECTS]
        if block.arg is not None:
            pending.append(block.arg)
    while pending:
        op = pending.pop()
        if op not in live:
            live.add(op)
            pending += op.args
    return live
