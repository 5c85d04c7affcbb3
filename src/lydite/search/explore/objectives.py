# SPDX-License-Identifier: Apache-2.0
"""Figures of a point, the objectives among them, Pareto fronts, and how much a front covers."""

from __future__ import annotations

import math
from collections.abc import Callable, Mapping, Sequence
from difflib import get_close_matches
from types import MappingProxyType
from typing import TypeVar

import msgspec

from lydite.base.errors import InputError
from lydite.targets import Family

T = TypeVar("T")
DEFAULT = ("latency", "esc")


class Figures(msgspec.Struct, frozen=True, kw_only=True):
    """What is known of the hardware of a point; areas are the compiler's estimates.

    Attributes
    ----------
    cycles : float
        Of a call: measured, the mean over all calls, where the point is co-simulated; else as the
        schedule has it, in which case it is the same for all calls.
    period_ns : float
        Clock period: that of the schedule, or the longest chain of operations where that is longer.
    lut, ff, bram, dsp : int
        Of everything but what lies outside of the ports.
    esc : float or None
        Equivalent slice count, in hundreds; None where the family has no weights for it.
    """

    cycles: float
    period_ns: float
    lut: int
    ff: int
    bram: int
    dsp: int
    esc: float | None

    @property
    def latency_ns(self) -> float:
        """Time of a call."""
        return self.cycles * self.period_ns


# All are to be small.
OBJECTIVES: Mapping[str, tuple[str, Callable[[Figures], float]]] = MappingProxyType(
    {
        "latency": ("ns of a call", lambda found: found.latency_ns),
        "cycles": ("cycles of a call", lambda found: found.cycles),
        "period": ("ns of a cycle", lambda found: found.period_ns),
        "lut": ("LUT", lambda found: found.lut),
        "ff": ("FF", lambda found: found.ff),
        "bram": ("BRAM", lambda found: found.bram),
        "dsp": ("DSP", lambda found: found.dsp),
        "esc": ("ESC", lambda found: math.inf if found.esc is None else found.esc),
    }
)


def read(text: str, family: Family) -> tuple[str, ...]:
    """Read objectives with commas between them.

    Raises
    ------
    InputError
        There is none, one stands twice or is not known, or the family has no weights for it.
    """
    names = [name.strip() for name in text.split(",")]
    for name in names:
        if name not in OBJECTIVES:
            near = get_close_matches(name, OBJECTIVES, n=1)
            hint = f"the nearest is {near[0]}" if near else f"there are: {', '.join(OBJECTIVES)}"
            raise InputError("--objective", f"no such objective: {name!r}", hint)
        if names.count(name) > 1:
            raise InputError("--objective", f"{name} stands twice")
        if name == "esc" and family.slices is None:
            what = f"{family.title} has no weights of slices"
            raise InputError("--objective", what, "name lut, ff, bram, dsp")
    return tuple(names)


def values(found: Figures, objectives: Sequence[str]) -> tuple[float, ...]:
    """Give the figures of objectives."""
    return tuple(float(OBJECTIVES[name][1](found)) for name in objectives)


def dominates(one: Sequence[float], other: Sequence[float]) -> bool:
    """Whether one is nowhere worse, and somewhere better."""
    return all(a <= b for a, b in zip(one, other, strict=True)) and tuple(one) != tuple(other)


def front(points: Sequence[T], measure: Callable[[T], Sequence[float]]) -> tuple[T, ...]:
    """Give the points that none dominates, by their first figure; of equal ones the first."""
    measured = [(tuple(measure(point)), point) for point in points]
    kept: dict[tuple[float, ...], T] = {}
    for own, point in measured:
        if not any(dominates(other, own) for other, _ in measured):
            kept.setdefault(own, point)
    return tuple(kept[own] for own in sorted(kept))


def hypervolume(points: Sequence[Sequence[float]], worst: Sequence[float]) -> float:
    """Give the volume that points dominate, up to a worst one; parts beyond it count nothing.

    It is cut into slices along the first figure, each of which is a volume of one dimension less.
    """
    inside = sorted(
        {tuple(point) for point in points if all(a < b for a, b in zip(point, worst, strict=True))}
    )
    if not inside:
        return 0.0
    if len(worst) == 1:
        return worst[0] - inside[0][0]
    total = 0.0
    for index, point in enumerate(inside):
        end = inside[index + 1][0] if index + 1 < len(inside) else worst[0]
        if end > point[0]:
            total += (end - point[0]) * hypervolume(
                [other[1:] for other in inside[: index + 1]], worst[1:]
            )
    return total


def covered(
    points: Sequence[Sequence[float]], ends: tuple[Sequence[float], Sequence[float]]
) -> float:
    """Give the share of the volume between a best and a worst corner that points dominate, 0 to 1.

    Axes on which both corners are the same count nothing. Figures are taken by their logarithms
    (of one more than they are), so that half the area is worth as much as half the time.
    """
    best, worst = ends
    axes = [at for at, (low, high) in enumerate(zip(best, worst, strict=True)) if low < high]
    if not axes:
        return 1.0 if points else 0.0

    def scaled(point: Sequence[float]) -> tuple[float, ...]:
        return tuple(
            (math.log1p(point[at]) - math.log1p(best[at]))
            / (math.log1p(worst[at]) - math.log1p(best[at]))
            for at in axes
        )

    return hypervolume([scaled(point) for point in points], (1.0,) * len(axes))
