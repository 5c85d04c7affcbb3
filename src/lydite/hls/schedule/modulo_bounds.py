# SPDX-License-Identifier: Apache-2.0
"""Least intervals of a loop: what its recurrences and its ports allow, and why, with C lines."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from lydite.hls.contract.diagnostics import place
from lydite.hls.ir.delay_model import WIRING
from lydite.hls.ir.graph import Memory, Op
from lydite.hls.schedule import resources, shared_modules
from lydite.hls.schedule.modulo_problem import LoopProblem
from lydite.hls.schedule.modulo_solver import Solver
from lydite.hls.schedule.shared_modules import MAX_NAMED


@dataclass(frozen=True, slots=True)
class Bound:
    """A least interval and why."""

    ii: int
    why: str = ""


def resource_bound(loop: LoopProblem) -> Bound:
    """Give the least interval that the ports of memories allow."""
    best = Bound(1)
    a_round = "an iteration" if loop.round == "iteration" else "a call"
    for group in resources.ports(loop.base):
        ii = max(resource.least_interval for resource in group)
        if ii > best.ii:
            ops, memory = group[-1].ops, group[-1].owner
            assert isinstance(memory, Memory), f"{memory} is no memory"
            limit = loop.base.ports[memory]
            loads = sum(op.kind == "load" for op in ops)
            stores = len(ops) - loads
            what = ", ".join(label for label, _ in memory.objects) or memory.name
            ports = f"{limit.total} port{'s' * (limit.total > 1)}"
            if limit.reads < limit.total:
                ports = f"{limit.reads} read and {limit.writes} write port"
            accessed = f"{loads} reads and {stores} writes of {what} {a_round}"
            why = f"{accessed} ({shared_modules.places(ops)}), a {memory.kind} with {ports}"
            best = Bound(ii, why)
    for ii, why in shared_modules.bounds(loop.base.order, a_round):
        best = Bound(ii, why) if ii > best.ii else best
    for stream in resources.streams(loop.base):
        count = stream.least_interval
        if count > best.ii:
            best = Bound(count, f"{count} accesses of stream {stream.name} {a_round}")
    return best


def recurrence_bound(loop: LoopProblem, solver: Solver) -> Bound:
    """Give the least interval that values carried around the loop allow."""
    count = len(loop.nodes)
    if solver.settle([0] * count, 1):
        return Bound(1)
    low, high = 1, 2
    while not solver.settle([0] * count, high):
        low, high = high, high * 2
    while high - low > 1:
        middle = (low + high) // 2
        if solver.settle([0] * count, middle):
            high = middle
        else:
            low = middle
    return Bound(high, describe(solver.circle(high - 1)))


def describe(circle: Sequence[Op]) -> str:
    """Name the operations of a recurrence, with their lines."""
    words: list[str] = []
    for op in circle:
        if op.kind in WIRING:
            continue
        what: str = op.kind
        if op.kind in ("load", "store"):
            what = f"{op.kind} {next((label for label, _ in op.attr.objects), op.attr.name)}"
        elif op.kind == "decide":
            what = "the loop's test"
        elif op.kind == "move":
            what = "next iteration"
        elif op.kind == "start":
            what = "whether a call begins"
        name = f" {op.name}" if op.name and op.kind != "decide" else ""
        at = f" ({place(op.where)})" if op.where and op.kind != "move" else ""
        words.append(f"{what}{name}{at}")
    words = list(dict.fromkeys(words))
    if len(words) > MAX_NAMED:
        left_out = len(words) - MAX_NAMED
        words[MAX_NAMED - 2 : -2] = [f"({left_out} more)"]
    return "recurrence " + " -> ".join(words) if words else "a recurrence"
