# SPDX-License-Identifier: Apache-2.0
"""Checks schedules of ordinary states against their problems, without knowing how they came about.

`modulo_problem.verify` does so for pipelines.
"""

from __future__ import annotations

from collections.abc import Mapping

from lydite.hls.ir.delay_model import WIRING
from lydite.hls.ir.graph import STREAMING, Memory, Op, Stream
from lydite.hls.schedule import resources
from lydite.hls.schedule.problem import EPSILON, WAITING, Plan, Problem, Schedule, leaving


def verify_all(schedules: Mapping[str, Schedule]) -> None:
    """Check the blocks of all functions that take states and are no pipelines.

    Raises
    ------
    AssertionError
        One breaks a precedence, a resource, or the clock without need.
    """
    for item in schedules.values():
        for block, plan in item.plans.items():
            if plan.states and plan.pipeline is None:
                verify(item.problems[block], plan)


def verify(problem: Problem, plan: Plan) -> None:
    """Check a schedule against its problem.

    Raises
    ------
    AssertionError
        It breaks a precedence, a resource, or the clock without need.
    """
    place = plan.block.name
    inside = set(problem.order)
    assert set(plan.state) == inside, f"{place}: operations are missing"
    for op in problem.order:
        state = plan.state[op]
        assert 0 <= state < plan.states, f"{place}: {op} is out of range"
        if op.kind == "load":
            end = state + problem.latency(op)
            assert end < plan.states, f"{place}: data of {op} come too late"
        arrival = problem.model.register_ns
        for arg in op.args:
            if arg in inside:
                there = plan.state[arg] + problem.latency(arg)
                assert there <= state, f"{place}: {op} starts before {arg} is there"
                if there == state:
                    arrival = max(arrival, plan.finish_ns[arg])
                    held = op.kind not in WAITING or arg.kind != "load" or not problem.latency(arg)
                    assert held, f"{place}: {op} holds an operand of {arg} that does not hold"
        if not problem.latency(op):
            finish = arrival + problem.delay_ns(op)
            assert plan.finish_ns[op] >= finish - EPSILON, f"{place}: {op} is faster than it can"
            alone = arrival <= problem.model.register_ns + EPSILON or op.kind in WIRING
            late_data = any(a.kind == "load" and problem.latency(a) for a in op.args if a in inside)
            assert finish <= problem.budget_ns + EPSILON or alone or late_data, (
                f"{place}: {op} is chained past the clock"
            )
    _verify_resources(problem, plan)
    _verify_chains(problem, plan, inside)
    for edge in (*problem.memory_order, *problem.cuts):
        gap = plan.state[edge.after] - plan.state[edge.before]
        assert gap >= edge.states, f"{place}: {edge.after} passes {edge.before}"
    for value, _ in leaving(problem):
        if value in inside:
            there = plan.state[value] + problem.latency(value)
            assert there < plan.states, f"{place}: {value} is not there at the end"


def _verify_resources(problem: Problem, plan: Plan) -> None:
    """Check that no state has more of anything than there is."""
    place = plan.block.name
    for resource in resources.of_states(problem):
        for state, ops in resource.exceeded(plan.state):
            what = f"{len(ops)} operations {resource.name} in state {state}"
            if isinstance(resource.owner, Memory):
                what = f"ports of {resource.name}"
            elif isinstance(resource.owner, Stream):
                what = f"{resource.name} twice in a state"
            raise AssertionError(f"{place}: {what}")
    waiting: dict[int, list[Op]] = {}
    for op in problem.order:
        if op.kind in WAITING:
            others = waiting.setdefault(plan.state[op], [])
            assert all(problem.may_wait_beside(op, other) for other in others), (
                f"{place}: {op} cannot be waited for beside {others}"
            )
            others.append(op)
    for op in problem.order:
        for busy in waiting.get(plan.state[op], ()):
            assert op.kind not in STREAMING, f"{place}: a unit waits for a stream"
            used = op.kind in ("load", "store") and busy.kind == "call"
            assert not used or op.attr not in problem.footprint[busy.attr], (
                f"{place}: {op.attr.name} is used while a call uses it"
            )


def _verify_chains(problem: Problem, plan: Plan, inside: set[Op]) -> None:
    """Check that no limited operation hangs on another's result."""
    place = plan.block.name
    behind: set[Op] = set()
    for op in problem.order if problem.limits else ():
        state = plan.state[op]
        kind = problem.limited_kind(op)
        chained = any(a in behind and plan.state[a] == state for a in op.args if a in inside)
        assert not (chained and problem.stands_alone(op)), f"{place}: {op} hangs on a unit"
        if kind or (chained and op.kind not in WAITING and not problem.latency(op)):
            behind.add(op)
