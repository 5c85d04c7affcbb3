# SPDX-License-Identifier: Apache-2.0
"""Knobs of a program, points, and which points mean the same."""

from __future__ import annotations

import tomllib

import pytest

from lydite.base import InputError
from lydite.hls.contract.directive_text import Placed
from lydite.hls.places import Array, Loop, Places, Routine
from lydite.search.explore import files, space
from lydite.search.explore.engine import Result
from lydite.search.explore.objectives import Figures
from lydite.search.explore.space import Point, Space


def loop(name: str, outer: str = "", trips: int | None = 8, function: str = "f") -> Loop:
    return Loop(function, name, "k.c:1", outer, trips, ("g",) if name == "inner" else (), 10)


PLACES = Places(
    top="f",
    routines=(
        Routine("f", "k.c:1", ("g",), (("mul", 3), ("xor", 3)), 20),
        Routine("g", "k.c:9", (), (("add", 9),), 20),
    ),
    loops=(
        loop("outer"),
        loop("inner", "outer"),
        loop("open", trips=None),
        loop("g1", function="g"),
    ),
    arrays=(
        Array("f", "a", "k.c:1", (16,), 32, True),
        Array("f", "b", "k.c:2", (4, 300), 32, False),
        Array("f", "t", "k.c:3", (256,), 8, False, True),
    ),
)


def chosen(made: Space, **told: str) -> Point:
    """Give a point by `kind_place`, the rest as written."""
    names = [f"{knob.kind}_{knob.place.replace('/', '_')}" for knob in made.knobs]
    assert told.keys() <= set(names), names
    return tuple(
        told.get(name, knob.choices[0]) for name, knob in zip(names, made.knobs, strict=True)
    )


def choices(made: Space, kind: str, place: str) -> tuple[str, ...]:
    return next(k.choices for k in made.knobs if (k.kind, k.place) == (kind, place))


def test_knobs_are_made_of_places() -> None:
    made = space.make(PLACES, (10.0, 7.0))
    assert choices(made, "clock", "clock") == ("10", "7")
    assert choices(made, "inline", "g") == (
        *("", "inline", "inline off"),
        "inline off; pipeline",
    )
    assert choices(made, "unroll", "f/inner") == (
        *("", "unroll off", "unroll factor=2", "unroll factor=4", "unroll"),
    )
    # Without a bound there is no whole.
    assert choices(made, "unroll", "f/open")[-1] == "unroll factor=8"
    assert choices(made, "partition", "f/b") == (
        "",
        "array_partition cyclic factor=2 dim=1",
        "array_reshape cyclic factor=2 dim=1",
        "array_partition complete dim=1",
        "array_partition cyclic factor=2 dim=2",
        "array_partition cyclic factor=4 dim=2",
        "array_partition cyclic factor=8 dim=2",
        "array_reshape cyclic factor=2 dim=2",
    )
    assert choices(made, "partition", "f/t")[-1] == "array_partition complete"
    limits = [knob.choices[1:] for knob in made.knobs if knob.kind == "allocation"]
    assert limits == [
        tuple(f"allocation operation instances=mul limit={n}" for n in (1, 2)),
        tuple(f"allocation operation instances=add limit={n}" for n in (1, 2, 4)),
    ]
    assert not any(knob.place == "f/a" for knob in made.knobs)
    assert any(knob.place == "f/a" for knob in space.make(PLACES, (10.0,), ports=True).knobs)


def test_a_loop_around_one_without_a_bound_is_no_pipeline() -> None:
    loops = (loop("outer"), loop("inner", "outer", None))
    made = space.make(Places("f", PLACES.routines, loops, ()), (10.0,))
    assert [k.place for k in made.knobs if k.kind == "pipeline"] == ["f/inner"]


def test_what_would_be_too_large_is_no_choice() -> None:
    routine = Routine("f", "k.c:1", (), (), 20)
    made = space.make(Places("f", (routine,), (loop("long", trips=100_000),), ()), (10.0,))
    assert "unroll" not in choices(made, "unroll", "f/long")


def test_choices_that_mean_nothing_are_taken_back() -> None:
    made = space.make(PLACES, (10.0,))
    inner = {"unroll_f_inner": "unroll", "pipeline_f_inner": "pipeline", "unroll_g_g1": "unroll"}
    around = chosen(made, pipeline_f_outer="pipeline", **inner)
    assert made.normal(around) == chosen(made, pipeline_f_outer="pipeline")
    # A function of its own is told for itself.
    apart = {"inline_g": "inline off", "unroll_g_g1": "unroll"}
    kept = chosen(made, pipeline_f_outer="pipeline", **apart)
    assert made.normal(kept) == kept
    whole = chosen(made, inline_g="inline off; pipeline", unroll_g_g1="unroll off")
    assert made.normal(whole) == chosen(made, inline_g="inline off; pipeline")
    both = chosen(made, unroll_f_open="unroll off", unroll_f_inner="unroll")
    assert made.normal(both) == both
    gone = chosen(made, unroll_f_outer="unroll", pipeline_f_outer="pipeline II=2")
    assert made.normal(gone) == chosen(made, unroll_f_outer="unroll")
    for point in (around, kept, whole, gone):
        assert made.normal(made.normal(point)) == made.normal(point)


def test_a_knob_wins_over_the_base_in_its_place_only() -> None:
    base = (
        Placed("pipeline II=3", loop="inner"),
        Placed("Allocation operation instances=mul limit=2"),
        Placed("latency max=9", loop="inner"),
    )
    made = space.make(PLACES, (10.0,), base=base)
    assert [one.directive for one in made.directives(made.first)] == [one.directive for one in base]
    limit = "allocation operation instances=add limit=1"
    point = chosen(made, pipeline_f_inner="pipeline off", allocation_g=limit)
    assert [(one.directive, one.function, one.loop) for one in made.directives(point)] == [
        ("Allocation operation instances=mul limit=2", "f", ""),
        ("latency max=9", "f", "inner"),
        ("pipeline off", "f", "inner"),
        (limit, "g", ""),
    ]
    assert made.words(point) == f"inner: pipeline off; g: {limit}"


def test_a_point_is_a_file_of_directives() -> None:
    made = space.make(PLACES, (10.0, 7.0))
    figures = Figures(cycles=5, period_ns=7, lut=1, ff=2, bram=0, dsp=0, esc=0.1)
    point = chosen(made, inline_g="inline off; pipeline", clock_clock="7")
    written = files.text(made, Result(point=point, figures=figures, proven=True), "3", ["lydite"])
    assert tomllib.loads(written) == {
        "effort": "area",
        "directives": [
            {"function": "g", "directive": "inline off"},
            {"function": "g", "directive": "pipeline"},
        ],
    }
    assert "# Point 3 of an exploration: 35 ns a call, 5 cycles at 7 ns," in written
    first = Result(point=made.first, figures=figures, proven=True)
    assert tomllib.loads(files.text(made, first, "1", [])) == {
        "effort": "area",
        "directives": [],
    }


@pytest.mark.parametrize(
    ("kinds", "ports"),
    [(("inline",), False), (("clock", "partition"), False), (("allocation",), True)],
)
def test_an_empty_space_is_refused(kinds: tuple[str, ...], ports: bool) -> None:
    plain = Places("f", (Routine("f", "k.c:1", (), (), 5),), (), PLACES.arrays[:1])
    with pytest.raises(InputError) as raised:
        space.make(plain, (10.0,), kinds=kinds, ports=ports)
    assert str(raised.value).startswith(
        f"--knobs: there is nothing to explore in f: no choice of {', '.join(kinds)}\n  "
    )
