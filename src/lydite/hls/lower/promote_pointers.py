# SPDX-License-Identifier: Apache-2.0
"""Makes values of the words that pointers with a handshake point to.

Such a word is taken once, at the start, and given once, at the end; between these no one else sees
it, so that it is a variable of the function: SSA values, and phis where paths meet (as in Braun et
al., "Simple and efficient construction of static single assignment form", 2013). It then costs no
states of its own. Only a word that some way through the function does not write stays a register,
which has what it held before.
"""

from __future__ import annotations

from lydite.hls.ir import cfg
from lydite.hls.ir import graph as ir_graph
from lydite.hls.ir.builder import Builder
from lydite.hls.ir.graph import Block, Function, Memory, Op, const
from lydite.hls.ir.module import Module


def promote(module: Module, memory: Memory) -> None:
    """Turn all accesses of a word into values, if only the top function has any.

    The function has been given a store at its start, if the word has a value there.
    """
    top = module.top_function
    others = (op for f in module.functions.values() if f is not top for op in f.ops())
    if any(op.kind in ("load", "store") and op.attr is memory for op in others):
        return
    kept = _Word(top, memory).run()
    if not kept:
        del module.memories[memory.name]


class _Word:
    """Follows one word through a function."""

    def __init__(self, function: Function, memory: Memory) -> None:
        self.function = function
        self.memory = memory
        first = const(memory.index_width, 0)
        self.before = Op("load", memory.width, [first], attr=memory, name=memory.name)
        self.values: dict[Op, Op] = {}
        self.phis: dict[Block, Op] = {}

    def run(self) -> bool:
        """Rewrite the function; give whether the memory is still there."""
        function, memory = self.function, self.memory
        predecessors = function.predecessors()
        ends: dict[Block, Op] = {}
        for block in cfg.reverse_postorder(function):
            ends[block] = self._block(
                block, self._start(block, list(dict.fromkeys(predecessors[block])), ends)
            )
        for block, phi in self.phis.items():
            phi.attr = list(dict.fromkeys(predecessors[block]))
            phi.args = [ends[source] for source in phi.attr]
        self._prune()
        for block, phi in self.phis.items():
            if phi not in self.values:
                block.ops.insert(0, phi)
        ends = {block: self._final(value) for block, value in ends.items()}
        ir_graph.replace(function, {op: self._final(op) for op in self.values})
        if self.before not in ir_graph.uses(function):
            return False
        head = function.blocks[0]
        self.before.where = function.where
        head.ops.insert(0, self.before)
        for block in function.blocks:
            if block.end == "ret":
                args = [self.before.args[0], ends[block], const(memory.lanes, -1)]
                block.ops.append(Op("store", 0, args, attr=memory, where=block.where))
        return True

    def _start(self, block: Block, before: list[Block], ends: dict[Block, Op]) -> Op:
        if not before:
            return self.before
        if len(before) == 1:
            return ends[before[0]]
        phi = Op("phi", self.memory.width, [], attr=[], name=self.memory.name, where=block.where)
        self.phis[block] = phi
        return phi

    def _block(self, block: Block, value: Op) -> Op:
        """Take the accesses out of a block that begins with a value; give that at its end."""
        old, block.ops = block.ops, []
        build = Builder(block.ops)
        for op in old:
            if op.kind == "load" and op.attr is self.memory:
                self.values[op] = value
            elif op.kind == "store" and op.attr is self.memory:
                build.where, build.name = op.where, op.name
                word, mask = (self._final(arg) for arg in op.args[1:])
                value = build.by_lanes(mask, word, value)
            else:
                block.ops.append(op)
        return value

    def _prune(self) -> None:
        """Drop the phis that have one value only, beside themselves."""
        changed = True
        while changed:
            changed = False
            for phi in self.phis.values():
                if phi in self.values:
                    continue
                found = dict.fromkeys(self._final(arg) for arg in phi.args)
                found.pop(phi, None)
                if len(found) == 1:
                    self.values[phi] = next(iter(found))
                    changed = True

    def _final(self, op: Op) -> Op:
        while op in self.values:
            op = self.values[op]
        return op
