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
from lydite.hls.ir.graph import Block, Function
from lydite.hls.schedule.problem import Schedule

UNKNOWN_TRIPS = 16


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
    schedule: Schedule
    callees: Mapping[Function, float]
    pragmas: Sequence[Directive]
    loops: list[Loop] = field(default_factory=list)
    runs: dict[Block, float] = field(default_factory=dict)
    totals: dict[Block, float] = field(default_factory=dict)

    def run(self) -> Expected:
        function = self.schedule.function
        self.loops = cfg.find_loops(function)
        for loop in reversed(self.loops):  # inner before outer
            self.totals[loop.header] = self._loop(loop)
        cycles, reached = self._region(function.blocks[0], function.blocks, None)
        plan = self.schedule.plans[function.blocks[0]]
        if plan.ii is not None and function.blocks[0].end == "ret":
            cycles = float(plan.ii)  # a call for an iteration
        for loop in self.loops:  # outer before inner
            within = reached if loop.parent is None else self._inside(loop.parent)
            self.runs[loop.header] = within.get(loop.header, 0.0) * (
                1.0
                if loop.parent is None
                else self.runs[loop.parent.header] * self._trips(loop.parent)
            )
        each = {head: self.runs[head] * cycles for head, cycles in self.totals.items()}
        return Expected(cycles, each)

    def _inside(self, loop: Loop) -> dict[Block, float]:
        return self._region(loop.header, loop.blocks, loop)[1]

    def _trips(self, loop: Loop) -> float:
        ii = self.schedule.plans[loop.header].ii
        low, high = latency.trip_count(
            loop, self.schedule.function, self.pragmas, pipelined=ii is not None
        )
        known = [count for count in (low, high) if count is not None]
        return max(1.0, sum(known) / len(known)) if known else float(UNKNOWN_TRIPS)

    def _loop(self, loop: Loop) -> float:
        """Give the cycles of all iterations of a loop that is entered once."""
        plan, trips = self.schedule.plans[loop.header], self._trips(loop)
        if loop.blocks == [loop.header] and plan.ii is not None:
            return plan.states + (trips - 1) * plan.ii
        return trips * self._region(loop.header, loop.blocks, loop)[0]

    def _cost(self, block: Block) -> float:
        plan = self.schedule.plans[block]
        cycles = float(plan.states)
        for op in block.ops if plan.pipeline is None else ():
            if op.kind == "divmod":
                cycles += op.args[0].width + 1
            elif op.kind == "call":
                cycles += self.callees.get(op.attr, 1.0) - 1
        return cycles

    def _region(
        self, start: Block, blocks: Sequence[Block], around: Loop | None
    ) -> tuple[float, dict[Block, float]]:
        """Give the cycles from a block on, once, and how often each block or inner loop comes."""
        inside = set(blocks)
        home: dict[Block, Loop] = {}
        for loop in self.loops:  # the outermost that lies inside
            if loop is not around and loop.header in inside and loop.header is not start:
                for block in loop.blocks:
                    home.setdefault(block, loop)
            elif loop is not around and loop.header is start and around is None:
                for block in loop.blocks:
                    home.setdefault(block, loop)
        share: dict[Block, float] = {start: 1.0}
        cycles = 0.0
        for block in cfg.reverse_postorder(self.schedule.function):
            if block not in inside or block not in share:
                continue
            loop = home.get(block)
            if loop is not None and loop.header is not block:
                continue
            here = share[block]
            if loop is None:
                cycles += here * self._cost(block)
                ways = [t for t in block.targets if t in inside and t is not start]
            else:
                cycles += here * self.totals[block]
                members = set(loop.blocks)
                ways = [
                    t
                    for b in loop.blocks
                    for t in b.targets
                    if t not in members and t in inside and t is not start
                ]
            for target in ways:
                share[target] = share.get(target, 0.0) + here / len(ways)
        return cycles, share
