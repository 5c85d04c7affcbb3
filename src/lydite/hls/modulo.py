# SPDX-License-Identifier: Apache-2.0
"""Modulo scheduling: a new iteration of a loop of one block starts every `ii` cycles.

A pipelined function is scheduled in the same way, as a loop of its calls.

The problem is stated in `modulo_problem`: differences of times (as Cong and Zhang 2006, Zhang and
Liu 2013 do), to which come the chains that would pass the clock. The least times are longest paths,
and a circle that cannot be met is the recurrence that decides. What takes a port, or a unit of
which there are few (`modulo_units`), is pushed later until no cycle modulo `ii` has too many.
"""

from __future__ import annotations

import heapq
import math
import random
from collections import Counter
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace

from lydite.hls import directives, memories, module_calls, modulo_units, schedule, share
from lydite.hls.delay_model import WIRING
from lydite.hls.interface import Warn
from lydite.hls.ir import STREAMING, Function, Memory, Op, Stream
from lydite.hls.modulo_problem import PSEUDO, LoopProblem, formulate, verify
from lydite.hls.pipeline import Pipeline
from lydite.hls.schedule import EPSILON, Plan, Problem
from lydite.hls.verilog import place

_MAX_II = 1 << 12
# Moves of accesses after which slack is computed anew.
_REFRESH = 16
# Steps after which a circle that has no end is looked for.
_LOOK_EVERY = 500
# Steps of the search after which no pipeline is looked for any more, and states do.
_MAX_STEPS = 2_000_000
# Searches for an interval where calls share modules, whose long latencies make that hard.
_ATTEMPTS = 10
# Operations of a recurrence, or lines with accesses, that a warning names.
_MAX_NAMED = 10


class _Solver:
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
        self.accesses = _accesses(loop)
        self.beats = [op for op in loop.base.order if op.kind in STREAMING]
        self.calls: dict[Function, list[int]] = {}
        for op in loop.base.order:
            if op.kind == "call" and op.attr.shared:
                self.calls.setdefault(op.attr, []).append(self.number[op])
        self.units = [
            ([self.number[op] for op in group.ops], group.limit)
            for group in modulo_units.groups(loop)
        ]
        for one, two, states in (*_too_long(loop), *modulo_units.hanging(loop)):
            self.before[self.number[two]].append((self.number[one], states))
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
    """Give the pairs of operations that no cycle holds with what lies between them."""
    budget = loop.base.budget_ns + EPSILON
    register = loop.base.model.register_ns
    users: dict[Op, list[Op]] = {op: [] for op in loop.nodes}
    for node in loop.nodes:
        for arg in dict.fromkeys(node.args):
            if arg in users:
                users[arg].append(node)
    delay = {op: loop.delay_ns(op) for op in loop.nodes}
    position = {op: index for index, op in enumerate(loop.nodes)}
    result: list[tuple[Op, Op, int]] = []
    for source in loop.nodes:
        late = loop.latency(source)
        start = loop.start_ns(source) if late else register + delay[source]
        arrival = {source: start}
        pending = [position[source]]
        while pending:
            op = loop.nodes[heapq.heappop(pending)]
            at = arrival[op]
            if op is not source and loop.latency(op):
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


@dataclass(frozen=True, slots=True)
class Bound:
    """A least interval and why."""

    ii: int
    why: str = ""


def resource_bound(loop: LoopProblem) -> Bound:
    """Give the least interval that the ports of memories allow."""
    best = Bound(1)
    a_round = "an iteration" if loop.round == "iteration" else "a call"
    for memory, ops in _accesses(loop).items():
        limit = loop.base.ports[memory]
        loads = sum(op.kind == "load" for op in ops)
        stores = len(ops) - loads
        ii = max(-(-len(ops) // limit.total), -(-loads // limit.reads), -(-stores // limit.writes))
        if ii > best.ii:
            where = list(dict.fromkeys(place(op.where) for op in ops if op.where))
            more = [f"{len(where) - _MAX_NAMED} more"] * (len(where) > _MAX_NAMED)
            lines = ", ".join([*where[:_MAX_NAMED], *more])
            what = ", ".join(label for label, _ in memory.objects) or memory.name
            ports = f"{limit.total} port{'s' * (limit.total > 1)}"
            if limit.reads < limit.total:
                ports = f"{limit.reads} read and {limit.writes} write port"
            why = (
                f"{loads} reads and {stores} writes of {what} {a_round} ({lines}), "
                f"a {memory.kind} with {ports}"
            )
            best = Bound(ii, why)
    for ii, why in module_calls.bounds(loop.base.order, a_round):
        best = Bound(ii, why) if ii > best.ii else best
    counts = Counter(op.attr for op in loop.base.order if op.kind in STREAMING)
    for stream, count in counts.items():
        if count > best.ii:
            best = Bound(count, f"{count} accesses of stream {stream.name} {a_round}")
    return best


def _accesses(loop: LoopProblem) -> dict[Memory, list[Op]]:
    result: dict[Memory, list[Op]] = {}
    for op in loop.base.order:
        if op.kind in ("load", "store"):
            result.setdefault(op.attr, []).append(op)
    return result


def recurrence_bound(loop: LoopProblem, solver: _Solver) -> Bound:
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
        what = op.kind
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
    if len(words) > _MAX_NAMED:
        left_out = len(words) - _MAX_NAMED
        words[_MAX_NAMED - 2 : -2] = [f"({left_out} more)"]
    return "recurrence " + " -> ".join(words) if words else "a recurrence"


def solve(
    loop: LoopProblem, ii: int, solver: _Solver, rng: random.Random | None = None
) -> dict[Op, int] | None:
    """Give times for an interval, or None if none are found.

    What has most slack makes way. Where units are shared, that may go round for ever: then what is
    needed latest does, by an order that stays.

    Parameters
    ----------
    rng : random.Random, optional
        Choose any legal times instead of early ones.
    """
    found = _solve(loop, ii, solver, rng)
    if found is None and solver.units and rng is None:
        found = _solve(loop, ii, solver, rng, by_order=True)
    in_turn = any(callee.piped or callee.serves for callee in solver.calls)
    for number in range(_ATTEMPTS if found is None and in_turn and rng is None else 0):
        # What comes last makes way, then any.
        dice = random.Random(number) if number else None
        found = _solve(loop, ii, solver, rng, dice=dice, last=not number)
        if found is not None:
            break
    return found


def _solve(
    loop: LoopProblem,
    ii: int,
    solver: _Solver,
    rng: random.Random | None,
    *,
    by_order: bool = False,
    dice: random.Random | None = None,
    last: bool = False,
) -> dict[Op, int] | None:
    times = [int(op in loop.late) for op in loop.nodes]
    first = {solver.number[op] for op in loop.at_start()}
    if rng is not None:
        for node in range(len(times)):
            if rng.random() < 0.3 and node not in first:
                times[node] = rng.randrange(1, 2 * ii + 3)
    if not solver.settle(times, ii):
        return None
    accesses = sum(map(len, solver.accesses.values())) + len(solver.beats)
    accesses += sum(len(nodes) for nodes, _ in solver.units)
    accesses += sum(len(nodes) * m.interval for m, nodes in solver.calls.items() if m.stands)
    dice = rng if dice is None else dice
    order = solver.latest(times, ii) if by_order else []
    latest: list[int] = []

    def slack(node: int) -> int:
        if last:
            return times[node]
        return order[node] if order else latest[node] - times[node]

    for number in range(64 + 4 * ii + 2 * accesses):
        if solver.steps > _MAX_STEPS and rng is None:
            return None
        if loop.decide is not None:
            at = solver.number[loop.decide]
            if times[at] % ii != ii - 1:
                times[at] += (ii - 1 - times[at]) % ii
                if not solver.push(times, [at], ii):
                    return None
                continue
        crowds = _crowded(loop, solver, times, ii)
        if not crowds:
            _delay_wide(loop, solver, times, ii)
            begin = 0 if loop.start is None else times[solver.number[loop.start]]
            return {op: times[index] - begin for index, op in enumerate(loop.nodes)}
        # What is known of slack is from some moves ago: it guides, and proves nothing.
        if number % _REFRESH == 0 or not latest:
            latest = solver.latest(times, ii)
        moved: list[int] = []
        for crowd, count in crowds:
            if dice is not None:
                chosen = dice.sample(crowd, count)
            else:
                chosen = sorted(crowd, key=lambda n: (slack(n), n))[-count:]
            for node in chosen:
                leader = solver.calls.get(loop.nodes[node].attr, [node])[0]
                times[node] += module_calls.stride(loop.nodes[node], times[node], times[leader])
            moved += chosen
        if not solver.push(times, moved, ii):
            return None
    return None


def _delay_wide(loop: LoopProblem, solver: _Solver, times: list[int], ii: int) -> None:
    """Move what has more bits than it is made of to where it is read: fewer bits wait till then."""
    in_turn = {node for nodes, _ in solver.units for node in nodes}
    for node in range(len(times) - 1, -1, -1):
        op = loop.nodes[node]
        if node in in_turn:
            continue
        plain = op.width and op.kind not in WIRING | PSEUDO | STREAMING | {"load", "call"}
        if plain and op.width > sum(_own_bits(arg) for arg in dict.fromkeys(op.args)):
            after = solver.after[node]
            latest = [times[o] - states + ii * distance for o, states, distance in after]
            times[node] = max(times[node], min(latest, default=times[node]))


def _own_bits(op: Op) -> int:
    """Count the bits of a value that are not constant, nor copies of others."""
    if op.kind == "const":
        return 0
    if op.kind in ("zext", "sext"):
        return _own_bits(op.args[0])
    if op.kind == "concat":
        return sum(_own_bits(arg) for arg in op.args)
    return op.width


def _crowded(
    loop: LoopProblem, solver: _Solver, times: Sequence[int], ii: int
) -> list[tuple[list[int], int]]:
    """Give groups of operations of each of which some must move, and how many.

    Their cycle has too few ports or units.
    """
    result: list[list[int]] = []
    for memory, ops in solver.accesses.items():
        limit = loop.base.ports[memory]
        for nodes in _slots([solver.number[op] for op in ops], times, ii):
            loads = [node for node in nodes if loop.nodes[node].kind == "load"]
            stores = [node for node in nodes if loop.nodes[node].kind == "store"]
            if len(loads) > limit.reads:
                result.append(loads)
            elif len(stores) > limit.writes:
                result.append(stores)
            elif len(nodes) > limit.total:
                result.append(nodes)
    streams: dict[Stream, list[int]] = {}
    for op in solver.beats:
        streams.setdefault(op.attr, []).append(solver.number[op])
    for nodes in streams.values():
        result += [slot for slot in _slots(nodes, times, ii) if len(slot) > 1]
    for macro, nodes in solver.calls.items():
        if macro.piped or macro.serves is not None:
            result += module_calls.crowds(macro, nodes, times, ii)
            continue
        for index, one in enumerate(nodes):
            for two in nodes[:index]:
                apart = (times[one] - times[two]) % ii
                if min(apart, ii - apart) < macro.interval:
                    result.append([one, two])
    return [
        *((crowd, 1) for crowd in result),
        *(
            (slot, len(slot) - limit)
            for nodes, limit in solver.units
            for slot in _slots(nodes, times, ii)
            if len(slot) > limit
        ),
    ]


def _slots(nodes: Sequence[int], times: Sequence[int], ii: int) -> list[list[int]]:
    """Give the nodes of each cycle modulo the interval."""
    slots: dict[int, list[int]] = {}
    for node in nodes:
        slots.setdefault(times[node] % ii, []).append(node)
    return list(slots.values())


def _overlapped(base: Problem, ii: int = 1) -> Problem:
    """Give the problem of a block whose stages are all at work at once.

    Every product has a unit of its own unless it is one that shares, and every read of a copied
    ROM a port.
    """
    units = modulo_units.inputs(base, ii)
    return replace(base, memory_order=[], apart=True, units=units, crowd=_crowd(base))


def check(base: Problem, function: Function, plan: Plan) -> None:
    """Check the schedule of a pipelined block anew."""
    assert plan.ii is not None, f"{base.block.name}: has no interval"
    verify(formulate(_overlapped(base, plan.ii), function), plan)


class _Search:
    """The search for an interval: the problem, what bounds it, and what ordinary states take."""

    def __init__(
        self,
        base: Problem,
        function: Function,
        wanted: directives.Pipeline,
        rng: random.Random | None,
    ) -> None:
        self.base, self.function, self.wanted, self.rng = base, function, wanted, rng
        self.sequential = schedule.list_schedule(replace(base, apart=False))
        self.loop = formulate(_overlapped(base), function)
        self.solver = _Solver(self.loop)
        bounds = [
            resource_bound(self.loop),
            recurrence_bound(self.loop, self.solver),
            Bound(*modulo_units.bound(self.loop)),
        ]
        self.bound = max(bounds, key=lambda item: item.ii)
        # Between two calls of a function, the controller is idle for a cycle.
        self.alone = self.sequential.states + (self.loop.result is not None)
        calls = [op.attr for op in base.order if op.kind == "call"]
        self.step = math.lcm(*(callee.interval for callee in calls if callee.takes_turns))
        if calls or function.piped or self.loop.start is not None:
            # Calls of macros, or of a function, have conditions that states do not know.
            self.alone = _MAX_II

    def ends(self, ii: int) -> bool:
        """Whether rounds need not overlap: then the controller's states will do."""
        return self.rng is None and self.wanted.ii <= self.alone <= ii

    def least(self, ii: int, stop: int = _MAX_II) -> tuple[int, dict[Op, int] | None]:
        """Give the least interval, and times for it unless states will do, or it is `stop`."""
        ii = -(-ii // self.step) * self.step
        while ii < stop and not self.ends(ii):
            times = solve(self.loop, ii, self.solver, self.rng)
            if times is not None:
                return ii, times
            ii += self.step
            if self.solver.steps > _MAX_STEPS and self.alone == _MAX_II and not self.rng:
                # States will not do: look for what is easier to find.
                ii, self.solver.steps = ii + ii // self.step * self.step, 0
            elif self.solver.steps > _MAX_STEPS and self.wanted.ii <= self.alone and not self.rng:
                ii = max(ii, self.alone)
        assert ii < _MAX_II, f"{self.base.block.name}: no interval is long enough"
        return ii, None

    def attempt(
        self, multipliers: Mapping[share.Shape, int], ii: int
    ) -> tuple[LoopProblem, dict[Op, int]] | None:
        """Schedule for an interval with so many multipliers for products of each shape."""
        if self.solver.steps > _MAX_STEPS:
            return None
        base = replace(self.base, multipliers=multipliers)
        loop = formulate(_overlapped(base, ii), self.function)
        solver = _Solver(loop)
        times = solve(loop, ii, solver, self.rng)
        self.solver.steps += solver.steps
        return None if times is None else (loop, times)

    def plan(self, ii: int, times: dict[Op, int] | None) -> Plan:
        """Give the plan, in which products share multipliers; without times, one of states.

        Rounds that need not overlap do so all the same where fewer multipliers do then.
        """
        improve = modulo_units.Improve(self.base, ii, lambda few: self.attempt(few, ii))
        apart = times is None
        if times is None and self.alone == ii and improve.shapes():
            times = solve(self.loop, ii, self.solver, self.rng)
        if times is not None:
            loop, times = improve.run(self.loop, times, self.rng)
            if not apart or improve.beats(loop, times, self.sequential):
                plan = _plan(loop, ii, times)
                verify(loop, plan)
                return plan
        self.sequential.ii = self.alone
        return self.sequential


def schedule_loop(
    base: Problem, function: Function, wanted: directives.Pipeline, rng: random.Random | None = None
) -> tuple[Plan, list[Warn]]:
    """Schedule a loop of one block, with the least interval that is found.

    Limits of units hold in longer intervals than one cycle, in which nothing can be shared.
    """
    limited = any(base.limited_kind(op) for op in base.order)
    search = _Search(replace(base, limits={}), function, wanted, rng)
    ii = max(search.bound.ii, wanted.ii)
    if rng is not None:
        ii += rng.choice((0, 0, 1, 3))
    times: dict[Op, int] | None = None
    if not limited or ii == 1:
        ii, times = search.least(ii, 2 if limited else _MAX_II)
    free = search.bound.ii
    if limited and ii > 1:
        search = _Search(base, function, wanted, rng)
        ii, times = search.least(max(ii, search.bound.ii))
    plan = search.plan(ii, times)
    assert plan.ii is not None, f"{base.block.name}: has no interval"
    return plan, [] if rng is not None else _missed(search, plan.ii, free)


def _missed(search: _Search, ii: int, free: int) -> list[Warn]:
    """Say why an interval is longer than wanted, if it is.

    `free` is what bounds it without limits of units, which lengthen recurrences.
    """
    base, bound, target = search.base, search.bound, search.wanted.ii or 1
    if ii <= target:
        return []
    why = bound.why
    if bound.ii > free and modulo_units.bound(search.loop)[0] < bound.ii:
        why += f"; without the limits of allocation, II={free} at least"
    if search.step > 1 and ii - max(bound.ii, search.wanted.ii) < search.step:
        called = next(op.attr for op in base.order if op.kind == "call" and op.attr.takes_turns)
        least = f"II={bound.ii} at least: {why}; " if why else ""
        why = f"{least}{called.name} takes a call every {called.interval} cycles"
    elif ii > bound.ii:
        least = f"II={bound.ii} at least: {why}; " if why else ""
        units = " and units" if search.solver.units else ""
        why = f"{least}no order of accesses to ports{units} and of the test was found for less"
    where = base.block.where or next((op.where for op in base.order if op.where), "")
    what = f"II={target} wanted, II={ii} reached: {why}"
    if search.loop.round == "call":
        where, what = search.function.where, f"{search.function.name}: {what}"
    return [Warn(where, f"pipeline: {what}")]


def _crowd(base: Problem) -> dict[Memory, int]:
    """Give the accesses to each memory that share ports with those of the loop."""
    here = Counter(op.attr for op in base.order if op.kind == "load")
    return {
        memory: -(-2 * count // here[memory])
        if memories.is_copied(memory) and here[memory]
        else count
        for memory, count in base.crowd.items()
    }


def _plan(loop: LoopProblem, ii: int, times: Mapping[Op, int]) -> Plan:
    plan = Plan(loop.base.block)
    depth = 0
    for op in loop.nodes:
        depth = max(depth, times[op] + loop.latency(op) + 1)
    if loop.result is not None:
        # What starts a call is no path to what says that it is done.
        depth = max(depth, 2)
        times = {**times, **dict.fromkeys(loop.at_end(), depth - 1)}
    finish = _finish(loop, times)
    plan.states = depth
    plan.state = {op: times[op] for op in loop.base.order}
    plan.finish_ns = {op: finish[op] for op in loop.base.order}
    plan.ii = ii
    plan.pipeline = Pipeline(
        ii=ii,
        decide=None if loop.decide is None else times[loop.decide],
        moves={phi: times[move] for phi, move in loop.moves.items()},
        outs={value: times[out] for value, out in loop.outs.items()},
        claims=tuple(loop.claims),
        result=None if loop.result is None else times[loop.result],
        multipliers=loop.base.multipliers,
    )
    return plan


def _finish(loop: LoopProblem, times: Mapping[Op, int]) -> dict[Op, float]:
    """Give the time within its cycle at which each result is there."""
    result: dict[Op, float] = {}
    for op in loop.nodes:
        at = loop.base.model.register_ns
        for arg in op.args:
            if arg in result and times[arg] + loop.latency(arg) == times[op]:
                at = max(at, result[arg])
        result[op] = loop.start_ns(op) if loop.latency(op) else at + loop.delay_ns(op)
    return result
