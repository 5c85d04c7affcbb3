# SPDX-License-Identifier: Apache-2.0
"""Objectives, fronts, and what they cover."""

from __future__ import annotations

import itertools
import math
import random

import pytest

from lydite import targets
from lydite.base import InputError
from lydite.search.explore.objectives import (
    Figures,
    covered,
    dominates,
    front,
    hypervolume,
    read,
    values,
)

ECP5 = targets.find("ecp5-85k").family
FIGURES = Figures(cycles=100.5, period_ns=8.0, lut=1000, ff=600, bram=2, dsp=1, esc=14.7)


def test_objectives_are_figures() -> None:
    assert FIGURES.latency_ns == 804
    names = ("latency", "cycles", "period", "lut", "ff", "bram", "dsp", "esc")
    assert values(FIGURES, names) == (804, 100.5, 8, 1000, 600, 2, 1, 14.7)
    assert read(" latency, lut", ECP5) == ("latency", "lut")


def test_equivalent_slices_by_the_weights_of_a_family() -> None:
    area = {"lut4": 1000, "ff": 600, "bram": 2, "dsp": 1, "carry": 400}
    assert ECP5.equivalent_slices(area) == pytest.approx((500 + 300 + 402.12 + 268.08) / 100)
    ice40 = targets.find("ice40-hx8k").family
    assert ice40.equivalent_slices({"lut4": 7680}) == pytest.approx(9.6)
    # All tables, and all block RAMs, of the largest part are all of its slices.
    assert ECP5.equivalent_slices({"lut4": 83640}) == pytest.approx(418.2)
    assert ECP5.equivalent_slices({"bram": 208}) == pytest.approx(418.2, abs=0.01)


@pytest.mark.parametrize(
    ("text", "message"),
    [
        ("latency,area", "--objective: no such objective: 'area'\n  there are: latency, cycles, "),
        ("latencies", "--objective: no such objective: 'latencies'\n  the nearest is latency"),
        ("", "--objective: no such objective: ''"),
        ("lut,ff,lut", "--objective: lut stands twice"),
    ],
)
def test_wrong_objectives_are_refused(text: str, message: str) -> None:
    with pytest.raises(InputError) as raised:
        read(text, ECP5)
    assert str(raised.value).startswith(message)


def test_a_family_without_weights_has_no_slices() -> None:
    from msgspec.structs import replace

    bare = replace(ECP5, slices=None)
    assert bare.equivalent_slices({"lut4": 5}) is None
    with pytest.raises(InputError, match="Lattice ECP5 has no weights of slices"):
        read("latency,esc", bare)
    assert values(
        Figures(cycles=1, period_ns=1, lut=1, ff=1, bram=0, dsp=0, esc=None), ("esc",)
    ) == (math.inf,)


def test_a_front_is_what_none_dominates() -> None:
    points = [(3, 1), (1, 3), (2, 2), (2, 2), (3, 3), (1, 4)]
    assert front(points, lambda point: point) == ((1, 3), (2, 2), (3, 1))
    assert dominates((1, 2), (1, 3))
    assert not dominates((1, 2), (1, 2))
    assert not dominates((1, 2), (2, 1))


@pytest.mark.parametrize("axes", [1, 2, 3, 4])
def test_a_hypervolume_is_the_count_of_cells(axes: int) -> None:
    drawn = random.Random(axes)
    for _ in range(20):
        worst = (5,) * axes
        points = [tuple(drawn.randrange(7) for _ in worst) for _ in range(drawn.randrange(6))]
        cells = itertools.product(range(5), repeat=axes)
        wanted = sum(
            any(all(p <= c for p, c in zip(point, cell, strict=True)) for point in points)
            for cell in cells
        )
        assert hypervolume(points, worst) == wanted


def test_what_is_covered_is_a_share_of_logarithms() -> None:
    ends = ((9.0, 0.0), (999.0, 99.0))
    assert covered([], ends) == 0
    assert covered([(9.0, 0.0)], ends) == 1
    assert covered([(99.0, 9.0)], ends) == pytest.approx(0.25)
    assert covered([(999.0, 99.0)], ends) == 0
    # An axis on which all are the same tells nothing.
    assert covered([(99.0, 3.0)], ((9.0, 3.0), (999.0, 3.0))) == pytest.approx(0.5)
