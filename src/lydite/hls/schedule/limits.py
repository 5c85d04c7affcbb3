# SPDX-License-Identifier: Apache-2.0
"""Units that `allocation` limits: which operations count, and which unit each one gets.

The limit is one of the schedule: in a state there are at most so many operations of a kind. Those
of different states share units, whose operands are chosen by the state. In a pipelined loop or
function, the phase is what a state is elsewhere: the cycle modulo the interval. An operation of a
limited kind takes nothing that another one makes in the same state, so that no two units ever hang
on each other in a circle.

Operations of one bit, which are control, and logic with a constant are free. A `not` is part of the
logic behind it: its limit holds in the schedule, and it has no unit.
"""

from __future__ import annotations

from collections.abc import Callable, Hashable, Iterable, Mapping, Sequence
from dataclasses import dataclass, field

from lydite.hls.contract.diagnostics import Diagnostic, place
from lydite.hls.contract.directives import Allocation, Directive, of
from lydite.hls.ir.graph import COMMUTATIVE, COMPARES, SHIFTS, Block, Function, Op, OpKind

# Divisions have one unit of each width anyway.
_SEQUENTIAL = frozenset(("sdiv", "udiv", "srem", "urem", "div", "rem"))
KINDS = frozenset(("add", "sub", "mul", "and", "or", "xor", "not", "icmp", "shl", "lshr", "ashr"))
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


def kind_of(op: Op) -> str:
    """Give the limited kind that an operation is of; empty if it is free."""
    kind = op.kind
    if kind in COMPARES:
        return "icmp" if op.args[0].width > 1 and op.args[1].kind != "const" else ""
    if op.width == 1:
        return ""
    constant = len(op.args) > 1 and op.args[1].kind == "const"
    if kind == "xor" and constant and op.args[1].attr == (1 << op.width) - 1:
        return "not"
    if kind in ("and", "or", "xor", "mul") or kind in SHIFTS:
        return "" if constant else kind
    return kind if kind in ("add", "sub") else ""


def limits(function: Function, known: tuple[Directive, ...]) -> dict[str, int]:
    """Give the limits of a function's kinds: its own, and those of its loops."""
    result: dict[str, int] = {}
    numbers = [*function.pragmas, *(n for block in function.blocks for n in block.pragmas)]
    for item in of(numbers, known, Allocation):
        name = item.instances.lower()
        if item.type == "operation" and name in KINDS:
            result[name] = min(item.limit, result.get(name, item.limit))
    return result


def unknown(known: Iterable[Directive]) -> list[Diagnostic]:
    """Name the directives that limit operations that there are not."""
    result: list[Diagnostic] = []
    for item in known:
        if not isinstance(item, Allocation):
            continue
        head = f"allocation of {item.instances}"
        if item.type == "operation" and item.instances.lower() not in KINDS | _SEQUENTIAL:
            listed = ", ".join(sorted(KINDS | _SEQUENTIAL))
            result.append(
                Diagnostic(item.where, f"{head}: no such operation: ignored; known: {listed}")
            )
        elif item.type == "core":
            result.append(Diagnostic(item.where, f"{head}: cores are not known by name: ignored"))
    return result


def counts(ops: Iterable[Op], limit: Mapping[str, int]) -> dict[str, int]:
    """Count the operations of the limited kinds."""
    result: dict[str, int] = {}
    for op in ops if limit else ():
        kind = kind_of(op)
        if kind in limit:
            result[kind] = result.get(kind, 0) + 1
    return result


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
        kind = kind_of(op)
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
        if item.type != "operation" or name not in KINDS - {"not"}:
            continue
        count = len({unit_of(op) for op in function.ops() if kind_of(op) == name})
        if count > item.limit:
            what = f"allocation of {name} in {function.name}: {count} units, {item.limit} asked"
            reason = "one serves operations of one width and kind only"
            if name == "mul":
                reason += "; a wide product is shared whole as a function, with inline off"
            for block in unshared:
                here = sum(kind_of(op) == name for op in block.ops)
                if here:
                    at = place(block.where or function.where)
                    least = max(2, -(-here // item.limit))
                    reason = (
                        f"with II=1 at {at} none is shared; limit={item.limit} needs II={least}"
                    )
                    break
            result.append(Diagnostic(item.where, f"{what}: {reason}"))
    return result
