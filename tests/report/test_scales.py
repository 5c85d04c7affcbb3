# SPDX-License-Identifier: Apache-2.0
"""Axes: round marks, ends that hold all values, labels that do not lie on each other."""

from __future__ import annotations

import itertools

import pytest
from hypothesis import given
from hypothesis import strategies as st

from lydite.report import scales


@pytest.mark.parametrize(
    ("low", "high", "is_log", "marks"),
    [
        (700, 6000, True, (1000, 2000, 5000)),
        (1, 1000, True, (1, 3, 10, 30, 100, 300, 1000)),
        (1, 1e12, True, (1, 100, 1e4, 1e6, 1e8, 1e10, 1e12)),
        (0.002, 0.02, True, (0.002, 0.005, 0.01, 0.02)),
        (20, 45, True, (20, 25, 30, 35, 40, 45)),
        (120.3, 132.9, False, (125, 130)),
        (0, 103, False, (0, 20, 40, 60, 80, 100)),
        (-0.001, 0.001, False, (-0.001, -0.0005, 0, 0.0005, 0.001)),
    ],
)
def test_marks_are_round(low: float, high: float, is_log: bool, marks: tuple[float, ...]) -> None:
    assert scales.ticks(low, high, is_log=is_log) == marks


@given(
    values=st.lists(st.floats(1e-6, 1e12), min_size=1, max_size=8),
    is_log=st.booleans(),
)
def test_an_axis_holds_all_values_and_has_marks(values: list[float], is_log: bool) -> None:
    low, high = scales.span(values, is_log=is_log)
    assert low < min(values) and max(values) < high
    marks = scales.ticks(low, high, is_log=is_log)
    assert 1 <= len(marks) <= 8
    assert all(low <= mark * (1 + 1e-9) and mark * (1 - 1e-9) <= high for mark in marks)
    assert list(marks) == sorted(set(marks))


@pytest.mark.parametrize(
    ("value", "text"),
    [(0, "0"), (0.5, "0.5"), (2000, "2000"), (16384, "16384"), (200_000, "200 k"),
     (2e7, "20 M"), (1e9, "1 G"), (-3, "-3"), (1e-6, "1e-06")],
)  # fmt: skip
def test_values_beside_an_axis(value: float, text: str) -> None:
    assert scales.text(value) == text


def test_labels_move_as_little_as_can_be() -> None:
    assert scales.apart([50, 50], 10, 0, 100) == [45, 55]
    assert scales.apart([0, 50, 51], 10, 0, 100) == [0, 45.5, 55.5]
    assert scales.apart([99, 100], 10, 0, 100) == [90, 100]
    assert scales.apart([], 10, 0, 100) == []


@given(st.lists(st.floats(0, 100), max_size=12), st.floats(0.5, 30))
def test_labels_lie_apart_and_inside(wanted: list[float], gap: float) -> None:
    placed = scales.apart(wanted, gap, 0, 100)
    assert all(-1e-6 <= place <= 100 + 1e-6 for place in placed)
    least = min(gap, 100 / max(len(wanted) - 1, 1))
    order = sorted(placed)
    assert all(b - a >= least - 1e-6 for a, b in itertools.pairwise(order))
    # None overtakes another.
    pairs = sorted(zip(wanted, placed, strict=True))
    assert [p for _, p in pairs] == sorted(p for _, p in pairs)
