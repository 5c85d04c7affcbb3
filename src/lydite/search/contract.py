# SPDX-License-Identifier: Apache-2.0
"""What every strategy must do, as checks that third parties can run on theirs.

@pytest.mark.parametrize("check", contract.CHECKS)
def test_mine_keeps_the_contract(check):
    check(lambda **options: Mine(("default", "other"), **options))
"""

from __future__ import annotations

import random
from collections.abc import Callable, Iterable
from typing import Protocol

from lydite.base.seeds import hashed
from lydite.search.strategy import Budget, Point, Result, Strategy

_RUNS = 60
# Points after which a strategy that hears of failures alone must have ended.
_PATIENCE = 5000


class Make(Protocol):
    """Makes a new strategy on at least one arm."""

    def __call__(self, *, seed: int, budget: Budget) -> Strategy:
        """Give it as it is before its first point."""


def outcome(point: Point) -> Result:
    """Give what a point comes to: 60 to 240 MHz by a hash, some failures."""
    drawn = random.Random(hashed(f"contract {point.arm} {point.freq_mhz}", point.seed))
    fmax = drawn.uniform(60.0, 240.0) if drawn.random() < 0.9 else None
    return Result(point, fmax, drawn.uniform(1.0, 5.0), config=f"{drawn.random()}")


def _run(
    strategy: Strategy,
    room: int,
    choose: Callable[[tuple[Point, ...]], Point] = lambda pending: pending[0],
    tells: Callable[[Point], Result] = outcome,
    runs: int = _RUNS,
) -> list[Point]:
    """Run a strategy, `room` at once, and give its points in the order in which it asked."""
    asked: list[Point] = []
    while len(strategy.results) < runs:
        asked += strategy.ask(room - len(strategy.pending))
        if not strategy.pending:
            break
        strategy.tell(tells(choose(strategy.pending)))
    return asked


def _new(make: Make, seed: int = 1) -> Strategy:
    return make(seed=seed, budget=Budget(runs=_RUNS))


def asks_what_there_is_room_for(make: Make) -> None:
    """No more points than there is room, of its arms, none twice; none where there is no room."""
    strategy = _new(make)
    assert strategy.ask(0) == ()
    for room in (1, 3):
        strategy = _new(make)
        assert len(strategy.ask(room)) <= room
    asked = _run(_new(make), 3)
    assert len(set(asked)) == len(asked), "a point was asked twice"
    assert {point.arm for point in asked} <= set(strategy.arms)
    assert all(point.seed >= 0 for point in asked)


def asks_frequencies_where_it_says_so(make: Make) -> None:
    """All of its points ask for a frequency, or none."""
    strategy = _new(make)
    asked = {point.freq_mhz is not None for point in _run(strategy, 2)}
    assert asked == {strategy.asks_frequency}


def is_replayed(make: Make) -> None:
    """The same seed and the same results, in the same order, give the same points."""
    assert _run(_new(make), 2) == _run(_new(make), 2)


def takes_results_in_any_order(make: Make) -> None:
    """It neither fails nor stands still when a later point is told first."""
    strategy = _new(make)
    _run(strategy, 4, choose=lambda pending: pending[-1])
    assert strategy.results


def ends_for_good(make: Make) -> None:
    """Once it asks nothing with nothing pending, it never asks again."""
    strategy = _new(make)
    _run(strategy, 2, runs=_PATIENCE if not strategy.is_endless else _RUNS)
    if not strategy.is_endless:
        assert strategy.ask(4) == ()
        assert strategy.ask(1) == ()


def ends_where_all_fails(make: Make) -> None:
    """Where nothing ever succeeds it ends, and has no best."""
    strategy = _new(make)
    _run(strategy, 2, tells=lambda point: Result(point, None, 0.0), runs=_PATIENCE)
    assert len(strategy.results) < _PATIENCE, "it goes on for ever"
    assert strategy.best is None


def keeps_the_best(make: Make) -> None:
    """Its best is the highest clock that it was told, and it says how it ended."""
    strategy = _new(make)
    _run(strategy, 1)
    highest = max((one.fmax_mhz for one in strategy.results if one.fmax_mhz), default=None)
    assert strategy.best is not None
    assert strategy.best.fmax_mhz == highest
    assert "\n" not in strategy.summary()


CHECKS: Iterable[Callable[[Make], None]] = (
    asks_what_there_is_room_for,
    asks_frequencies_where_it_says_so,
    is_replayed,
    takes_results_in_any_order,
    ends_for_good,
    ends_where_all_fails,
    keeps_the_best,
)
