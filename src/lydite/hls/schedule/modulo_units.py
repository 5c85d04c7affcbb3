# SPDX-License-Identifier: Apache-2.0
"""Units that serve several operations of a pipeline, each in a phase of its own.

The phase is the cycle modulo the interval. Of what directives limit, at most so many operations
stand in one. Products share multipliers without being asked where that saves more than the choice
of their factors and what has to wait in registers costs, and an iteration takes at most an interval
more. What shares takes nothing in its cycle that another unit makes, so that no two units ever hang
on each other in a circle.
"""

from __future__ import annotations

import heapq
import random
from collections.abc import Callable, Iterable, Mapping
from dataclasses import dataclass, replace

from lydite.hls.contract.diagnostics import place
from lydite.hls.ir.graph import REBUILT, Op
from lydite.hls.schedule import multipliers, resources
from lydite.hls.schedule.modulo_problem import LoopProblem
from lydite.hls.schedule.problem import Plan, Problem, copies_late

# LUTs of a bit of a multiplexer: of the first choice, and of each more input.
_FIRST_LUT, _MORE_LUT = 1.0, 0.6
# LUTs that a bit of a register is worth.
_REGISTER_LUT = 0.5
# How many numbers of multipliers are tried for products of one shape, and how many shapes.
_TRIES, _SHAPES = 3, 4
# Most lines that a warning names.
_MAX_NAMED = 10


def bound(loop: LoopProblem) -> tuple[int, str]:
    """Give the least interval that the limits of directives allow, and why; 1 if there are none."""
    least, why = 1, ""
    a_round = "an iteration" if loop.round == "iteration" else "a call"
    for group in resources.units(loop.base) if loop.base.limits else ():
        ii = group.least_interval
        if ii > least:
            lines = list(dict.fromkeys(place(op.where) for op in group.ops if op.where))
            more = [f"{len(lines) - _MAX_NAMED} more"] * (len(lines) > _MAX_NAMED)
            listed = ", ".join([*lines[:_MAX_NAMED], *more])
            what = f"{len(group.ops)} operations {group.name} {a_round} ({listed})"
            least, why = ii, f"{what}, of which allocation allows {group.limit} at once"
    return least, why


def hanging(loop: LoopProblem) -> list[tuple[Op, Op, int]]:
    """Give the pairs of operations that must not stand in one cycle: one hangs on the other.

    A LUT RAM is read through a port that all its readers share: it is treated like a unit, but
    that operations other than products may take its data.
    """
    base = loop.base
    alone = {op for group in resources.units(base) for op in group.ops}
    if not alone:
        return []
    rams = {
        op
        for op in base.order
        if op.kind == "load" and not loop.latency(op) and op.attr.kind == "lutram"
    }
    users: dict[Op, list[Op]] = {op: [] for op in base.order}
    for op in base.order:
        for arg in dict.fromkeys(op.args):
            if arg in users:
                users[arg].append(op)
    position = {op: index for index, op in enumerate(base.order)}
    result: list[tuple[Op, Op, int]] = []
    for source in base.order:
        if source not in alone and source not in rams:
            continue
        seen = {source}
        pending = [position[source]]
        while pending:
            for user in users[base.order[heapq.heappop(pending)]]:
                if user in seen:
                    continue
                seen.add(user)
                if source in alone:
                    ends = user in alone or user in rams
                else:
                    ends = user in alone and user.kind == "mul"
                if ends:
                    result.append((source, user, 1))
                elif not loop.latency(user):
                    heapq.heappush(pending, position[user])
    return result


def inputs(base: Problem, ii: int) -> dict[multipliers.Shape, int]:
    """Give how many products a multiplier of each shape serves at most, for its multiplexers."""
    if "mul" in base.limits:
        return dict(base.units)
    here = multipliers.crowds(base.order, base.model)
    return {
        shape: min(base.units[shape], ii + base.units[shape] - here[shape])
        for shape in base.multipliers
    }


Found = tuple[LoopProblem, dict[Op, int]]


@dataclass(frozen=True, slots=True)
class Improve:
    """The choice of how many multipliers a pipeline has.

    Attributes
    ----------
    base : Problem
        That of the block, with what the whole function has of each shape.
    attempt : callable
        Schedules for the interval with so many multipliers of each shape.
    """

    base: Problem
    ii: int
    attempt: Callable[[Mapping[multipliers.Shape, int]], Found | None]

    def run(
        self, loop: LoopProblem, times: dict[Op, int], rng: random.Random | None = None
    ) -> Found:
        """Let products share multipliers where that makes the pipeline smaller.

        With `rng`, any that may share do.
        """
        best = loop, times
        counts = self.shapes()
        longest = depth(loop, times) + self.ii
        least = _area(loop, times, self.ii) if counts else 0.0
        for shape in counts:
            fewest, most = -(-counts[shape] // self.ii), counts[shape]
            if rng is not None:
                number = rng.randint(fewest, most)
                best = self.attempt({**best[0].base.multipliers, shape: number}) or best
                continue
            for number in range(fewest, min(most, fewest + _TRIES)):
                found = self.attempt({**best[0].base.multipliers, shape: number})
                if found is None or depth(*found) > longest:
                    continue
                area = _area(*found, self.ii)
                if area < least:
                    best, least = found, area
                    break
        return best

    def shapes(self) -> dict[multipliers.Shape, int]:
        """Give the shapes of products that may share, the most costly first, and how many."""
        if self.ii < 2 or self.base.dedicated_units or "mul" in self.base.limits:
            return {}
        counts = multipliers.crowds(self.base.order, self.base.model)
        order = sorted(counts, key=lambda shape: -_worth(self.base, shape) * counts[shape])
        found = [shape for shape in order if counts[shape] > 1 and self._fits(shape)]
        return {shape: counts[shape] for shape in found[:_SHAPES]}

    def beats(self, loop: LoopProblem, times: Mapping[Op, int], plain: Plan) -> bool:
        """Whether a schedule with shared multipliers is smaller than ordinary states."""
        if not loop.base.multipliers:
            return False
        end = dict.fromkeys(loop.nodes, plain.states - 1)
        known = multipliers.crowds(self.base.order, self.base.model)
        every = replace(loop, base=replace(loop.base, multipliers=known))
        states = _area(every, {**end, **plain.state}, plain.states)
        return _area(loop, times, self.ii) < states

    def _fits(self, shape: multipliers.Shape) -> bool:
        """Whether products have time for the choice of their factors."""
        tried = replace(self.base, multipliers={shape: 1})
        tried = replace(tried, units=inputs(tried, self.ii))
        ops = [op for op in tried.order if tried.in_turn(op) is not None]
        start, budget = tried.model.register_ns, tried.budget_ns
        return all(start + tried.delay_ns(op) <= budget for op in ops)


def depth(loop: LoopProblem, times: Mapping[Op, int]) -> int:
    """Give the cycles of an iteration."""
    return max((times[op] + loop.latency(op) + 1 for op in loop.nodes), default=1)


def _worth(base: Problem, shape: multipliers.Shape) -> float:
    cost = base.model.multiplier_area(shape.first, shape.second)
    return cost.lut + multipliers.DSP_WORTH * cost.dsp


def _area(loop: LoopProblem, times: Mapping[Op, int], ii: int) -> float:
    """Estimate multipliers, their multiplexers, and registers of an iteration, in LUTs."""
    base = loop.base
    products = [op for op in base.order if multipliers.is_candidate(op, base.model)]
    total = sum(_worth(base, multipliers.shape(op)) for op in products)
    shared = [op for op in products if base.in_turn(op) is not None]
    for unit in multipliers.share(shared, lambda op: times[op] % ii, lambda _: True):
        total -= (len(unit.ops) - 1) * _worth(base, unit.shape)
        for index in range(2):
            sources = {_source(loop, times, op, op.args[index], ii) for op in unit.ops}
            if len(sources) > 1:
                width = (unit.shape.first, unit.shape.second)[index]
                total += width * (_FIRST_LUT + _MORE_LUT * (len(sources) - 2))
    return total + _REGISTER_LUT * _kept_bits(loop, times, ii)


def _source(loop: LoopProblem, times: Mapping[Op, int], op: Op, arg: Op, ii: int) -> tuple[Op, int]:
    """Say which register or wire a factor comes from."""
    value = multipliers.factor(arg)[0]
    written = _written(loop, times, value)
    return value, 0 if written is None else copies_late(times[op] - written, ii)


def _written(loop: LoopProblem, times: Mapping[Op, int], value: Op) -> int | None:
    """Give the time at which a value is there; None for what always is."""
    if value in loop.moves:
        return times[loop.moves[value]]
    if value.kind == "param" and loop.result is not None:
        return 0
    return times[value] + loop.latency(value) if value in times else None


def _kept_bits(loop: LoopProblem, times: Mapping[Op, int], ii: int) -> int:
    """Count the bits of copies that values need until they are read last."""
    copies: dict[Op, int] = {}

    def use(value: Op, time: int) -> None:
        written = _written(loop, times, value)
        if written is None:
            return
        count = copies_late(time - written, ii)
        if count and value.kind in REBUILT:
            for arg in value.args:
                use(arg, time)
        elif count:
            copies[value] = max(copies.get(value, 0), count)

    for node in loop.nodes:
        for arg in _read(node):
            use(arg, times[node])
    return sum(count * value.width for value, count in copies.items())


def _read(node: Op) -> Iterable[Op]:
    return [multipliers.factor(arg)[0] for arg in node.args] if node.kind == "mul" else node.args
