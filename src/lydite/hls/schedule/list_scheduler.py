# SPDX-License-Identifier: Apache-2.0
"""Schedules the operations of each block into states, chained up to the clock period.

A `Problem` says what must hold between operations: precedence with a least distance in states, time
within a state, and resources. Solvers fill a `Schedule`; `verify` checks it. Here is the
list scheduler: operations by priority, each into the first state where its operands are ready and
its resources free. `modulo` schedules pipelined loops.
"""

from __future__ import annotations

import heapq
from collections.abc import Mapping
from dataclasses import dataclass, field

from lydite.hls.contract.diagnostics import Diagnostic
from lydite.hls.ir.delay_model import WIRING
from lydite.hls.ir.graph import Op
from lydite.hls.schedule import multipliers as schedule_multipliers
from lydite.hls.schedule.problem import (
    EPSILON,
    WAITING,
    Plan,
    Precedence,
    Problem,
    Schedule,
    leaving,
)
from lydite.hls.schedule.reservation_table import Table

# The list scheduler.


@dataclass(slots=True)
class _Placed:
    """What has its place so far: states and times as in a `Plan`."""

    state: dict[Op, int] = field(default_factory=dict)
    finish_ns: dict[Op, float] = field(default_factory=dict)


def list_schedule(problem: Problem) -> Plan:
    """Schedule a block: by priority, each operation as early as may be."""
    placed = _Placed()
    inside = set(problem.order)
    preds: dict[Op, list[Precedence]] = {op: [] for op in problem.order}
    succs: dict[Op, list[Op]] = {op: [] for op in problem.order}
    count = dict.fromkeys(problem.order, 0)
    for op in problem.order:
        for arg in dict.fromkeys(op.args):
            if arg in inside:
                succs[arg].append(op)
                count[op] += 1
    for edge in (*problem.memory_order, *problem.cuts):
        preds[edge.after].append(edge)
        succs[edge.before].append(edge.after)
        count[edge.after] += 1
    priority = _priorities(problem, succs)
    position = {op: index for index, op in enumerate(problem.order)}
    ready = [(-priority[op], position[op]) for op in problem.order if count[op] == 0]
    heapq.heapify(ready)
    table = Table(problem)
    while ready:
        op = problem.order[heapq.heappop(ready)[1]]
        _place(problem, placed, table, op, preds[op], inside)
        for after in succs[op]:
            count[after] -= 1
            if count[after] == 0:
                heapq.heappush(ready, (-priority[after], position[after]))
    states = _states(problem, placed, inside)
    return Plan(problem.block, states, placed.state, placed.finish_ns)


def _priorities(problem: Problem, succs: Mapping[Op, list[Op]]) -> dict[Op, float]:
    """Give the time from each operation to the end of the block."""
    result: dict[Op, float] = {}
    for op in reversed(problem.order):
        own = problem.delay_ns(op) + problem.latency(op) * problem.clock_ns
        result[op] = own + max((result[after] for after in succs[op]), default=0.0)
    return result


def _place(
    problem: Problem,
    placed: _Placed,
    table: Table,
    op: Op,
    preds: list[Precedence],
    inside: set[Op],
) -> None:
    start = problem.model.register_ns
    state, at = 0, start
    for arg in op.args:
        if arg in inside:
            there = placed.state[arg] + problem.latency(arg)
            if there > state:
                state, at = there, max(start, placed.finish_ns[arg])
            elif there == state:
                at = max(at, placed.finish_ns[arg])
    if op.kind in WAITING and any(arg in inside and problem.latency(arg) for arg in op.args):
        # What holds its state needs operands that hold too: memory data must be in registers.
        held = [a for a in op.args if a in inside and a.kind == "load" and problem.latency(a)]
        latest = max((placed.state[a] + 2 for a in held), default=0)
        if latest > state:
            state, at = latest, start
    if problem.limited_kind(op) == "mul":
        # A shared multiplier takes its factors from registers.
        factors = [schedule_multipliers.factor(arg)[0] for arg in op.args]
        latest = max(
            (placed.state[a] + problem.latency(a) + 1 for a in factors if a in inside), default=0
        )
        if latest > state:
            state, at = latest, start
    for edge in preds:
        least = placed.state[edge.before] + edge.states
        if least > state:
            state, at = least, start
    delay = problem.delay_ns(op)
    if at + delay > problem.budget_ns + EPSILON and at > start:
        state, at = state + 1, start
    while not table.fits(op, state):
        state, at = state + 1, start
    table.take(op, state)
    placed.state[op] = state
    latency = problem.latency(op)
    placed.finish_ns[op] = problem.start_ns(op) if latency else at + delay


def _states(problem: Problem, placed: _Placed, inside: set[Op]) -> int:
    """Give the number of states: all results in registers, the terminator's argument in time."""
    last = 0
    for op in problem.order:
        extra = problem.latency(op) if op.kind == "load" else 0
        last = max(last, placed.state[op] + extra)
    for value, slack in leaving(problem):
        if value in inside:
            there = placed.state[value] + problem.latency(value)
            if placed.finish_ns[value] + slack > problem.budget_ns + EPSILON:
                late = placed.finish_ns[value] > problem.model.register_ns + EPSILON
                there += 1 if late else 0
            last = max(last, there)
    return last + 1


def late(schedules: Mapping[str, Schedule], clock_ns: float) -> list[Diagnostic]:
    """Name the kinds of operations that alone take longer than the clock, each by its slowest."""
    worst: dict[str, tuple[float, float, Op]] = {}
    for item in schedules.values():
        for block, plan in item.plans.items():
            problem = item.problems[block]
            for op, finish in plan.finish_ns.items():
                needed = finish + problem.model.setup_ns
                if op.kind not in WIRING and needed > problem.clock_ns + EPSILON:
                    known = worst.get(op.kind)
                    if known is None or needed > known[0]:
                        worst[op.kind] = (needed, problem.clock_ns, op)
    result: list[Diagnostic] = []
    for kind, (needed, period_ns, op) in worst.items():
        width = max([op.width, *[arg.width for arg in op.args]])
        what = (
            f"{kind} of {width} bits needs {needed:.2f} ns, the clock period is {clock_ns:.2f} ns"
        )
        if period_ns < clock_ns:
            what += f", {period_ns:.2f} ns of it without its uncertainty"
        result.append(Diagnostic(op.where, what))
    return result
