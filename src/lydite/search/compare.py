# SPDX-License-Identifier: Apache-2.0
"""Strategies against each other on a recorded grid: equal budgets, many replays."""

from __future__ import annotations

import math
import statistics
from collections.abc import Sequence
from dataclasses import dataclass

from lydite.base.errors import InputError
from lydite.base.seeds import hashed
from lydite.search import strategies
from lydite.search.grid import Column
from lydite.search.replay import Step, replay
from lydite.search.strategy import Budget, Parameters
from lydite.targets.arms import Arm


@dataclass(frozen=True, slots=True)
class Compared:
    """One strategy on one design of a grid, medians over replays.

    Attributes
    ----------
    best_mhz : float, optional
        Its best clock when the budget is spent; None where nothing was placed by then, in half of
        the replays.
    runs : float
        Until then.
    gain : float, optional
        Of `best_mhz` over the median of the default arm.
    reach_cpu_s : float, optional
        Processor seconds until it has what the first strategy has in the end, in the same replay;
        None where it has not in half of the replays.
    curve : tuple of (float, float)
        Share of the budget to the median best clock, from where there is one.
    """

    design: str
    target: str
    strategy: str
    budget_cpu_s: float
    replays: int
    best_mhz: float | None
    runs: float
    gain: float | None
    reach_cpu_s: float | None
    curve: tuple[tuple[float, float], ...]


_CURVE = 40


def compare(
    column: Column,
    names: Sequence[str],
    arms: Sequence[Arm],
    *,
    budget_cpu_s: float,
    replays: int,
    parameters: Parameters | None = None,
) -> tuple[Compared, ...]:
    """Run strategies on a design of a grid, each as often as told, under the same draws.

    Parameters
    ----------
    arms : sequence of Arm
        In their order; those that the grid has not are left out.

    Raises
    ------
    InputError
        The grid has no default arm, or only failures of it.
    """
    known = [arm for arm in arms if arm.name in column.arms]
    first = [cell.fmax_mhz for cell in column.arms.get(arms[0].name, ()) if cell.fmax_mhz]
    if not first:
        where = f"{column.design} on {column.target}"
        raise InputError(where, f"the grid has no placement of the arm {arms[0].name}")
    base = statistics.median(first)
    parameters = parameters or Parameters(f0_mhz=max(1.0, base - 100), fn_mhz=max(2.0, base))
    runs: dict[str, list[tuple[Step, ...]]] = {name: [] for name in names}
    for number in range(replays):
        for name in names:
            strategy = strategies.make(
                name,
                known,
                parameters=parameters,
                budget=Budget(cpu_s=budget_cpu_s),
                seed=hashed(f"compare {name}", number),
            )
            runs[name].append(tuple(replay(column, strategy, number)))
    goals = [_within(steps, budget_cpu_s) for steps in runs[names[0]]]
    return tuple(_compared(column, name, runs[name], goals, budget_cpu_s, base) for name in names)


def _compared(
    column: Column,
    name: str,
    runs: Sequence[tuple[Step, ...]],
    goals: Sequence[float],
    budget_cpu_s: float,
    base: float,
) -> Compared:
    best = median_within(runs, budget_cpu_s)
    reached = sorted(
        next((step.cpu_s for step in steps if step.best_mhz >= goal > 0), math.inf)
        for steps, goal in zip(runs, goals, strict=True)
    )
    middle = statistics.median_high(reached)
    shares = [index / _CURVE for index in range(1, _CURVE + 1)]
    curve = ((share, median_within(runs, share * budget_cpu_s)) for share in shares)
    return Compared(
        design=column.design,
        target=column.target,
        strategy=name,
        budget_cpu_s=budget_cpu_s,
        replays=len(runs),
        best_mhz=best,
        runs=statistics.median(len(steps) for steps in runs),
        gain=None if best is None else best / base - 1,
        reach_cpu_s=None if middle == math.inf else middle,
        curve=tuple((share, clock) for share, clock in curve if clock is not None),
    )


def median_within(runs: Sequence[Sequence[Step]], cpu_s: float) -> float | None:
    """Give the median of the best clocks of replays at a time; None where half of them have none.

    No clock is below all others: a mean with one of those would be the clock of nothing.
    """
    clocks = [_within(steps, cpu_s) for steps in runs]
    return statistics.median(clocks) if statistics.median_low(clocks) > 0 else None


def _within(steps: Sequence[Step], cpu_s: float) -> float:
    """Give the best clock at a time, of what was finished by then; 0 where nothing was."""
    return max((step.best_mhz for step in steps if step.cpu_s <= cpu_s), default=0.0)
