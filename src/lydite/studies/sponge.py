# SPDX-License-Identifier: Apache-2.0
"""The speed test of the sponge action of the CAPI SNAP education series, beside ours.

`docs/sponge.md` has the tables. Names of points: `cpu ELEMENTS THREADS`, `sim DESIGN ELEMENTS
ROUNDS`, `full DESIGN`, `map DESIGN`, `netlist DESIGN`, `place DESIGN`, of further seeds `place
DESIGN SEED`, `compile DESIGN`; `map-ku060 DESIGN` and `netlist-ku060 DESIGN` on the document's
part, by synthesis alone.
"""

from __future__ import annotations

from collections.abc import Mapping

from msgspec.structs import replace

from lydite import cores, targets
from lydite.cores import Design
from lydite.report.page import Section
from lydite.runs import plan
from lydite.runs.job import Job
from lydite.runs.kinds import sponge
from lydite.runs.kinds.hardware import Verify
from lydite.runs.kinds.sponge import SpeedOnCpu, SpeedSimulated, SpeedTest
from lydite.runs.processors.measuring import thread_count
from lydite.sim import build
from lydite.studies.sponge_tables import (
    DESIGNS,
    FULL,
    MOST_SEEDS,
    REDUCED,
    TARGET,
    THEIR_DESIGNS,
    THEIR_TARGET,
    Tables,
    compiled_name,
    placed_names,
    slices_of,
)
from lydite.studies.study import Asked, Found, Plan, Study

_QUICK_ELEMENTS = 16
# Above that one thread takes too long.
_ONE_THREAD_ELEMENTS = 128
_QUICK_DESIGNS = ("rtl", "hls-stream")
# Seconds that the placement of a part that is nearly full may take.
_PLACE_S = 5400.0
# Designs of more engines are placed under one seed: each takes half an hour.
_SEEDS_UP_TO_SLICES = 8
# Of parts that are full the other placer came to no end.
_PLACER = ("--placer", "static")


class Sponge(Study):
    """The table of the document, area and clock of engines."""

    name = "sponge"
    title = "Chains of Keccak-f[1600]: the sponge action of CAPI SNAP, and ours"

    def plan(self, asked: Asked) -> Plan:
        """Plan it: C; simulations, placements and tests on this machine."""
        settings = plan.Settings(
            targets.find(TARGET),
            seeds=1 if asked.quick else MOST_SEEDS,
            place_options=_PLACER,
            timeout_s=max(asked.timeout_s, _PLACE_S),
        )
        [selection] = cores.select(sponge.PRIMITIVE, every=True)
        wanted = _QUICK_DESIGNS if asked.quick else DESIGNS
        designs = tuple(one for one in selection.designs if one.name in wanted)
        chosen = replace(selection, designs=designs)
        compilations = {
            compiled_name(job.design.name): job for job in plan.compilations([chosen], settings)
        }
        found = yield dict(compilations)
        records = {job.key: found[name] for name, job in compilations.items() if name in found}
        made = plan.compiled(chosen, records, asked.store)
        elements = [
            int(row["nb_elmts"])
            for row in self.theirs.named("speed-test").records()
            if not asked.quick or int(row["nb_elmts"]) <= _QUICK_ELEMENTS
        ]
        points: dict[str, Job] = {}
        for design in made.designs:
            points |= _hardware(design, settings, elements)
        if not asked.quick:
            [one] = (design for design in made.designs if design.name == "rtl")
            for name in THEIR_DESIGNS:
                slices = {"SLICES": slices_of(name)}
                points |= _on_their_part(replace(one, name=name, parameters=slices), settings)
        yield points
        # Times of software are of a machine that does nothing else.
        yield {
            f"cpu {count} {threads}": SpeedOnCpu(SpeedTest(count, sponge.RUNS), threads)
            for count in elements
            for threads in sorted({1, thread_count()})
            if threads > 1 or count <= _ONE_THREAD_ELEMENTS
        }

    def sections(self, found: Found) -> tuple[Section, ...]:
        """Give the tables."""
        return Tables(self.theirs, found).sections()


def _hardware(design: Design, settings: plan.Settings, elements: list[int]) -> Mapping[str, Job]:
    """Plan to simulate a design with few permutations and to place it."""
    points: dict[str, Job] = {
        f"sim {design.name} {count} {rounds}": SpeedSimulated(
            design, SpeedTest(count, sponge.RUNS, rounds=rounds)
        )
        for count in elements
        for rounds in REDUCED
    }
    if design.name in FULL:
        points[f"full {design.name}"] = SpeedSimulated(design, SpeedTest(1, sponge.RUNS))
    implemented = plan.implementation(
        design.label, build.sources_of(design), design.clock, settings, proof=Verify(design)
    )
    points[f"map {design.name}"] = implemented.synthesis
    if implemented.netlist is not None:
        points[f"netlist {design.name}"] = implemented.netlist
    seeds = settings.seeds if slices_of(design.name) <= _SEEDS_UP_TO_SLICES else 1
    points |= dict(zip(placed_names(design.name, seeds), implemented.placements, strict=False))
    return points | _on_their_part(design, settings)


def _on_their_part(design: Design, settings: plan.Settings) -> dict[str, Job]:
    """Plan to map a design for the document's part, and to prove the netlist."""
    theirs = plan.Settings(targets.find(THEIR_TARGET), timeout_s=settings.timeout_s, clock=False)
    mapped = plan.implementation(
        design.label, build.sources_of(design), design.clock, theirs, proof=Verify(design)
    )
    points: dict[str, Job] = {f"map-ku060 {design.name}": mapped.synthesis}
    if mapped.netlist is not None:
        points[f"netlist-ku060 {design.name}"] = mapped.netlist
    return points
