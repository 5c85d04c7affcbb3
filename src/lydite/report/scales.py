# SPDX-License-Identifier: Apache-2.0
"""Where the marks of an axis stand, and how figures beside it are written."""

from __future__ import annotations

import math
from collections.abc import Iterable, Sequence

_STEPS = (1.0, 2.0, 5.0)
# How much room is left around the points: a share of the axis.
_MARGIN = 0.08

# Decades that a logarithmic axis has at least.
_LEAST = 0.7


def span(values: Iterable[float], *, is_log: bool, wide: float = _MARGIN) -> tuple[float, float]:
    """Give the ends of an axis that holds all values (above 0 on a logarithmic one) with room."""
    found = list(values)
    low, high = min(found), max(found)
    if is_log:
        below, above = math.log10(low), math.log10(high)
        room = max((above - below) * wide, (_LEAST - (above - below)) / 2, 0.1)
        return 10 ** (below - room), 10 ** (above + room)
    room = (high - low) * wide or abs(high) * wide or 1.0
    return low - room, high + room


def ticks(low: float, high: float, *, is_log: bool, most: int = 7) -> tuple[float, ...]:
    """Give round values between two ends, `most` at most and two at least where there are two."""
    if is_log:
        for steps in (_STEPS, (1.0, 3.0), (1.0,)):
            found = _decades(low, high, steps)
            if 2 <= len(found) <= most:
                return found
        tens = _decades(low, high, (1.0,))
        if len(tens) > most:
            return tens[:: math.ceil(len(tens) / most)]
    return _even(low, high, most)


def _decades(low: float, high: float, steps: Sequence[float]) -> tuple[float, ...]:
    first, last = math.floor(math.log10(low)), math.ceil(math.log10(high))
    # 10 ** -n is no round number in binary; the text of one is.
    values = (float(f"{step:g}e{power}") for power in range(first, last + 1) for step in steps)
    return tuple(value for value in values if low <= value <= high)


def _even(low: float, high: float, most: int) -> tuple[float, ...]:
    rough = (high - low) / max(most - 1, 1)
    power = math.floor(math.log10(rough))
    step = next(
        value
        for value in (float(f"{step:g}e{power}") for step in (*_STEPS, 10.0))
        if value >= rough * (1 - 1e-9)
    )
    first, last = math.ceil(low / step), math.floor(high / step)
    digits = max(0, -math.floor(math.log10(step)))
    return tuple(round(count * step, digits) for count in range(first, last + 1))


def text(value: float) -> str:
    """Give a round value as it stands beside an axis: `2000`, `0.5`, `20 M`."""
    size = abs(value)
    for factor, prefix in ((1e9, "G"), (1e6, "M"), (1e5, "k")):
        if size >= factor:
            return f"{value / (1e3 if prefix == 'k' else factor):g} {prefix}"
    return f"{value:g}" if size >= 1e-4 or not size else f"{value:.0e}"


def apart(wanted: Sequence[float], gap: float, low: float, high: float) -> list[float]:
    """Move places apart until they are `gap` from each other, in their order and between two ends.

    They move as little as can be, by the sum of squares. Where there is no room for all, the gap
    is smaller.
    """
    gap = min(gap, (high - low) / max(len(wanted) - 1, 1))
    order = sorted(range(len(wanted)), key=lambda index: (wanted[index], index))
    # Less the gaps below them, places need only not fall: neighbours that do share their mean.
    pools: list[list[float]] = []
    for place, index in enumerate(order):
        pools.append([wanted[index] - place * gap])
        while len(pools) > 1 and _mean(pools[-2]) > _mean(pools[-1]):
            last = pools.pop()
            pools[-1] += last
    flat = [_mean(pool) for pool in pools for _ in pool]
    top = high - gap * (len(wanted) - 1)
    placed = {
        index: min(max(value, low), top) + place * gap
        for place, (index, value) in enumerate(zip(order, flat, strict=True))
    }
    return [placed[index] for index in range(len(wanted))]


def _mean(values: Sequence[float]) -> float:
    return sum(values) / len(values)
