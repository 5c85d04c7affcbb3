# SPDX-License-Identifier: Apache-2.0
"""The engine: new points only, the same ones for the same seed, and an end."""

from __future__ import annotations

import itertools
import random
import sys
from pathlib import Path

import pytest

from lydite.base import InputError, ToolNotFound
from lydite.hls.places import Loop, Places, Routine
from lydite.search.explore import log, space
from lydite.search.explore.driver import Budget, spread
from lydite.search.explore.engine import Engine, Result
from lydite.search.explore.log import EXPLORATION, Asked, Head, Told
from lydite.search.explore.objectives import Figures, dominates
from lydite.search.explore.space import Point, Space
from lydite.search.log import Journal, read_as
from lydite.search.sampler import SAMPLERS


def made(loops: int = 3, clocks: tuple[float, ...] = (10.0, 7.0)) -> Space:
    places = Places(
        "f",
        (Routine("f", "k.c:1", (), (("mul", 8),), 30),),
        tuple(Loop("f", f"l{at}", f"k.c:{at}", "", 16, (), 20) for at in range(loops)),
        (),
    )
    return space.make(places, clocks)


def outcome(point: Point) -> Result:
    """Give what a point comes to: who pipelines is fast, who shares small; some fail."""
    if sum(choice == "unroll" for choice in point) > 1:
        return Result(point=point, figures=None, error="too large", exit_code=2)
    cycles, lut = 1000.0, 100
    for choice in point:
        if choice.startswith("pipeline") and choice != "pipeline off":
            cycles, lut = cycles / 3, lut + 60
        if choice.startswith("unroll") and choice != "unroll off":
            cycles, lut = cycles / 1.5, lut * 2
        if choice.startswith("allocation"):
            cycles, lut = cycles * 1.3, lut - 20
    period = float(point[0])
    figures = Figures(
        cycles=cycles, period_ns=period, lut=lut, ff=lut, bram=0, dsp=0, esc=lut / 100
    )
    return Result(point=point, figures=figures, proven=True)


def run(engine: Engine, points: int, room: int = 1, order: random.Random | None = None) -> None:
    """Tell so many points in all, with `room` of them under way, in any order."""
    while len(engine.results) < points:
        engine.ask(room - len(engine.pending))
        if not engine.pending:
            break
        pending = engine.pending
        engine.tell(outcome(order.choice(pending) if order else pending[0]))


@pytest.mark.parametrize("sampler", SAMPLERS)
def test_no_point_twice_and_the_same_ones_again(sampler: str) -> None:
    engines = [Engine(made(), ("latency", "lut"), sampler=sampler, seed=4) for _ in range(2)]
    for engine in engines:
        run(engine, 60, 3, random.Random(1))
    points = [[one.point for one in engine.results] for engine in engines]
    assert points[0] == points[1]
    assert len(set(points[0])) == 60
    other = Engine(made(), ("latency", "lut"), sampler=sampler, seed=5)
    run(other, 60, 3, random.Random(1))
    assert [one.point for one in other.results] != points[0]


def test_the_first_point_changes_nothing() -> None:
    engine = Engine(made(), ("latency", "lut"))
    assert engine.ask(1) == (made().first,)
    assert engine.ask(0) == ()
    assert engine.pending == (made().first,)


@pytest.mark.parametrize("sampler", SAMPLERS)
def test_a_small_space_is_looked_through_and_ends(sampler: str) -> None:
    small = made(1, (10.0,))
    engine = Engine(small, ("latency", "lut"), sampler=sampler)
    run(engine, 1000)
    every = {small.normal(point) for point in _all(small)}
    assert {one.point for one in engine.results} == every
    assert engine.has_ended
    assert engine.ask(3) == ()


def _all(one: Space) -> list[Point]:
    return list(itertools.product(*(knob.choices for knob in one.knobs)))


def test_the_front_is_what_none_dominates_and_failures_are_none() -> None:
    engine = Engine(made(), ("latency", "lut"))
    run(engine, 120)
    assert any(one.figures is None for one in engine.results)
    good = [engine.values(one) for one in engine.results if one.figures is not None]
    shown = [engine.values(one) for one in engine.front]
    assert shown == sorted(shown)
    assert set(shown) == {one for one in good if not any(dominates(two, one) for two in good)}


def test_between_neighbours_of_the_front_functions_are_mixed() -> None:
    """Whole functions of one and of the other, which no step of a few knobs comes to."""
    names = [f"g{at}" for at in range(10)]
    places = Places(
        "f",
        (
            Routine("f", "k.c:1", tuple(names), (), 30),
            *(Routine(name, "k.c:2", (), (), 30) for name in names),
        ),
        tuple(Loop(name, loop, "k.c:3", "", 16, (), 20) for name in names for loop in "ab"),
        (),
    )
    whole = space.make(places, (10.0,), kinds=("pipeline",))

    def by_function(point: Point) -> dict[str, tuple[str, ...]]:
        return {
            name: tuple(c for k, c in zip(whole.knobs, point, strict=True) if k.function == name)
            for name in names
        }

    def apart(one: Point, other: Point) -> int:
        return sum(a != b for a, b in zip(one, other, strict=True))

    engine = Engine(whole, ("cycles", "lut"), seed=1)
    mixed = 0
    while len(engine.results) < 90:
        shown = [one.point for one in engine.front]
        [point] = engine.ask(1)
        engine.tell(outcome(point))
        own = by_function(point)
        mixed += all(apart(point, other) > 3 for other in shown) and any(
            all(own[name] in (left[name], right[name]) for name in names)
            for left, right in itertools.pairwise(map(by_function, shown))
        )
    assert mixed > 5


def test_it_finds_more_than_points_at_random() -> None:
    """Over four seeds, 60 points each: the best time within twice the least area, on average."""
    best = {}
    for sampler in ("tpe", "random"):
        total = 0.0
        for seed in range(4):
            engine = Engine(made(6), ("latency", "lut"), sampler=sampler, seed=seed)
            run(engine, 60)
            total += min(v[0] for one in engine.front if (v := engine.values(one))[1] <= 400)
        best[sampler] = total
    assert best["tpe"] < 0.8 * best["random"]


def test_an_exploration_goes_on_from_its_log_with_the_same_decisions(tmp_path: Path) -> None:
    about = Head(
        top="f",
        target="ecp5-85k-6",
        first="0" * 64,
        knobs=made().knobs,
        objectives=("latency", "lut"),
        sampler="tpe",
        seed=1,
    )
    path = tmp_path / "log.jsonl"

    def logged(points: int) -> Engine:
        engine = Engine(made(), ("latency", "lut"))
        with Journal(path, about, EXPLORATION) as journal:
            seconds = log.follow(path, engine, journal.events)
            assert seconds == len(engine.results)
            while len(engine.results) < points:
                if free := 2 - len(engine.pending):
                    journal.add(Asked(free, engine.ask(free)))
                result = outcome(engine.pending[-1])
                engine.tell(result)
                journal.add(Told(result, float(len(engine.results))))
        return engine

    logged(9)
    path.write_bytes(path.read_bytes() + b'{"event":"told","re')  # cut short by a kill
    parts = logged(25)
    path.unlink()
    assert [one.point for one in logged(25).results] == [one.point for one in parts.results]
    found, _ = read_as(path, EXPLORATION)
    assert (found, len(found.name)) == (about, 64)
    with pytest.raises(InputError, match=r"the engine asks other points than the log has\n"):
        _, events = read_as(path, EXPLORATION)
        log.follow(path, Engine(made(), ("latency", "lut"), seed=2), events)
    other = Head(**{**{n: getattr(about, n) for n in about.__struct_fields__}, "seed": 7})
    with pytest.raises(InputError, match="is the log of another exploration"):
        Journal(path, other, EXPLORATION)
    newer = path.read_text().replace(
        f'"lydite_exploration":{log.VERSION}', '"lydite_exploration":9', 1
    )
    path.write_text(newer)
    with pytest.raises(InputError, match="a log of version 9; this Lydite reads version 2"):
        read_as(path, EXPLORATION)


def test_wrong_samplers_and_a_missing_package_are_told(monkeypatch: pytest.MonkeyPatch) -> None:
    with pytest.raises(InputError, match="--sampler: no such sampler: 'grid'\n  there are: tpe, "):
        Engine(made(), ("latency",), sampler="grid")
    monkeypatch.setitem(sys.modules, "optuna", None)
    with pytest.raises(ToolNotFound, match=r"pip install 'lydite\[explore\]'"):
        Engine(made(), ("latency",))


@pytest.mark.parametrize("sampler", SAMPLERS)
def test_a_seed_may_be_of_any_size(sampler: str) -> None:
    engine = Engine(made(), ("latency",), sampler=sampler, seed=2**40 + 3)
    run(engine, 20)
    assert len(engine.results) == 20


def test_what_is_left_of_a_budget() -> None:
    assert Budget(10, 100).left(4, 90) == pytest.approx(0.1)
    assert Budget().left(4, 90) == 1


def test_points_to_be_placed_have_both_ends_of_the_front() -> None:
    front = [outcome((f"{at}",)) for at in range(7)]
    assert [spread(front, count) for count in (0, 1)] == [(), (front[0],)]
    assert spread(front, 2) == (front[0], front[6])
    assert spread(front, 3) == (front[0], front[3], front[6])
    assert spread(front, 9) == tuple(front)
