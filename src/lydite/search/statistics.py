# SPDX-License-Identifier: Apache-2.0
"""How sure a figure over few seeds is: intervals, odds of an order, seeds that would settle it.

Pure functions of samples; what is drawn follows from a seed.
"""

from __future__ import annotations

import itertools
import math
import random
import statistics
from collections.abc import Sequence
from fractions import Fraction

from lydite.base.seeds import hashed

_DRAWS = 2000
# More seeds than that are not thought of.
MOST_SEEDS = 10_000
# Of the continued fraction: enough for 1e-12 up to some 10^5 degrees of freedom.
_TERMS = 600


def median_interval(values: Sequence[float], *, sure: float = 0.95) -> tuple[float, float]:
    """Give the bootstrap interval (percentiles) of the median of at least one value.

    Of few values it is at most their range, and so too narrow: of n it holds the true median with a
    chance of no more than 1 - 2 ** (1 - n).
    """
    source = random.Random(hashed("bootstrap of the median", len(values)))
    ordered = sorted(values)
    medians = sorted(
        statistics.median(source.choices(ordered, k=len(ordered))) for _ in range(_DRAWS)
    )
    tail = (1 - sure) / 2
    low, high = math.floor(tail * (_DRAWS - 1)), math.ceil((1 - tail) * (_DRAWS - 1))
    return medians[low], medians[high]


def odds_above(one: Sequence[float], other: Sequence[float]) -> float | None:
    """Give the probability that the mean of one population is above that of another.

    Welch: means and spreads unknown, samples normal, nothing known before. None where two values
    are lacking on a side.
    """
    if min(len(one), len(other)) < 2:
        return None
    moments = [(statistics.fmean(v), statistics.variance(v), len(v)) for v in (one, other)]
    (mean_1, variance_1, _), (mean_2, variance_2, _) = moments
    return _odds(mean_1 - mean_2, variance_1, variance_2, len(one), len(other))


def _odds(ahead: float, variance_1: float, variance_2: float, n_1: int, n_2: int) -> float:
    part_1, part_2 = variance_1 / n_1, variance_2 / n_2
    total = part_1 + part_2
    if total == 0:
        return 0.5 if ahead == 0 else float(ahead > 0)
    freedom = total**2 / (part_1**2 / (n_1 - 1) + part_2**2 / (n_2 - 1))
    return student(ahead / math.sqrt(total), freedom)


def welch(one: Sequence[Fraction], other: Sequence[Fraction]) -> tuple[float, float] | None:
    """Give Welch's t of the difference of two means, one less other, and its degrees of freedom.

    Without any spread t is 0 where the means are equal, else infinite, and the freedom 0. None
    where two values are lacking on a side.
    """
    if min(len(one), len(other)) < 2:
        return None
    ahead = statistics.mean(one) - statistics.mean(other)
    part_1, part_2 = (statistics.variance(side) / len(side) for side in (one, other))
    total = part_1 + part_2
    if total == 0:
        return (math.copysign(math.inf, ahead) if ahead else 0.0), 0.0
    freedom = total**2 / (part_1**2 / (len(one) - 1) + part_2**2 / (len(other) - 1))
    return float(ahead) / math.sqrt(total), float(freedom)


def without(
    one: Sequence[tuple[int, int]], other: Sequence[tuple[int, int]]
) -> tuple[list[Fraction], list[Fraction]]:
    """Give values less what a count beside each explains: (value, count) pairs of two classes.

    The slope is that of least squares within the classes, so that it takes away nothing of a
    difference between these (analysis of covariance); fractions are exact.
    """
    products = squares = Fraction(0)
    for side in (one, other):
        if side:
            mean_value = Fraction(sum(value for value, _ in side), len(side))
            mean_count = Fraction(sum(count for _, count in side), len(side))
            products += sum((v - mean_value) * (c - mean_count) for v, c in side)
            squares += sum((c - mean_count) ** 2 for _, c in side)
    slope = products / squares if squares else Fraction(0)
    left, right = ([value - slope * count for value, count in side] for side in (one, other))
    return left, right


def seeds_to_settle(
    one: Sequence[float], other: Sequence[float], *, sure: float = 0.95
) -> int | None:
    """Give how many seeds each side needs for its order to be that sure, if all stays as it looks.

    None where two values are lacking, or MOST_SEEDS do not settle it.
    """
    if min(len(one), len(other)) < 2:
        return None
    ahead = abs(statistics.fmean(one) - statistics.fmean(other))
    variances = statistics.variance(one), statistics.variance(other)

    def settles(count: int) -> bool:
        return _odds(ahead, *variances, count, count) >= sure

    low, high = 2, MOST_SEEDS
    if not settles(high):
        return None
    while low < high:
        middle = (low + high) // 2
        low, high = (low, middle) if settles(middle) else (middle + 1, high)
    return low


def student(value: float, freedom: float) -> float:
    """Give the distribution function of Student's t of `freedom` > 0 degrees of freedom."""
    tail = 0.5 * _beta(freedom / (freedom + value * value), freedom / 2, 0.5)
    return 1 - tail if value > 0 else tail


def _beta(x: float, a: float, b: float) -> float:
    """Give the regularised incomplete beta function, by its continued fraction
    (Abramowitz and Stegun, 26.5.8).
    """
    if x <= 0 or x >= 1:
        return float(x >= 1)
    # The fraction converges fast on this side only.
    if x > (a + 1) / (a + b + 2):
        return 1 - _beta(1 - x, b, a)
    front = math.exp(
        math.lgamma(a + b) - math.lgamma(a) - math.lgamma(b) + a * math.log(x) + b * math.log1p(-x)
    )
    return front / (a * _fraction(x, a, b))


def _fraction(x: float, a: float, b: float) -> float:
    """Give 1 + d1 / (1 + d2 / (1 + ...)), from its far end."""
    value = 1.0
    for index in reversed(range(1, _TERMS)):
        half = index // 2
        if index % 2:
            term = -(a + half) * (a + b + half) * x / ((a + 2 * half) * (a + 2 * half + 1))
        else:
            term = half * (b - half) * x / ((a + 2 * half - 1) * (a + 2 * half))
        value = 1.0 + term / value
    return value


def ranks(values: Sequence[float]) -> list[float]:
    """Give the ranks of values from 1 on; equal ones share the mean of theirs."""
    order = sorted(range(len(values)), key=lambda index: values[index])
    found = [0.0] * len(values)
    begin = 0
    while begin < len(order):
        end = begin
        while end + 1 < len(order) and values[order[end + 1]] == values[order[begin]]:
            end += 1
        for index in order[begin : end + 1]:
            found[index] = 1 + (begin + end) / 2
        begin = end + 1
    return found


def rank_correlation(one: Sequence[float], other: Sequence[float]) -> float | None:
    """Give Spearman's coefficient of pairs; None of fewer than 3, or where a side is constant."""
    if len(one) < 3 or len(set(one)) == 1 or len(set(other)) == 1:
        return None
    return statistics.correlation(ranks(one), ranks(other))


def kendall(one: Sequence[float], other: Sequence[float]) -> float | None:
    """Give Kendall's tau-b of pairs; None of fewer than 2, or where a side is constant."""
    concordant = tied_one = tied_other = 0
    pairs = list(itertools.combinations(range(len(one)), 2))
    for i, j in pairs:
        first, second = one[i] - one[j], other[i] - other[j]
        tied_one += first == 0
        tied_other += second == 0
        concordant += (first * second > 0) - (first * second < 0)
    weight = (len(pairs) - tied_one) * (len(pairs) - tied_other)
    return concordant / math.sqrt(weight) if weight else None


def kendall_interval(
    one: Sequence[Sequence[float]], other: Sequence[Sequence[float]], *, sure: float = 0.95
) -> tuple[float, float] | None:
    """Give the bootstrap interval of Kendall's tau between medians of samples; None where it has
    none.

    Parameters
    ----------
    one, other : sequences
        Of each thing its samples on either side, at least one; each is drawn anew from its own.
    """
    source = random.Random(hashed("bootstrap of Kendall's tau", len(one)))

    def medians(side: Sequence[Sequence[float]]) -> list[float]:
        return [statistics.median(source.choices(values, k=len(values))) for values in side]

    drawn = [kendall(medians(one), medians(other)) for _ in range(_DRAWS)]
    found = sorted(value for value in drawn if value is not None)
    if len(found) < len(drawn):
        return None
    tail = (1 - sure) / 2
    return found[math.floor(tail * (_DRAWS - 1))], found[math.ceil((1 - tail) * (_DRAWS - 1))]
