# SPDX-License-Identifier: Apache-2.0
"""What is taken in each state of a schedule that is being made."""

from __future__ import annotations

from lydite.hls.ir.graph import STREAMING, Memory, Op
from lydite.hls.schedule import resources
from lydite.hls.schedule.problem import WAITING, Problem
from lydite.hls.schedule.resources import Resource


class Table:
    """What is taken in each state."""

    def __init__(self, problem: Problem) -> None:
        self.problem = problem
        self.needs = resources.by_op(resources.of_states(problem))
        self.taken: dict[tuple[Resource, int], int] = {}
        self.waiting: dict[int, list[Op]] = {}
        self.streaming: set[int] = set()
        self.accessed: set[tuple[Memory, int]] = set()
        self.called: set[tuple[Memory, int]] = set()
        self.tainted: dict[Op, int] = {}

    def fits(self, op: Op, state: int) -> bool:
        """Whether a state has room for an operation."""
        if any(self.taken.get((r, state), 0) >= r.limit for r in self.needs.get(op, ())):
            return False
        if op.kind in STREAMING:
            return state not in self.waiting
        if op.kind in WAITING:
            touched = self.problem.footprint[op.attr] if op.kind == "call" else ()
            # A unit must not wait for a stream; a call has its memories to itself.
            return (
                state not in self.streaming
                and all(self.problem.may_wait_beside(op, o) for o in self.waiting.get(state, ()))
                and not any((memory, state) in self.accessed for memory in touched)
            )
        if self.problem.stands_alone(op) and any(self.tainted.get(a) == state for a in op.args):
            return False
        return op.kind not in ("load", "store") or (op.attr, state) not in self.called

    def take(self, op: Op, state: int) -> None:
        """Enter an operation."""
        for resource in self.needs.get(op, ()):
            self.taken[resource, state] = self.taken.get((resource, state), 0) + 1
        if self.problem.limits and op.kind not in WAITING and not self.problem.latency(op):
            chained = any(self.tainted.get(arg) == state for arg in op.args)
            if self.problem.limited_kind(op) or (chained and not self.problem.stands_alone(op)):
                self.tainted[op] = state
        if op.kind in STREAMING:
            self.streaming.add(state)
        elif op.kind in WAITING:
            self.waiting.setdefault(state, []).append(op)
            if op.kind == "call":
                self.called |= {(m, state) for m in self.problem.footprint[op.attr]}
        elif op.kind in ("load", "store"):
            self.accessed.add((op.attr, state))
