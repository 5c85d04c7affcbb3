# SPDX-License-Identifier: Apache-2.0
"""Builds operations, folded as they are made: constants, identities, and wiring.

Shifts by constants become `slice` and `concat`, extensions and truncations of these collapse, so
that what costs nothing in hardware is visible as wiring everywhere in the compiler.
"""

from __future__ import annotations

from typing import Any

from lydite.hls.ir import graph as ir_graph
from lydite.hls.ir.fold import evaluate, signed
from lydite.hls.ir.graph import Op, OpKind, const


class Builder:
    """Appends folded operations to a list.

    Attributes
    ----------
    ops : list of Op
        Where new operations go; may be exchanged at any time.
    where, name : str
        Place and C variable for what is built next.
    """

    __slots__ = ("name", "ops", "where")

    def __init__(self, ops: list[Op]) -> None:
        self.ops = ops
        self.where = ""
        self.name = ""

    def make(self, kind: OpKind, width: int, args: list[Op], attr: Any = None) -> Op:
        """Give a value for an operation, new or known."""
        folded = self.fold(kind, width, args, attr)
        if folded is not None:
            return folded
        op = Op(kind, width, args, attr=attr, name=self.name, where=self.where)
        self.ops.append(op)
        return op

    # What the importer and passes write most.

    def binary(self, kind: OpKind, first: Op, second: Op) -> Op:
        """Give `first kind second`, both of one width."""
        return self.make(kind, first.width, [first, second])

    def compare(self, kind: OpKind, first: Op, second: Op) -> Op:
        """Give the truth of `first kind second`."""
        return self.make(kind, 1, [first, second])

    def invert(self, value: Op) -> Op:
        """Give all bits of a value inverted."""
        return self.make("xor", value.width, [value, const(value.width, -1)])

    def mux(self, condition: Op, first: Op, second: Op) -> Op:
        """Give `condition ? first : second`."""
        return self.make("mux", first.width, [condition, first, second])

    def slice(self, value: Op, low: int, width: int) -> Op:
        """Give `width` bits of a value from bit `low` on."""
        return self.make("slice", width, [value], low)

    def concat(self, *parts: Op) -> Op:
        """Give values side by side, the first most significant."""
        kept = [part for part in parts if part.width]
        return self.make("concat", sum(part.width for part in kept), kept)

    def by_lanes(self, mask: Op, first: Op, second: Op) -> Op:
        """Choose between two words, lane by lane: the first one's where the mask is 1."""
        if mask is const(mask.width, -1):
            return first
        each = first.width // mask.width
        lanes = []
        for lane in range(mask.width):
            low = lane * each
            bit = self.slice(mask, lane, 1)
            lanes.append(self.mux(bit, self.slice(first, low, each), self.slice(second, low, each)))
        return self.concat(*reversed(lanes))

    def resize(self, value: Op, width: int, *, signed: bool = False) -> Op:
        """Give a value truncated or extended to a width."""
        if width == value.width:
            return value
        if width < value.width:
            return self.slice(value, 0, width)
        return self.make("sext" if signed else "zext", width, [value])

    def shift(self, kind: OpKind, value: Op, amount: Op) -> Op:
        """Give a value shifted."""
        return self.make(kind, value.width, [value, amount])

    # Folding.

    def fold(self, kind: OpKind, width: int, args: list[Op], attr: Any) -> Op | None:
        """Give a known or simpler value for an operation, or None if it must be made."""
        if kind in ("load", "store", "call", "phi", "read", "write"):
            return None
        for arg in args:
            if arg.kind != "const":
                break
        else:
            values = [arg.attr for arg in args]
            return const(width, evaluate(kind, width, values, [a.width for a in args], attr))
        fold = _FOLDS.get(kind)
        return fold(self, width, args, attr) if fold else None

    def _fold_add(self, width: int, args: list[Op], attr: Any) -> Op | None:
        first, second = _constant_last(args)
        if second.kind == "const":
            if second.attr == 0:
                return first
            if first.kind == "add" and first.args[1].kind == "const":
                total = const(width, first.args[1].attr + second.attr)
                return self.make("add", width, [first.args[0], total])
        if width == 1:
            return self.make("xor", 1, [first, second])
        return None

    def _fold_sub(self, width: int, args: list[Op], attr: Any) -> Op | None:
        first, second = args
        if first is second:
            return const(width, 0)
        if second.kind == "const":
            return self.make("add", width, [first, const(width, -second.attr)])
        if width == 1:
            return self.make("xor", 1, [first, second])
        return None

    def _fold_mul(self, width: int, args: list[Op], attr: Any) -> Op | None:
        first, second = _constant_last(args)
        if second.kind == "const":
            value = second.attr
            if value == 0:
                return second
            if value & (value - 1) == 0:
                return self._left(first, value.bit_length() - 1)
        if width == 1:
            return self.make("and", 1, [first, second])
        return None

    def _fold_and(self, width: int, args: list[Op], attr: Any) -> Op | None:
        first, second = _constant_last(args)
        if first is second:
            return first
        if second.kind != "const":
            return None
        mask = second.attr
        if mask == 0:
            return second
        if mask == (1 << width) - 1:
            return first
        low = (mask & -mask).bit_length() - 1
        run = mask >> low
        if run & (run + 1) == 0:  # one run of ones: wiring
            length = run.bit_length()
            middle = self.slice(first, low, length)
            return self.concat(const(width - low - length, 0), middle, const(low, 0))
        return None

    def _fold_or(self, width: int, args: list[Op], attr: Any) -> Op | None:
        first, second = _constant_last(args)
        if first is second:
            return first
        if second.kind == "const":
            if second.attr == 0:
                return first
            if second.attr == (1 << width) - 1:
                return second
            return None
        return self._merge_wiring(width, first, second)

    def _fold_xor(self, width: int, args: list[Op], attr: Any) -> Op | None:
        first, second = _constant_last(args)
        if first is second:
            return const(width, 0)
        if second.kind == "const":
            if second.attr == 0:
                return first
            if first.kind == "xor" and first.args[1].kind == "const":
                both = const(width, first.args[1].attr ^ second.attr)
                return self.make("xor", width, [first.args[0], both])
            if width == 1 and first.kind in _INVERSE:
                inverse, swap = _INVERSE[first.kind]
                pair = first.args[::-1] if swap else list(first.args)
                return self.make(inverse, 1, pair)
            return None
        return self._merge_wiring(width, first, second)

    def _merge_wiring(self, width: int, first: Op, second: Op) -> Op | None:
        """Turn an or of values that have no bit in common, by their wiring, into a concat."""
        if not (_is_wiring(first) and _is_wiring(second)):
            return None
        parts: list[Op] = []
        low = 0
        left, right = _pieces(first), _pieces(second)
        while low < width:
            (a, a_low, a_left), (b, b_low, b_left) = left[-1], right[-1]
            count = min(a_left, b_left)
            if a is None:
                chosen = const(count, 0) if b is None else self.slice(b, b_low, count)
            elif b is None:
                chosen = self.slice(a, a_low, count)
            else:
                return None
            parts.append(chosen)
            low += count
            _consume(left, count)
            _consume(right, count)
        return self.concat(*reversed(parts))

    def _left(self, value: Op, amount: int) -> Op:
        width = value.width
        if amount >= width:
            return const(width, 0)
        return self.concat(self.slice(value, 0, width - amount), const(amount, 0))

    def _fold_shift(self, kind: OpKind, width: int, args: list[Op]) -> Op | None:
        value, amount = args
        if amount.kind != "const":
            return None
        count = amount.attr
        if count == 0:
            return value
        if kind == "shl":
            return self._left(value, count)
        if kind == "lshr":
            if count >= width:
                return const(width, 0)
            return self.make("zext", width, [self.slice(value, count, width - count)])
        count = min(count, width - 1)
        return self.make("sext", width, [self.slice(value, count, width - count)])

    def _fold_shl(self, width: int, args: list[Op], attr: Any) -> Op | None:
        return self._fold_shift("shl", width, args)

    def _fold_lshr(self, width: int, args: list[Op], attr: Any) -> Op | None:
        return self._fold_shift("lshr", width, args)

    def _fold_ashr(self, width: int, args: list[Op], attr: Any) -> Op | None:
        return self._fold_shift("ashr", width, args)

    def _fold_eq(self, width: int, args: list[Op], attr: Any) -> Op | None:
        first, second = _constant_last(args)
        if first is second:
            return const(1, 1)
        if second.kind == "const":
            if first.width == 1:
                return first if second.attr else self.invert(first)
            narrow = self._narrow_equality(first, second.attr)
            if narrow is not None:
                inner, value = narrow
                if value is None:
                    return const(1, 0)
                return self.compare("eq", inner, const(inner.width, value))
        return None

    def _fold_ne(self, width: int, args: list[Op], attr: Any) -> Op | None:
        first, second = _constant_last(args)
        if first is second:
            return const(1, 0)
        if second.kind == "const":
            if first.width == 1:
                return self.invert(first) if second.attr else first
            narrow = self._narrow_equality(first, second.attr)
            if narrow is not None:
                inner, value = narrow
                if value is None:
                    return const(1, 1)
                return self.compare("ne", inner, const(inner.width, value))
        return None

    def _narrow_equality(self, value: Op, number: int) -> tuple[Op, int | None] | None:
        """Compare what was extended, or lies among constants; number None if never equal."""
        if value.kind == "concat":
            return self._among_constants(value, number)
        if value.kind not in ("zext", "sext"):
            return None
        inner = value.args[0]
        low = number & ((1 << inner.width) - 1)
        again = low if value.kind == "zext" else signed(low, inner.width) & ((1 << value.width) - 1)
        return inner, low if again == number else None

    def _among_constants(self, value: Op, number: int) -> tuple[Op, int | None] | None:
        if all(part.kind != "const" for part in value.args):
            return None
        left, wanted, at, equal = [], 0, value.width, True
        for part in value.args:
            at -= part.width
            here = number >> at & ((1 << part.width) - 1)
            if part.kind == "const":
                equal &= part.attr == here
            else:
                left.append(part)
                wanted = wanted << part.width | here
        return self.concat(*left), wanted if equal else None

    def _fold_order(self, kind: OpKind, args: list[Op]) -> Op | None:
        first, second = args
        if first is second:
            return const(1, kind[1:] == "le")
        if kind == "ult" and second.kind == "const" and second.attr & (second.attr - 1) == 0:
            return self._is_below(first, second.attr)
        if kind == "ule" and first.kind == "const" and first.attr & (first.attr - 1) == 0:
            return self.invert(self._is_below(second, first.attr))
        if kind == "ult" and first.kind == "const" and first.attr == 0:
            return self.compare("ne", second, first)
        if kind == "slt" and second.kind == "const" and second.attr == 0:
            return self.slice(first, first.width - 1, 1)
        if kind == "slt" and first.kind == "const" and first.attr == (1 << first.width) - 1:
            return self.invert(self.slice(second, second.width - 1, 1))
        return None

    def _is_below(self, value: Op, power: int) -> Op:
        """Give whether a number is less than 0 or a power of two: no bit of it is as high."""
        if power == 0:
            return const(1, 0)
        low = power.bit_length() - 1
        high = self.slice(value, low, value.width - low)
        return self.compare("eq", high, const(high.width, 0))

    def _fold_ult(self, width: int, args: list[Op], attr: Any) -> Op | None:
        return self._fold_order("ult", args)

    def _fold_ule(self, width: int, args: list[Op], attr: Any) -> Op | None:
        return self._fold_order("ule", args)

    def _fold_slt(self, width: int, args: list[Op], attr: Any) -> Op | None:
        return self._fold_order("slt", args)

    def _fold_sle(self, width: int, args: list[Op], attr: Any) -> Op | None:
        return self._fold_order("sle", args)

    def _fold_mux(self, width: int, args: list[Op], attr: Any) -> Op | None:
        condition, first, second = args
        if first is second:
            return first
        if condition.kind == "const":
            return first if condition.attr else second
        if condition.kind == "xor" and condition.args[1] is const(1, 1):
            return self.mux(condition.args[0], second, first)
        if width == 1:
            if first.kind == "const":
                if first.attr:
                    return self.binary("or", condition, second)
                return self.binary("and", self.invert(condition), second)
            if second.kind == "const":
                if second.attr:
                    return self.binary("or", self.invert(condition), first)
                return self.binary("and", condition, first)
        if first.kind == "const" and second.kind == "const":
            return self._choose_number(condition, first, second)
        return self._choose_sum(condition, first, second)

    def _choose_number(self, condition: Op, first: Op, second: Op) -> Op | None:
        """Choose between constants by wiring, where all bits that differ do so the same way."""
        width, differ = first.width, first.attr ^ second.attr
        if second.attr == 0 and first.attr == (1 << width) - 1:
            return self.make("sext", width, [condition])
        if second.attr & differ:
            if first.attr & differ:
                return None
            condition = self.invert(condition)
        parts: list[Op] = []
        at = 0
        while at < width:
            rest = (differ if differ >> at & 1 else ~differ & ((1 << width) - 1)) >> at
            count = (~rest & (rest + 1)).bit_length() - 1
            if differ >> at & 1:
                parts.append(self.resize(condition, count, signed=True))
            else:
                parts.append(const(count, first.attr >> at))
            at += count
        return self.concat(*reversed(parts))

    def _choose_sum(self, condition: Op, first: Op, second: Op) -> Op | None:
        """Choose between a value and its sum modulo 2 with a constant: add that, or nothing."""
        for one, other, chosen in ((first, second, True), (second, first, False)):
            if one.kind == "xor" and one.args[0] is other and one.args[1].kind == "const":
                zero = const(one.width, 0)
                given = (one.args[1], zero) if chosen else (zero, one.args[1])
                return self.binary("xor", other, self.mux(condition, *given))
        return None

    def _fold_slice(self, width: int, args: list[Op], attr: Any) -> Op | None:
        value = args[0]
        low = int(attr)
        kind = value.kind
        if width == value.width:
            return value
        if kind == "slice":
            return self.slice(value.args[0], low + value.attr, width)
        if kind in ("zext", "sext"):
            inner = value.args[0]
            if low + width <= inner.width:
                return self.slice(inner, low, width)
            if kind == "zext":
                if low >= inner.width:
                    return const(width, 0)
                return self.make("zext", width, [self.slice(inner, low, inner.width - low)])
            low = min(low, inner.width - 1)
            return self.make("sext", width, [self.slice(inner, low, inner.width - low)])
        if kind == "concat":
            parts: list[Op] = []
            at = 0
            for part in reversed(value.args):
                start, stop = max(low, at), min(low + width, at + part.width)
                if start < stop:
                    parts.append(self.slice(part, start - at, stop - start))
                at += part.width
            return self.concat(*reversed(parts))
        return None

    def _fold_concat(self, width: int, args: list[Op], attr: Any) -> Op | None:
        parts: list[Op] = []
        changed = False
        for arg in args:
            if arg.kind == "concat":
                flat: list[Op] = arg.args
                changed = True
            elif arg.kind == "zext":
                inner = arg.args[0]
                flat = [const(arg.width - inner.width, 0), inner]
                changed = True
            else:
                flat = [arg]
            for part in flat:
                joined = _join(parts[-1], part) if parts else None
                if joined is None:
                    parts.append(part)
                    continue
                changed = True
                if isinstance(joined, Op):
                    parts[-1] = joined
                else:
                    source, low, count = joined
                    parts[-1] = self.slice(source, low, count)
        if len(parts) == 1:
            return parts[0]
        if len(parts) == 2 and parts[0].kind == "const" and parts[0].attr == 0:
            return self.make("zext", width, [parts[1]])
        return self.make("concat", width, parts) if changed else None

    def _fold_zext(self, width: int, args: list[Op], attr: Any) -> Op | None:
        inner = args[0]
        if inner.width == width:
            return inner
        if inner.kind == "zext":
            return self.make("zext", width, [inner.args[0]])
        if inner.kind == "concat" and inner.args[0].kind == "const":
            grown = const(inner.args[0].width + width - inner.width, inner.args[0].attr)
            return self.concat(grown, *inner.args[1:])
        return None

    def _fold_sext(self, width: int, args: list[Op], attr: Any) -> Op | None:
        inner = args[0]
        if inner.width == width:
            return inner
        if inner.kind in ("zext", "sext"):
            return self.make(inner.kind, width, [inner.args[0]])
        return None

    def _fold_divmod(self, width: int, args: list[Op], attr: Any) -> Op | None:
        first, second = args
        half = first.width
        if half == 1:
            inverse = self.invert(second)
            return self.concat(
                self.binary("and", first, inverse), self.binary("or", first, inverse)
            )
        if second.kind != "const" or second.attr == 0 or second.attr & (second.attr - 1):
            return None
        bits = second.attr.bit_length() - 1
        quotient = self.shift("lshr", first, const(half, bits))
        remainder = self.binary("and", first, const(half, second.attr - 1))
        return self.concat(remainder, quotient)


_FOLDS = {
    kind: getattr(Builder, f"_fold_{kind}")
    for kind in sorted(
        ir_graph.BINARY
        | ir_graph.SHIFTS
        | ir_graph.COMPARES
        | {"mux", "slice", "concat", "zext", "sext", "divmod"}
    )
}
_INVERSE: dict[OpKind, tuple[OpKind, bool]] = {
    "eq": ("ne", False),
    "ne": ("eq", False),
    "ult": ("ule", True),
    "ule": ("ult", True),
    "slt": ("sle", True),
    "sle": ("slt", True),
}


def _constant_last(args: list[Op]) -> list[Op]:
    """Order the operands of a commutative operation in place."""
    if args[0].kind == "const":
        args.reverse()
    return args


def _is_wiring(op: Op) -> bool:
    if op.kind == "zext":
        return True
    return op.kind == "concat" and any(p.kind == "const" and p.attr == 0 for p in op.args)


def _pieces(op: Op) -> list[tuple[Op | None, int, int]]:
    """Give the parts of wiring, highest first: source (None for zeros), low bit, length."""
    parts: list[Op] = op.args
    result: list[tuple[Op | None, int, int]] = []
    if op.kind == "zext":
        result.append((None, 0, op.width - parts[0].width))
    for part in parts:
        zero = part.kind == "const" and part.attr == 0
        result.append((None if zero else part, 0, part.width))
    return result


def _consume(pieces: list[tuple[Op | None, int, int]], count: int) -> None:
    source, low, left = pieces[-1]
    if left == count:
        pieces.pop()
    else:
        pieces[-1] = (source, low + count, left - count)


def _join(high: Op, low: Op) -> Op | tuple[Op, int, int] | None:
    """Join two neighbours of a concat: constants, and slices of one value that touch."""
    if high.kind == "const" and low.kind == "const":
        return const(high.width + low.width, high.attr << low.width | low.attr)
    same = high.kind == low.kind == "slice" and high.args[0] is low.args[0]
    if same and high.attr == low.attr + low.width:
        return high.args[0], low.attr, high.width + low.width
    return None
