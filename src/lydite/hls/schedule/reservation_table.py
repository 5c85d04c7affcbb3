# SPDX-License-Identifier: Apache-2.0
"""What is taken in each state of a schedule that is being made."""

from __future__ import annotations

from lydite.hls.ir.graph import STREAMING, Memory, Op, Stream
from lydite.hls.schedule.problem import WAITING, Problem


class Table:
    """What is taken in each state."""

    def __init__(self, problem: Problem) -> None:
        self.problem = problem
        self.reads: dict[tuple[Memory, int], int] = {}
        self.writes: dict[tuple[Memory, int], int] = {}
        self.waiting: dict[int, Op] = {}
        self.limited: dict[tuple[str, int], int] = {}
        self.tainted: dict[Op, int] = {}
        self.blocked: set[tuple[Memory, int]] = set()
        self.streams: dict[int, set[Stream]] = {}

    def fits(self, op: Op, state: int) -> bool:
        """Whether a state has room for an operation."""
        if op.kind in STREAMING:
            return state not in self.waiting and op.attr not in self.streams.get(state, ())
        if op.kind in WAITING:
            if state in self.waiting or state in self.streams:
                return False
            touched = self.problem.footprint[op.attr] if op.kind == "call" else ()
            return not any(
                self.reads.get((m, state)) or self.writes.get((m, state)) for m in touched
            )
        kind = self.problem.limited_kind(op)
        if kind and self.limited.get((kind, state), 0) >= self.problem.limits[kind]:
            return False
        if self.problem.stands_alone(op) and any(self.tainted.get(a) == state for a in op.args):
            return False
        if op.kind not in ("load", "store"):
            return True
        key = (op.attr, state)
        if key in self.blocked:
            return False
        limit = self.problem.ports[op.attr]
        reads, writes = self.reads.get(key, 0), self.writes.get(key, 0)
        if reads + writes >= limit.total:
            return False
        return reads < limit.reads if op.kind == "load" else writes < limit.writes

    def take(self, op: Op, state: int) -> None:
        """Enter an operation."""
        kind = self.problem.limited_kind(op)
        if kind:
            self.limited[kind, state] = self.limited.get((kind, state), 0) + 1
        if self.problem.limits and op.kind not in WAITING and not self.problem.latency(op):
            chained = any(self.tainted.get(arg) == state for arg in op.args)
            if kind or (chained and not self.problem.stands_alone(op)):
                self.tainted[op] = state
        if op.kind in STREAMING:
            self.streams.setdefault(state, set()).add(op.attr)
        elif op.kind in WAITING:
            self.waiting[state] = op
            if op.kind == "call":
                self.blocked |= {(m, state) for m in self.problem.footprint[op.attr]}
        elif op.kind in ("load", "store"):
            table = self.reads if op.kind == "load" else self.writes
            key = (op.attr, state)
            table[key] = table.get(key, 0) + 1
