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
from lydite.hls.schedule import bursts
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
    """Schedule a block: by priority, each operation as early as may be.

    Calls that may be one burst wait for each other where that takes fewer cycles.
    """
    plan = _schedule(problem, [])
    rows = bursts.rows(problem.order, [*problem.memory_order, *problem.cuts])
    if rows:
        other = _schedule(problem, rows)
        plan = other if bursts.cycles(other) < bursts.cycles(plan) else plan
    return plan


def _schedule(problem: Problem, rows: list[list[Op]]) -> Plan:
    """Schedule a block, with the calls of each row in one state if they do not hinder others."""
    placed = _Placed()
    inside = set(problem.order)
    preds: dict[Op, list[Precedence]] = {op: [] for op in problem.order}
    succs: dict[Op, list[Op]] = {op: [] for op in problem.order}
    count = dict.fromkeys(problem.order, 0)
    gathered = _Rows(rows)
    for op in problem.order:
        for arg in dict.fromkeys(op.args):
            if arg in inside:
                succs[arg].append(op)
                count[op] += 1
    for edge in (*problem.memory_order, *problem.cuts):
        preds[edge.after].append(edge)
        if gathered.are_one(edge.before, edge.after):
            continue
        succs[edge.before].append(edge.after)
        count[edge.after] += 1
    priority = _priorities(problem, succs)
    position = {op: index for index, op in enumerate(problem.order)}
    ready = [(-priority[op], position[op]) for op in problem.order if count[op] == 0]
    heapq.heapify(ready)
    table = Table(problem)
    while ready or gathered.waiting:
        if ready:
            ops = gathered.enter(problem.order[heapq.heappop(ready)[1]])
        else:
            ops = gathered.release()
        _place(problem, placed, table, ops, preds, inside)
        for after in (after for op in ops for after in succs[op]):
            count[after] -= 1
            if count[after] == 0:
                heapq.heappush(ready, (-priority[after], position[after]))
    states = _states(problem, placed, inside)
    return Plan(problem.block, states, placed.state, placed.finish_ns)


class _Rows:
    """Rows of calls that wait until all of a row are ready.

    Attributes
    ----------
    left : list of list of Op
        The calls of each row that are not placed, in program order.
    waiting : set of Op
        Those of them that are ready.
    """

    def __init__(self, rows: list[list[Op]]) -> None:
        self.left = [list(row) for row in rows]
        self.waiting: set[Op] = set()
        self._number = {op: number for number, row in enumerate(rows) for op in row}

    def are_one(self, before: Op, after: Op) -> bool:
        """Whether two operations are calls of one row: their order is that in the burst."""
        return before in self._number and self._number[before] == self._number.get(after)

    def enter(self, op: Op) -> list[Op]:
        """Give what can be placed when an operation is ready."""
        if op not in self._number:
            return [op]
        self.waiting.add(op)
        row = self.left[self._number[op]]
        return self._take(row, list(row)) if self.waiting.issuperset(row) else []

    def release(self) -> list[Op]:
        """Give calls that go without the rest of their row, where rows wait for each other."""
        return next(filter(None, map(self._able, self.left)))

    def _able(self, row: list[Op]) -> list[Op]:
        """Take the calls of a row that are ready; those with state keep their order."""
        stops = bool(row) and row[0].attr.stateful
        first = next((op for op in row if op not in self.waiting), None) if stops else None
        before = row[: row.index(first)] if first is not None else row
        return self._take(row, [op for op in before if op in self.waiting])

    def _take(self, row: list[Op], taken: list[Op]) -> list[Op]:
        row[:] = [op for op in row if op not in taken]
        self.waiting.difference_update(taken)
        return taken


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
    ops: list[Op],
    preds: Mapping[Op, list[Precedence]],
    inside: set[Op],
) -> None:
    """Place an operation, or calls together, into the first state that has room."""
    if not ops:
        return
    start = problem.model.register_ns
    state, at = max(_earliest(problem, placed, op, preds[op], inside) for op in ops)
    while not all(table.fits(op, state) for op in ops):
        state, at = state + 1, start
    for op in ops:
        table.take(op, state)
        placed.state[op] = state
        late = problem.latency(op)
        placed.finish_ns[op] = problem.start_ns(op) if late else at + problem.delay_ns(op)


def _earliest(
    problem: Problem, placed: _Placed, op: Op, preds: list[Precedence], inside: set[Op]
) -> tuple[int, float]:
    """Give the first state for an operation by its operands, and their time in it."""
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
        if edge.before not in placed.state:
            continue  # a call before it in its burst
        least = placed.state[edge.before] + edge.states
        if least > state:
            state, at = least, start
    if at + problem.delay_ns(op) > problem.budget_ns + EPSILON and at > start:
        state, at = state + 1, start
    return state, at


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
