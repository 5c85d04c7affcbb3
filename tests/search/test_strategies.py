# SPDX-License-Identifier: Apache-2.0
"""Strategies: the contract of all, and what each does on tables of clocks."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import pytest

from lydite.base import InputError
from lydite.search import contract, strategies
from lydite.search.plain import same
from lydite.search.racing import Racing, expected_gain
from lydite.search.strategy import Budget, Parameters, Point, Result, Strategy
from lydite.targets.arms import Arm

ARMS = tuple(f"arm-{index}" for index in range(8))


def run(strategy: Strategy, clock: Callable[[Point], float | None], cost: float = 1.0) -> Strategy:
    """Run a strategy one point after the other, to its end or to that of its budget."""
    limit = strategy.budget.runs or 5000
    while len(strategy.results) < limit and (points := strategy.ask(1)):
        for point in points:
            strategy.tell(Result(point, clock(point), cost, config=f"{point.arm} {point.seed}"))
    return strategy


@pytest.mark.parametrize("check", contract.CHECKS, ids=lambda check: check.__name__)
@pytest.mark.parametrize("kind", strategies.OURS, ids=lambda kind: kind.name)
def test_every_strategy_keeps_the_contract(
    kind: type[Strategy], check: Callable[[Any], None]
) -> None:
    check(lambda **options: kind(ARMS, **options))


# The thesis, 3.3: the default strategy is 1, strategies 3 and 4 reach further. By its figure 3.7
# the second range has steps of 14.3 MHz from 201 on (243.9, 258.2); with both ends of the range
# among its points, as its text says, the same steps fall on 243.4 and 257.6.
WORKED = {
    "1": 250.0,
    "2": 190.0,
    "3": 262.0,
    "4": 269.9,
    "5": 240.0,
    "6": 254.0,
    "7": 0,
    "8": 257.0,
}


def worked(room: int) -> tuple[Strategy, list[Point]]:
    parameters = Parameters(f0_mhz=50, fn_mhz=200, n=8, r=8, p=8)
    strategy = strategies.find("minerva")(tuple(WORKED), parameters=parameters)
    asked: list[Point] = []
    while True:
        asked += strategy.ask(room - len(strategy.pending))
        if not strategy.pending:
            return strategy, asked
        point = strategy.pending[0]
        strategy.tell(Result(point, WORKED[point.arm] or None, 1.0))


def test_minerva_decides_as_the_worked_example_of_the_thesis() -> None:
    strategy, asked = worked(8)
    freqs = [point.freq_mhz for point in asked]
    assert freqs[:8] == [50, 71.4, 92.9, 114.3, 135.7, 157.1, 178.6, 200]
    # 200 passes: 201 to 300. 243.4 is the highest that the default strategy reaches.
    assert freqs[8:16] == [201, 215.1, 229.3, 243.4, 257.6, 271.7, 285.9, 300]
    assert {point.arm for point in asked[:16]} == {"1"}
    passed = [one for one in strategy.results[:16] if one.passes]
    assert max(one.point.freq_mhz or 0 for one in passed) == 243.4
    # The others on the frequencies above; 257.6 by strategy 3, all fail on the rest.
    arms = [point for point in asked[16:] if point.freq_mhz and point.freq_mhz % 1]
    arms += [point for point in asked[16:] if point.freq_mhz == 300]
    assert {point.freq_mhz for point in arms} == {257.6, 271.7, 285.9, 300.0}
    assert "1" not in {point.arm for point in arms}
    first = next(one for one in strategy.results[16:] if one.passes)
    assert (first.point.freq_mhz, first.point.arm) == (257.6, "3")
    # Then steps of 1 MHz to 269 by strategy 4, after which eight frequencies fail by all.
    assert strategy.summary() == "269 MHz asked for and met, by 4"
    last = {(p.freq_mhz, p.arm) for p in asked if p.freq_mhz and p.freq_mhz > 269 and p not in arms}
    wanted = {(float(freq), arm) for freq in range(270, 278) for arm in WORKED}
    assert wanted - last == set()
    assert max(freqs) == 300.0


def test_minerva_eliminates_what_is_below_a_frequency_that_passes() -> None:
    _, asked = worked(1)
    steps = [point for point in asked[16:] if point.freq_mhz and point.freq_mhz % 1 == 0]
    # One after the other, 258 passes by strategy 1 no more, but by 3; those behind 3 are not run.
    assert [point.arm for point in steps if point.freq_mhz == 258] == ["1", "2", "3"]
    assert [point.arm for point in steps if point.freq_mhz == 265] == ["1", "2", "3", "4"]


def test_minerva_steps_back_where_nothing_passes() -> None:
    parameters = Parameters(f0_mhz=150, fn_mhz=250, n=3, r=2)
    strategy = strategies.find("minerva")(("a",), parameters=parameters)
    run(strategy, lambda point: 81.0)
    freqs = [one.point.freq_mhz for one in strategy.results]
    assert freqs == [150, 200, 250, 50, 99.5, 149, 51, 52, *range(53, 84)]
    assert strategy.summary() == "81 MHz asked for and met, by a"


def test_minerva_ends_on_a_design_that_never_closes() -> None:
    strategy = run(strategies.find("minerva")(ARMS), lambda point: 0.5)
    assert strategy.summary() == "no frequency that was asked for was met"
    assert {one.point.arm for one in strategy.results} == {"arm-0"}
    assert strategy.best is not None


def test_binary_search_halves_the_range() -> None:
    parameters = Parameters(f0_mhz=100, fn_mhz=164)
    strategy = run(strategies.find("binary")(ARMS, parameters=parameters), lambda point: 131.5)
    asked = [one.point.freq_mhz for one in strategy.results]
    assert asked == [132, 116, 124, 128, 130, 131]
    assert strategy.summary() == "131 MHz asked for and met"


def test_sweep_asks_each_frequency_of_the_range() -> None:
    parameters = Parameters(f0_mhz=100, fn_mhz=104, step_mhz=2)
    strategy = run(strategies.find("sweep")(ARMS, parameters=parameters), lambda point: 102.0)
    slacks = [(one.point.freq_mhz, one.slack_ns, one.passes) for one in strategy.results]
    assert [freq for freq, _, _ in slacks] == [100, 102, 104]
    assert [passes for _, _, passes in slacks] == [True, True, False]
    assert slacks[0][1] == pytest.approx(1000 / 100 - 1000 / 102)


def test_equal_hardware_is_found_by_its_digest() -> None:
    results = [
        Result(Point(arm, 0), 100.0, 1.0, config=config)
        for arm, config in (("a", "x"), ("b", "y"), ("c", "x"), ("d", ""), ("e", ""))
    ]
    assert same(results) == {"c": "a"}


def test_a_probe_tells_what_it_found_and_no_more() -> None:
    strategy = strategies.find("probe")(("a", "b", "c", "d", "e"))
    assert strategy.summary() == "0 arms differ"
    configs = {"a": "1", "b": "1", "c": "2", "d": ""}
    for point in strategy.ask(4):
        config = configs[point.arm]
        strategy.tell(Result(point, 100.0 if config else None, 1.0, config=config))
    # The last one was not run.
    assert strategy.summary() == "2 arms differ, 1 the same as another, 1 failed"


def test_racing_drops_what_is_the_same_and_what_fails() -> None:
    strategy = Racing(("a", "b", "c"), budget=Budget(runs=40))
    while len(strategy.results) < 40:
        for point in strategy.ask(1):
            fmax = None if point.arm == "c" else 100.0 + point.seed % 7
            strategy.tell(Result(point, fmax, 1.0, config=f"{point.seed}" if fmax else ""))
    runs = [one.point.arm for one in strategy.results]
    assert runs.count("b") <= 1 or runs.count("a") <= 1
    assert runs.count("c") <= 2
    assert "dropped: " in strategy.summary()


def test_racing_goes_where_the_best_sample_is() -> None:
    """One arm of eight is 6 % faster: it gets most of the runs, and gives the best."""

    def clock(point: Point) -> float:
        noise = contract.outcome(point).cpu_s / 100  # 1 to 5 %
        return 100.0 * (1 + noise) * (1.06 if point.arm == "arm-5" else 1.0)

    share = []
    for seed in range(5):
        strategy = run(Racing(ARMS, budget=Budget(runs=60), seed=seed), clock)
        share.append(sum(one.point.arm == "arm-5" for one in strategy.results))
        assert strategy.best is not None
        assert strategy.best.point.arm == "arm-5"
    assert sorted(share)[2] > 30


def test_racing_prefers_the_cheaper_of_two_alike() -> None:
    counts = {"cheap": 0, "dear": 0}
    for seed in range(5):
        strategy = Racing(("dear", "cheap"), budget=Budget(cpu_s=400), seed=seed)
        while strategy.spent_cpu_s < 400:
            for point in strategy.ask(1):
                fmax = 100 + contract.outcome(point).cpu_s
                cost = 10.0 if point.arm == "dear" else 1.0
                strategy.tell(Result(point, fmax, cost, config=f"{point}"))
                counts[point.arm] += 1
    assert counts["cheap"] > 5 * counts["dear"]


def test_expected_gain_of_a_normal_draw() -> None:
    # Mean of max(x, 0): 1 / sqrt(2 pi) at mean 0, the mean itself far above it.
    assert expected_gain(0.0, 1.0) == pytest.approx(0.39894, rel=1e-4)
    assert expected_gain(8.0, 1.0) == pytest.approx(8.0, rel=1e-9)
    assert expected_gain(-8.0, 1.0) == pytest.approx(0.0, abs=1e-12)


@pytest.mark.parametrize(
    ("change", "message"),
    [
        ({"f0_mhz": 200.0}, "--fn: the range from 200 to 200 MHz is empty\n"),
        ({"f0_mhz": 300.0}, "--fn: the range from 300 to 200 MHz is inverted\n"),
        ({"f0_mhz": 0.0}, "--f0: must be 1 to 2000 MHz, not 0"),
        ({"fn_mhz": float("nan")}, "--fn: must be 1 to 2000 MHz, not nan"),
        ({"n": 1}, "--n: must be at least 2, not 1\n"),
        ({"p": 0}, "--p: must be at least 1, not 0"),
        ({"r": 0}, "--r: must be at least 1, not 0"),
        ({"step_mhz": 0.0}, "--step: must be at least 0.1 MHz, not 0"),
    ],
)
def test_wrong_parameters_are_refused(change: dict[str, Any], message: str) -> None:
    with pytest.raises(InputError) as caught:
        Parameters(**change)
    assert str(caught.value).startswith(message)


def test_wrong_budgets_and_names_are_refused() -> None:
    with pytest.raises(InputError, match=r"--budget: must be above 0, not 0s"):
        Budget(cpu_s=0.0)
    with pytest.raises(InputError, match="--budget: must be at least 1, not 0runs"):
        Budget(runs=0)
    with pytest.raises(InputError, match=r"no such strategy: 'raceing'\n  the nearest is racing"):
        strategies.find("raceing")
    with pytest.raises(InputError, match="--p: there are 8 arms, not 9"):
        strategies.find("minerva")(ARMS, parameters=Parameters(p=9))


def test_racing_is_told_what_arms_have_in_common() -> None:
    first = Arm(name="a", about="", place=("--x=1",), map_ns=4.0, chains=True)
    arms = [first, Arm(name="b", about="")]
    assert strategies.words(first) == ("--x=1", "map_ns=4", "chains")
    assert isinstance(strategies.make("racing", arms), Racing)
