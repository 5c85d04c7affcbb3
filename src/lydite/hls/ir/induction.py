# SPDX-License-Identifier: Apache-2.0
"""Loops that count: their iterations, and the exact bits that their counters take.

A loop counts if its test depends on one phi of its head that starts at a constant and steps by a
function of itself: such a loop is run on numbers, up to `_MAX_TRIPS` iterations of `_MAX_OPS`
operations.
"""

from __future__ import annotations

from dataclasses import dataclass

from lydite.hls.ir import cfg
from lydite.hls.ir.cfg import Loop
from lydite.hls.ir.fold import evaluate
from lydite.hls.ir.graph import Op
from lydite.hls.ir.module import Module

_MAX_TRIPS = 1 << 14
_MAX_OPS = 64


@dataclass(frozen=True, slots=True)
class Counter:
    """A counted loop: its phi, the iterations; of all the phi's values or, and, most."""

    phi: Op
    trips: int
    any_bits: int
    all_bits: int
    highest: int


def counter(loop: Loop) -> Counter | None:
    """Give the counter of a loop, if it is one whose only exit is at its only latch."""
    if len(loop.latches) != 1:
        return None
    latch = loop.latches[0]
    inside = set(loop.blocks)
    exits = [b for b in loop.blocks for t in dict.fromkeys(b.targets) if t not in inside]
    if exits != [latch] or latch.end != "branch" or latch.arg is None:
        return None
    if latch.targets[0] in inside and latch.targets[1] in inside:
        return None
    phi = _sole_phi(latch.arg, loop)
    if phi is None or latch not in phi.attr:
        return None
    step = phi.args[phi.attr.index(latch)]
    starts = [arg for arg, source in zip(phi.args, phi.attr, strict=True) if source is not latch]
    start = starts[0]
    if any(other is not start for other in starts) or start.kind != "const":
        return None
    if _sole_phi(step, loop) not in (phi, None):
        return None
    closed = _closed_form(phi, start.attr, step, latch.arg, goes_on=latch.targets[0] in inside)
    if closed is not None:
        return closed
    value = start.attr
    goes_on = latch.targets[0] in inside
    any_bits, all_bits, highest = value, value, value
    for trips in range(1, _MAX_TRIPS + 1):
        memo = {phi: value}
        again, following = _run(latch.arg, memo), _run(step, memo)
        if again is None or following is None:
            return None
        if bool(again) != goes_on:
            return Counter(phi, trips, any_bits, all_bits, highest)
        value = following
        highest = max(highest, value)
        any_bits |= value
        all_bits &= value
    return None


def _closed_form(phi: Op, start: int, step: Op, test: Op, *, goes_on: bool) -> Counter | None:
    """Give the counter that adds a constant until it meets one: no need to run it."""
    if step.kind != "add" or step.args[0] is not phi or step.args[1].kind != "const":
        return None
    if test.kind not in ("eq", "ne") or test.args[0] is not step or test.args[1].kind != "const":
        return None
    if (test.kind == "ne") != goes_on:
        return None
    size = 1 << phi.width
    by, end = step.args[1].attr, test.args[1].attr
    distance = (end - start) % size
    if by == 0 or distance % by or distance == 0 or start + distance > size:
        return None
    last = start + distance - by
    # All bits up to where the first and last value differ may be anything.
    free = (1 << (start ^ last).bit_length()) - 1
    return Counter(phi, distance // by, start | last | free, start & last & ~free, last)


def exact_bits(module: Module) -> dict[Op, tuple[int, int]]:
    """Give the bits of all counters that are always 0 and always 1."""
    result: dict[Op, tuple[int, int]] = {}
    for function in module.functions.values():
        for loop in cfg.find_loops(function):
            found = counter(loop)
            if found is not None:
                mask = (1 << found.phi.width) - 1
                result[found.phi] = (mask & ~found.any_bits, found.all_bits)
    return result


def _sole_phi(op: Op, loop: Loop) -> Op | None:
    """Give the one phi of the loop's head that a value is made of, with constants."""
    found: set[Op] = set()
    pending: list[Op] = [op]
    seen: set[Op] = set()
    while pending:
        item = pending.pop()
        if item in seen or item.kind == "const":
            continue
        seen.add(item)
        if len(seen) > _MAX_OPS:
            return None
        if item.kind == "phi":
            if item not in loop.header.ops:
                return None
            found.add(item)
        elif item.kind in ("param", "load", "call", "store", "read"):
            return None
        else:
            pending += item.args
    return found.pop() if len(found) == 1 else None


def _run(op: Op, values: dict[Op, int]) -> int | None:
    if op.kind == "const":
        return int(op.attr)
    if op in values:
        return values[op]
    if op.kind in ("phi", "param", "load", "call", "read"):
        return None
    known: list[int] = []
    for arg in op.args:
        number = _run(arg, values)
        if number is None:
            return None
        known.append(number)
    result = evaluate(op.kind, op.width, known, [arg.width for arg in op.args], op.attr)
    values[op] = result
    return result
