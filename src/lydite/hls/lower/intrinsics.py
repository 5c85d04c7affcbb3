# SPDX-License-Identifier: Apache-2.0
"""LLVM intrinsics and division in terms of our operations."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Any

from lydite.hls.ir.builder import Builder
from lydite.hls.ir.graph import BinaryKind, CompareKind, Op, const


def call(build: Builder, name: str, args: Sequence[Any], width: int) -> Any:
    """Give the value of an intrinsic call, a tuple for those with two results, or None if unknown.

    Parameters
    ----------
    name : str
        With its type suffix: `llvm.fshl.i32`.
    width : int
        Bits of the result.
    """
    stem = name.removeprefix("llvm.")
    while stem and stem not in _TABLE:
        stem, _, _ = stem.rpartition(".")
    return _TABLE[stem](build, args, width) if stem else None


def divide(build: Builder, kind: str, first: Op, second: Op) -> Op:
    """Give a quotient or remainder; the signed ones by magnitudes, rounding toward zero."""
    width = first.width
    negative = negated = None
    if kind[0] == "s":
        if (power := _power_of_two(second)) is not None:
            return _divide_by_power(build, kind, first, power)
        negative = build.slice(first, width - 1, 1)
        negated = build.slice(second, width - 1, 1)
        first = build.mux(negative, _negate(build, first), first)
        second = build.mux(negated, _negate(build, second), second)
    both = build.make("divmod", 2 * width, [first, second])
    if kind.endswith("div"):
        result = build.slice(both, 0, width)
        if negative is None or negated is None:
            return result
        return build.mux(build.binary("xor", negative, negated), _negate(build, result), result)
    result = build.slice(both, width, width)
    return build.mux(negative, _negate(build, result), result) if negative is not None else result


def _power_of_two(value: Op) -> int | None:
    if value.kind != "const" or value.attr == 0 or value.attr >> (value.width - 1):
        return None
    number: int = value.attr
    return number.bit_length() - 1 if number & (number - 1) == 0 else None


def _divide_by_power(build: Builder, kind: str, value: Op, power: int) -> Op:
    """Shift right, after adding what makes negative numbers round toward zero."""
    if power == 0:
        return value if kind == "sdiv" else const(value.width, 0)
    width = value.width
    sign = build.slice(value, width - 1, 1)
    bias = build.resize(build.resize(sign, power, signed=True), width)
    biased = build.binary("add", value, bias)
    if kind == "sdiv":
        return build.shift("ashr", biased, const(width, power))
    kept = build.binary("and", biased, const(width, -1 << power))
    return build.binary("sub", value, kept)


def _negate(build: Builder, value: Op) -> Op:
    return build.binary("sub", const(value.width, 0), value)


def _funnel(left: bool) -> Callable[[Builder, Sequence[Op], int], Op]:
    def make(build: Builder, args: Sequence[Op], width: int) -> Op:
        high, low, amount = args
        if amount.kind == "const":
            count = amount.attr % width
            if count == 0:
                return high if left else low
            if not left:
                count = width - count
            return build.concat(
                build.slice(high, 0, width - count), build.slice(low, width - count, count)
            )
        bits = (width - 1).bit_length()
        if width & (width - 1):
            both = build.make("divmod", 2 * width, [amount, const(width, width)])
            amount = build.slice(both, width, bits)
        else:
            amount = build.slice(amount, 0, bits)
        double = build.concat(high, low)
        if left:
            return build.slice(build.shift("shl", double, amount), width, width)
        return build.slice(build.shift("lshr", double, amount), 0, width)

    return make


def _choose(kind: CompareKind, *, first_if: bool) -> Callable[[Builder, Sequence[Op], int], Op]:
    def make(build: Builder, args: Sequence[Op], width: int) -> Op:
        condition = build.compare(kind, args[0], args[1])
        first, second = args[0], args[1]
        return (
            build.mux(condition, first, second) if first_if else build.mux(condition, second, first)
        )

    return make


def _absolute(build: Builder, args: Sequence[Op], width: int) -> Op:
    sign = build.slice(args[0], width - 1, 1)
    return build.mux(sign, _negate(build, args[0]), args[0])


def _population(build: Builder, args: Sequence[Op], width: int) -> Op:
    """Add the bits in a tree whose sums grow by a bit a level."""
    values = [build.slice(args[0], bit, 1) for bit in range(width)]
    while len(values) > 1:
        sums: list[Op] = []
        for index in range(0, len(values) - 1, 2):
            first, second = values[index], values[index + 1]
            size = max(first.width, second.width) + 1
            sums.append(build.binary("add", build.resize(first, size), build.resize(second, size)))
        values = sums + values[len(values) - len(values) % 2 :]
    return build.resize(values[0], width)


def _leading_zeros(build: Builder, args: Sequence[Op], width: int) -> Op:
    size = 1 << (width - 1).bit_length()
    value = build.concat(args[0], const(size - width, -1)) if size > width else args[0]

    def count(part: Op) -> tuple[Op | None, Op]:
        """Give the number of leading zeros, and whether all are: then the number is meaningless."""
        if part.width == 1:
            return None, build.invert(part)
        half = part.width // 2
        high_count, high_zero = count(build.slice(part, half, half))
        low_count, low_zero = count(build.slice(part, 0, half))
        both = build.binary("and", high_zero, low_zero)
        if high_count is None or low_count is None:
            return high_zero, both
        return build.concat(high_zero, build.mux(high_zero, low_count, high_count)), both

    zeros, all_zero = count(value)
    result = build.resize(zeros, width) if zeros is not None else const(width, 0)
    return build.mux(all_zero, const(width, width), result)


def _trailing_zeros(build: Builder, args: Sequence[Op], width: int) -> Op:
    return _leading_zeros(build, [_reverse(build, args, width)], width)


def _reverse(build: Builder, args: Sequence[Op], width: int) -> Op:
    return build.concat(*[build.slice(args[0], bit, 1) for bit in range(width)])


def _swap_bytes(build: Builder, args: Sequence[Op], width: int) -> Op:
    return build.concat(*[build.slice(args[0], low, 8) for low in range(0, width, 8)])


def _wide(kind: BinaryKind, *, signed: bool) -> Callable[[Builder, Op, Op], tuple[Op, Op]]:
    """Give a function for the exact result, and whether it fits the width of the operands."""

    def make(build: Builder, first: Op, second: Op) -> tuple[Op, Op]:
        width = first.width
        size = 2 * width if kind == "mul" else width + 1
        exact = build.binary(
            kind,
            build.resize(first, size, signed=signed),
            build.resize(second, size, signed=signed),
        )
        low = build.slice(exact, 0, width)
        again = build.resize(low, size, signed=signed)
        return exact, build.compare("eq", again, exact)

    return make


def _overflow(
    kind: BinaryKind, *, signed: bool
) -> Callable[[Builder, Sequence[Op], int], tuple[Op, Op]]:
    def make(build: Builder, args: Sequence[Op], width: int) -> tuple[Op, Op]:
        exact, fits = _wide(kind, signed=signed)(build, args[0], args[1])
        return build.slice(exact, 0, args[0].width), build.invert(fits)

    return make


def _saturate(kind: BinaryKind, *, signed: bool) -> Callable[[Builder, Sequence[Op], int], Op]:
    def make(build: Builder, args: Sequence[Op], width: int) -> Op:
        exact, fits = _wide(kind, signed=signed)(build, args[0], args[1])
        if signed:
            sign = build.slice(exact, width, 1)
            lowest, highest = const(width, 1 << (width - 1)), const(width, (1 << (width - 1)) - 1)
            limit = build.mux(sign, lowest, highest)
        else:
            limit = const(width, 0 if kind == "sub" else -1)
        return build.mux(fits, build.slice(exact, 0, width), limit)

    return make


def _order(*, signed: bool) -> Callable[[Builder, Sequence[Op], int], Op]:
    def make(build: Builder, args: Sequence[Op], width: int) -> Op:
        less = build.compare("slt" if signed else "ult", args[0], args[1])
        other = build.compare("ne", args[0], args[1])
        return build.mux(less, const(width, -1), build.resize(other, width))

    return make


_TABLE: dict[str, Callable[[Builder, Sequence[Op], int], Any]] = {
    "fshl": _funnel(True),
    "fshr": _funnel(False),
    "smax": _choose("slt", first_if=False),
    "umax": _choose("ult", first_if=False),
    "smin": _choose("slt", first_if=True),
    "umin": _choose("ult", first_if=True),
    "abs": _absolute,
    "ctpop": _population,
    "ctlz": _leading_zeros,
    "cttz": _trailing_zeros,
    "bswap": _swap_bytes,
    "bitreverse": _reverse,
    "sadd.with.overflow": _overflow("add", signed=True),
    "uadd.with.overflow": _overflow("add", signed=False),
    "ssub.with.overflow": _overflow("sub", signed=True),
    "usub.with.overflow": _overflow("sub", signed=False),
    "smul.with.overflow": _overflow("mul", signed=True),
    "umul.with.overflow": _overflow("mul", signed=False),
    "sadd.sat": _saturate("add", signed=True),
    "uadd.sat": _saturate("add", signed=False),
    "ssub.sat": _saturate("sub", signed=True),
    "usub.sat": _saturate("sub", signed=False),
    "scmp": _order(signed=True),
    "ucmp": _order(signed=False),
    "expect": lambda build, args, width: args[0],
    "ssa.copy": lambda build, args, width: args[0],
    "threadlocal.address": lambda build, args, width: args[0],
    "launder.invariant.group": lambda build, args, width: args[0],
    "strip.invariant.group": lambda build, args, width: args[0],
    "ptrmask": lambda build, args, width: build.binary("and", args[0], args[1]),
    "is.constant": lambda build, args, width: const(1, 0),
    "stacksave": lambda build, args, width: const(width, 0),
    "stackrestore": lambda build, args, width: (),
}
