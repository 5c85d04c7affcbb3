# SPDX-License-Identifier: Apache-2.0
"""Recorded grids: what came out of arms and seeds, so that strategies are compared by replay.

A grid is a file of comma-separated values, a line a placement. A replay draws from what an arm gave
on a design; so it never finds a clock that was not placed, and says nothing of arms that were not.
"""

from __future__ import annotations

import csv
import io
import random
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import asdict, dataclass, field, fields
from pathlib import Path

from lydite.base.errors import InputError
from lydite.base.files import read_text
from lydite.base.seeds import hashed


@dataclass(frozen=True, slots=True)
class Cell:
    """One placement of a grid.

    Attributes
    ----------
    seed : int
        Index of the hashed seed.
    fmax_mhz : float, optional
        None where it failed.
    cpu_s, synthesis_cpu_s : float
        Processor seconds of place and route, and of the synthesis that it rests on.
    estimate_mhz : float, optional
        nextpnr's own, after placement.
    netlist, config : str
        Begin of the digests of what was placed and what came out.
    """

    design: str
    target: str
    arm: str
    seed: int
    fmax_mhz: float | None
    cpu_s: float
    synthesis_cpu_s: float
    estimate_mhz: float | None
    netlist: str
    config: str


_NAMES = [one.name for one in fields(Cell)]


@dataclass(frozen=True)
class Column:
    """All that was recorded of one design on one target: arm to its placements, by seed."""

    design: str
    target: str
    arms: Mapping[str, tuple[Cell, ...]] = field(default_factory=dict)

    def draw(self, arm: str, seed: int, replay: int) -> Cell:
        """Give what a placement comes to in a replay: one of those recorded, chosen by a hash.

        The same seed and replay give the same; another replay gives another choice. Arms share it,
        so that those which were the same hardware are the same in a replay.
        """
        cells = self.arms[arm]
        chosen = random.Random(hashed(f"replay {replay} {self.design} {self.target}", seed))
        return cells[chosen.randrange(len(cells))]


def write(cells: Iterable[Cell]) -> str:
    """Give a grid as text, ordered by design, target, arm, seed."""
    text = io.StringIO()
    writer = csv.DictWriter(text, _NAMES, lineterminator="\n")
    writer.writeheader()
    order = sorted(cells, key=lambda cell: (cell.design, cell.target, cell.arm, cell.seed))
    writer.writerows(asdict(cell) for cell in order)
    return text.getvalue()


def read(path: Path) -> tuple[Cell, ...]:
    """Read a grid.

    Raises
    ------
    InputError
        It is no grid, or a line of it is wrong.
    """
    rows = csv.DictReader(io.StringIO(read_text(path, "a recorded grid")))
    if rows.fieldnames != _NAMES:
        raise InputError(f"{path}:1", "not the columns of a grid", f"they are {','.join(_NAMES)}")
    found = []
    for row in rows:
        try:
            found.append(_cell(row))
        except (TypeError, ValueError) as error:
            raise InputError(f"{path}:{rows.line_num}", f"not a line of a grid: {error}") from error
    if not found:
        raise InputError(str(path), "an empty grid")
    return tuple(found)


def _cell(row: Mapping[str, str]) -> Cell:
    return Cell(
        design=row["design"],
        target=row["target"],
        arm=row["arm"],
        seed=int(row["seed"]),
        fmax_mhz=float(row["fmax_mhz"]) if row["fmax_mhz"] else None,
        cpu_s=float(row["cpu_s"]),
        synthesis_cpu_s=float(row["synthesis_cpu_s"]),
        estimate_mhz=float(row["estimate_mhz"]) if row["estimate_mhz"] else None,
        netlist=row["netlist"],
        config=row["config"],
    )


def columns(cells: Sequence[Cell]) -> tuple[Column, ...]:
    """Give the designs of a grid, in their order; arms in the order in which they stand."""
    found: dict[tuple[str, str], dict[str, list[Cell]]] = {}
    for cell in cells:
        arms = found.setdefault((cell.design, cell.target), {})
        arms.setdefault(cell.arm, []).append(cell)
    return tuple(
        Column(design, target, {arm: tuple(own) for arm, own in arms.items()})
        for (design, target), arms in found.items()
    )
