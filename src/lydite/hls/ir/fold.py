# SPDX-License-Identifier: Apache-2.0
"""What each operation without memory means on numbers: folding and analyses share it."""

from __future__ import annotations

from typing import Any

from lydite.hls.ir import graph as ir_graph


def signed(value: int, width: int) -> int:
    """Read a bit pattern as two's complement."""
    return value - (1 << width) if value >> (width - 1) else value


def evaluate(kind: str, width: int, values: list[int], widths: list[int], attr: Any) -> int:
    """Give the result of an operation without memory on numbers.

    Parameters
    ----------
    width : int
        Bits of the result.
    values, widths : list of int
        The operands and their widths.
    """
    mask = (1 << width) - 1
    first = values[0]
    if kind in _BINARY:
        return int(_BINARY[kind](first, values[1])) & mask
    if kind in ir_graph.SHIFTS:
        amount = min(values[1], width)
        if kind == "shl":
            return first << amount & mask
        return (first if kind == "lshr" else signed(first, width)) >> amount & mask
    if kind in ir_graph.COMPARES:
        second = values[1]
        if kind[0] == "s":
            first, second = signed(first, widths[0]), signed(second, widths[0])
        return int(_COMPARE[kind](first, second))
    if kind == "mux":
        return values[1] if first else values[2]
    if kind == "slice":
        return first >> int(attr) & mask
    if kind == "concat":
        total = 0
        for value, size in zip(values, widths, strict=True):
            total = total << size | value
        return total
    if kind == "zext":
        return first
    if kind == "sext":
        return signed(first, widths[0]) & mask
    assert kind == "divmod", f"{kind} has no value of its own"
    half = widths[0]
    if values[1] == 0:
        return first << half | (1 << half) - 1
    quotient, remainder = divmod(first, values[1])
    return remainder << half | quotient


_BINARY = {
    "add": lambda a, b: a + b,
    "sub": lambda a, b: a - b,
    "mul": lambda a, b: a * b,
    "and": lambda a, b: a & b,
    "or": lambda a, b: a | b,
    "xor": lambda a, b: a ^ b,
}
_COMPARE = {
    "eq": lambda a, b: a == b,
    "ne": lambda a, b: a != b,
    "ult": lambda a, b: a < b,
    "ule": lambda a, b: a <= b,
    "slt": lambda a, b: a < b,
    "sle": lambda a, b: a <= b,
}
