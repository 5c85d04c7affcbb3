# SPDX-License-Identifier: Apache-2.0
"""Modules that several calls of a pipeline share: the interval that they allow, and who must wait.

A module takes a call every `interval` cycles. Calls of an RTL macro may come later than that by any
number of cycles; those of a pipelined function (`passes.pipelined_functions`) by whole intervals.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from lydite.hls.contract.diagnostics import place
from lydite.hls.ir.graph import Function, Op

# Lines, or operations, that a warning names.
MAX_NAMED = 10


def bounds(order: Sequence[Op], a_round: str) -> Iterator[tuple[int, str]]:
    """Give, for each function that a pipeline calls, the least interval for that, and why.

    `a_round` is what begins every interval: an iteration or a call.
    """
    calls: dict[Function, list[Op]] = {}
    for op in order:
        if op.kind == "call":
            calls.setdefault(op.attr.replica_of or op.attr, []).append(op)
    for callee, ops in calls.items():
        # One without state has as many modules as calls, or as may be.
        modules = (callee.limit or 1) if callee.shared else len(ops)
        times = f"{len(ops)} call{'s' * (len(ops) > 1)} of {callee.name} {a_round}"
        every = f"one every {callee.interval} cycles" if callee.interval > 1 else "one every cycle"
        if not callee.is_pipelined:
            what = f"({place(ops[0].where)}), a macro that takes {every}"
        elif modules == 1:
            what = f"({places(ops)}), a module that takes {every}"
        else:
            what = f"({places(ops)}), {modules} modules each of which takes {every}"
        yield callee.interval * -(-len(ops) // modules), f"{times} {what}"


def places(ops: Sequence[Op]) -> str:
    """Give the C lines of some operations, as far as a warning names them."""
    where = list(dict.fromkeys(place(op.where) for op in ops if op.where))
    more = [f"{len(where) - MAX_NAMED} more"] * (len(where) > MAX_NAMED)
    return ", ".join([*where[:MAX_NAMED], *more])


def crowds(
    callee: Function, nodes: Sequence[int], times: Sequence[int], ii: int
) -> list[list[int]]:
    """Give groups of calls of one pipelined function, of each of which one must start later."""
    turn = times[nodes[0]] % callee.interval
    late = [[node] for node in nodes if times[node] % callee.interval != turn]
    if late:
        return late
    slots: dict[int, list[int]] = {}
    for node in nodes:
        slots.setdefault(times[node] % ii, []).append(node)
    return [slot for slot in slots.values() if len(slot) > 1]


def stride(op: Op, time: int, first: int) -> int:
    """Give by how much a crowded operation starts later; `first` is the time of the first call."""
    if op.kind != "call" or not op.attr.takes_turns:
        return 1
    interval: int = op.attr.interval
    return (first - time) % interval or interval
