# SPDX-License-Identifier: Apache-2.0
"""Shares units that cost more than their multiplexers: multipliers of different states.

A product may share a unit if its factors come from registers: units whose inputs hang on other
units' results would close loops that no state ever uses, but that timing analysis sees.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable
from dataclasses import dataclass

from lydite.hls.ir.delay_model import DelayModel, significant
from lydite.hls.ir.graph import Op

# LUTs that a hardware multiplier is worth, when it is compared with multiplexers.
DSP_WORTH = 80


@dataclass(frozen=True, slots=True)
class Shape:
    """What a multiplier is: bits of the result, and of the factors, with how they are extended."""

    width: int
    first: int
    second: int
    first_signed: bool
    second_signed: bool


@dataclass(slots=True)
class Unit:
    """A multiplier and the products that it computes, each in a state of its own."""

    shape: Shape
    ops: list[Op]


def factor(op: Op) -> tuple[Op, bool]:
    """Give a factor without its extension, and whether that was by sign."""
    if op.kind in ("zext", "sext"):
        return op.args[0], op.kind == "sext"
    return op, False


def shape(op: Op) -> Shape:
    """Give the multiplier that a product needs."""
    (first, first_signed), (second, second_signed) = factor(op.args[0]), factor(op.args[1])
    return Shape(op.width, first.width, second.width, first_signed, second_signed)


def is_candidate(op: Op, model: DelayModel) -> bool:
    """Whether a product costs more than the multiplexers that sharing it would add."""
    if op.kind != "mul" or any(arg.kind == "const" for arg in op.args):
        return False
    cost = model.multiplier_area(significant(op.args[0]), significant(op.args[1]))
    both = factor(op.args[0])[0].width + factor(op.args[1])[0].width
    return cost.lut + DSP_WORTH * cost.dsp > 1.5 * both


def crowds(ops: Iterable[Op], model: DelayModel) -> dict[Shape, int]:
    """Count the products that may want the same kind of unit."""
    result: dict[Shape, int] = {}
    for op in ops:
        if is_candidate(op, model):
            key = shape(op)
            result[key] = result.get(key, 0) + 1
    return result


def share(
    ops: Iterable[Op],
    state_of: Callable[[Op], object],
    may_share: Callable[[Op], bool],
) -> list[Unit]:
    """Give the units that serve more than one product."""
    pools: dict[Shape, list[tuple[Unit, set[object]]]] = {}
    for op in ops:
        if op.kind != "mul" or not may_share(op):
            continue
        state = state_of(op)
        pool = pools.setdefault(shape(op), [])
        for unit, states in pool:
            if state not in states:
                unit.ops.append(op)
                states.add(state)
                break
        else:
            pool.append((Unit(shape(op), [op]), {state}))
    return [unit for pool in pools.values() for unit, _ in pool if len(unit.ops) > 1]
