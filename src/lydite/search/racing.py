# SPDX-License-Identifier: Apache-2.0
"""Racing: arms as a bandit whose prize is the best sample, under a budget of processor seconds.

One placement is a draw of its arm. What counts is the highest of all draws, so a draw is worth
what it exceeds the best so far by, on average, for a second of a processor: scattered and cheap
arms gain by that. Means and spreads are not known; each choice draws them from what is believed of
each arm after its results (Thompson sampling), and takes the arm that then gains most for its cost.
Arms borrow from each other: options that they share move them alike, and all scatter alike until
they show otherwise. What is the same hardware as an earlier arm is dropped, and what only fails.

Where area counts, too, it is known of an arm once that was mapped, and its merit is moved by it.
After a front, each choice is made for a weight of area that is drawn for it (J. Knowles, ParEGO,
2006).

The model: log clock = mean of the design + an effect of each option of the arm + an effect of the
arm + noise. All effects are normal; those of options and arms have fixed spreads, since few results
tell them apart. Netlists cost once (`Result.shared_cpu_s`).
"""

from __future__ import annotations

import math
import operator
import random
import statistics
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any

from lydite.search.strategy import Point, Result, Strategy

# Spreads of logarithms of clocks: of the effect of an option, of an arm beside its options, and of
# seeds before any are seen, with the number of results that this counts for.
_OPTION_SD = 0.035
_ARM_SD = 0.015
_SEED_SD = 0.04
_SEED_WEIGHT = 4.0
_MEAN_SD = 10.0
# Failures without a success after which an arm is dropped.
_FAILURES = 2
# Without a budget: as much again as was spent, and that many runs at least.
_AHEAD = 10.0
# Share of the clock in the merit of a choice on the way to a front, at least.
_LEAST_CLOCK = 0.1
# Share of the rest of the budget that a new arm is likely to get.
_FOLLOW = 0.1


@dataclass
class _Arm:
    """What is known of an arm: logarithms of its clocks and area, costs, failures, seeds begun."""

    name: str
    features: tuple[int, ...]
    logs: list[float] = field(default_factory=list)
    area: float | None = None
    per_cycle: float | None = None
    costs: list[float] = field(default_factory=list)
    failures: int = 0
    seed: int = 0
    is_dropped: bool = False


class Racing(Strategy):
    """Arms by what the best of their next draws is likely to be.

    Parameters
    ----------
    options : mapping, optional
        Arm to its options, for arms to borrow from each other; each arm by itself without.
    groups : mapping, optional
        Arm to what has a mean of its own, as a design; all are of one without.
    """

    name = "racing"
    about = "arms by what the best of their next draws is likely to be, for its cost"
    is_endless = True

    def __init__(
        self,
        arms: Sequence[str],
        *,
        options: Mapping[str, Sequence[str]] | None = None,
        groups: Mapping[str, str] | None = None,
        **others: Any,
    ) -> None:
        super().__init__(arms, **others)
        self._random = random.Random(self.seed)
        told = {name: tuple((options or {}).get(name, ())) for name in self.arms}
        of = [(groups or {}).get(name, "") for name in self.arms]
        means = list(dict.fromkeys(of))
        words = sorted({word for given in told.values() for word in given})
        # Features: the mean of each group; then options; then each arm's own.
        before = len(means)
        self._all = {
            name: _Arm(
                name,
                (
                    means.index(group),
                    *(before + words.index(word) for word in told[name]),
                    before + len(words) + index,
                ),
            )
            for index, (name, group) in enumerate(zip(self.arms, of, strict=True))
        }
        spreads = ((_MEAN_SD, means), (_OPTION_SD, words), (_ARM_SD, self.arms))
        self._prior = [sd**-2 for sd, named in spreads for _ in named]
        self._shared: list[float] = []
        self._first: dict[tuple[int, str], str] = {}

    def _next(self, room: int) -> Sequence[Point]:
        points: list[Point] = []
        for _ in range(room):
            arm = self._choose()
            if arm is None:
                break
            points.append(Point(arm.name, arm.seed))
            arm.seed += 1
        return points

    def _choose(self) -> _Arm | None:
        live = [arm for arm in self._all.values() if not arm.is_dropped]
        if not any(arm.logs for arm in live):
            # Nothing to go by: each once, in their order.
            return min(live, key=lambda arm: arm.seed, default=None)
        left, noise, weight = self._left(), self._noise(), self._weight()
        means, top = self._draw(noise, weight), self._top(weight)
        rates = []
        for arm in live:
            ahead = sum(means[index] for index in arm.features) - top
            gain = expected_gain(ahead, self._spread(arm, noise))
            # Where none can be told from nothing, the nearest.
            rates.append((gain / self._price(arm, left), ahead, arm))
        return max(rates, key=lambda one: one[:2])[2]

    def _left(self) -> float:
        """Give the processor seconds that are left, with what is under way counted as spent."""
        each = self._cost()
        pending = each * len(self.pending)
        if self.budget.cpu_s is not None:
            return self.budget.cpu_s - self.spent_cpu_s - pending
        if self.budget.runs is not None:
            return each * (self.budget.runs - len(self.results) - len(self.pending))
        return max(self.spent_cpu_s, _AHEAD * each)

    def _weight(self) -> float:
        """Give the weight of log areas: that of the objective, or drawn."""
        if self.objective.weight is not None:
            return self.objective.weight
        share = self._random.uniform(_LEAST_CLOCK, 1.0)
        return (1 - share) / share

    def _top(self, weight: float) -> float:
        """Give the most merit so far."""
        merits = (
            self.objective.merit(one.fmax_mhz, one.area, one.per_cycle, weight)
            for one in self.results
            if not one.has_failed
        )
        return max(merit for merit in merits if merit is not None)

    def _cost(self) -> float:
        costs = [cost for arm in self._all.values() for cost in arm.costs]
        return statistics.fmean(costs) if costs else 1.0

    def _price(self, arm: _Arm, left: float) -> float:
        """Give what a draw of an arm costs: what fails is paid, too, and a new netlist once."""
        each = statistics.fmean([*arm.costs, self._cost()])
        share = (len(arm.logs) + 1) / (len(arm.logs) + arm.failures + 1)
        price = max(each, 1e-9) / share
        if not arm.costs and self._shared:
            # Spread over the draws that may follow.
            price += statistics.fmean(self._shared) / max(1.0, _FOLLOW * left / price)
        return price

    def _noise(self) -> float:
        """Give the spread of seeds, of all arms together, as far as it is known."""
        total, count = _SEED_WEIGHT * _SEED_SD**2, _SEED_WEIGHT
        for arm in self._all.values():
            if len(arm.logs) > 1:
                total += statistics.variance(arm.logs) * (len(arm.logs) - 1)
                count += len(arm.logs) - 1
        return math.sqrt(total / count)

    def _spread(self, arm: _Arm, noise: float) -> float:
        """Draw the spread of an arm: that of all, and its own by the number of its results."""
        total, count = _SEED_WEIGHT * noise**2, _SEED_WEIGHT
        if len(arm.logs) > 1:
            total += statistics.variance(arm.logs) * (len(arm.logs) - 1)
            count += len(arm.logs) - 1
        return math.sqrt(total / (2 * self._random.gammavariate(count / 2, 1.0)))

    def _draw(self, noise: float, area_weight: float) -> list[float]:
        """Draw all effects from what is believed of them after the results."""
        weight = noise**-2
        told = [arm for arm in self._all.values() if arm.logs]
        # An effect that no result has in it is as it was believed; only the others are solved for.
        seen = sorted({index for arm in told for index in arm.features})
        place = {index: row for row, index in enumerate(seen)}
        matrix = [[0.0] * len(seen) for _ in seen]
        right = [0.0] * len(seen)
        for index, row in place.items():
            matrix[row][row] = self._prior[index]
        for arm in told:
            rows = [place[index] for index in arm.features]
            shift = self.objective.shift(arm.area, arm.per_cycle, area_weight)
            for one in rows:
                right[one] += weight * (sum(arm.logs) + len(arm.logs) * shift)
                for other in rows:
                    matrix[one][other] += weight * len(arm.logs)
        found = [self._random.gauss(0.0, precision**-0.5) for precision in self._prior]
        for index, value in zip(seen, _normal(matrix, right, self._random), strict=True):
            found[index] = value
        return found

    def _learn(self, result: Result) -> None:
        arm = self._all[result.point.arm]
        arm.costs.append(result.cpu_s - result.shared_cpu_s)
        if result.shared_cpu_s:
            self._shared.append(result.shared_cpu_s)
        if result.fmax_mhz is None:
            arm.failures += 1
            arm.is_dropped |= not arm.logs and arm.failures >= _FAILURES
            return
        arm.logs.append(math.log(result.fmax_mhz))
        arm.area, arm.per_cycle = result.area, result.per_cycle
        if result.config:
            other = self._first.setdefault((result.point.seed, result.config), arm.name)
            if other != arm.name:
                self._drop_one(arm, self._all[other])

    def _drop_one(self, one: _Arm, other: _Arm) -> None:
        """Drop the later of two arms that are the same; its results are the other's, too."""
        late = max(one, other, key=lambda arm: self.arms.index(arm.name))
        late.is_dropped = True
        late.logs.clear()

    def summary(self) -> str:
        dropped = [arm.name for arm in self._all.values() if arm.is_dropped]
        tried = sum(bool(arm.seed) for arm in self._all.values())
        told = f"{tried} of {len(self.arms)} arms tried"
        return f"{told}; dropped: {', '.join(dropped)}" if dropped else told


def expected_gain(ahead: float, spread: float) -> float:
    """Give by how much a normal draw exceeds 0 on average: of mean `ahead`, and spread above 0."""
    normal = statistics.NormalDist()
    return max(0.0, spread * normal.pdf(ahead / spread) + ahead * normal.cdf(ahead / spread))


def _normal(
    precision: Sequence[Sequence[float]], right: Sequence[float], source: random.Random
) -> list[float]:
    """Draw from the normal distribution of a precision matrix P and mean P^-1 right."""
    size = len(right)
    lower = _cholesky(precision)
    forward: list[float] = []
    for row in range(size):
        done = sum(map(operator.mul, lower[row], forward))
        forward.append((right[row] - done) / lower[row][row])
    # L^T x = L^-1 right + z has the mean and the covariance wanted.
    aim = [value + source.gauss(0.0, 1.0) for value in forward]
    found = [0.0] * size
    for row in reversed(range(size)):
        done = sum(lower[below][row] * found[below] for below in range(row + 1, size))
        found[row] = (aim[row] - done) / lower[row][row]
    return found


def _cholesky(matrix: Sequence[Sequence[float]]) -> list[list[float]]:
    """Give L of L L^T, of a symmetric positive definite matrix."""
    size = len(matrix)
    lower = [[0.0] * size for _ in range(size)]
    for row in range(size):
        for column in range(row + 1):
            # Slices end with the shorter one: the terms before the column.
            done = sum(map(operator.mul, lower[row], lower[column][:column]))
            if row == column:
                lower[row][row] = math.sqrt(matrix[row][row] - done)
            else:
                lower[row][column] = (matrix[row][column] - done) / lower[column][column]
    return lower
