# SPDX-License-Identifier: Apache-2.0
"""Between which numbers each value lies, read as two's complement: a forward analysis.

What known bits cannot say: that the upper bits of a value are all the same, whichever it is, and
that a sum has one bit more than what it is of. Values are ranges, ends included, of the numbers
that their width can hold; known bits cut them, and what a phi is given is cut by the tests under
which control comes with it (`arrivals`): so counters of loops end at their bounds.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Sequence
from typing import NamedTuple

from lydite.hls.ir import arrivals
from lydite.hls.ir.arrivals import Arrival, Condition, Count
from lydite.hls.ir.fold import signed
from lydite.hls.ir.forward import Forward
from lydite.hls.ir.graph import Memory, Op, OpKind
from lydite.hls.ir.known_bits import KnownBits
from lydite.hls.ir.module import Module

# Bounds of a loop are known again after one, and those of one behind it after another.
_SWEEPS = 2
# Beyond all widths.
_LEAST, _MOST = -1 << 4096, 1 << 4096


class Range(NamedTuple):
    """The least and the most that a value can be."""

    low: int
    high: int

    @property
    def width(self) -> int:
        """Bits that hold it: with a sign, if it can be negative, and else without one."""
        if self.low >= 0:
            return self.high.bit_length()
        return max(self.high.bit_length(), (~self.low).bit_length()) + 1


def whole(width: int) -> Range:
    """Give all numbers of a width."""
    return Range(-1 << (width - 1), (1 << (width - 1)) - 1) if width else Range(0, 0)


class SignedRanges(Forward[Range]):
    """The analysis; `of` gives its result."""

    def __init__(self, module: Module, known: KnownBits) -> None:
        super().__init__(module)
        self.known = known
        self.arrivals: dict[Op, tuple[Arrival, ...]] = {}
        for function in module.functions.values():
            self.arrivals |= arrivals.find(function)
        self.solve()
        self.tighten(_SWEEPS)

    def most(self, op: Op) -> int:
        """Give a number that a value, read without a sign, never exceeds."""
        between = self.of(op)
        return between.high if between.low >= 0 else self.known.of(op).high(op.width)

    def unknown(self, width: int) -> Range:
        """Give all numbers."""
        return whole(width)

    def constant(self, width: int, number: int) -> Range:
        """Give one number."""
        value = signed(number, width)
        return Range(value, value)

    def join(self, first: Range, second: Range) -> Range:
        """Give the least range of both."""
        return Range(min(first.low, second.low), max(first.high, second.high))

    def widened(self, op: Op, old: Range, new: Range) -> Range:
        """Go to the next power of two at the end that moved, so that few steps are left."""
        low, high = new
        if low != old.low:
            low = -1 << (~low).bit_length() if low < 0 else 0
        if high != old.high:
            high = (1 << high.bit_length()) - 1 if high >= 0 else -1
        return Range(low, high)

    def initial(self, memory: Memory) -> Range:
        """Give the range of all words."""
        words = [signed(word, memory.width) for word in memory.init]
        if len(words) < 1 << memory.index_width:
            words.append(0)
        return Range(min(words), max(words))

    def looked_at(self, op: Op) -> Sequence[Op]:
        """Look at what a choice asks about, too, and at what is known where a phi is given one."""
        if op.kind == "phi":
            return [*op.args, *(v for one in self.arrivals.get(op, ()) for v in one.looked_at())]
        if op.kind == "mux":
            asked = [one for way in (True, False) for one in arrivals.said(op.args[0], holds=way)]
            return [*op.args, *(arg for one in asked for arg in one.args)]
        return op.args

    def phi(self, op: Op, joined: Range) -> Range:
        """Cut it by the bits that are known."""
        return self._cut(op, joined)

    def arriving(self, op: Op, place: int, fact: Range) -> Range | None:
        """Cut it by the tests on the way; none is there before the way can be gone."""
        found = self.arrivals.get(op)
        if found is None:
            return fact
        arrival = found[place]
        cut = self._tested(op.args[place], fact, arrival.conditions)
        if cut is None or arrival.count is None:
            return cut
        return self._counted(arrival.count, cut)

    def _tested(self, value: Op, fact: Range, conditions: Iterable[Condition]) -> Range | None:
        """Cut what is known of a value by what holds; None if not all of it can be so far."""
        for condition in conditions:
            for place, asked in enumerate(condition.args):
                for base, below in arrivals.bases(asked):
                    number = arrivals.offset(value, base)
                    if number is None:
                        continue
                    mine, other = self._now(asked), self._now(condition.args[1 - place])
                    if mine is None or other is None:
                        return None
                    limit = _met(mine, _limited(condition, mine, other, first=place == 0))
                    cut = limit and _met(fact, _moved(limit, below, number, value.width))
                    if cut is None:
                        return None
                    fact = cut
        return fact

    def _counted(self, count: Count, fact: Range) -> Range | None:
        """Cut the next value of a counter, which goes up to its bound or down to it."""
        start, bound = (self._at_entry(one, count.entry) for one in (count.start, count.bound))
        if start is None or bound is None:
            return None
        step = count.step
        last = step if count.ahead else 0
        if abs(step) != 1:
            known = start.low == start.high and bound.low == bound.high
            if not known or (bound.low - start.low) % step:
                return fact
        positive = min(start.low, bound.low) >= 0
        up = start.high + last <= bound.low or count.starts_below(positive)
        if step > 0 and up:
            return _met(fact, Range(start.low + step, bound.high - last))
        if step < 0 and start.low + last >= bound.high:
            return _met(fact, Range(bound.low - last, start.high + step))
        return fact

    def _at_entry(self, value: Op, conditions: Sequence[Condition]) -> Range | None:
        """Give what is known of a value where a counter starts."""
        fact = self._now(value)
        if fact is None:
            return None
        cut = self._tested(value, fact, conditions)
        if cut is None or cut.low != 0 or value.kind != "zext":
            return cut
        inner = value.args[0]
        return _met(cut, Range(any(one.not_zero(inner) for one in conditions), cut.high))

    def transfer(self, op: Op, args: list[Range]) -> Range:
        """Go by the kind of the operation, and by the bits that are known."""
        rule = _RULES.get(op.kind)
        if op.kind == "mux":
            args = [args[0], *self._arms(op, args)]
        all_numbers = whole(op.width)
        result = rule(op, args) if rule else all_numbers
        if result.low < all_numbers.low or result.high > all_numbers.high:
            result = all_numbers
        return self._cut(op, result)

    def _arms(self, op: Op, args: list[Range]) -> Iterator[Range]:
        """Give the ranges of what is chosen where it is chosen: `x < n ? x : x - n` is below n."""
        asked, *arms = op.args
        for holds, arm, known in zip((True, False), arms, args[1:], strict=True):
            yield self._tested(arm, known, arrivals.said(asked, holds=holds)) or known

    def _cut(self, op: Op, result: Range) -> Range:
        known = self.known.of(op)
        sign = 1 << (op.width - 1)
        low = signed((known.ones | sign) & ~(known.zeros & sign), op.width)
        high = signed(known.high(op.width) & ~(sign & ~known.ones), op.width)
        return _both(result, Range(low, high))


def _met(first: Range, second: Range) -> Range | None:
    """Give the numbers in both ranges, if there are some."""
    low, high = max(first.low, second.low), min(first.high, second.high)
    return Range(low, high) if low <= high else None


def _both(first: Range, second: Range) -> Range:
    """Give the numbers in both ranges; of what is never computed they may have none in common."""
    return _met(first, second) or first


def _limit(kind: OpKind, other: Range, *, first: bool, holds: bool) -> Range:
    """Give what an operand of a comparison is, whose other one is known, where that holds or not.

    Comparisons are less, or less or equal; the operand is the first one or the second one.
    """
    strict = (kind[1:] == "lt") == holds
    if first == holds:
        return Range(_LEAST, other.high - strict)
    return Range(other.low + strict, _MOST)


def _limited(condition: Condition, mine: Range, other: Range, *, first: bool) -> Range:
    """Give what an operand is limited to by a condition on it and one that is known."""
    kind, holds = condition.kind, condition.holds
    if kind in ("eq", "ne"):
        if not condition.differ():
            return other
        only = other.low if other.low == other.high else None
        return Range(
            mine.low + 1 if mine.low == only else _LEAST,
            mine.high - 1 if mine.high == only else _MOST,
        )
    if kind[0] == "u" and min(mine.low, other.low) < 0:
        # What is below a number without a sign has none.
        strict = (kind[1:] == "lt") == holds
        below = first == holds and other.low >= 0
        return Range(0, other.high - strict) if below else Range(_LEAST, _MOST)
    return _limit(kind, other, first=first, holds=holds)


def _moved(limit: Range, below: int, number: int, width: int) -> Range:
    """Give the range of numbers with such upper bits, and another added; all if that wraps."""
    low, high = (limit.low << below) + number, ((limit.high + 1) << below) - 1 + number
    inside = whole(width)
    return Range(low, high) if inside.low <= low and high <= inside.high else inside


def _corners(op: Callable[[int, int], int], first: Range, second: Range) -> Range:
    """Give the range of what is monotone in each operand."""
    ends = [op(a, b) for a in first for b in second]
    return Range(min(ends), max(ends))


def _bits(args: list[Range]) -> Range:
    """Give what numbers of the operands' bits, one with the other, can be."""
    if all(arg.low >= 0 for arg in args):
        return Range(0, (1 << max(arg.high.bit_length() for arg in args)) - 1)
    return whole(max(arg.width + (arg.low >= 0) for arg in args))


def _add(op: Op, args: list[Range]) -> Range:
    return Range(args[0].low + args[1].low, args[0].high + args[1].high)


def _sub(op: Op, args: list[Range]) -> Range:
    return Range(args[0].low - args[1].high, args[0].high - args[1].low)


def _mul(op: Op, args: list[Range]) -> Range:
    return _corners(lambda a, b: a * b, args[0], args[1])


def _and(op: Op, args: list[Range]) -> Range:
    positive = [arg.high for arg in args if arg.low >= 0]
    return Range(0, min(positive)) if positive else _bits(args)


def _or_xor(op: Op, args: list[Range]) -> Range:
    return _bits(args)


def _amounts(op: Op, amount: Range) -> Range:
    """Give the amounts of a shift, which have no sign; beyond the width all are the same."""
    if amount.low < 0:
        return Range(0, op.width)
    return Range(min(amount.low, op.width), min(amount.high, op.width))


def _shl(op: Op, args: list[Range]) -> Range:
    amounts = _amounts(op, args[1])
    return _corners(lambda a, b: a << b, args[0], amounts)


def _ashr(op: Op, args: list[Range]) -> Range:
    return _corners(lambda a, b: a >> b, args[0], _amounts(op, args[1]))


def _lshr(op: Op, args: list[Range]) -> Range:
    amounts = _amounts(op, args[1])
    if args[0].low >= 0:
        return _corners(lambda a, b: a >> b, args[0], amounts)
    return Range(0, ((1 << op.width) - 1) >> amounts.low) if amounts.low else whole(op.width)


def _mux(op: Op, args: list[Range]) -> Range:
    condition, first, second = args
    if condition.high < 0:
        return first
    if condition.low >= 0:
        return second
    return Range(min(first.low, second.low), max(first.high, second.high))


def _slice(op: Op, args: list[Range]) -> Range:
    place: int = op.attr
    return Range(args[0].low >> place, args[0].high >> place)


def _zext(op: Op, args: list[Range]) -> Range:
    return args[0] if args[0].low >= 0 else Range(0, (1 << op.args[0].width) - 1)


def _sext(op: Op, args: list[Range]) -> Range:
    return args[0]


def _concat(op: Op, args: list[Range]) -> Range:
    below = sum(arg.width for arg in op.args[1:])
    return Range(args[0].low << below, (args[0].high << below) + (1 << below) - 1)


_RULES: dict[str, Callable[[Op, list[Range]], Range]] = {
    "add": _add,
    "sub": _sub,
    "mul": _mul,
    "and": _and,
    "or": _or_xor,
    "xor": _or_xor,
    "shl": _shl,
    "ashr": _ashr,
    "lshr": _lshr,
    "mux": _mux,
    "slice": _slice,
    "zext": _zext,
    "sext": _sext,
    "concat": _concat,
}
