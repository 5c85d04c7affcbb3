# SPDX-License-Identifier: Apache-2.0
"""Objectives of a search: merits, who goes after which, and what racing finds by each."""

from __future__ import annotations

import math

import pytest

from lydite.base import InputError
from lydite.search import contract, objective, strategies
from lydite.search.log import Head
from lydite.search.objective import AREA, FMAX, PARETO, THROUGHPUT, THROUGHPUT_AREA, Objective
from lydite.search.parzen import Parzen
from lydite.search.racing import Racing
from lydite.search.strategy import Budget, Parameters, Point, Result, Strategy
from lydite.targets.arms import Arm

# Arm to its clock without noise, and its area: by clock, by clock over area, by area another wins;
# the last one is worse than the second in both.
ARMS = {"fast": (150.0, 30.0), "dense": (125.0, 15.0), "small": (80.0, 12.0), "poor": (110.0, 25.0)}


def raced(aim: Objective, runs: int = 40, seed: int = 1, kind: type[Strategy] = Racing) -> Strategy:
    """Race the arms; clocks scatter by 1 to 5 %."""
    strategy = kind(tuple(ARMS), budget=Budget(runs=runs), seed=seed, objective=aim)
    while len(strategy.results) < runs:
        for point in strategy.ask(1):
            mhz, area = ARMS[point.arm]
            noise = contract.outcome(point).cpu_s / 100
            config = f"{point.arm} {point.seed}"
            strategy.tell(Result(point, mhz * (1 + noise), 1.0, config=config, area=area))
    return strategy


def test_merits_are_logarithms() -> None:
    assert FMAX.merit(100.0, None) == THROUGHPUT.merit(100.0, 7.0) == math.log(100)
    assert THROUGHPUT_AREA.merit(100.0, 4.0) == pytest.approx(math.log(25))
    assert AREA.merit(None, 4.0) == -math.log(4)
    assert PARETO.merit(100.0, 4.0) == math.log(100)
    assert PARETO.merit(100.0, 4.0, None, 0.5) == pytest.approx(math.log(50))


@pytest.mark.parametrize("aim", objective.OBJECTIVES.values(), ids=lambda aim: aim.name)
def test_what_lacks_what_counts_has_no_merit(aim: Objective) -> None:
    assert aim.merit(None, None) is None
    assert aim.is_placed or aim.merit(100.0, None) is None
    assert aim.name in ("fmax", "throughput", "area") or aim.merit(100.0, None, None, 1.0) is None


@pytest.mark.parametrize(
    ("aim", "best"),
    [(FMAX, "fast"), (THROUGHPUT, "fast"), (THROUGHPUT_AREA, "dense")],
    ids=lambda one: getattr(one, "name", one),
)
def test_racing_goes_after_the_objective(aim: Objective, best: str) -> None:
    strategy = raced(aim)
    assert strategy.best is not None
    assert strategy.best.point.arm == best
    runs = [one.point.arm for one in strategy.results]
    assert runs.count(best) > len(runs) / 2


@pytest.mark.parametrize(("kind", "most"), [(Racing, 0.1), (Parzen, 0.15)])
def test_who_goes_after_a_front_spreads_over_it(kind: type[Strategy], most: float) -> None:
    found = (raced(PARETO, seed=seed, kind=kind) for seed in range(3))
    # What is drawn before there is anything to go by does not count.
    runs = [one.point.arm for strategy in found for one in strategy.results[12:]]
    shares = {arm: runs.count(arm) / len(runs) for arm in ARMS}
    assert min(shares["fast"], shares["dense"], shares["small"]) > 0.05
    assert shares["poor"] < most


def test_data_a_cycle_count_where_they_should() -> None:
    assert FMAX.merit(100.0, None, 8.0) == math.log(100)
    assert THROUGHPUT.merit(100.0, None, 8.0) == pytest.approx(math.log(800))
    assert THROUGHPUT_AREA.merit(100.0, 4.0, 8.0) == pytest.approx(math.log(200))
    assert AREA.merit(None, 4.0, 8.0) == -math.log(4)


def test_parzen_goes_after_one_objective_too() -> None:
    found = raced(THROUGHPUT_AREA, kind=Parzen)
    assert found.best is not None
    assert found.best.point.arm == "dense"
    runs = [one.point.arm for one in found.results[12:]]
    assert max(ARMS, key=runs.count) == "dense"


def test_parzen_chooses_design_and_options_apart() -> None:
    """It begins with the first arm, asks no point twice, bears a design that fails, and learns."""
    arms = [f"{design}:{arm}" for design in ("narrow", "wide") for arm in "abcdef"]
    strategy = Parzen(arms, objective=PARETO)
    for _ in range(60):
        [point] = strategy.ask(1)
        fails = point.arm.startswith("narrow")
        clock = None if fails else 100.0 + 10 * (point.arm == "wide:c")
        strategy.tell(Result(point, clock, 1.0, area=None if fails else 5.0))
    asked = [one.point for one in strategy.results]
    assert (asked[0].arm, len(set(asked))) == (arms[0], 60)
    later = [point.arm for point in asked[12:]]
    assert max(arms, key=later.count) == "wide:c"


def test_racing_finds_the_design_with_the_most_data() -> None:
    """Of two designs the slower one takes 16 bytes a cycle for 4, so that its arms are better."""
    arms = [Arm(name=f"{of}:{arm}", about="") for of in ("narrow", "wide") for arm in "abcdef"]
    strategy = strategies.make("racing", arms, budget=Budget(runs=40), objective=THROUGHPUT)
    assert isinstance(strategy, Racing)
    while len(strategy.results) < 40:
        for point in strategy.ask(1):
            mhz, width = (200.0, 4.0) if point.arm.startswith("narrow") else (120.0, 16.0)
            mhz *= 1 + contract.outcome(point).cpu_s / 100
            strategy.tell(Result(point, mhz, 1.0, config=f"{point}", per_cycle=width))
    assert strategy.best is not None
    assert strategy.best.point.arm.startswith("wide")
    assert sum(one.point.arm.startswith("wide") for one in strategy.results) > 30


def test_the_smallest_is_told_without_a_clock() -> None:
    strategy = strategies.make("probe", [Arm(name=arm, about="") for arm in ARMS], objective=AREA)
    for point in strategy.ask(len(ARMS)):
        strategy.tell(Result(point, None, 1.0, area=ARMS[point.arm][1]))
    assert strategy.best is not None
    assert strategy.best.point.arm == "small"
    assert not any(one.has_failed for one in strategy.results)
    assert strategy.ask(1) == ()


@pytest.mark.parametrize(
    ("name", "aim", "message"),
    [
        ("racing", AREA, "--strategy: racing places, and area is known before"),
        ("minerva", THROUGHPUT_AREA, "--objective: minerva asks for frequencies, and cannot go"),
        ("sweep", PARETO, "--objective: sweep asks for frequencies, and cannot go after pareto"),
    ],
)
def test_who_does_not_go_after_an_objective_says_so(
    name: str, aim: Objective, message: str
) -> None:
    with pytest.raises(InputError, match=message):
        strategies.make(name, [Arm(name="default", about="")], objective=aim)


def test_an_objective_that_is_not_is_refused() -> None:
    with pytest.raises(InputError, match=r"no such objective: 'paretto'\n  the nearest is pareto"):
        objective.find("paretto")


def test_another_objective_is_another_search() -> None:
    arms = (Arm(name="default", about=""),)
    heads = [
        Head(
            design="toy",
            target="ice40-hx1k",
            strategy="racing",
            seed=1,
            parameters=Parameters(),
            proof="",
            arms=arms,
            tools=(),
            common=(),
            objective=name,
        )
        for name in ("fmax", "pareto")
    ]
    assert heads[0].name != heads[1].name
    assert heads[1].make(Budget()).objective is PARETO
    assert heads[1].make(Budget()).merit(Result(Point("default", 0), 100.0, 1.0)) is not None
