# SPDX-License-Identifier: Apache-2.0
"""Cycles to expect of functions and loops where the program does not say: a guess, for comparing.

Ways out of a branch are equally likely, but for those that leave a loop; a loop whose number of
iterations is not known runs `UNKNOWN_TRIPS` times. `latency` has bounds that hold.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field

from lydite.hls.bind import latency
from lydite.hls.contract.directives import Directive
from lydite.hls.ir import cfg
from lydite.hls.ir.cfg import Loop
from lydite.hls.ir.graph import Block, Function, Op
from lydite.hls.schedule import bursts
from lydite.hls.schedule.problem import Schedule

UNKNOWN_TRIPS = 64


@dataclass(frozen=True, slots=True)
class Expected:
    """What a function takes.

    Attributes
    ----------
    cycles : float
        Of a call.
    loops : mapping of Block to float
        Cycles in each loop, by its head, of a call.
    """

    cycles: float
    loops: Mapping[Block, float]


def of_function(
    schedule: Schedule, callees: Mapping[Function, float], pragmas: Sequence[Directive]
) -> Expected:
    """Give what to expect of a scheduled function whose callees' cycles are known."""
    return _Walk(schedule, callees, pragmas).run()


@dataclass(slots=True)
class _Walk:
    """Goes through a function, inner loops first.

    Attributes
    ----------
    totals : dict of Block to float
        Cycles of all iterations of a loop that is entered once, by its head.
    often : dict of Block to dict
        How often an iteration of the loop with that head comes to each of its blocks, and to each
        loop inside, by its head.
    """

    schedule: Schedule
    callees: Mapping[Function, float]
    pragmas: Sequence[Directive]
    loops: list[Loop] = field(default_factory=list)
    order: list[Block] = field(default_factory=list)
    totals: dict[Block, float] = field(default_factory=dict)
    often: dict[Block, dict[Block, float]] = field(default_factory=dict)

    def run(self) -> Expected:
        function = self.schedule.function
        entry = function.blocks[0]
        self.loops = cfg.find_loops(function)
        self.order = cfg.reverse_postorder(function)
        for loop in reversed(self.loops):  # inner before outer
            self.totals[loop.header] = self._loop(loop)
        cycles, reached = self._region(entry, function.blocks, None)
        interval = self.schedule.plans[entry].ii
        if interval is not None and entry.end == "ret":
            cycles = float(interval)  # a call for an iteration
        runs: dict[Block, float] = {}
        for loop in self.loops:  # outer before inner
            if loop.parent is None:
                runs[loop.header] = reached.get(loop.header, 0.0)
            else:
                head = loop.parent.header
                each = self.often[head].get(loop.header, 0.0)
                runs[loop.header] = runs[head] * self._trips(loop.parent) * each
        return Expected(cycles, {head: runs[head] * one for head, one in self.totals.items()})

    def _trips(self, loop: Loop) -> float:
        ii = self.schedule.plans[loop.header].ii
        counts = latency.trip_count(
            loop, self.schedule.function, self.pragmas, pipelined=ii is not None
        )
        known = [count for count in counts if count is not None]
        return max(1.0, sum(known) / len(known)) if known else float(UNKNOWN_TRIPS)

    def _loop(self, loop: Loop) -> float:
        """Give the cycles of all iterations of a loop that is entered once."""
        plan, trips = self.schedule.plans[loop.header], self._trips(loop)
        cycles, self.often[loop.header] = self._region(loop.header, loop.blocks, loop)
        if loop.blocks == [loop.header] and plan.ii is not None:
            return plan.states + (trips - 1) * plan.ii
        return trips * cycles

    def _cost(self, block: Block) -> float:
        """Give the cycles of a block, once."""
        plan = self.schedule.plans[block]
        cycles = float(plan.states)
        for ops in latency.waits(plan):
            begins = bursts.turns(ops)
            cycles += max(begins.get(op, 0) + self._wait(op) for op in ops)
        return cycles

    def _wait(self, op: Op) -> float:
        """Give how many cycles more than one a unit takes."""
        if op.kind == "divmod":
            return latency.of_division(op)
        return self.callees.get(op.attr, 1.0) - 1

    def _region(
        self, start: Block, blocks: Sequence[Block], around: Loop | None
    ) -> tuple[float, dict[Block, float]]:
        """Give the cycles of a function, or of an iteration, and how often its parts come."""
        inside = set(blocks)
        home: dict[Block, Loop] = {}
        for loop in self.loops:  # outer before inner: each block is of the outermost that lies here
            if loop is around or loop.header not in inside:
                continue
            if loop.header is not start or around is None:
                for block in loop.blocks:
                    home.setdefault(block, loop)
        often: dict[Block, float] = {start: 1.0}
        cycles = 0.0
        for block in self.order:
            if block not in often or block not in inside:
                continue
            within = home.get(block)
            if within is None:
                members = [block]
            elif within.header is block:
                members = within.blocks
            else:
                continue
            cycles += often[block] * (self._cost(block) if within is None else self.totals[block])
            ways = [
                target
                for member in members
                for target in member.targets
                if target in inside and target is not start and target not in members
            ]
            for target in ways:
                often[target] = often.get(target, 0.0) + often[block] / len(ways)
        return cycles, often
