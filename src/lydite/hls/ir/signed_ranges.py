# SPDX-License-Identifier: Apache-2.0
"""Between which numbers each value lies, read as two's complement: a forward analysis.

What known bits cannot say: that the upper bits of a value are all the same, whichever it is, and
that a sum has one bit more than what it is of. Values are ranges, ends included, of the numbers
that their width can hold; known bits cut them.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import NamedTuple

from lydite.hls.ir.fold import signed
from lydite.hls.ir.forward import Forward
from lydite.hls.ir.graph import Memory, Op, OpKind
from lydite.hls.ir.known_bits import KnownBits
from lydite.hls.ir.module import Module

_SIGNED = frozenset(("sext", "ashr", "slt", "sle"))
_ORDERS = frozenset(("slt", "sle", "ult", "ule"))
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
    """The analysis; `of` gives its result: all numbers where nothing of the module has a sign."""

    def __init__(self, module: Module, known: KnownBits) -> None:
        super().__init__(module)
        self.known = known
        if any(op.kind in _SIGNED for f in module.functions.values() for op in f.ops()):
            self.solve()

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
        """Look at what a choice asks about, too."""
        asks = op.kind == "mux" and op.args[0].kind in _ORDERS
        return [*op.args, *op.args[0].args] if asks else op.args

    def phi(self, op: Op, joined: Range) -> Range:
        """Cut it by the bits that are known."""
        return self._cut(op, joined)

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

    def _arms(self, op: Op, args: list[Range]) -> list[Range]:
        """Give the ranges of what is chosen where it is chosen: `x < n ? x : x - n` is below n."""
        asked, *arms = op.args
        if asked.kind not in _ORDERS:
            return args[1:]
        between = [self.of(arg) for arg in asked.args]
        if asked.kind[0] == "u" and min(one.low for one in between) < 0:
            return args[1:]
        found = []
        for holds, arm, known in zip((True, False), arms, args[1:], strict=True):
            for place, value in enumerate(asked.args):
                limit = _limit(asked.kind, between[1 - place], first=place == 0, holds=holds)
                known = _under(arm, known, value, _both(between[place], limit))
            found.append(known)
        return found

    def _cut(self, op: Op, result: Range) -> Range:
        known = self.known.of(op)
        sign = 1 << (op.width - 1)
        low = signed((known.ones | sign) & ~(known.zeros & sign), op.width)
        high = signed(known.high(op.width) & ~(sign & ~known.ones), op.width)
        return _both(result, Range(low, high))


def _both(first: Range, second: Range) -> Range:
    """Give the numbers in both ranges; of what is never computed they may have none in common."""
    low, high = max(first.low, second.low), min(first.high, second.high)
    return Range(low, high) if low <= high else first


def _limit(kind: OpKind, other: Range, *, first: bool, holds: bool) -> Range:
    """Give what an operand of a comparison is, whose other one is known, where that holds or not.

    Comparisons are less, or less or equal; the operand is the first one or the second one.
    """
    strict = (kind[1:] == "lt") == holds
    if first == holds:
        return Range(_LEAST, other.high - strict)
    return Range(other.low + strict, _MOST)


def _under(arm: Op, known: Range, value: Op, limit: Range) -> Range:
    """Cut what is known of a value, or of it and a constant, by what that value is limited to."""
    if arm is value:
        return _both(known, limit)
    if arm.kind in ("add", "sub") and arm.args[0] is value and arm.args[1].kind == "const":
        number = signed(arm.args[1].attr, arm.width) * (1 if arm.kind == "add" else -1)
        moved = Range(limit.low + number, limit.high + number)
        inside = whole(arm.width)
        if inside.low <= moved.low and moved.high <= inside.high:
            return _both(known, moved)
    return known


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
