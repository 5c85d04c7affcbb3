# SPDX-License-Identifier: Apache-2.0
"""Computes what a pipelined loop can know one iteration ahead in the iteration before.

In `e = d + (h + k + f(e)); h = g; g = f; f = e` the sum of h and k is known long before e is, but
the registers of h, g and f all turn in the cycle in which e comes, so that no schedule can add
them earlier. Such a value becomes a phi of its own, made of what its operands will be (retiming:
Leiserson and Saxe 1991). This is done where all of an iteration does not fit into the interval, for
the values without which the longest way from register to register would be longer.
"""

from __future__ import annotations

from collections.abc import Callable, Container, Sequence
from typing import TypeVar

from lydite.hls.ir import graph as ir_graph
from lydite.hls.ir.builder import Builder
from lydite.hls.ir.delay_model import DelayModel
from lydite.hls.ir.graph import Block, Function, Op
from lydite.hls.ir.module import Module
from lydite.hls.passes import arrival, pipelining
from lydite.hls.passes.arrival import Arrival
from lydite.hls.passes.context import Context

DOC = "compute in pipelined loops what is known ahead one iteration earlier"

_T = TypeVar("_T")

# Times that are no further apart than this are one.
_CLOSE_NS = 0.5


def run(module: Module, context: Context) -> None:
    """Move what is known ahead, in every loop that is to be pipelined."""
    for function in module.functions.values():
        for block, wanted in pipelining.pipelined_blocks(function, module.pragmas).items():
            period_ns = context.period_ns(function, module) * max(1, wanted.ii)
            early = _early(function, block, context.model, period_ns)
            if early:
                _move(function, block, early)


def _early(function: Function, block: Block, model: DelayModel, period_ns: float) -> list[Op]:
    """Give the operations that are known ahead and tied to what is not, in order."""
    room = period_ns - model.register_ns - model.setup_ns - model.lut_ns
    whole = Arrival(model)
    whole.enter_all(block)
    if max(whole.at.values(), default=0.0) <= room:
        return []
    ready, own_ns = arrival.carried(block, model)
    tied = {
        phi
        for phi, at in ready.at.items()
        if arrival.floor(own_ns) < at < min(ready.held[phi], -_CLOSE_NS)
    }
    phis = Arrival(model, ready.at, ready.held, ready.others_ns)
    ready.enter_all(block)
    inside = set(block.ops)
    found: dict[Op, bool] = {}
    for op in block.ops:
        if not arrival.is_moved(op):
            continue
        free = all(a not in inside or a.kind == "phi" or a in found for a in op.args)
        if free and ready[op] <= 0:
            found[op] = any(found.get(arg, arg in tied) for arg in op.args)
    early = [op for op, is_tied in found.items() if is_tied and op.kind not in ir_graph.WIRES]
    return _needed(function, block, early, phis, room) if early else []


def _needed(
    function: Function, block: Block, early: Sequence[Op], phis: Arrival, room_ns: float
) -> list[Op]:
    """Give those of the early operations that must be, so that all others are in time."""
    backs = [phi.args[phi.attr.index(block)] for phi in block.phis()]
    latest_ns = max(phis.at.values())

    def longest_ns(roots: Sequence[Op]) -> float:
        times = Arrival(phis.model, phis.at, phis.held, phis.others_ns, _above(roots, early))
        times.enter_all(block)
        return max(times[back] for back in backs) - latest_ns

    read = _read_otherwise(function, block, early)
    roots = [op for op in early if op in read]
    enough_ns = max(room_ns, longest_ns(roots))
    # Better still: all of an iteration in one interval.
    fits = _whole_ns(block, phis.model, _above(roots, early)) <= room_ns

    def is_enough(fewer: Sequence[Op]) -> bool:
        if longest_ns(fewer) > enough_ns:
            return False
        return not fits or _whole_ns(block, phis.model, _above(fewer, early)) <= room_ns

    above = _above(fewest(roots, is_enough), early)
    return [op for op in early if op in above]


def fewest(items: Sequence[_T], is_enough: Callable[[Sequence[_T]], bool]) -> list[_T]:
    """Leave out items, the first ones first, as long as the others are enough.

    Where more are never less enough than fewer this is what one at a time would leave; twice as
    many are tried after each time that goes, half as many after one that does not.
    """
    kept: list[_T] = []
    at, count = 0, 1
    while at < len(items):
        count = min(count, len(items) - at)
        if is_enough([*kept, *items[at + count :]]):
            at, count = at + count, 2 * count
        elif count > 1:
            count //= 2
        else:
            kept.append(items[at])
            at += 1
    return kept


def _whole_ns(block: Block, model: DelayModel, moved: Container[Op]) -> float:
    """Give the time of an iteration, what is moved included, if nothing else is early."""
    times = Arrival(model)
    again = Arrival(model)
    for op in block.ops:
        if op.kind != "phi" and op not in moved:
            times.enter(op, op.args)
    for phi in block.phis():
        again.at[phi] = times[phi.args[phi.attr.index(block)]]
    for op in block.ops:
        if op in moved:
            again.enter(op, op.args)
    return max([*times.at.values(), *again.at.values()], default=0.0)


def _above(roots: Sequence[Op], among: Sequence[Op]) -> set[Op]:
    """Give roots and what they are made of, wiring included."""
    inside = set(among)
    found: set[Op] = set()
    pending = list(roots)
    while pending:
        op = pending.pop()
        if op not in found:
            found.add(op)
            pending += [arg for arg in op.args if arg in inside or arg.kind in ir_graph.WIRES]
    return found


def _read_otherwise(function: Function, block: Block, early: Sequence[Op]) -> set[Op]:
    """Give the values that are read by something else than early operations."""
    chosen = set(early)
    read = {arg for op in block.ops if op not in chosen for arg in op.args}
    others = [b for b in function.blocks if b is not block]
    read |= {arg for other in others for op in other.ops for arg in op.args}
    return read | {b.arg for b in function.blocks if b.arg is not None}


def _move(function: Function, block: Block, early: Sequence[Op]) -> None:
    """Give a phi to each early value that something else reads."""
    read = _read_otherwise(function, block, early)
    outside = [b for b in function.blocks if block in b.targets and b is not block]
    values: dict[Op, Op] = {}
    phis: list[Op] = []
    clones = {source: _Clone(block, source) for source in [*outside, block]}
    for op in early:
        if op in read:
            phi = Op("phi", op.width, attr=list(clones), name=op.name, where=op.where)
            phi.args = [clone.of(op) for clone in clones.values()]
            phis.append(phi)
            values[op] = phi
    block.ops[:0] = phis
    ir_graph.replace(function, values)


class _Clone:
    """Computes values of a block again, with what its phis get from one of its predecessors."""

    def __init__(self, block: Block, source: Block) -> None:
        self.block = block
        self.source = source
        self.inside = set(block.ops)
        self.known: dict[Op, Op] = {}
        self.build = Builder(source.ops)

    def of(self, op: Op) -> Op:
        """Give the value that an operation would have in the iteration that the edge leads to."""
        if op not in self.inside:
            return op
        if op not in self.known:
            if op.kind == "phi":
                self.known[op] = op.args[op.attr.index(self.source)]
            else:
                args = [self.of(arg) for arg in op.args]
                self.build.where, self.build.name = op.where, op.name
                self.known[op] = self.build.make(op.kind, op.width, args, op.attr)
        return self.known[op]
