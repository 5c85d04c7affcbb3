# SPDX-License-Identifier: Apache-2.0
"""Minerva's frequency search: F. Farahmand, Tools and Experimental Setup for Efficient Hardware
Benchmarking of Candidates in Cryptographic Contests, George Mason University, 2016, 3.3.

Three steps. Over the range: n frequencies, both ends included, by the first arm; the range goes up
by 100 MHz while its upper end passes, down while none passes. Arms: those frequencies of the last
range above the best, by all other arms. Precision: whole MHz above the best by all arms; what
passes ends all below it, and the search ends after r frequencies on which every arm failed.

Where the thesis leaves a choice: its figure 3.7 has steps of 100 / (n - 1), rounded, from 201 on,
which pass the range's end; here both ends are points, as its text says. Its formula 3.4 for the
step back, f0 = fn - 100, would turn a range of more than 100 MHz around; here f0 goes down by 100.
Frequencies of the last step are whole MHz, as its result is.
"""

from __future__ import annotations

import math
from collections.abc import Sequence
from typing import Any, Literal

from lydite.search.strategy import MAX_FREQ_MHZ, Point, Result, Strategy, seed_of

_RANGE_MHZ = 100.0
_LOWEST_MHZ = 1.0


class Minerva(Strategy):
    """The search of the thesis.

    Attributes
    ----------
    best_mhz : float
        Highest frequency that was asked for and met; 0 before any was.
    best_arm : str
        By which arm.
    """

    name = "minerva"
    about = "the thesis's search: a range by the first arm, arms above it, then steps of 1 MHz"
    asks_frequency = True

    def __init__(self, arms: Sequence[str], **options: Any) -> None:
        super().__init__(arms, **options)
        self.best_mhz = 0.0
        self.best_arm = ""
        self._phase: Literal["range", "arms", "precision", "over"] = "range"
        self._range = (self.parameters.f0_mhz, self.parameters.fn_mhz)
        self._queue: list[Point] = []
        self._asked: set[Point] = set()
        self._spread()

    def _spread(self) -> None:
        """Put the frequencies of the range on the queue, for the first arm."""
        low, high = self._range
        step = (high - low) / (self.parameters.n - 1)
        inner = [round(low + index * step, 1) for index in range(1, self.parameters.n - 1)]
        freqs = [low, *inner, high]
        self._enter([(self.arms[0], freq) for freq in dict.fromkeys(freqs)])

    def _enter(self, pairs: Sequence[tuple[str, float]]) -> None:
        """Queue what has not been asked yet."""
        points = [Point(arm, seed_of(freq), freq) for arm, freq in pairs]
        self._queue = [point for point in points if point not in self._asked]

    def _next(self, room: int) -> Sequence[Point]:
        while not self._queue and not self.pending and self._phase != "over":
            self._advance()
        room = min(room, self.parameters.n - len(self.pending))
        now, self._queue = self._queue[: max(room, 0)], self._queue[max(room, 0) :]
        self._asked.update(now)
        return now

    def _learn(self, result: Result) -> None:
        freq = result.point.freq_mhz
        assert freq is not None, "it asks for frequencies"
        if result.passes and freq > self.best_mhz:
            self.best_mhz, self.best_arm = freq, result.point.arm
            if self._phase == "precision":
                self._window()
            elif self._phase == "arms":
                self._queue = [one for one in self._queue if (one.freq_mhz or 0.0) > freq]

    def _advance(self) -> None:
        """Go on from a step whose points are all told."""
        if self._phase == "range":
            self._move()
        elif self._phase == "arms":
            self._phase = "precision"
            self._window()
        else:
            # The window holds r frequencies above the best; all of its points have failed.
            self._phase = "over"

    def _move(self) -> None:
        low, high = self._range
        if self.best_mhz >= high and high + _RANGE_MHZ <= MAX_FREQ_MHZ:
            self._range = (high + 1, high + _RANGE_MHZ)
            self._spread()
        elif self.best_mhz:
            self._phase = "arms"
            above = sorted({freq for freq in self._tried() if self.best_mhz < freq <= high})
            self._enter([(arm, freq) for freq in above for arm in self.arms[1:]])
        elif low > _LOWEST_MHZ + 1:
            self._range = (max(low - _RANGE_MHZ, _LOWEST_MHZ), low - 1)
            self._spread()
        else:
            self._phase = "over"

    def _tried(self) -> list[float]:
        """Give the frequencies of the range, and above it."""
        freqs = (one.point.freq_mhz for one in self.results)
        return [freq for freq in freqs if freq is not None and freq >= self._range[0]]

    def _window(self) -> None:
        """Queue the r whole frequencies above the best, by all arms; what is below them goes."""
        first = math.floor(self.best_mhz) + 1
        freqs = [float(first + index) for index in range(self.parameters.r)]
        self._enter([(arm, freq) for freq in freqs for arm in self.arms if freq <= MAX_FREQ_MHZ])

    def summary(self) -> str:
        if not self.best_mhz:
            return "no frequency that was asked for was met"
        return f"{self.best_mhz:g} MHz asked for and met, by {self.best_arm}"
