# SPDX-License-Identifier: Apache-2.0
"""Bursts: calls of one module that a state gives it one after the other, without waiting between.

A module that says how often it takes a call, a pipelined function or an RTL macro, works on several
at once. A state that waits for several calls of it gives it one every interval, in the order of the
program, and the results come out in that order. What none of them may need is the result of
another.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Sequence

from lydite.hls.ir.graph import Function, Op
from lydite.hls.schedule.problem import Plan, Precedence


def turns(waited: Iterable[Op]) -> dict[Op, int]:
    """Give the cycle of a state in which each of its calls begins, where a module has several.

    Calls that are alone in their module are not in it: these are held until they are done. Nor is
    what a state waits for beside calls.
    """
    calls = [op for op in waited if op.kind == "call"]
    counts = Counter(op.attr for op in calls)
    given: Counter[Function] = Counter()
    result: dict[Op, int] = {}
    for op in calls:
        if counts[op.attr] > 1:
            result[op] = given[op.attr] * op.attr.interval
            given[op.attr] += 1
    return result


def rows(order: Sequence[Op], edges: Sequence[Precedence]) -> list[list[Op]]:
    """Give the calls of a block, in program order, that may be one burst as far as results go.

    Calls of a module are in one row if as many of its calls, one after the other, come before.
    """
    before: dict[Op, list[Precedence]] = {}
    for edge in edges:
        before.setdefault(edge.after, []).append(edge)
    counts = Counter(op.attr for op in order if op.kind == "call" and op.attr.interval)
    result: list[list[Op]] = []
    for callee in (callee for callee, count in counts.items() if count > 1):
        found: dict[int, list[Op]] = {}
        own: dict[Op, int] = {}  # how many calls come before one
        past: dict[Op, int] = {}  # and before what needs an operation
        for op in order:
            deep = max((past[arg] for arg in op.args if arg in past), default=0)
            for edge in before.get(op, ()):
                # Calls that only keep their order may be in one burst.
                count = past if edge.states or edge.before not in own else own
                deep = max(deep, count[edge.before])
            past[op] = deep
            if op.kind == "call" and op.attr is callee:
                found.setdefault(deep, []).append(op)
                own[op], past[op] = deep, deep + 1
        result += [row for row in found.values() if len(row) > 1]
    return result


def cycles(plan: Plan) -> int:
    """Give the cycles of a block's plan, without what calls of unknown length take."""
    calls: dict[int, list[Op]] = {}
    for op, state in plan.state.items():
        if op.kind == "call" and op.attr.interval:
            calls.setdefault(state, []).append(op)
    return plan.states + sum(map(_wait, calls.values()))


def _wait(calls: Sequence[Op]) -> int:
    """Give the cycles more than one that a state waits for calls."""
    begins = turns(calls)
    return max(begins.get(op, 0) + int(op.attr.latency) for op in calls)
