# SPDX-License-Identifier: Apache-2.0
"""Adds or subtracts by a condition in one carry chain.

-x is ~x + 1: `y + (c ? -x : x)`, or `c ? y - x : y + x`, is y + (x ^ c in every bit) + c, and c
comes in as the carry of an addition, for one bit more of it. In place of a carry chain for -x, or
for the other sum, and a choice, there is an exclusive or. Any addition of the tree of sums that the
choice is in can take the carry.
"""

from __future__ import annotations

from dataclasses import dataclass, field

from lydite.hls.ir import graph as ir_graph
from lydite.hls.ir.builder import Builder
from lydite.hls.ir.graph import Block, Op, const
from lydite.hls.ir.module import Module
from lydite.hls.passes import as_written
from lydite.hls.passes.context import Context

DOC = "add or subtract by a condition in one carry chain"


def run(module: Module, _: Context) -> None:
    """Change every function."""
    for function in module.functions.values():
        uses = ir_graph.uses(function)
        values: dict[Op, Op] = {}
        left = as_written.blocks(function, module)
        for block in function.blocks:
            if block not in left:
                _Rewriter(block, uses, values).run()
        ir_graph.replace(function, values)


@dataclass(frozen=True, slots=True)
class _Choice:
    """A value, or its negative where `condition` is `negative`."""

    condition: Op
    negative: bool
    value: Op


@dataclass(slots=True)
class _Sum:
    """What becomes of an addition: operands that are choices, and one whose carry it takes."""

    choices: dict[int, _Choice] = field(default_factory=dict)
    carry: _Choice | None = None


class _Rewriter:
    """Rewrites the sums of a block."""

    def __init__(self, block: Block, uses: dict[Op, int], values: dict[Op, Op]) -> None:
        self.block = block
        self.uses = uses
        self.values = values
        self.build = Builder([])

    def run(self) -> None:
        plan = self._plan()
        sums = {op: found for op in self.block.ops if (found := self._sum(op)) is not None}
        if not plan and not sums:
            return
        old, self.block.ops = self.block.ops, []
        self.build.ops = self.block.ops
        for op in old:
            if op.kind != "phi":
                op.args = [self.values.get(arg, arg) for arg in op.args]
            self.build.where, self.build.name = op.where, op.name
            if op in sums:
                other, choice = sums[op]
                self.values[op] = self._add(other, self._flipped(choice, op.width), choice)
            elif op in plan:
                self.values[op] = self._planned(op, plan[op])
            else:
                self.block.ops.append(op)

    def _plan(self) -> dict[Op, _Sum]:
        """Find for each choice in a sum an addition that takes its carry."""
        plan: dict[Op, _Sum] = {}
        adds = {op for op in self.block.ops if op.kind == "add"}
        above = {
            arg: op
            for op in adds
            for arg in op.args
            if arg in adds and self.uses.get(arg) == 1 and arg.width == op.width
        }
        for op in self.block.ops:
            for index, arg in enumerate(op.args if op in adds else ()):
                choice = self._choice(arg)
                if choice is None:
                    continue
                taker: Op | None = op
                while taker is not None and taker in plan and plan[taker].carry is not None:
                    taker = above.get(taker)
                if taker is not None:
                    plan.setdefault(taker, _Sum()).carry = choice
                    plan.setdefault(op, _Sum()).choices[index] = choice
        return plan

    def _only(self, op: Op, kind: str) -> bool:
        return op.kind == kind and self.uses.get(op) == 1

    def _choice(self, op: Op) -> _Choice | None:
        """Read `c ? -x : x`, or the other way round; of fewer bits, with copies of the sign."""
        chosen = op.args[0] if self._only(op, "sext") else op
        if not self._only(chosen, "mux"):
            return None
        condition, *arms = chosen.args
        for negative, (minus, value) in ((True, arms), (False, arms[::-1])):
            # Of fewer bits the least number has no negative.
            exact = chosen is op or value.kind in ("zext", "sext")
            negates = self._only(minus, "sub") and minus.args == [const(chosen.width, 0), value]
            if negates and exact:
                return _Choice(condition, negative, value)
        return None

    def _sum(self, op: Op) -> tuple[Op, _Choice] | None:
        """Read `c ? y - x : y + x`, or the other way round: y, and x or its negative."""
        if op.kind != "mux":
            return None
        condition, *arms = op.args
        for negative, (minus, plus) in ((True, arms), (False, arms[::-1])):
            if self._only(minus, "sub") and self._only(plus, "add"):
                other, value = minus.args
                if plus.args in ([other, value], [value, other]):
                    return other, _Choice(condition, negative, value)
        return None

    def _sign(self, choice: _Choice) -> Op:
        if choice.negative:
            return choice.condition
        return self.build.binary("xor", choice.condition, const(1, 1))

    def _flipped(self, choice: _Choice, width: int) -> Op:
        build = self.build
        value = build.resize(choice.value, width, signed=True)
        return build.binary("xor", value, build.resize(self._sign(choice), width, signed=True))

    def _planned(self, op: Op, planned: _Sum) -> Op:
        first, second = (
            self._flipped(planned.choices[index], op.width) if index in planned.choices else arg
            for index, arg in enumerate(op.args)
        )
        return self._add(first, second, planned.carry)

    def _add(self, first: Op, second: Op, carry: _Choice | None) -> Op:
        build = self.build
        if carry is None:
            return build.binary("add", first, second)
        wide = build.binary(
            "add", build.concat(first, const(1, 1)), build.concat(second, self._sign(carry))
        )
        return build.slice(wide, 1, first.width)
