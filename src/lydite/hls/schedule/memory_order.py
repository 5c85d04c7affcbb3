# SPDX-License-Identifier: Apache-2.0
"""The order of memory accesses within a block: what must hold so that memory behaves as in C."""

from __future__ import annotations

from collections.abc import Mapping

from lydite.hls.ir import memory_ports
from lydite.hls.ir.alias import differ
from lydite.hls.ir.graph import Function, Memory, Op, called
from lydite.hls.schedule.problem import Precedence


def memory_order(
    order: list[Op],
    ports: Mapping[Memory, memory_ports.Ports],
    footprint: Mapping[Function, frozenset[Memory]],
    partners: Mapping[Function, frozenset[Function]],
) -> list[Precedence]:
    """Give what must hold between the accesses of a block, so that memory behaves as in C.

    `partners` are the functions that may be at work beside each.
    """
    result: list[Precedence] = []
    earlier: dict[Memory, list[Op]] = {}
    calls: list[Op] = []
    for op in order:
        if op.kind in ("load", "store"):
            history = earlier.setdefault(op.attr, [])
            for other in history:
                states = _distance(other, op, ports[op.attr])
                if states is not None:
                    result.append(Precedence(other, op, states))
            result += [
                Precedence(call, op, 1)
                for call in calls
                if (callee := called(call)) and op.attr in footprint[callee]
            ]
            history.append(op)
        elif (callee := called(op)) is not None:
            touched = footprint[callee]
            for memory, history in earlier.items():
                if memory in touched:
                    # Data that come in the state after a load must be kept before the call loads.
                    late = 1 + ports[memory].latency
                    result += [
                        Precedence(other, op, late if other.kind == "load" else 1)
                        for other in history
                    ]
            for call in calls:
                apart = _calls_apart(call, op, footprint, partners)
                if apart is not None:
                    result.append(Precedence(call, op, apart))
            calls.append(op)
    return result


def _calls_apart(
    first: Op,
    second: Op,
    footprint: Mapping[Function, frozenset[Memory]],
    partners: Mapping[Function, frozenset[Function]],
) -> int | None:
    """Give the states between two calls; None if they keep no order.

    A module that takes calls while it works keeps theirs in a burst. Processes are started, and
    waited for, as streams.
    """
    kinds = {first.kind, second.kind}
    if kinds == {"call"}:
        if first.attr is second.attr and first.attr.interval:
            return 0 if first.attr.stateful else None
        return None if second.attr in partners[first.attr] else 1
    if "call" not in kinds:
        return None
    before, after = called(first), called(second)
    return 1 if before and after and footprint[before] & footprint[after] else None


def _distance(first: Op, second: Op, ports: memory_ports.Ports) -> int | None:
    """Give the states between two accesses of one memory; None if they are independent."""
    if first.kind == second.kind == "load" or differ(first.args[0], second.args[0]):
        return None
    if first.kind == "load":
        # A store beside a load of the same word: registers read the old value, RAM is not relied
        # on.
        return 0 if ports.latency == 0 else 1
    return 1
