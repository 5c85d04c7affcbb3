# SPDX-License-Identifier: Apache-2.0
"""The job that proves a routed netlist: what the chip would be configured to, twice.

Without delays it must pass the known answers, as the source and the mapped netlist did. With them,
static analysis of the model must give the clock that nextpnr reports: then no arc is missing that
decides.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import msgspec

from lydite.base import code, digest
from lydite.base.errors import CheckFailed
from lydite.cores import Design
from lydite.runs.job import Job, Outcome
from lydite.runs.kinds import netlist, wrapper
from lydite.runs.kinds.hardware import PORTS_FILE, Placement, Verify
from lydite.runs.store import Store
from lydite.sim import mapped
from lydite.sim.routed import boundary, builder, proof, static
from lydite.sim.routed.boundary import Boundary
from lydite.sim.routed.model import Model
from lydite.sim.timing import Timing
from lydite.targets.models import Models, models
from lydite.tools import nextpnr, routed, sdf, yosys
from lydite.tools.routed import Routed
from lydite.tools.sdf import COLUMNS, Column
from lydite.tools.yosys import Port

# Within which the two figures of a clock must be the same.
TOLERANCE_MHZ = 0.01
MAPPED_FILES = (yosys.NETLIST_FILE, yosys.BOUNDARY_FILE, PORTS_FILE)
ROUTED_FILES = (routed.ROUTED_FILE, sdf.DELAYS_FILE, nextpnr.REPORT_FILE)


@dataclass(frozen=True)
class RoutedCore:
    """A routed netlist as read, its core's boundary, and the models of its cells."""

    netlist: Routed
    boundary: Boundary
    models: Models
    ports: tuple[Port, ...]
    folder: Path

    def timed(self, column: Column = "max") -> Model:
        """Give the model with the delays of a column."""
        text = (self.folder / sdf.DELAYS_FILE).read_text()
        return builder.build(self.netlist, sdf.parse(text, column=column), self.models)


def read(folder: Path, design: Design, family: str) -> RoutedCore:
    """Read a routed netlist: MAPPED_FILES of a synthesis and ROUTED_FILES of a placement.

    Raises
    ------
    InputError
        The core is not to be found in it, or it has not one clock.
    """
    ports = msgspec.json.decode((folder / PORTS_FILE).read_bytes(), type=tuple[Port, ...])
    found = routed.read((folder / routed.ROUTED_FILE).read_text())
    cells = models(f"{family}-routed")
    mapping = tuple((folder / name).read_text() for name in MAPPED_FILES[:2])
    around = boundary.find(
        found,
        cells,
        (mapping[0], mapping[1]),
        wrapper.TOP,
        design.top,
        ports,
        design.clock,
    )
    return RoutedCore(found, around, cells, ports, folder)


def static_mhz(core: RoutedCore) -> dict[Column, float]:
    """Give the clock of each column by static analysis, that of the slowest chip checked.

    Raises
    ------
    CheckFailed
        It is not what nextpnr reports.
    """
    found: dict[Column, float] = {}
    for column in COLUMNS:
        timed = core.timed(column)
        worst = static.paths(timed, static.analyse(timed))[0]
        found[column] = 1e6 / worst.delay_ps
    report = msgspec.json.decode((core.folder / nextpnr.REPORT_FILE).read_bytes())
    reported = min(float(one["achieved"]) for one in report["fmax"].values())
    if abs(found["max"] - reported) > TOLERANCE_MHZ:
        raise CheckFailed(
            f"{reported:.2f} MHz, as nextpnr reports",
            f"{found['max']:.2f} MHz, by static analysis of the model",
            "the routed netlist and its delays",
        )
    return found


def prove(design: Design, core: RoutedCore, *, every: bool) -> dict[str, Any]:
    """Prove the core in a routed netlist without its delays; a model is added to the folder.

    Raises
    ------
    CheckFailed
        It does not do what its source does.
    """
    text = proof.written(
        core.netlist, core.boundary, core.models, design.top, core.ports, design.clock
    )
    return netlist.proven(design, text, core.ports, core.folder, every=every)


@dataclass(frozen=True)
class ProveRouted(Job):
    """Prove the routed netlist of a placement, whose `keep` is set.

    Attributes
    ----------
    proof : Verify
        The proof of its source, which comes first.
    every : bool
        Run all vectors, not a few of each length.
    """

    placement: Placement
    proof: Verify
    every: bool = False
    kind = "routed"

    @property
    def label(self) -> str:
        placed = self.placement
        return f"routed {placed.synthesis.name} on {placed.target.name}, seed {placed.seed:x}"

    @property
    def needs(self) -> tuple[Job, ...]:
        return (self.proof, self.placement.synthesis, self.placement)

    def inputs(self) -> Mapping[str, Any]:
        family = self.placement.target.family.name
        return {
            "placement": self.placement.key,
            "netlist": self.placement.synthesis.key,
            "proof": self.proof.key,
            "every": self.every,
            "family": family,
            "models": [digest.of_file(path) for path in models(f"{family}-routed").files],
            "code": [code.of(type(self)), *map(code.of_imports, (proof, static))],
            "engine": digest.of_file(mapped.ENGINE),
        }

    def run(self, work: Path, store: Store) -> Outcome:
        gather(self.placement, work, store)
        before = store.get(self.proof.key)
        assert before is not None, "it is needed first"
        design = self.proof.design
        core = read(work, design, self.placement.target.family.name)
        try:
            clocks = static_mhz(core)
            result = prove(design, core, every=self.every)
            for right, found in zip(before.result["operations"], result["operations"], strict=True):
                netlist.compare(*(msgspec.convert(one["timing"], Timing) for one in (right, found)))
        except CheckFailed as failure:
            raise CheckFailed(
                f"{failure.expected}",
                f"{failure.got}",
                f"{self.label}: the mapped netlist passed, the routed one does not: {failure.at}",
            ) from failure
        for name in (*MAPPED_FILES, *ROUTED_FILES):
            (work / name).unlink()  # they are artefacts of synthesis and placement
        return Outcome(result={**result, "every": self.every, "static_mhz": clocks})


def gather(placement: Placement, work: Path, store: Store) -> None:
    """Put the files of a placement that `read` takes into a folder."""
    for key, names in (
        (placement.synthesis.key, MAPPED_FILES),
        (placement.key, ROUTED_FILES),
    ):
        for name in names:
            (work / name).write_bytes(store.read(key, name))
