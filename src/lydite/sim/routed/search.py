# SPDX-License-Identifier: Apache-2.0
"""The highest clock at which all messages come out right, on a grid of 0.1 MHz.

By halves, then checked: nothing fails at many clocks below, everything tried fails above. Where a
clock below fails, it is the search's new upper end, so that the figure is always below the lowest
failure that was seen.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass, field

from lydite.base.errors import InputError

# Steps of the grid in a MHz, and clocks that are checked on each side of the figure.
GRID = 10
_BELOW, _ABOVE = 12, 8
_MOST = 4.0


def period_ps(tenths: int) -> int:
    """Give the period of a clock in tenths of a MHz, in whole ps, not longer than it is."""
    return int(1e6 * GRID / tenths)


@dataclass(frozen=True, slots=True)
class Found:
    """What a search found, clocks in tenths of a MHz.

    Attributes
    ----------
    best : int
        The highest clock at which nothing was wrong.
    tried : tuple of (int, int)
        Clocks, in order, with the number of messages that were wrong.
    right_above : tuple of int
        Clocks above the first failure at which nothing was wrong.
    """

    best: int
    tried: tuple[tuple[int, int], ...]
    right_above: tuple[int, ...]


@dataclass
class _Search:
    wrong_at: Callable[[int], int]
    seen: dict[int, int] = field(default_factory=dict)

    def wrong(self, tenths: int) -> int:
        if tenths not in self.seen:
            self.seen[tenths] = self.wrong_at(tenths)
        return self.seen[tenths]


def halves(wrong: Callable[[int], object], low: int, high: int) -> int:
    """Give the last number that is right, between one that is and a higher one that is wrong."""
    while high - low > 1:
        middle = (low + high) // 2
        if wrong(middle):
            high = middle
        else:
            low = middle
    return low


def search(wrong_at: Callable[[int], int], low_mhz: float, high_mhz: float) -> Found:
    """Search between two clocks, of which one is right and one is wrong.

    Parameters
    ----------
    wrong_at : callable
        Gives the number of messages that are wrong at a clock, in tenths of a MHz.
    high_mhz : float
        Where to look for a failure first; up to four times that.

    Raises
    ------
    InputError
        Nothing comes out right at the lower end, or nothing wrong far above the upper.
    """
    searched = _Search(wrong_at)
    low, high = int(low_mhz * GRID), int(high_mhz * GRID) + 1
    if low < 1 or high <= low:
        raise InputError("--from-mhz", f"no range: {low_mhz:g} to {high_mhz:g} MHz")
    if count := searched.wrong(low):
        what = f"{count} messages are wrong at {low / GRID:g} MHz already"
        raise InputError("--from-mhz", what, "begin the search lower")
    last = int(_MOST * high)
    while not searched.wrong(high):
        if high == last:
            what = f"nothing is wrong at {high / GRID:g} MHz yet"
            raise InputError("--to-mhz", what, "other stimuli, or more messages, may show more")
        low, high = high, min(high * 5 // 4, last)
    best = halves(searched.wrong, low, high)
    start = int(low_mhz * GRID)
    while True:
        below = _spread(start, best, _BELOW)
        failed = [tenths for tenths in below if searched.wrong(tenths)]
        if not failed:
            break
        best = halves(searched.wrong, start, min(failed))
    above = _spread(best + 1, best + 1 + max(best // 4, 2), _ABOVE, near_low=True)
    right = [tenths for tenths in above if not searched.wrong(tenths)]
    return Found(best, tuple(sorted(searched.seen.items())), tuple(right))


def _spread(low: int, high: int, count: int, *, near_low: bool = False) -> list[int]:
    """Give clocks between two, more of them near one end, and the neighbours of that."""
    width = high - low
    steps = {width >> at for at in range(count)} | {0, 1, 2}
    found = {low + step if near_low else high - step for step in steps}
    return sorted(tenths for tenths in found if low <= tenths <= high)
