# SPDX-License-Identifier: Apache-2.0
"""Passes words of partitioned arrays from stores to loads within a block, and joins stores.

A store waits until the block ends, or until an access that may mean the same word in another way: a
load of its word takes what it would store, lane by lane, and another store of its word joins it. So
an array in registers takes no cycle between a store and a load, and the lanes of a wide word are
written at once. Memories that no directive cut are left alone.
"""

from __future__ import annotations

from lydite.hls.ir import graph as ir_graph
from lydite.hls.ir.alias import differ
from lydite.hls.ir.builder import Builder
from lydite.hls.ir.graph import Block, Function, Memory, Op
from lydite.hls.ir.module import Module
from lydite.hls.passes import clean, narrow
from lydite.hls.passes.context import Context

_ROUNDS = 8

DOC = "pass words of partitioned arrays from stores to loads, and join stores"


def run(module: Module, context: Context) -> None:
    """Do so in every block of every function."""
    if not any(memory.part for memory in module.memories.values()):
        return
    if any(split.count("lane") > 1 for split in module.splits.values()):
        # Accesses to lanes of a word have one index once what they add to it is gone.
        _settle_indices(module, context)
    for function in module.functions.values():
        _Forwarder(function).run()


def _settle_indices(module: Module, context: Context) -> None:
    """Simplify until nothing gets less, a few rounds: each may show the next one known bits."""
    before = 0
    for _ in range(_ROUNDS):
        narrow.run(module, context)
        clean.run(module, context)
        count = sum(len(block.ops) for one in module.functions.values() for block in one.blocks)
        if count == before:
            return
        before = count


class _Forwarder:
    """Rewrites one function."""

    def __init__(self, function: Function) -> None:
        self.function = function
        self.build = Builder([])
        self.values: dict[Op, Op] = {}
        self.waiting: dict[Memory, list[Op]] = {}

    def run(self) -> None:
        for block in self.function.blocks:
            if any(op.kind == "store" and op.attr.part for op in block.ops):
                self._block(block)
        ir_graph.replace(self.function, self.values)

    def _block(self, block: Block) -> None:
        old, block.ops = block.ops, []
        self.build.ops = block.ops
        for op in old:
            op.args = [self._final(arg) for arg in op.args]
            if op.kind == "call":
                self._flush()
            if op.kind not in ("load", "store") or not op.attr.part:
                block.ops.append(op)
                continue
            self.build.where, self.build.name = op.where, op.name
            same = self._settle(op.attr, op.args[0])
            if op.kind == "load":
                if same is None:
                    block.ops.append(op)
                    continue
                # What lies there now, for the lanes that the store leaves alone.
                old_word = Op("load", op.width, list(op.args), attr=op.attr, where=op.where)
                block.ops.append(old_word)
                self.values[op] = self.build.by_lanes(same.args[2], same.args[1], old_word)
            elif same is None:
                made = Op("store", 0, list(op.args), attr=op.attr, where=op.where)
                self.waiting.setdefault(op.attr, []).append(made)
            else:
                _, word, mask = op.args
                same.args[1] = self.build.by_lanes(mask, word, same.args[1])
                same.args[2] = self.build.binary("or", same.args[2], mask)
        self._flush()

    def _final(self, op: Op) -> Op:
        while op in self.values:
            op = self.values[op]
        return op

    def _settle(self, memory: Memory, index: Op) -> Op | None:
        """Give the waiting store of a word; make those that may mean it by another index."""
        found = None
        kept: list[Op] = []
        for store in self.waiting.get(memory, []):
            if memory.depth == 1 or store.args[0] is index:
                found = store
            elif not differ(store.args[0], index):
                self.build.ops.append(store)
                continue
            kept.append(store)
        self.waiting[memory] = kept
        return found

    def _flush(self) -> None:
        for stores in self.waiting.values():
            self.build.ops += stores
        self.waiting.clear()
