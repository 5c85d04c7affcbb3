# SPDX-License-Identifier: Apache-2.0
"""What is known where control comes to a phi: conditions that hold, and counters on their way.

A block is entered under what holds on all ways to it, and left under what its branch says, too. A
counter that is compared with a bound each time round, for equality, meets it and goes no further,
if it starts on the right side of it.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass

from lydite.hls.ir import cfg
from lydite.hls.ir import graph as ir_graph
from lydite.hls.ir.fold import signed
from lydite.hls.ir.graph import Block, Function, Op, OpKind


@dataclass(frozen=True, slots=True)
class Condition:
    """A comparison of two values, and whether it holds."""

    kind: OpKind
    args: tuple[Op, Op]
    holds: bool

    def differ(self) -> bool:
        """Whether it says that its operands are not equal."""
        return self.kind == ("ne" if self.holds else "eq")

    def below(self, first: Op, second: Op) -> str:
        """Give how it says that a value is below another: "u" without signs, "s" with; or ""."""
        args = (first, second) if self.holds else (second, first)
        told = self.kind[1:] == ("lt" if self.holds else "le") and self.args == args
        return self.kind[0] if told else ""

    def not_zero(self, value: Op) -> bool:
        """Whether it says that a value is not 0."""
        first, second = self.args
        if first is value and second.kind == "const":
            if self.kind in ("eq", "ne"):
                return self.differ() and second.attr == 0
            # Not below, or not at or below, a constant that is not negative.
            below = second.attr if self.kind[1:] == "lt" else second.attr + 1
            return not self.holds and 0 < below <= 1 << (second.width - 1)
        if second is value and first.kind == "const" and first.attr == 0:
            return self.holds and self.kind in ("ult", "slt", "ne")
        return False


@dataclass(frozen=True, slots=True)
class Count:
    """A counter on the way back to its phi.

    Attributes
    ----------
    start, bound : Op
        Where it starts, and what it is compared with; the same all the way round.
    step : int
        What is added each time, negative if it goes down.
    ahead : bool
        Whether its next value is compared, not the present one.
    entry : tuple of Condition
        What holds of start and bound where it starts.
    """

    start: Op
    bound: Op
    step: int
    ahead: bool
    entry: tuple[Condition, ...]

    def starts_below(self, positive: bool) -> bool:
        """Whether a condition says that it starts below its bound; `positive`: none has a sign."""
        ends = self.start, self.bound
        inner = tuple(one.args[0] for one in ends if one.kind == "zext")
        return any(
            one.below(*ends) in (("u", "s") if positive else ("s",))
            or (len(inner) == 2 and one.below(*inner) == "u")
            for one in self.entry
        )


@dataclass(frozen=True, slots=True)
class Arrival:
    """What is known of one operand of a phi where control comes with it."""

    conditions: tuple[Condition, ...]
    count: Count | None

    def looked_at(self) -> Iterator[Op]:
        """Give the values that it speaks of."""
        conditions = self.conditions
        if self.count is not None:
            yield from (self.count.start, self.count.bound)
            conditions += self.count.entry
        for one in conditions:
            yield from one.args


def find(function: Function) -> dict[Op, tuple[Arrival, ...]]:
    """Give the arrivals of each phi, in the order of its operands."""
    phis = [(op, block) for block in function.blocks for op in block.ops if op.kind == "phi"]
    if not phis:
        return {}
    finder = _Finder(function)
    return {op: finder.of(op, block) for op, block in phis if block in finder.known}


def said(test: Op, *, holds: bool) -> Iterator[Condition]:
    """Give the comparisons that a value of one bit stands for, if it holds or not."""
    pending = [(test, holds)]
    while pending:
        op, holds = pending.pop()
        if op.kind in ir_graph.COMPARES:
            yield Condition(op.kind, (op.args[0], op.args[1]), holds)
        elif op.width == 1 and op.kind == ("and" if holds else "or"):
            pending += [(arg, holds) for arg in op.args]


def bases(asked: Op) -> Iterator[tuple[Op, int]]:
    """Give the values of which the upper bits are asked for, each with how many are left out."""
    yield asked, 0
    if asked.kind == "slice" and asked.attr + asked.width == asked.args[0].width:
        yield asked.args[0], asked.attr


def offset(value: Op, base: Op) -> int | None:
    """Give the constant that a value is above another, 0 for itself; None if it is not."""
    if value is base:
        return 0
    if value.kind in ("add", "sub") and value.args[0] is base and value.args[1].kind == "const":
        number = signed(value.args[1].attr, value.width)
        return number if value.kind == "add" else -number
    return None


class _Finder:
    """Conditions of one function; `known` has those under which each block is entered."""

    def __init__(self, function: Function) -> None:
        self.spans = cfg.dominator_spans(cfg.immediate_dominators(function))
        self.home = {op: block for block in function.blocks for op in block.ops}
        # As keys, in the order of the graph.
        self.known: dict[Block, dict[Condition, None]] = {}
        predecessors = function.predecessors()
        for block in cfg.reverse_postorder(function):
            # Ways back in a loop have come through here before.
            first, *others = [
                self._on(source, block)
                for source in predecessors[block]
                if source in self.spans and not cfg.dominates(self.spans, block, source)
            ] or [{}]
            self.known[block] = {one: None for one in first if all(one in way for way in others)}

    def of(self, phi: Op, block: Block) -> tuple[Arrival, ...]:
        return tuple(
            Arrival(self._about(source, block, arg), self._count(phi, block, arg, source))
            for arg, source in zip(phi.args, phi.attr, strict=True)
        )

    def _on(self, source: Block, target: Block) -> dict[Condition, None]:
        """Give what holds on an edge, as far as its source was looked at."""
        known = self.known.get(source, {})
        if source.end != "branch" or len(set(source.targets)) != 2 or source.arg is None:
            return known
        return known | dict.fromkeys(said(source.arg, holds=source.targets[0] is target))

    def _about(self, source: Block, target: Block, *values: Op) -> tuple[Condition, ...]:
        """Give what holds on an edge of any of some values."""
        about = [*values, *(one.args[0] for one in values if one.kind == "zext")]
        return tuple(
            one
            for one in self._on(source, target)
            if any(
                offset(value, base) is not None
                for asked in one.args
                for base, _ in bases(asked)
                for value in about
            )
        )

    def _count(self, phi: Op, block: Block, arg: Op, source: Block) -> Count | None:
        step = offset(arg, phi)
        if not step or len(phi.args) != 2:
            return None
        entry = next(other for other in phi.attr if other is not source)
        if entry not in self.spans or cfg.dominates(self.spans, block, entry):
            return None
        start = phi.args[phi.attr.index(entry)]
        for one in self._on(source, block):
            for tested, bound in (one.args, one.args[::-1]):
                if one.differ() and tested in (phi, arg) and self._before(bound, block):
                    known = self._about(entry, block, start, bound)
                    return Count(start, bound, step, tested is arg, known)
        return None

    def _before(self, op: Op, block: Block) -> bool:
        """Whether a value is there before a block is entered, and stays the same in its loop."""
        home = self.home.get(op)
        return home is None or (home is not block and cfg.dominates(self.spans, home, block))
