#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""What strategies of the search find of the front of clock against area, by replay of a grid.

    python bench/search_front.py --map              # areas of its arms, by synthesis
    python bench/search_front.py --replays 100

Clocks are those of `search_grid.csv`; an arm has one area, in hundreds of equivalent slices, from
`search_areas.csv`. A strategy is measured by the share that its front dominates of what lies
between the best and the worst of all placements, logarithms of both, after so many default
placements' time.
"""

from __future__ import annotations

import argparse
import csv
import math
import statistics
import sys
from dataclasses import replace
from pathlib import Path

import search_quality

from lydite import targets
from lydite.base.seeds import hashed
from lydite.cli.running import Progress
from lydite.runs.execute import execute
from lydite.runs.store import Store, default_folder
from lydite.search import strategies
from lydite.search.explore.objectives import hypervolume
from lydite.search.grid import Column, columns, read
from lydite.search.objective import PARETO
from lydite.search.replay import Replayed, is_spent
from lydite.search.strategy import Budget, Strategy
from lydite.targets.arms import arms

HERE = Path(__file__).parent
GRID, AREAS = HERE / "search_grid.csv", HERE / "search_areas.csv"
STRATEGIES = ("racing", "tpe", "random")
_BUDGETS = (20, 60)

Areas = dict[tuple[str, str], dict[str, float]]


def main() -> int:
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--replays", type=int, default=100)
    parser.add_argument("--map", action="store_true", help="map each arm of each design anew")
    arguments = parser.parse_args()
    # With one seed an arm there is nothing to draw.
    drawn = [one for one in columns(read(GRID)) if len(one.arms["default"]) > 1]
    if arguments.map:
        _map({(one.design, one.target) for one in drawn})
    areas = _read()
    found: dict[tuple[str, int], list[float]] = {}
    for column in drawn:
        told = []
        for name in STRATEGIES:
            shares = [
                statistics.median(each)
                for each in zip(
                    *(
                        _shares(column, areas[column.design, column.target], name, number)
                        for number in range(arguments.replays)
                    ),
                    strict=True,
                )
            ]
            for budget, share in zip(_BUDGETS, shares, strict=True):
                found.setdefault((name, budget), []).append(share)
            told.append(f"{name} {', '.join(f'{share:.2f}' for share in shares)}")
        print(f"{column.design} on {column.target}: {'; '.join(told)}", flush=True)
    print(f"medians of {len(drawn)} designs and parts")
    for (name, budget), shares in found.items():
        print(f"  {name} after {budget} placements' time: {statistics.median(shares):.3f}")
    return 0


def _map(wanted: set[tuple[str, str]]) -> None:
    """Map each arm of the designs wanted, and keep the areas."""
    lines = ["design,target,arm,esc,netlist"]
    with Store(default_folder()) as store, Progress() as progress:
        for case in search_quality.CASES:
            space = search_quality._space(*case, None)
            name = (space.name, space.settings.target.name)
            if name not in wanted:
                continue
            jobs = {arm.name: space.shared(arm) for arm in space.arms}
            records = execute(jobs.values(), store, parallel=1, watch=progress.watch)
            for arm, job in jobs.items():
                record = records.get(job.key)
                if record is not None and record.status == "ok":
                    netlist = record.result["netlist_sha256"][:12]
                    lines.append(f"{','.join(name)},{arm},{space.size(record):.6g},{netlist}")
    AREAS.write_text("\n".join(lines) + "\n")


def _read() -> Areas:
    found: Areas = {}
    for row in csv.DictReader(AREAS.read_text().splitlines()):
        found.setdefault((row["design"], row["target"]), {})[row["arm"]] = float(row["esc"])
    return found


def _shares(column: Column, areas: dict[str, float], name: str, number: int) -> list[float]:
    """Give the share that is dominated after each budget, in one replay."""
    known = [arm for arm in arms(targets.find(column.target).family) if arm.name in areas]
    default = column.arms["default"]
    each = statistics.fmean(cell.cpu_s for cell in default)
    strategy = strategies.make(
        name,
        [arm for arm in known if arm.name in column.arms],
        budget=Budget(cpu_s=_BUDGETS[-1] * each),
        seed=hashed(f"front {name}", number),
        objective=PARETO,
    )
    placed = [
        (-math.log(cell.fmax_mhz), math.log(areas[arm]))
        for arm, cells in column.arms.items()
        for cell in cells
        if cell.fmax_mhz and arm in areas
    ]
    least, most = ([pick(axis) for axis in zip(*placed, strict=True)] for pick in (min, max))

    def dominated(cpu_s: float) -> float:
        points = []
        spent = 0.0
        for one in strategy.results:
            spent += one.cpu_s
            if one.fmax_mhz and one.area and spent <= cpu_s:
                point = (-math.log(one.fmax_mhz), math.log(one.area))
                spans = zip(point, least, most, strict=True)
                points.append([(at - low) / (high - low) for at, low, high in spans])
        return hypervolume(points, (1.0, 1.0))

    _replay(column, strategy, areas, number)
    return [dominated(budget * each) for budget in _BUDGETS]


def _replay(column: Column, strategy: Strategy, areas: dict[str, float], number: int) -> None:
    source = Replayed(column, number)
    while not is_spent(strategy) and (points := strategy.ask(1)):
        for point in points:
            result = source.run(point)
            area = areas[point.arm] if result.fmax_mhz else None
            strategy.tell(replace(result, area=area))


if __name__ == "__main__":
    sys.exit(main())
