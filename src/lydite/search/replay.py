# SPDX-License-Identifier: Apache-2.0
"""Strategies run on a recorded grid, as often as one likes: no tool is started."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import dataclass

from lydite.search.grid import Column
from lydite.search.strategy import Point, Result, Strategy


@dataclass(frozen=True, slots=True)
class Step:
    """How far a search had come: processor seconds, runs, and its best clock till then."""

    cpu_s: float
    runs: int
    best_mhz: float


class Replayed:
    """A design of a grid as a strategy meets it in one replay: synthesis costs once a netlist."""

    def __init__(self, column: Column, replay: int) -> None:
        self._column = column
        self._replay = replay
        self._mapped: set[str] = set()

    def run(self, point: Point) -> Result:
        """Give what comes of a point."""
        cell = self._column.draw(point.arm, point.seed, self._replay)
        shared = 0.0 if cell.netlist in self._mapped else cell.synthesis_cpu_s
        self._mapped.add(cell.netlist)
        return Result(point, cell.fmax_mhz, cell.cpu_s + shared, shared, cell.config)


def replay(column: Column, strategy: Strategy, number: int) -> Iterator[Step]:
    """Run a strategy on a design, one run after the other, until it ends or its budget is spent.

    Yields
    ------
    Step
        After each run; its best clock is 0 before any placement has succeeded.
    """
    source = Replayed(column, number)
    best = spent = 0.0
    while not is_spent(strategy) and (points := strategy.ask(1)):
        for point in points:
            result = source.run(point)
            strategy.tell(result)
            spent += result.cpu_s
            best = max(best, result.fmax_mhz or 0.0)
            yield Step(spent, len(strategy.results), best)


def is_spent(strategy: Strategy, under_way: Mapping[Point, float] | None = None) -> bool:
    """Whether the budget of a strategy is spent, with what is under way counted as spent.

    Parameters
    ----------
    under_way : mapping, optional
        Points to the processor seconds that they are expected to take.
    """
    budget, coming = strategy.budget, under_way or {}
    if budget.runs is not None and len(strategy.results) + len(coming) >= budget.runs:
        return True
    return budget.cpu_s is not None and strategy.spent_cpu_s + sum(coming.values()) >= budget.cpu_s
