# SPDX-License-Identifier: Apache-2.0
"""Chips that differ: a model of variation over the delays of a routed netlist.

Each delay is that of the vendor's data times a factor of the chip, of the region that its cell
stands in, and of the cell; each factor is 1 plus a normal deviate of its sigma. The sigmas are
invented: no source that we know tells them for these families. What such chips do is no figure of
any chip.
"""

from __future__ import annotations

import random
from collections.abc import Mapping
from dataclasses import dataclass, replace

from lydite.base.errors import InputError
from lydite.base.seeds import hashed
from lydite.sim.routed.model import Arc, BlockRam, Hold, LutRam, Model, Register, Step

SOURCE = "invented"
# Cells of the grid along the side of a region.
REGION = 8
# A factor that a delay can have at least: further out a normal deviate means nothing.
_LEAST = 0.5


@dataclass(frozen=True, slots=True)
class Sigmas:
    """Standard deviations of the factors: of the chip, of a region, of a cell."""

    chip: float = 0.03
    region: float = 0.01
    cell: float = 0.02

    def check(self) -> None:
        """Refuse what is no deviation.

        Raises
        ------
        InputError
            One is below 0 or above 0.2.
        """
        for name in ("chip", "region", "cell"):
            if not 0 <= (value := getattr(self, name)) <= 0.2:
                raise InputError("--sigmas", f"must be 0 to 0.2, not {value:g} ({name})")


def varied(model: Model, places: Mapping[str, tuple[int, int]], sigmas: Sigmas, seed: int) -> Model:
    """Give the model of another chip.

    Parameters
    ----------
    places : mapping
        Cell to its column and row.
    """
    factor = _Factors(places, sigmas, seed)

    def arcs(cell: str, given: tuple[Arc, ...]) -> tuple[Arc, ...]:
        return tuple(Arc(arc.source, factor.times(cell, arc.delay_ps)) for arc in given)

    steps: list[Step] = []
    for step in model.steps:
        cell = _cell(model.names[step.output])
        made = replace(step, arcs=arcs(cell, step.arcs))
        if isinstance(made, LutRam):
            made = replace(made, launch_ps=factor.times(cell, made.launch_ps))
        steps.append(made)
    registers: list[Register] = [
        replace(
            one,
            launch_ps=factor.times(one.cell, one.launch_ps),
            hold_ps=factor.times(one.cell, one.hold_ps),
        )
        for one in model.registers
    ]
    blocks: list[BlockRam] = [
        replace(
            one,
            outputs={p: (n, factor.times(one.cell, t)) for p, (n, t) in one.outputs.items()},
        )
        for one in model.blocks
    ]
    holds = [
        Hold(
            Arc(one.arc.source, factor.times(one.cell, one.arc.delay_ps)),
            factor.times(one.cell, one.least_ps),
            one.cell,
            one.pin,
        )
        for one in model.holds
    ]
    return replace(
        model,
        steps=tuple(steps),
        registers=tuple(registers),
        blocks=tuple(blocks),
        holds=tuple(holds),
    )


def _cell(node: str) -> str:
    return node.rpartition("/")[0]


class _Factors:
    def __init__(self, places: Mapping[str, tuple[int, int]], sigmas: Sigmas, seed: int) -> None:
        self.places = places
        self.sigmas = sigmas
        self.seed = seed
        self.chip = self._draw("chip", sigmas.chip)
        self.known: dict[str, float] = {}

    def _draw(self, name: str, sigma: float) -> float:
        return 1 + random.Random(hashed(f"chip {self.seed} {name}", 0)).gauss(0, sigma)

    def times(self, cell: str, delay_ps: int) -> int:
        if cell not in self.known:
            x, y = self.places.get(cell, (0, 0))
            region = self._draw(f"region {x // REGION} {y // REGION}", self.sigmas.region)
            own = self._draw(f"cell {cell}", self.sigmas.cell)
            self.known[cell] = max(_LEAST, self.chip * region * own)
        return round(delay_ps * self.known[cell])
