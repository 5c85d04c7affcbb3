# SPDX-License-Identifier: Apache-2.0
"""Units that `allocation` limits: which unit each operation gets.

The limit is one of the schedule: in a state there are at most so many operations of a kind. Those
of different states share units, whose operands are chosen by the state. In a pipelined loop or
function, the phase is what a state is elsewhere: the cycle modulo the interval. An operation of a
limited kind takes nothing that another one makes in the same state, so that no two units ever hang
on each other in a circle.

A `not` is part of the logic behind it: its limit holds in the schedule, and it has no unit.
"""

from __future__ import annotations

from collections.abc import Callable, Hashable, Iterable, Mapping, Sequence
from dataclasses import dataclass, field

from lydite.hls.contract.diagnostics import Diagnostic, place
from lydite.hls.contract.directives import Allocation, Directive, of
from lydite.hls.ir.graph import COMMUTATIVE, SHIFTS, Block, Function, Op, OpKind
from lydite.hls.passes import allocation

# LUTs of one more input of an operand's multiplexer, for each bit.
_MUX_LUT = 0.6


@dataclass(slots=True)
class Unit:
    """An operator that serves operations of several states.

    Attributes
    ----------
    kind : str
        Kind of its operations.
    width : int
        Bits of its operands.
    ops : list of (Op, bool)
        Each in a state of its own, and whether its operands change places.
    """

    kind: OpKind
    width: int
    ops: list[tuple[Op, bool]] = field(default_factory=list)
    states: set[Hashable] = field(default_factory=set)
    sources: tuple[set[Hashable], set[Hashable]] = field(default_factory=lambda: (set(), set()))


def _pool(op: Op) -> Hashable:
    """Say which operations may share a unit."""
    if op.kind in SHIFTS:
        return op.kind, op.width, op.args[1].width
    if op.kind in ("slt", "sle"):
        return op.kind, op.args[0].width
    return op.kind


def share(
    ops: Iterable[Op],
    limit: Mapping[str, int],
    state_of: Callable[[Op], Hashable],
    source_of: Callable[[Op, Op], Hashable],
) -> list[Unit]:
    """Give the units of limited kinds that serve several operations.

    Each operation goes to the unit that costs least: a new one as long as the limit allows it, else
    one that is free in its state, by the inputs that its multiplexers gain.
    """
    pools: dict[Hashable, list[Unit]] = {}
    made: dict[str, int] = {}
    for op in ops:
        kind = allocation.kind_of(op)
        if kind not in limit or kind in ("not", "mul"):
            continue
        pool = pools.setdefault(_pool(op), [])
        sources = [source_of(op, arg) for arg in op.args]
        width = op.args[0].width
        best: tuple[float, Unit | None, bool] | None = None
        if made.get(kind, 0) < limit[kind]:
            best = (float(width), None, False)
        for unit in pool:
            if state_of(op) in unit.states:
                continue
            for swapped in (False, True) if op.kind in COMMUTATIVE else (False,):
                pair = sources[::-1] if swapped else sources
                fresh = sum(s not in known for s, known in zip(pair, unit.sources, strict=True))
                cost = fresh * width * _MUX_LUT + max(0, width - unit.width)
                if best is None or cost < best[0]:
                    best = (cost, unit, swapped)
        chosen = best[1] if best is not None else None
        swapped = best is not None and best[2]
        if chosen is None:
            chosen = Unit(op.kind, width)
            pool.append(chosen)
            made[kind] = made.get(kind, 0) + 1
        chosen.width = max(chosen.width, width)
        chosen.ops.append((op, swapped))
        chosen.states.add(state_of(op))
        for source, known in zip(
            sources[::-1] if swapped else sources, chosen.sources, strict=True
        ):
            known.add(source)
    return [unit for pool in pools.values() for unit in pool if len(unit.ops) > 1]


def exceeded(
    function: Function,
    known: tuple[Directive, ...],
    unit_of: Callable[[Op], Hashable],
    unshared: Sequence[Block] = (),
) -> list[Diagnostic]:
    """Say which limits hold in each state, but not for the units, and why.

    `unit_of` gives what computes an operation; of `unshared`, an iteration begins in each cycle.
    """
    result: list[Diagnostic] = []
    for item in of(function.pragmas, known, Allocation):
        name = item.instances.lower()
        if item.type != "operation" or name not in allocation.KINDS - {"not"}:
            continue
        count = len({unit_of(op) for op in function.ops() if allocation.kind_of(op) == name})
        if count > item.limit:
            what = f"allocation of {name} in {function.name}: {count} units, {item.limit} asked"
            reason = "one serves operations of one width and kind only"
            for block in unshared:
                here = sum(allocation.kind_of(op) == name for op in block.ops)
                if here:
                    at = place(block.where or function.where)
                    least = max(2, -(-here // item.limit))
                    reason = (
                        f"with II=1 at {at} none is shared; limit={item.limit} needs II={least}"
                    )
                    break
            result.append(Diagnostic(item.where, f"{what}: {reason}"))
    return result
