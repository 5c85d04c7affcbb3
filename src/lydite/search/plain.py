# SPDX-License-Identifier: Apache-2.0
"""The plain strategies: seeds, random arms, a probe of each arm, a sweep, a binary search."""

from __future__ import annotations

import random
from collections.abc import Sequence
from typing import Any

from lydite.search.strategy import Point, Result, Strategy, seed_of


class Seeds(Strategy):
    """One arm under one seed after the other, until the budget is spent."""

    name = "seeds"
    about = "the first arm under one seed after the other"
    is_endless = True

    def __init__(self, arms: Sequence[str], **options: Any) -> None:
        super().__init__(arms, **options)
        self._seed = 0

    def _next(self, room: int) -> Sequence[Point]:
        first = self._seed
        self._seed += room
        return [Point(self.arms[0], seed) for seed in range(first, self._seed)]


class RandomArms(Strategy):
    """Any arm, all as likely, under its next seed, until the budget is spent."""

    name = "random"
    about = "arms at random, each under its next seed"
    is_endless = True

    def __init__(self, arms: Sequence[str], **options: Any) -> None:
        super().__init__(arms, **options)
        self._random = random.Random(self.seed)
        self._seeds = dict.fromkeys(self.arms, 0)

    def _next(self, room: int) -> Sequence[Point]:
        points = []
        for _ in range(room):
            arm = self._random.choice(self.arms)
            points.append(Point(arm, self._seeds[arm]))
            self._seeds[arm] += 1
        return points


class Probe(Strategy):
    """Each arm once, under the first seed: shows which arms come to the same hardware."""

    name = "probe"
    about = "each arm once, to find those that change nothing"

    def __init__(self, arms: Sequence[str], **options: Any) -> None:
        super().__init__(arms, **options)
        self._left = list(self.arms)

    def _next(self, room: int) -> Sequence[Point]:
        now, self._left = self._left[:room], self._left[room:]
        return [Point(arm, 0) for arm in now]

    def summary(self) -> str:
        dropped = same(self.results)
        # An arm is run once.
        failed = sum(one.has_failed for one in self.results)
        differ = len(self.results) - len(dropped) - failed
        told = [f"{differ} arm differs" if differ == 1 else f"{differ} arms differ"]
        told += [f"{len(dropped)} the same as another"] if dropped else []
        return ", ".join([*told, *([f"{failed} failed"] if failed else [])])


class Sweep(Strategy):
    """The first arm at each frequency of a range: the slack over the frequency asked for."""

    name = "sweep"
    about = "slack of the first arm over the frequencies from --f0 to --fn"
    asks_frequency = True

    def __init__(self, arms: Sequence[str], **options: Any) -> None:
        super().__init__(arms, **options)
        low, high, step = self.parameters.f0_mhz, self.parameters.fn_mhz, self.parameters.step_mhz
        count = int((high - low) / step + 1e-9)
        self._left = [round(low + index * step, 3) for index in range(count + 1)]

    def _next(self, room: int) -> Sequence[Point]:
        now, self._left = self._left[:room], self._left[room:]
        return [Point(self.arms[0], seed_of(freq), freq) for freq in now]


class Binary(Strategy):
    """A binary search of the first arm: the middle passes, and the lower half goes, or the upper.

    It takes for granted that what passes at a frequency passes below it, which is seldom so.
    """

    name = "binary"
    about = "binary search of the first arm between --f0 and --fn"
    asks_frequency = True

    def __init__(self, arms: Sequence[str], **options: Any) -> None:
        super().__init__(arms, **options)
        self._low, self._high = self.parameters.f0_mhz, self.parameters.fn_mhz
        self._passed = False

    def _next(self, room: int) -> Sequence[Point]:
        middle = round((self._low + self._high) / 2, 3)
        if self.pending or self._high - self._low <= self.parameters.step_mhz:
            return []
        return [Point(self.arms[0], seed_of(middle), middle)]

    def _learn(self, result: Result) -> None:
        assert result.point.freq_mhz is not None, "it asks for frequencies"
        if result.passes:
            self._low, self._passed = result.point.freq_mhz, True
        else:
            self._high = result.point.freq_mhz

    def summary(self) -> str:
        if not self._passed:
            return "no frequency that was asked for was met"
        return f"{self._low:g} MHz asked for and met"


def same(results: Sequence[Result]) -> dict[str, str]:
    """Give the arms that came to the same hardware as an earlier one under a seed, with that one.

    One seed decides: what is the same bit for bit under one was made by the same steps.
    """
    first: dict[tuple[int, float | None, str], str] = {}
    found = {}
    for one in results:
        if one.config:
            mark = (one.point.seed, one.point.freq_mhz, one.config)
            other = first.setdefault(mark, one.point.arm)
            if other != one.point.arm and one.point.arm not in found and other not in found:
                found[one.point.arm] = other
    return found
