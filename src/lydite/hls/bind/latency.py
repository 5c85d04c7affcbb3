# SPDX-License-Identifier: Apache-2.0
"""Cycles of functions and loops where they are known without running: bounds over all paths.

Trip counts come from `ir.induction`, of pipelined loops from `ir.dependence`, or from
`loop_tripcount`.
"""

from __future__ import annotations

import math
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass

from lydite.hls.bind.binding import Binding
from lydite.hls.contract.directives import Directive, LoopTripcount, of
from lydite.hls.contract.report import LoopReport
from lydite.hls.ir import cfg, induction
from lydite.hls.ir.cfg import Loop
from lydite.hls.ir.dependence import Dependence
from lydite.hls.ir.graph import Block, Function, Op
from lydite.hls.schedule import bursts
from lydite.hls.schedule.problem import WAITING, Plan


@dataclass(frozen=True, slots=True)
class Timing:
    """Cycles from the one that takes the start to the one that shows done, both counted."""

    minimum: int | None
    maximum: int | None
    loops: tuple[LoopReport, ...]


@dataclass(slots=True)
class _Span:
    low: int
    high: int | None


def of_function(
    binding: Binding,
    callees: Mapping[Function, tuple[int | None, int | None]],
    pragmas: Sequence[Directive],
) -> Timing:
    """Bound the latency of a bound function whose callees' bounds are known."""
    function = binding.function
    loops = cfg.find_loops(function)
    cost = {block: _block_cost(binding, block, callees) for block in function.blocks}
    reports: dict[Block, LoopReport] = {}
    inner_of: dict[Block, Loop] = {}
    spans: dict[Block, _Span] = {}
    for loop in sorted(loops, key=lambda item: -item.depth):
        iteration = _paths(loop.header, set(loop.blocks), cost, spans, inner_of, loop.latches)
        ii = binding.schedule.plans[loop.header].ii
        trips_low, trips_high = trip_count(loop, function, pragmas, pipelined=ii is not None)
        spans[loop.header] = _total(iteration, trips_low, trips_high, ii)
        reports[loop.header] = LoopReport(
            name=_name(loop),
            where=_place(loop),
            depth=loop.depth,
            trip_min=trips_low,
            trip_max=trips_high,
            iteration_min=iteration.low,
            iteration_max=iteration.high,
            ii=ii,
        )
        for block in loop.blocks:
            inner_of[block] = loop
    ends = [block for block in function.blocks if block.end == "ret"]
    whole = _paths(function.blocks[0], set(function.blocks), cost, spans, inner_of, ends)
    if function.rewind is not None:
        whole = spans[function.blocks[0]]  # all iterations of a call
    ordered = tuple(reports[loop.header] for loop in loops)
    idle = int(binding.starts is None)
    high = None if whole.high is None else whole.high + idle
    return Timing(whole.low + idle, high, ordered)


def _total(iteration: _Span, low: int | None, high: int | None, ii: int | None) -> _Span:
    """Give the cycles of all iterations: one after the other, or a new one every `ii` cycles."""

    def cycles(one: int, trips: int) -> int:
        return one * trips if ii is None else one + (trips - 1) * ii

    most = None
    if iteration.high is not None and high is not None:
        most = cycles(iteration.high, high)
    return _Span(cycles(iteration.low, max(1, low or 1)), most)


def _block_cost(
    binding: Binding,
    block: Block,
    callees: Mapping[Function, tuple[int | None, int | None]],
) -> _Span:
    plan = binding.schedule.plans[block]
    low, high = plan.states, plan.states
    bounded = True
    for ops in waits(plan):
        begins = bursts.turns(ops)
        spans = [_wait(op, callees, begins.get(op, 0)) for op in ops]
        low += max(least for least, _ in spans)
        bounded = bounded and all(most is not None for _, most in spans)
        high += max(most or 0 for _, most in spans)
    return _Span(low, high if bounded else None)


def of_division(op: Op) -> int:
    """Give how many cycles more than one a division takes: a bit of the quotient a cycle."""
    return op.args[0].width + 1


def waits(plan: Plan) -> Iterable[Sequence[Op]]:
    """Give what each state of a block waits for: a division, or one or more calls."""
    found: dict[int, list[Op]] = {}
    for op, state in plan.state.items() if plan.pipeline is None else ():
        if op.kind in WAITING:
            found.setdefault(state, []).append(op)
    return found.values()


def _wait(
    op: Op, callees: Mapping[Function, tuple[int | None, int | None]], begins: int
) -> tuple[int, int | None]:
    """Give how many cycles more than one a unit takes at least and at most.

    A call of a burst begins in a later cycle of its state than the first one.
    """
    if op.kind == "divmod":
        return of_division(op), of_division(op)
    least, most = callees[op.attr]
    return begins + (least or 1) - 1, None if most is None else begins + max(most, 1) - 1


def _paths(
    start: Block,
    inside: set[Block],
    cost: Mapping[Block, _Span],
    spans: Mapping[Block, _Span],
    inner_of: Mapping[Block, Loop],
    ends: Sequence[Block],
) -> _Span:
    """Give the shortest and longest way from a block to one of several, inner loops as one step."""

    def unit(block: Block) -> Block:
        loop = inner_of.get(block)
        best = block
        while loop is not None:
            if loop.header in inside and loop.header is not start and set(loop.blocks) <= inside:
                best = loop.header
            loop = loop.parent
        return best

    order: list[Block] = []
    seen: set[Block] = set()

    def successors(head: Block) -> list[Block]:
        loop = inner_of.get(head)
        members = [head]
        if loop is not None and head is loop.header and head is not start:
            members = loop.blocks
        result = [
            unit(target)
            for member in members
            for target in member.targets
            if target in inside and target is not start and unit(target) is not head
        ]
        return list(dict.fromkeys(result))

    def visit(head: Block) -> None:
        stack = [(head, iter(successors(head)))]
        seen.add(head)
        while stack:
            block, targets = stack[-1]
            for target in targets:
                if target not in seen:
                    seen.add(target)
                    stack.append((target, iter(successors(target))))
                    break
            else:
                order.append(block)
                stack.pop()

    visit(start)
    order.reverse()
    low: dict[Block, int] = {start: cost[start].low}
    high: dict[Block, int | None] = {start: cost[start].high}
    for block in order:
        for target in successors(block):
            span = spans[target] if target in spans and target is not start else cost[target]
            here = low[block] + span.low
            low[target] = min(low.get(target, here), here)
            most = high[block]
            there = None if most is None or span.high is None else most + span.high
            if target in high and (high[target] is None or there is None):
                high[target] = None
            else:
                before = high.get(target)
                high[target] = there if before is None or there is None else max(before, there)
    finals = {unit(block) for block in ends}
    lows = [low[block] for block in finals if block in low]
    highs = [high[block] for block in finals if block in high]
    if not lows:
        return _Span(cost[start].low, None)
    known = [value for value in highs if value is not None]
    return _Span(min(lows), max(known) if len(known) == len(highs) else None)


def trip_count(
    loop: Loop, function: Function, pragmas: Sequence[Directive], *, pipelined: bool
) -> tuple[int | None, int | None]:
    """Give the least and most iterations of a loop, as far as known."""
    counter = induction.counter(loop)
    if counter is not None:
        return counter.trips, counter.trips
    if pipelined:  # one block, which may be a whole nest
        last = None if function.rewind is None else function.rewind.last
        period = Dependence(loop.header, last=last).period
        if period:
            return period, period
    # Those of a nest that is one loop now multiply.
    said = of(loop.header.pragmas, pragmas, LoopTripcount)
    low, high = ([getattr(item, end) for item in said] for end in ("min", "max"))
    return _product(low), _product(high)


def _product(counts: Sequence[int]) -> int | None:
    """Multiply numbers of iterations; None if one is not known."""
    return math.prod(counts) if counts and min(counts) >= 0 else None


def _place(loop: Loop) -> str:
    """Give the line of a loop's own test, else of its first operation."""
    for latch in loop.latches:
        if latch.where:
            return latch.where
    return next((op.where for op in loop.header.ops if op.where), "")


def _name(loop: Loop) -> str:
    if loop.header.loop:
        return loop.header.loop
    line = _place(loop).rpartition(":")[2]
    return f"loop_{line}" if line else f"loop_{loop.header.name}"
