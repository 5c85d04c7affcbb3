# SPDX-License-Identifier: Apache-2.0
"""Places of labels: over nothing that is read, beside their own point, and the same each time."""

from __future__ import annotations

import itertools
import math
import random

import numpy as np
import pytest

from lydite.report import labels
from lydite.report.svg import LETTER

SIZE = (600.0, 400.0)
Spot = tuple[float, float]


def box(text: str, centre: Spot, place: labels.Place) -> tuple[float, float, float, float]:
    width = len(text) * LETTER
    left = centre[0] + place.offset[0] - width * labels.SHARE[place.anchor]
    middle = centre[1] + place.offset[1]
    return left, middle - labels.HALF, left + width, middle + labels.HALF


def distance(of: tuple[float, float, float, float], point: Spot) -> float:
    nearest = (min(max(point[0], of[0]), of[2]), min(max(point[1], of[1]), of[3]))
    return math.dist(nearest, point)


def crowd(seed: int, count: int, spread: float = 1.0) -> list[Spot]:
    source = random.Random(seed)
    return [
        (300 + source.uniform(-200, 200) * spread, 200 + source.uniform(-100, 100) * spread)
        for _ in range(count)
    ]


@pytest.mark.parametrize("spread", [1.0, 0.3])
@pytest.mark.parametrize("seed", range(10))
def test_labels_are_apart_and_over_no_point(seed: int, spread: float) -> None:
    centres = crowd(seed, 24, spread)
    text = "twelve chars"
    placed = labels.place([text] * 24, centres, [False] * 24, SIZE)
    boxes = [box(text, c, p) for c, p in zip(centres, placed, strict=True) if p]
    assert len(boxes) >= 20 if spread == 1 else len(boxes) >= 8
    for one, other in itertools.combinations(boxes, 2):
        beside = max(one[0] - other[2], other[0] - one[2])
        above = max(one[1] - other[3], other[1] - one[3])
        # A letter apart, else two labels of a row could be read as one.
        assert above >= -1e-6 or beside >= LETTER - 1e-6
    for left, low, right, high in boxes:
        assert left >= 0 and low >= 0
        assert not any(left - 6 < x < right + 6 and low - 6 < y < high + 6 for x, y in centres)


def test_a_label_without_a_line_is_nearest_to_its_own_point() -> None:
    # Of a front with steps that are smaller than a label: "200" stood beside the point of "188".
    texts = ["188", "200", "158", "latency-2"]
    centres = [(308.0, 184.5), (300.0, 200.0), (293.5, 210.0), (331.0, 198.0)]
    placed = labels.place(texts, centres, [False] * 4, SIZE)
    for text, centre, place in zip(texts, centres, placed, strict=True):
        assert place is not None
        own = distance(box(text, centre, place), centre)
        others = [distance(box(text, centre, place), other) for other in centres]
        assert place.has_line or own == min(others)


def test_a_label_alone_stands_beside_its_point_and_one_without_text_nowhere() -> None:
    assert labels.place(["a", ""], [(300, 200), (100, 100)], [False, True], SIZE) == [
        ((10.0, 0.0), "left"),
        None,
    ]
    assert labels.place(["", ""], [(1, 1), (2, 2)], [False, False], SIZE) == [None, None]


def test_pale_points_are_avoided_where_that_is_free() -> None:
    centres = [(300.0, 200.0), (320.0, 200.0)]
    place, _ = labels.place(["abc", ""], centres, [False, True], SIZE)
    assert place == ((-10.0, 0.0), "right")
    around = [(300.0 + dx, 200.0 + dy) for dx in range(-90, 91, 9) for dy in range(-90, 91, 9)]
    place = labels.place(["abc"] + [""] * len(around), [(300, 200), *around],
                         [False] + [True] * len(around), SIZE)[0]  # fmt: skip
    assert place is not None


def test_of_points_too_crowded_the_last_ones_have_labels() -> None:
    centres = [(300 + n / 50, 200.0) for n in range(60)]
    placed = labels.place(["design-nn"] * 60, centres, [False] * 60, SIZE)
    assert 10 < sum(place is not None for place in placed) < 60
    assert placed[-1] is not None and placed[0] is None


def test_the_same_points_have_the_same_places() -> None:
    centres = crowd(3, 30)
    texts = [f"point {n}" for n in range(30)]
    once, twice = (labels.place(texts, centres, [False] * 30, SIZE) for _ in range(2))
    assert once == twice


@pytest.mark.parametrize(
    ("line", "passes"),
    [
        ((0, 0, 10, 10), True),
        ((0, 0, 3, 3), False),
        ((5, 0, 5, 10), True),
        ((3, 0, 3, 10), False),
        ((0, 5, 10, 5), True),
        ((5, 5, 5.5, 5.5), True),
        ((0, 6, 6, 12), False),
        ((math.nan,) * 4, False),
    ],
)
def test_lines_pass_through_boxes(line: tuple[float, ...], passes: bool) -> None:
    of, at = np.array(line), np.array((4.0, 4.0, 7.0, 7.0))
    assert bool(labels._crosses(of, at)) is passes
