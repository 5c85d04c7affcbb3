# SPDX-License-Identifier: Apache-2.0
"""Least times for the problem of `modulo_problem`: longest paths over differences of times.

Chains that would pass the clock are differences, too: what lies at the end of one is a cycle later.
A circle whose differences no times obey is a recurrence that the interval is too short for.
"""

from __future__ import annotations

import heapq
from collections.abc import Sequence

from lydite.hls.ir.graph import Function, Op
from lydite.hls.schedule import modulo_units, resources
from lydite.hls.schedule.modulo_problem import LoopProblem
from lydite.hls.schedule.problem import EPSILON

# Steps after which a circle that has no end is looked for.
_LOOK_EVERY = 500


class Solver:
    """Least times for a problem: longest paths over its differences."""

    def __init__(self, loop: LoopProblem) -> None:
        self.loop = loop
        self.steps = 0
        self.number = {op: index for index, op in enumerate(loop.nodes)}
        count = len(loop.nodes)
        self.before: list[list[tuple[int, int]]] = [[] for _ in range(count)]
        self.around: list[tuple[int, int, int, int]] = []
        for edge in loop.edges:
            first, second = self.number[edge.before], self.number[edge.after]
            if edge.distance:
                self.around.append((first, second, edge.states, edge.distance))
            else:
                self.before[second].append((first, edge.states))
        self.after: list[list[tuple[int, int, int]]] = [[] for _ in range(count)]
        # What belongs to one memory or stream, the last with all of its operations.
        self.ports = [*resources.ports(loop.base), *((r,) for r in resources.streams(loop.base))]
        self.calls: dict[Function, list[int]] = {}
        for op in loop.base.order:
            if op.kind == "call" and op.attr.shared:
                self.calls.setdefault(op.attr, []).append(self.number[op])
        self.units = resources.units(loop.base)
        scarce = [*(group[-1] for group in self.ports), *self.units]
        self.users = {op: self.number[op] for resource in scarce for op in resource.ops}
        for one, two, states in (*_too_long(loop), *modulo_units.hanging(loop)):
            first, second = self.number[one], self.number[two]
            if one.kind == "move":
                self.around.append((first, second, states, 1))
            else:
                self.before[second].append((first, states))
        for node, before in enumerate(self.before):
            for other, states in before:
                self.after[other].append((node, states, 0))
        for first, second, states, distance in self.around:
            self.after[first].append((second, states, distance))

    def settle(self, times: list[int], ii: int) -> bool:
        """Raise times until all differences hold; False if they never can."""
        parent = [-1] * len(times)
        for _ in range(len(self.around) + 2):
            self.steps += len(times)
            for node, before in enumerate(self.before):
                at = times[node]
                for other, states in before:
                    if times[other] + states > at:
                        at = times[other] + states
                        parent[node] = other
                times[node] = at
            last = -1
            for first, second, states, distance in self.around:
                least = times[first] + states - ii * distance
                if least > times[second]:
                    times[second] = least
                    parent[second], last = first, second
            if last < 0:
                return True
            if self._walk(parent, last):
                return False
        return False

    def push(self, times: list[int], moved: Sequence[int], ii: int) -> bool:
        """Settle times in which only some have been raised; False if they never can be."""
        parent = [-1] * len(times)
        pending, waiting = sorted(moved), set(moved)
        steps = 0
        while pending:
            node = heapq.heappop(pending)
            waiting.discard(node)
            steps += 1
            if steps % _LOOK_EVERY == 0:
                self.steps += _LOOK_EVERY
                if self._walk(parent, node):
                    return False
            for other, states, distance in self.after[node]:
                least = times[node] + states - ii * distance
                if least > times[other]:
                    times[other], parent[other] = least, node
                    if other not in waiting:
                        waiting.add(other)
                        heapq.heappush(pending, other)
        self.steps += steps % _LOOK_EVERY
        return True

    def circle(self, ii: int) -> list[Op]:
        """Give a circle of operations that an interval is too short for; empty if there is none."""
        count = len(self.loop.nodes)
        times, parent = [0] * count, [-1] * count
        last = -1
        for _ in range(count + 1):
            last = -1
            for node, before in enumerate(self.before):
                for other, states in before:
                    if times[other] + states > times[node]:
                        times[node], parent[node], last = times[other] + states, other, node
            for first, second, states, distance in self.around:
                least = times[first] + states - ii * distance
                if least > times[second]:
                    times[second], parent[second], last = least, first, second
            if last < 0:
                return []
            found = self._walk(parent, last)
            if found:
                return [self.loop.nodes[node] for node in found]
        return []

    def _walk(self, parent: Sequence[int], start: int) -> list[int]:
        """Follow parents back; give the circle that this ends in, in order, if it does."""
        seen: dict[int, int] = {}
        path: list[int] = []
        node = start
        while node >= 0 and node not in seen:
            seen[node] = len(path)
            path.append(node)
            node = parent[node]
        return path[seen[node] :][::-1] if node >= 0 else []

    def latest(self, times: Sequence[int], ii: int) -> list[int]:
        """Give the latest times at which nothing ends later than it does now."""
        end = max(times)
        result = [end] * len(times)
        for _ in range(len(self.around) + 2):
            for node in range(len(times) - 1, -1, -1):
                for other, states in self.before[node]:
                    result[other] = min(result[other], result[node] - states)
            changed = False
            for first, second, states, distance in self.around:
                most = result[second] - states + ii * distance
                if most < result[first]:
                    result[first] = most
                    changed = True
            if not changed:
                break
        return result


def _too_long(loop: LoopProblem) -> list[tuple[Op, Op, int]]:
    """Give the pairs of operations that no cycle holds with what lies between them.

    Behind a move lies what the next iteration reads from its bypass.
    """
    budget = loop.base.budget_ns + EPSILON
    register = loop.base.model.register_ns
    users: dict[Op, list[Op]] = {op: [] for op in loop.nodes}
    for node in loop.nodes:
        for arg in dict.fromkeys(node.args):
            if arg in users:
                users[arg].append(node)
            elif arg in loop.bypassed:
                users[loop.moves[arg]].append(node)
    delay = {op: loop.delay_ns(op) for op in loop.nodes}
    position = {op: index for index, op in enumerate(loop.nodes)}
    result: list[tuple[Op, Op, int]] = []
    for source in loop.nodes:
        late = loop.latency(source)
        start = loop.start_ns(source) if late else register + delay[source]
        if source.kind == "move" and users[source]:
            start = loop.bypass_ns[source.attr]
        arrival = {source: start}
        pending = [position[source]]
        while pending:
            op = loop.nodes[heapq.heappop(pending)]
            at = arrival[op]
            if op is not source and (loop.latency(op) or op.kind == "move"):
                continue  # its data come in the next cycle, from a register
            for user in users[op]:
                there = at + delay[user]
                if there > budget and delay[user] > 0 and at > register + EPSILON:
                    result.append((source, user, late + 1))
                elif user not in arrival:
                    arrival[user] = there
                    heapq.heappush(pending, position[user])
                else:
                    arrival[user] = max(arrival[user], there)
    return result
