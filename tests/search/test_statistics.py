# SPDX-License-Identifier: Apache-2.0
"""Statistics against tables and against what they say of samples that were drawn."""

from __future__ import annotations

import math
import random
import statistics
from fractions import Fraction

import pytest

from lydite.search.statistics import (
    median_interval,
    odds_above,
    rank_correlation,
    ranks,
    seeds_to_settle,
    student,
    welch,
    without,
)


@pytest.mark.parametrize(
    ("freedom", "value", "share"),
    # Table of quantiles: NIST/SEMATECH e-Handbook of Statistical Methods, 1.3.6.7.2.
    [
        *((1, 6.314, 0.95), (1, 63.657, 0.995), (2, 2.920, 0.95), (3, 2.353, 0.95)),
        *((5, 2.571, 0.975), (10, 1.812, 0.95), (30, 2.457, 0.99), (100, 1.660, 0.95)),
    ],
)
def test_student_is_that_of_the_table(freedom: float, value: float, share: float) -> None:
    assert student(value, freedom) == pytest.approx(share, abs=5e-5)
    assert student(-value, freedom) == pytest.approx(1 - share, abs=5e-5)


def test_student_has_known_forms() -> None:
    # Cauchy's distribution, and nearly the normal one.
    for value in (-30.0, -1.0, -0.01, 0.0, 0.3, 4.0):
        assert student(value, 1) == pytest.approx(0.5 + math.atan(value) / math.pi, abs=1e-12)
        normal = statistics.NormalDist().cdf(value)
        assert student(value, 1e5) == pytest.approx(normal, abs=1e-5)


def test_odds_are_right_as_often_as_they_say() -> None:
    """Of orders that are told with 90 to 100 %, that share is right: few seeds, unlike spreads."""
    source = random.Random(1)
    right, told = [], []
    for _ in range(3000):
        # What lies behind is drawn as widely as nothing known before means.
        ahead = source.uniform(-10, 10)
        one = [source.gauss(ahead, 2.0) for _ in range(3)]
        other = [source.gauss(0.0, 1.0) for _ in range(4)]
        odds = odds_above(one, other)
        assert odds is not None
        sure = max(odds, 1 - odds)
        if 0.9 <= sure <= 0.99:
            told.append(sure)
            right.append((odds > 0.5) == (ahead > 0))
    assert len(told) > 300
    assert statistics.fmean(right) == pytest.approx(statistics.fmean(told), abs=0.03)


def test_odds_of_few_or_equal_values() -> None:
    assert odds_above([1.0], [2.0, 3.0]) is None
    assert odds_above([2.0, 2.0], [2.0, 2.0]) == 0.5
    assert odds_above([3.0, 3.0], [2.0, 2.0]) == 1.0
    one, other = [100.0, 104.0, 103.0], [99.0, 101.0, 97.0]
    odds, against = odds_above(one, other), odds_above(other, one)
    assert odds is not None
    assert against == pytest.approx(1 - odds)
    assert odds > 0.9


def test_seeds_that_settle_an_order() -> None:
    one, other = [100.0, 104.0, 103.0], [99.0, 101.0, 97.0]
    needed = seeds_to_settle(one, other)
    assert needed is not None
    assert 2 < needed < 6
    assert seeds_to_settle(one, other, sure=0.999) > needed
    assert seeds_to_settle([1.0, 2.0], [1.0, 2.0]) is None
    assert seeds_to_settle([1.0], [1.0, 2.0]) is None


def test_interval_holds_the_median_as_often_as_it_says() -> None:
    source = random.Random(2)
    held = 0
    for _ in range(100):
        low, high = median_interval([source.gauss(0, 1) for _ in range(25)])
        held += low <= 0 <= high
    assert 88 <= held <= 99
    assert median_interval([5.0]) == (5.0, 5.0)
    assert median_interval([1.0, 2.0, 9.0]) == (1.0, 9.0)


def test_ranks_and_their_correlation() -> None:
    assert ranks([30.0, 10.0, 20.0, 10.0]) == [4.0, 1.5, 3.0, 1.5]
    assert rank_correlation([1, 2, 3, 4], [10, 20, 40, 80]) == pytest.approx(1.0)
    assert rank_correlation([1, 2, 3, 4], [8, 4, 2, 1]) == pytest.approx(-1.0)
    assert rank_correlation([1, 2], [1, 2]) is None
    assert rank_correlation([1, 1, 1], [1, 2, 3]) is None


def test_welch_by_hand() -> None:
    """Means 2 and 5, variances 1 and 4, three values each: t = -3 / sqrt(5 / 3)."""
    t, freedom = welch(list(map(Fraction, (1, 2, 3))), list(map(Fraction, (3, 5, 7)))) or (0, 0)
    assert t == pytest.approx(-3 / math.sqrt(5 / 3))
    assert freedom == pytest.approx((5 / 3) ** 2 / ((1 / 3) ** 2 / 2 + (4 / 3) ** 2 / 2))


def test_welch_of_values_without_spread() -> None:
    two, three = [Fraction(2)] * 3, [Fraction(3)] * 3
    assert welch(two, two) == (0.0, 0.0)
    assert welch(two, three) == (-math.inf, 0.0)
    assert welch(three, two) == (math.inf, 0.0)
    assert welch(two[:1], three) is None


def test_what_a_count_explains_is_taken_away_exactly() -> None:
    one, other = [(100 + 7 * n, n) for n in (1, 4, 5)], [(100 + 7 * n, n) for n in (9, 20)]
    assert welch(*without(one, other)) == (0.0, 0.0)


def test_a_difference_of_classes_is_not_taken_away() -> None:
    """Neither where their counts differ, nor where one has the same count all the time."""
    one = [(100 + 7 * n, n) for n in (1, 4, 5)]
    for counts in ((9, 20, 2), (3, 3, 3)):
        left, right = without(one, [(101 + 7 * n, n) for n in counts])
        assert (set(left), set(right)) == ({Fraction(100)}, {Fraction(101)})
