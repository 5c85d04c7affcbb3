#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""What strategies of the search are worth, by replay of a recorded grid (`search_quality.py`).

    python bench/search_quality_compare.py bench/search_grid.csv --replays 100

For each design: processor seconds that racing needs to reach what another strategy reaches with
`--runs` runs, as a share of what that one spent; the gain of racing over the median of the default
arm at the cost of so many default placements; and the rank correlation of nextpnr's estimate after
placement with the routed clock, over all arms and over the seeds of the default one. Where racing
does not reach it within what the other spent, the share is above 1, and counted so.
"""

from __future__ import annotations

import argparse
import json
import statistics
import sys
from collections.abc import Iterable, Iterator
from pathlib import Path
from typing import Any

from lydite import targets
from lydite.base.seeds import hashed
from lydite.search import strategies
from lydite.search.grid import Cell, Column, columns, read
from lydite.search.replay import Step, replay
from lydite.search.statistics import rank_correlation
from lydite.search.strategy import Budget, Parameters
from lydite.targets.arms import Arm, arms

OTHERS = ("seeds", "random", "minerva")
_BUDGETS = (2, 5, 20, 60)


def main() -> int:
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("grid", type=Path)
    parser.add_argument("--replays", type=int, default=100)
    parser.add_argument("--runs", type=int, default=100, help="that the others have")
    parser.add_argument("--json", type=Path)
    arguments = parser.parse_args()
    # With one seed an arm there is nothing to draw.
    drawn = [one for one in columns(read(arguments.grid)) if len(one.arms["default"]) > 1]
    if not drawn:
        parser.error(f"{arguments.grid}: no design has more than one seed of the default arm")
    found = [_design(column, arguments.replays, arguments.runs) for column in drawn]
    for one in found:
        print(f"{one['design']} on {one['target']}: {one['arms']} arms, {one['placements']} placed")
        for other, told in one["against"].items():
            print(
                f"  what {other} has after {told['runs']:.0f} runs, {told['cpu_s']:.0f} CPU s: "
                f"racing has it after {told['share']:.2f} of that (median of "
                f"{arguments.replays}; never in {told['never']})"
            )
        for budget, gain in one["gain"].items():
            print(f"  gain over the default's median at {budget} placements: {gain:+.1%}")
        print(f"  estimate against routed: {one['estimate']}")
    print(f"medians over {len(found)} designs and parts")
    for other in OTHERS:
        share = statistics.median(one["against"][other]["share"] for one in found)
        print(f"  racing has what {other} has after {share:.2f} of what that spent")
    for budget in _BUDGETS:
        gain = statistics.median(one["gain"][budget] for one in found)
        print(f"  gain over the default's median at {budget} placements: {gain:+.1%}")
    if arguments.json:
        arguments.json.write_text(json.dumps(found, indent=1) + "\n")
    return 0


def _design(column: Column, replays: int, runs: int) -> dict[str, Any]:
    known = [arm for arm in arms(targets.find(column.target).family) if arm.name in column.arms]
    default = column.arms["default"]
    clocks = [cell.fmax_mhz for cell in default if cell.fmax_mhz is not None]
    base = statistics.median(clocks)
    cost = statistics.fmean(cell.cpu_s for cell in default)
    cells = [cell for own in column.arms.values() for cell in own]
    return {
        "design": column.design,
        "target": column.target,
        "arms": len(known),
        "placements": len(cells),
        "against": {name: _against(column, known, name, replays, runs, base) for name in OTHERS},
        "gain": {
            budget: statistics.median(
                _last(_run(column, known, "racing", number, Budget(cpu_s=budget * cost), base))
                / base
                - 1
                for number in range(replays)
            )
            for budget in _BUDGETS
        },
        "estimate": {
            "all arms": _correlation(cells),
            "seeds of default": _correlation(default),
        },
    }


def _against(
    column: Column, known: list[Arm], other: str, replays: int, runs: int, base: float
) -> dict[str, float]:
    shares, spent, counts, never = [], [], [], 0
    for number in range(replays):
        steps = tuple(_run(column, known, other, number, Budget(runs=runs), base))
        goal, took = _last(steps), steps[-1].cpu_s
        racing = _run(column, known, "racing", number, Budget(cpu_s=2 * took), base)
        # It ends there.
        reached = next((step.cpu_s for step in racing if step.best_mhz >= goal), None)
        never += reached is None
        shares.append(2.0 if reached is None else reached / took)
        spent.append(took)
        counts.append(len(steps))
    return {
        "share": statistics.median(shares),
        "never": never,
        "cpu_s": statistics.median(spent),
        "runs": statistics.median(counts),
    }


def _run(
    column: Column, known: list[Arm], name: str, number: int, budget: Budget, base: float
) -> Iterator[Step]:
    strategy = strategies.make(
        name,
        known,
        # A range that somebody would give who has placed the design once.
        parameters=Parameters(f0_mhz=max(1.0, base - 100), fn_mhz=max(2.0, base)),
        budget=budget,
        seed=hashed(f"compare {name}", number),
    )
    return replay(column, strategy, number)


def _last(steps: Iterable[Step]) -> float:
    return max((step.best_mhz for step in steps), default=0.0)


def _correlation(cells: tuple[Cell, ...] | list[Cell]) -> float | None:
    pairs = [(c.estimate_mhz, c.fmax_mhz) for c in cells if c.estimate_mhz and c.fmax_mhz]
    found = rank_correlation([one for one, _ in pairs], [other for _, other in pairs])
    return None if found is None else round(found, 2)


if __name__ == "__main__":
    sys.exit(main())
