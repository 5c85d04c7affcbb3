# SPDX-License-Identifier: Apache-2.0
"""optuna's tree-structured Parzen estimators over arms: one objective, or those of a front.

An arm is a choice; where several designs are searched together, each with the same arms, the design
and its options are two choices. What an arm costs, and what arms have in common, it does not know.
"""

from __future__ import annotations

import math
from collections.abc import Sequence
from typing import TYPE_CHECKING, Any

from lydite.search.sampler import FAILED, study
from lydite.search.strategy import Point, Result, Strategy

if TYPE_CHECKING:
    import optuna


class Parzen(Strategy):
    """Arms as optuna's sampler proposes them, each under its next seed."""

    name = "tpe"
    about = "arms by optuna's Parzen estimators, after a front by two objectives"
    is_endless = True

    def __init__(self, arms: Sequence[str], **options: Any) -> None:
        super().__init__(arms, **options)
        self._is_front = self.objective.weight is None
        self._study = study(2 if self._is_front else 1, "tpe", self.seed)
        self._seeds = dict.fromkeys(self.arms, 0)
        self._trials: dict[Point, optuna.Trial] = {}
        parts = [tuple(arm.rpartition(":")[::2]) for arm in self.arms]
        designs, names = (tuple(dict.fromkeys(part)) for part in zip(*parts, strict=True))
        is_crossed = len(designs) > 1 and len(designs) * len(names) == len(self.arms)
        self._designs = designs if is_crossed else ()
        self._choices = names if is_crossed else self.arms
        # A search begins with the first arm.
        self._study.enqueue_trial(self._named(self.arms[0]))

    def _named(self, arm: str) -> dict[str, str]:
        """Give the choices that are an arm."""
        if not self._designs:
            return {"arm": arm}
        design, _, name = arm.rpartition(":")
        return {"design": design, "arm": name}

    def _next(self, room: int) -> Sequence[Point]:
        points = []
        for _ in range(room):
            trial = self._study.ask()
            arm = trial.suggest_categorical("arm", self._choices)
            if self._designs:
                arm = f"{trial.suggest_categorical('design', self._designs)}:{arm}"
            point = Point(arm, self._seeds[arm])
            self._seeds[arm] += 1
            self._trials[point] = trial
            points.append(point)
        return points

    def _learn(self, result: Result) -> None:
        self._study.tell(self._trials.pop(result.point), self._told(result))

    def _told(self, result: Result) -> list[float]:
        """Give the objectives, all to be small."""
        merit = self.merit(result)
        if merit is None or (self._is_front and result.area is None):
            return [FAILED] * len(self._study.directions)
        # After a front the merit is that of the clock alone.
        return [-merit, math.log(result.area)] if self._is_front and result.area else [-merit]
