# SPDX-License-Identifier: Apache-2.0
"""What a search is after: a merit of clock and area, of which more is better.

Area is the equivalent slice count with the weights of the family (`Family.equivalent_slices`): an
arm that puts logic into block RAM or multipliers gains nothing by that alone.
"""

from __future__ import annotations

import math
from collections.abc import Mapping
from dataclasses import dataclass
from difflib import get_close_matches
from types import MappingProxyType

from lydite.base.errors import InputError


@dataclass(frozen=True, slots=True)
class Objective:
    """What counts.

    Attributes
    ----------
    name : str
        On the command line.
    weight : float, optional
        Merit is log clock less so many log areas; None where there is no best point, but a front.
    counts_data : bool
        Whether the clock counts by the data that a design takes a cycle.
    is_placed : bool
        Whether a clock counts at all; else nothing is placed.
    """

    name: str
    weight: float | None = 0.0
    is_placed: bool = True
    counts_data: bool = True

    @property
    def wants_area(self) -> bool:
        """Whether the area of an arm counts."""
        return self.weight != 0.0

    def merit(
        self,
        fmax_mhz: float | None,
        area: float | None,
        per_cycle: float | None = None,
        weight: float | None = None,
    ) -> float | None:
        """Give the merit of a run; None where it failed, or lacks what counts.

        Parameters
        ----------
        weight : float, optional
            Of areas, where the objective leaves it open; without one the clock alone decides.
        """
        if not self.is_placed:
            return None if area is None else -math.log(area)
        weight = self.weight if self.weight is not None else weight or 0.0
        if fmax_mhz is None or (weight and area is None):
            return None
        return math.log(fmax_mhz) + self.shift(area, per_cycle, weight)

    def shift(self, area: float | None, per_cycle: float | None, weight: float) -> float:
        """Give what merit is beside the log clock: the same for all runs of an arm."""
        data = math.log(per_cycle) if self.counts_data and per_cycle else 0.0
        return data - weight * math.log(area) if weight and area else data


FMAX = Objective("fmax", counts_data=False)
THROUGHPUT = Objective("throughput")
THROUGHPUT_AREA = Objective("throughput-area", 1.0)
AREA = Objective("area", 1.0, is_placed=False)
PARETO = Objective("pareto", None)

OBJECTIVES: Mapping[str, Objective] = MappingProxyType(
    {one.name: one for one in (FMAX, THROUGHPUT, THROUGHPUT_AREA, AREA, PARETO)}
)


def find(name: str) -> Objective:
    """Give the objective of a name.

    Raises
    ------
    InputError
        There is none.
    """
    if name not in OBJECTIVES:
        near = get_close_matches(name, OBJECTIVES, n=1)
        hint = f"the nearest is {near[0]}" if near else f"there are: {', '.join(OBJECTIVES)}"
        raise InputError("--objective", f"no such objective: {name!r}", hint)
    return OBJECTIVES[name]
