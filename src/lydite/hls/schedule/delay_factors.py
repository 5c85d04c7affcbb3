# SPDX-License-Identifier: Apache-2.0
"""What placements have taught about a program's operations: a factor to the delay of each.

The table of a family knows operations by kind and width; what becomes of one depends on what stands
around it. Factors are data, in TOML: with them, the same program gives the same hardware again,
without placing. They hold for one program at one clock, and are refused for any other: operations
are known by their number in their function's IR.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping

from lydite.base import InputError, digest
from lydite.hls.contract.delay_factors import DelayFactors, Factor
from lydite.hls.ir.graph import Function, Op


def make(factors: Mapping[Function, Mapping[Op, float]]) -> DelayFactors:
    """Give the factors of operations as data, rounded to three digits; those of 1 are left out."""
    found: list[Factor] = []
    shapes: list[tuple[str, str]] = []
    for function, of_ops in factors.items():
        rows = [
            Factor(function.name, number, op.kind, op.width, op.where, value)
            for number, op in enumerate(function.ops())
            if (value := round(of_ops.get(op, 1.0), 3)) != 1.0
        ]
        if rows:
            shapes.append((function.name, shape(function)))
            found += rows
    return DelayFactors(tuple(shapes), tuple(found))


def factors_of(learnt: DelayFactors, function: Function) -> dict[Op, float]:
    """Give the factors of a function's operations.

    Raises
    ------
    InputError
        They are for another program, or for another clock of this one.
    """
    mine = [item for item in learnt.factors if item.function == function.name]
    if not mine:
        return {}
    if dict(learnt.ir).get(function.name) != shape(function):
        raise InputError(
            learnt.origin or "learnt",
            f"function {function.name} is another one than this was learnt from",
            "program, directives, clock and target must be the same; else refine again",
        )
    ops = list(function.ops())
    return {ops[item.number]: item.factor for item in mine}


def shape(function: Function) -> str:
    """Give the digest of a function's operations: kinds, widths, operands; names left out."""
    number: dict[Op, int] = {op: -1 - index for index, op in enumerate(function.params)}
    number |= {op: index for index, op in enumerate(function.ops())}

    def operands(args: Iterable[Op]) -> list[str]:
        return [
            f"#{arg.attr}" if arg.kind == "const" else f"{number.get(arg, 'undefined')}"
            for arg in args
        ]

    return digest.of_value(
        [
            [block.name, *([op.kind, op.width, *operands(op.args)] for op in block.ops)]
            for block in function.blocks
        ]
    )
