# SPDX-License-Identifier: Apache-2.0
"""A strategy: asked which points to run, told what came of them. It runs nothing itself.

What it asks follows from its parameters, its seed and what it was told, in that order: the log of a
search gives the same decisions again. Points may be told in any order.
"""

from __future__ import annotations

import math
from abc import ABC, abstractmethod
from collections.abc import Sequence
from dataclasses import dataclass
from typing import ClassVar

from lydite.base.errors import InputError
from lydite.search.objective import FMAX, Objective

MAX_FREQ_MHZ = 2000.0
# Failures, and nothing else, after which no more is asked.
_HOPELESS = 10


@dataclass(frozen=True, slots=True)
class Point:
    """A run: an arm, the index of a seed, and the frequency asked for, if the strategy asks one."""

    arm: str
    seed: int
    freq_mhz: float | None = None


@dataclass(frozen=True, slots=True)
class Result:
    """What came of a point.

    Attributes
    ----------
    fmax_mhz : float, optional
        The clock that it can have; None where it failed, or nothing was placed.
    cpu_s : float
        Processor seconds of all that had to be run for it.
    shared_cpu_s : float
        How much of that no later point of the arm costs again: synthesis and proof.
    config : str
        Digest of what came out; equal ones are the same hardware.
    key : str
        Of its record, if it has one.
    error : str
        Why it failed.
    area : float, optional
        Of its netlist, in hundreds of equivalent slices; None where it failed, or is not known.
    per_cycle : float, optional
        Bytes or calls a cycle of the design, where they are known.
    """

    point: Point
    fmax_mhz: float | None
    cpu_s: float
    shared_cpu_s: float = 0.0
    config: str = ""
    key: str = ""
    error: str = ""
    area: float | None = None
    per_cycle: float | None = None

    @property
    def has_failed(self) -> bool:
        """Whether nothing came of it."""
        return self.fmax_mhz is None and self.area is None

    @property
    def slack_ns(self) -> float | None:
        """Slack at the frequency asked for; None where none was, or it failed."""
        if self.fmax_mhz is None or self.point.freq_mhz is None:
            return None
        return 1000 / self.point.freq_mhz - 1000 / self.fmax_mhz

    @property
    def passes(self) -> bool:
        """Whether it came to an end, and has the frequency asked for."""
        asked = self.point.freq_mhz or 0.0
        return self.fmax_mhz is not None and self.fmax_mhz >= asked


@dataclass(frozen=True, slots=True)
class Budget:
    """How much may be spent: processor seconds, runs, or without an end."""

    cpu_s: float | None = None
    runs: int | None = None

    def __post_init__(self) -> None:
        if self.cpu_s is not None and not (math.isfinite(self.cpu_s) and self.cpu_s > 0):
            raise InputError("--budget", f"must be above 0, not {self.cpu_s:g}s")
        if self.runs is not None and self.runs < 1:
            raise InputError("--budget", f"must be at least 1, not {self.runs}runs")


@dataclass(frozen=True, slots=True)
class Parameters:
    """Parameters of strategies, in the letters of the thesis; each takes those that it knows.

    Attributes
    ----------
    f0_mhz, fn_mhz : float
        The range of frequencies, both ends included.
    n : int
        Frequencies over the range, and runs at once, at least 2.
    p : int, optional
        How many arms count, from the first on, at least 1; all by default.
    r : int
        Frequencies above the best that must all fail, at least 1.
    step_mhz : float
        Distance of frequencies of a sweep, and precision of a binary search.
    """

    f0_mhz: float = 50.0
    fn_mhz: float = 200.0
    n: int = 8
    p: int | None = None
    r: int = 12
    step_mhz: float = 1.0

    def __post_init__(self) -> None:
        for option, value in (("--f0", self.f0_mhz), ("--fn", self.fn_mhz)):
            if not 1 <= value <= MAX_FREQ_MHZ:
                raise InputError(option, f"must be 1 to {MAX_FREQ_MHZ:g} MHz, not {value:g}")
        if self.f0_mhz >= self.fn_mhz:
            kind = "empty" if self.f0_mhz == self.fn_mhz else "inverted"
            what = f"the range from {self.f0_mhz:g} to {self.fn_mhz:g} MHz is {kind}"
            raise InputError("--fn", what, "it goes from --f0 up to --fn")
        if self.n < 2:
            raise InputError("--n", f"must be at least 2, not {self.n}", "both ends are points")
        for option, count in (("--p", self.p), ("--r", self.r)):
            if count is not None and count < 1:
                raise InputError(option, f"must be at least 1, not {count}")
        if not (math.isfinite(self.step_mhz) and self.step_mhz >= 0.1):
            raise InputError("--step", f"must be at least 0.1 MHz, not {self.step_mhz:g}")


class Strategy(ABC):
    """Base of all strategies.

    Parameters
    ----------
    arms : sequence of str
        Names of the arms, at least one, the default one first.
    seed : int
        Of its own random choices.
    objective : Objective
        What is best.

    Attributes
    ----------
    name : str
        On the command line.
    about : str
        One line.
    asks_frequency : bool
        Whether its points ask for a frequency. Where the tools are not steered by one, as nextpnr
        is not, each frequency has a seed of its own (`seed_of`), and so is a sample.
    is_endless : bool
        Whether only a budget ends it.
    results : list of Result
        What it was told, in that order.
    """

    name: ClassVar[str]
    about: ClassVar[str]
    asks_frequency: ClassVar[bool] = False
    is_endless: ClassVar[bool] = False

    def __init__(
        self,
        arms: Sequence[str],
        *,
        parameters: Parameters | None = None,
        budget: Budget | None = None,
        seed: int = 1,
        objective: Objective = FMAX,
    ) -> None:
        if not arms:
            raise InputError("--arm", "a search needs an arm")
        self.parameters = parameters or Parameters()
        self.budget = budget or Budget()
        if self.parameters.p is not None and self.parameters.p > len(arms):
            what = f"there are {len(arms)} arms, not {self.parameters.p}"
            raise InputError("--p", what)
        self.arms = tuple(arms[: self.parameters.p])
        self.seed = seed
        self.objective = objective
        self.results: list[Result] = []
        self._pending: dict[Point, None] = {}

    def ask(self, room: int) -> tuple[Point, ...]:
        """Give up to `room` points to run now, none of them asked before and not yet told.

        None, while others are pending: it waits for these. None, and none pending: it has ended.
        """
        points = tuple(self._next(room)) if room > 0 and not self._is_hopeless() else ()
        self._pending.update(dict.fromkeys(points))
        return points

    def tell(self, result: Result) -> None:
        """Take what came of a point that was asked."""
        del self._pending[result.point]
        self.results.append(result)
        self._learn(result)

    def _is_hopeless(self) -> bool:
        """Whether all has failed so far, each arm often enough for it to go on failing."""
        return self.best is None and len(self.results) >= max(_HOPELESS, 2 * len(self.arms))

    @property
    def pending(self) -> tuple[Point, ...]:
        """Points asked and not yet told, oldest first."""
        return tuple(self._pending)

    @property
    def best(self) -> Result | None:
        """The result with the most merit, the first of equals; None without any.

        Of a front it is the fastest one.
        """
        ended = [(self.merit(one), one) for one in self.results]
        with_merit = [(merit, one) for merit, one in ended if merit is not None]
        return max(with_merit, key=lambda pair: pair[0], default=(None, None))[1]

    def merit(self, result: Result) -> float | None:
        """Give the merit of a result; None where it failed."""
        return self.objective.merit(result.fmax_mhz, result.area, result.per_cycle)

    @property
    def spent_cpu_s(self) -> float:
        """Processor seconds of all that was told."""
        return sum(one.cpu_s for one in self.results)

    def summary(self) -> str:
        """Say in a line how it ended, beside the best clock; empty where that is all."""
        return ""

    @abstractmethod
    def _next(self, room: int) -> Sequence[Point]:
        """Choose up to `room` points, at least 1."""

    def _learn(self, result: Result) -> None:
        """Take note of a result, which `results` has already."""
        return


def seed_of(freq_mhz: float) -> int:
    """Give the index of the seed of a frequency: each tenth of a MHz has its own."""
    return round(10 * freq_mhz)
