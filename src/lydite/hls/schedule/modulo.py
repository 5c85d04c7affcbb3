# SPDX-License-Identifier: Apache-2.0
"""Modulo scheduling: a new iteration of a loop of one block starts every `ii` cycles.

A pipelined function is scheduled in the same way, as a loop of its calls.

The problem is stated in `modulo_problem`: differences of times (as Cong and Zhang 2006, Zhang and
Liu 2013 do), to which come the chains that would pass the clock. The least times are longest paths,
and a circle that cannot be met is the recurrence that decides. What takes a port, or a unit of
which there are few (`modulo_units`), is pushed later until no cycle modulo `ii` has too many.
"""

from __future__ import annotations

import math
import random
from collections import Counter
from collections.abc import Hashable, Mapping, Sequence
from dataclasses import replace

from lydite.hls.contract import directives
from lydite.hls.contract.diagnostics import Diagnostic
from lydite.hls.ir import memory_ports
from lydite.hls.ir.delay_model import WIRING
from lydite.hls.ir.graph import STREAMING, Function, Memory, Op
from lydite.hls.schedule import list_scheduler, modulo_units, shared_modules
from lydite.hls.schedule import multipliers as schedule_multipliers
from lydite.hls.schedule.modulo_bounds import Bound, recurrence_bound, resource_bound
from lydite.hls.schedule.modulo_problem import (
    PSEUDO,
    LoopProblem,
    answers,
    formulate,
    verify,
)
from lydite.hls.schedule.modulo_solver import Solver
from lydite.hls.schedule.problem import Pipeline, Plan, Problem

_MAX_II = 1 << 12
# Moves of accesses after which slack is computed anew.
_REFRESH = 16
# Steps of the search after which no pipeline is looked for any more, and states do.
_MAX_STEPS = 2_000_000
# Searches for an interval where calls share modules, whose long latencies make that hard.
_ATTEMPTS = 10


def solve(
    loop: LoopProblem, ii: int, solver: Solver, rng: random.Random | None = None
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
    in_turn = any(callee.is_pipelined or callee.replica_of for callee in solver.calls)
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
    solver: Solver,
    rng: random.Random | None,
    *,
    by_order: bool = False,
    dice: random.Random | None = None,
    last: bool = False,
) -> dict[Op, int] | None:
    times = _first_times(loop, ii, solver, rng)
    if not solver.settle(times, ii):
        return None
    dice = rng if dice is None else dice
    order = solver.latest(times, ii) if by_order else []
    latest: list[int] = []

    def slack(node: int) -> int:
        if last:
            return times[node]
        return order[node] if order else latest[node] - times[node]

    for number in range(64 + 4 * ii + 2 * _movable(solver)):
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
                times[node] += shared_modules.stride(loop.nodes[node], times[node], times[leader])
            moved += chosen
        if not solver.push(times, moved, ii):
            return None
    return None


def _first_times(
    loop: LoopProblem, ii: int, solver: Solver, rng: random.Random | None
) -> list[int]:
    """Give the times to begin with: the first ones, or with `rng` some that are later."""
    times = [int(op in loop.late) for op in loop.nodes]
    if rng is not None:
        first = {solver.number[op] for op in loop.at_start()}
        for node in range(len(times)):
            if rng.random() < 0.3 and node not in first:
                times[node] = rng.randrange(1, 2 * ii + 3)
    return times


def _movable(solver: Solver) -> int:
    """Count what may have to make way; a call that shares a module once for each cycle of it."""
    ported = sum(len(group[-1].ops) for group in solver.ports)
    in_turn = sum(len(unit.ops) for unit in solver.units)
    calls = sum(len(nodes) * m.interval for m, nodes in solver.calls.items() if m.stallable)
    return ported + in_turn + calls


def _delay_wide(loop: LoopProblem, solver: Solver, times: list[int], ii: int) -> None:
    """Move what has more bits than it is made of to where it is read: fewer bits wait till then."""
    in_turn = {solver.number[op] for unit in solver.units for op in unit.ops}
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
    loop: LoopProblem, solver: Solver, times: Sequence[int], ii: int
) -> list[tuple[list[int], int]]:
    """Give groups of operations of each of which some must move, and how many.

    Their cycle has too few ports or units.
    """
    result: list[list[int]] = []
    cycle = {op: times[node] % ii for op, node in solver.users.items()}
    for group in solver.ports:
        # One way in which a cycle has too many is enough to begin with.
        found: dict[Hashable, list[Op]] = {}
        for resource in group:
            found = dict(resource.exceeded(cycle)) | found
        slots = dict.fromkeys(cycle[op] for op in group[-1].ops)
        result += [[solver.number[op] for op in found[slot]] for slot in slots if slot in found]
    for macro, nodes in solver.calls.items():
        if macro.is_pipelined or macro.replica_of is not None:
            result += shared_modules.crowds(macro, nodes, times, ii)
            continue
        for index, one in enumerate(nodes):
            for two in nodes[:index]:
                apart = (times[one] - times[two]) % ii
                if min(apart, ii - apart) < macro.interval:
                    result.append([one, two])
    return [
        *((crowd, 1) for crowd in result),
        *(
            ([solver.number[op] for op in ops], len(ops) - unit.limit)
            for unit in solver.units
            for _, ops in unit.exceeded(cycle)
        ),
    ]


def _overlapped(base: Problem, ii: int = 1) -> Problem:
    """Give the problem of a block whose stages are all at work at once.

    Every product has a unit of its own unless it is one that shares, and every read of a copied
    ROM a port.
    """
    units = modulo_units.inputs(base, ii)
    return replace(
        base, memory_order=[], dedicated_units=True, units=units, contention=_crowd(base)
    )


def check(base: Problem, function: Function, plan: Plan) -> None:
    """Check the schedule of a pipelined block anew."""
    assert plan.ii is not None, f"{base.block.name}: has no interval"
    bypassed = frozenset[Op]() if plan.pipeline is None else plan.pipeline.bypassed
    verify(formulate(_overlapped(base, plan.ii), function, bypassed), plan)


class _Search:
    """The search for an interval: the problem, what bounds it, and what ordinary states take."""

    def __init__(
        self,
        base: Problem,
        function: Function,
        wanted: directives.Pipeline,
        rng: random.Random | None,
        bypassed: frozenset[Op] = frozenset(),
    ) -> None:
        self.base, self.function, self.wanted, self.rng = base, function, wanted, rng
        self.bypassed = bypassed
        self.sequential = list_scheduler.list_schedule(replace(base, dedicated_units=False))
        self.loop = formulate(_overlapped(base), function, bypassed)
        self.solver = Solver(self.loop)
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
        if calls or function.is_pipelined or self.loop.start is not None:
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
        self, multipliers: Mapping[schedule_multipliers.Shape, int], ii: int
    ) -> tuple[LoopProblem, dict[Op, int]] | None:
        """Schedule for an interval with so many multipliers for products of each shape."""
        if self.solver.steps > _MAX_STEPS:
            return None
        base = replace(self.base, multipliers=multipliers)
        loop = formulate(_overlapped(base, ii), self.function, self.bypassed)
        solver = Solver(loop)
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
        return replace(self.sequential, ii=self.alone)


def schedule_loop(
    base: Problem, function: Function, wanted: directives.Pipeline, rng: random.Random | None = None
) -> tuple[Plan, list[Diagnostic]]:
    """Schedule a loop of one block, with the least interval that is found.

    Limits of units hold in longer intervals than one cycle, in which nothing can be shared.
    """
    limited = any(base.limited_kind(op) for op in base.order)
    search = _with_bypasses(_Search(replace(base, limits={}), function, wanted, rng))
    ii = max(search.bound.ii, wanted.ii)
    if rng is not None:
        ii += rng.choice((0, 0, 1, 3))
    times: dict[Op, int] | None = None
    if not limited or ii == 1:
        ii, times = search.least(ii, 2 if limited else _MAX_II)
    free = search.bound.ii
    if limited and ii > 1:
        search = _Search(base, function, wanted, rng, search.bypassed)
        ii, times = search.least(max(ii, search.bound.ii))
    plan = search.plan(ii, times)
    assert plan.ii is not None, f"{base.block.name}: has no interval"
    return plan, [] if rng is not None else _missed(search, plan.ii, free)


def _with_bypasses(search: _Search) -> _Search:
    """Give phis a bypass where the interval is too long for want of one.

    What one memory answers to several is one recurrence for each of them, so they all get theirs.
    """
    best, tried, base = search, search, search.base
    wanted = max(1, search.wanted.ii)
    if search.loop.result is not None or search.bound.ii <= wanted:
        return search
    sources = {phi: {load.attr for load in answers(base, phi)} for phi in search.loop.moves}
    while tried.bound.ii > wanted:
        circle = tried.solver.circle(tried.bound.ii - 1)
        phis = {op.attr for op in circle if op.kind == "move"} - tried.bypassed
        memories = set[Memory]().union(*(sources[phi] for phi in phis))
        if not memories:
            break
        more = {phi for phi, found in sources.items() if found & memories}
        bypassed = tried.bypassed | more
        tried = _Search(base, tried.function, tried.wanted, tried.rng, bypassed)
        best = tried if tried.bound.ii < best.bound.ii else best
    return best


def _missed(search: _Search, ii: int, free: int) -> list[Diagnostic]:
    """Say why an interval is longer than wanted, if it is.

    `free` is what bounds it without limits of units, which lengthen recurrences.
    """
    base, bound, target = search.base, search.bound, search.wanted.ii or 1
    if ii <= target or search.wanted.unasked:
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
    return [Diagnostic(where, f"pipeline: {what}")]


def _crowd(base: Problem) -> dict[Memory, int]:
    """Give the accesses to each memory that share ports with those of the loop."""
    here = Counter(op.attr for op in base.order if op.kind == "load")
    return {
        memory: -(-2 * count // here[memory])
        if memory_ports.is_copied(memory) and here[memory]
        else count
        for memory, count in base.contention.items()
    }


def _plan(loop: LoopProblem, ii: int, times: Mapping[Op, int]) -> Plan:
    depth = 0
    for op in loop.nodes:
        depth = max(depth, times[op] + loop.latency(op) + 1)
    if loop.result is not None:
        # What starts a call is no path to what says that it is done.
        depth = max(depth, 2)
        times = {**times, **dict.fromkeys(loop.at_end(), depth - 1)}
    finish = _finish(loop, times, ii)
    pipeline = Pipeline(
        ii=ii,
        decide=None if loop.decide is None else times[loop.decide],
        moves={phi: times[move] for phi, move in loop.moves.items()},
        outs={value: times[out] for value, out in loop.outs.items()},
        claims=tuple(loop.claims),
        bypassed=loop.bypassed,
        result=None if loop.result is None else times[loop.result],
        multipliers=loop.base.multipliers,
    )
    return Plan(
        loop.base.block,
        states=depth,
        state={op: times[op] for op in loop.base.order},
        finish_ns={op: finish[op] for op in loop.base.order},
        pipeline=pipeline,
        ii=ii,
    )


def _finish(loop: LoopProblem, times: Mapping[Op, int], ii: int) -> dict[Op, float]:
    """Give the time within its cycle at which each result is there."""
    result: dict[Op, float] = {}
    for op in loop.nodes:
        at = loop.base.model.register_ns
        for arg in op.args:
            if arg in result and times[arg] + loop.latency(arg) == times[op]:
                at = max(at, result[arg])
            elif arg in loop.bypassed and times[loop.moves[arg]] - ii == times[op]:
                at = max(at, loop.bypass_ns[arg])
        result[op] = loop.start_ns(op) if loop.latency(op) else at + loop.delay_ns(op)
    return result
