# SPDX-License-Identifier: Apache-2.0
"""Splits products that do not fit a clock period into products of hardware multipliers' size.

The parts are added in a tree that the scheduler may spread over several states. A signed factor is
taken as unsigned, and what its sign takes away is subtracted. A product that `bind_op` wants in
logic becomes a sum of shifted copies of one factor, chosen by the bits of the other. One with a
constant of three digits, each 1 or -1 (Avizienis 1961), is as many shifted copies; a slow one may
have more digits where there is a pipeline to be filled. Before all that, wide products that are to
share units become calls of functions (`shared_products`).
"""

from __future__ import annotations

from lydite.hls.ir import graph as ir_graph
from lydite.hls.ir.builder import Builder
from lydite.hls.ir.delay_model import significant
from lydite.hls.ir.graph import Op, const
from lydite.hls.ir.module import Module
from lydite.hls.passes import pipelining, shared_products, wide_products
from lydite.hls.passes.context import Context

DOC = "split products that are slower than the clock into those of hardware multipliers"


# Digits of a constant that make a product out of adders: of a slow product in a pipeline, where a
# sum more is a stage more; and of any, two adders for a multiplier.
_MAX_DIGITS, _CHEAP_DIGITS = 5, 3


def run(module: Module, context: Context) -> None:
    """Split the slow products of every function, and those that are wanted in logic."""
    shared_products.run(module, context)
    model = context.model
    for function in module.functions.values():
        is_slow = wide_products.slow(function, module, context)
        asked = wide_products.wanted(function, module, context)
        pipelined = (
            bool(pipelining.pipelined_blocks(function, module.pragmas))
            or pipelining.pipelined_function(module, function) is not None
        )
        values: dict[Op, Op] = {}
        build = Builder([])
        for block in function.blocks:
            if not any(op.kind == "mul" for op in block.ops):
                continue
            old, block.ops = block.ops, []
            build.ops = block.ops
            for op in old:
                build.where, build.name = op.where, op.name
                if op.kind == "mul" and asked.get(op.name) == "fabric":
                    values[op] = _in_logic(build, op)
                    continue
                if op.kind != "mul":
                    block.ops.append(op)
                    continue
                splits = is_slow(op)
                most = _MAX_DIGITS if splits and pipelined else _CHEAP_DIGITS
                if op.name not in asked and _has_few_digits(op, most):
                    values[op] = _of_digits(build, op)
                elif splits:
                    values[op] = _split(build, op, model.dsp_width)
                else:
                    block.ops.append(op)
        ir_graph.replace(function, values)


def _in_logic(build: Builder, op: Op) -> Op:
    """Multiply by adding."""
    first, second = op.args
    if significant(first) < significant(second):
        first, second = second, first
    signed = second.kind == "sext"
    inner = second.args[0] if second.kind in ("zext", "sext") else second
    rows: list[Op] = []
    width = op.width
    for bit in range(min(inner.width, width)):
        shifted = build.concat(build.slice(first, 0, width - bit), const(bit, 0))
        chosen = build.resize(build.slice(inner, bit, 1), width, signed=True)
        rows.append(build.binary("and", shifted, chosen))
    if not signed:
        return _sum(build, rows)
    last = rows.pop()
    return build.binary("sub", _sum(build, rows) if rows else const(width, 0), last)


def _has_few_digits(op: Op, most: int) -> bool:
    second = op.args[1]
    return second.kind == "const" and len(_digits(_signed(second))) <= most


def _signed(value: Op) -> int:
    """Give a constant as a signed number."""
    number: int = value.attr
    return number - (1 << value.width) if number >> (value.width - 1) else number


def _digits(number: int) -> list[tuple[int, int]]:
    """Write a number with the fewest digits 1 and -1: place and digit, lowest first."""
    found: list[tuple[int, int]] = []
    place = 0
    while number:
        if number & 1:
            digit = 2 - (number & 3)
            found.append((place, digit))
            number -= digit
        number >>= 1
        place += 1
    return found


def _of_digits(build: Builder, op: Op) -> Op:
    """Multiply by adding a copy of the factor for each digit of the constant."""
    first, second = op.args
    number = _signed(second)
    inner = first.args[0] if first.kind in ("zext", "sext") else first
    # The product with its sign: one bit more where the factor has none.
    width = min(op.width, inner.width + number.bit_length() + 1)
    factor = build.resize(inner, width, signed=first.kind == "sext")
    added: dict[int, list[Op]] = {1: [], -1: []}
    for place, digit in _digits(number):
        if place < width:
            low = build.slice(factor, 0, width - place)
            added[digit].append(build.concat(low, const(place, 0)))
    result = _sum(build, added[1]) if added[1] else const(width, 0)
    if added[-1]:
        result = build.binary("sub", result, _sum(build, added[-1]))
    return build.resize(result, op.width, signed=True)


def _split(build: Builder, op: Op, tile: int) -> Op:
    first, second = op.args
    width = min(op.width, significant(first) + significant(second))
    signed = first.kind == "sext" or second.kind == "sext"
    if op.width > width and not signed:
        return build.resize(_split_sized(build, first, second, width, tile), op.width)
    if op.width > width and first.kind == second.kind == "sext":
        product = _split_sized(build, first, second, width, tile)
        return build.resize(product, op.width, signed=True)
    return _split_sized(build, first, second, op.width, tile)


def _split_sized(build: Builder, first: Op, second: Op, width: int, tile: int) -> Op:
    factors = [_magnitude(build, op, width) for op in (first, second)]
    parts: list[Op] = []
    left, right = factors[0][0], factors[1][0]
    for low in range(0, left.width, tile):
        for high in range(0, right.width, tile):
            at = low + high
            if at >= width:
                continue
            one = build.slice(left, low, min(tile, left.width - low))
            two = build.slice(right, high, min(tile, right.width - high))
            size = one.width + two.width
            product = build.binary("mul", build.resize(one, size), build.resize(two, size))
            parts.append(_placed(build, product, at, width))
    total = _sum(build, parts)
    for (value, negative), (other, _) in zip(factors, reversed(factors), strict=True):
        if negative is not None and value.width < width:
            masked = build.binary("and", other, build.resize(negative, other.width, signed=True))
            total = build.binary("sub", total, _placed(build, masked, value.width, width))
    return total


def _magnitude(build: Builder, op: Op, width: int) -> tuple[Op, Op | None]:
    """Give a factor's own bits, and its sign if it was extended by that."""
    if op.kind == "zext" and op.args[0].width <= width:
        return op.args[0], None
    if op.kind == "sext" and op.args[0].width <= width:
        inner = op.args[0]
        return inner, build.slice(inner, inner.width - 1, 1)
    if op.kind == "const":
        short = const(min(width, significant(op)), op.attr)
        return short, None
    return build.resize(op, min(op.width, width)), None


def _placed(build: Builder, value: Op, low: int, width: int) -> Op:
    """Put a value at a bit position of a word."""
    value = build.resize(value, min(value.width, width - low))
    return build.concat(const(width - low - value.width, 0), value, const(low, 0))


def _sum(build: Builder, parts: list[Op]) -> Op:
    while len(parts) > 1:
        sums = [
            build.binary("add", parts[index], parts[index + 1])
            for index in range(0, len(parts) - 1, 2)
        ]
        parts = sums + parts[len(parts) - len(parts) % 2 :]
    return parts[0]
