# SPDX-License-Identifier: Apache-2.0
"""Candidates of the SHA-3 contest by hand and from C (Farahmand's thesis, chapters 2 and 4), beside
ours.

Names of points: `compile PRIMITIVE`, `verify PRIMITIVE/DESIGN`, `map PRIMITIVE/DESIGN`,
`netlist PRIMITIVE/DESIGN`, `place PRIMITIVE/DESIGN INDEX`; `testbed PRIMITIVE/DESIGN KB` at the
median clock; `software PRIMITIVE/VARIANT`. What the catalogue does not have is left out, and the
tables say so.
"""

from __future__ import annotations

import statistics
from collections.abc import Iterator, Mapping
from dataclasses import dataclass

from msgspec.structs import replace

from lydite import cores, targets
from lydite.cores import Design, Selection, catalog
from lydite.report.page import Section
from lydite.runs import plan
from lydite.runs.job import Job
from lydite.runs.kinds.hardware import Verify
from lydite.runs.processors.software import MeasureSoftware, missing_features
from lydite.sim import build
from lydite.studies import message_times
from lydite.studies.message_times import KB, QUICK_KB
from lydite.studies.sha3_designs import DESIGNS, SEEDS, TARGET, clocks, functions, label_of
from lydite.studies.sha3_tables import Tables
from lydite.studies.study import Asked, Found, Plan, Study

# Of designs whose placement takes half an hour.
_LARGE = {"echo-256": 3}
# Seconds that one of them may take.
_PLACE_S = 5400.0
# One placer for all: what the default one leaves of Skein does not route in an hour.
_PLACER = ("--placer=static",)
# Whose sums of seventeen words are half of the part as the trees that Yosys makes of them.
_CHAINS = frozenset(("bmw-256",))
# ns that mapping need not better, in front of which no clock gains by wide multiplexers: those that
# Yosys makes else of what C turns and selects are a fifth of SIMD.
_MAP_NS = {"simd-256": 14.0}
# With `--quick` these are proven and mapped, and no more: to place them takes too long.
_SLOW = frozenset(("bmw-256", "echo-256"))


@dataclass(frozen=True)
class _Candidate:
    selection: Selection
    settings: plan.Settings


class Sha3Candidates(Study):
    """Tables 2.2 to 2.5, 4.1 and 4.2."""

    name = "sha3-candidates"
    title = "Candidates of the SHA-3 contest, by hand and from C"
    document = "thesis"

    def plan(self, asked: Asked) -> Plan:
        """Plan it: C; proofs and placements; times at the clocks of these; software."""
        candidates = list(self._candidates(asked))
        compilations = {
            f"compile {job.design.primitive.name}": job
            for one in candidates
            for job in plan.compilations([one.selection], one.settings)
        }
        found = yield dict(compilations)
        records = {job.key: found[name] for name, job in compilations.items() if name in found}
        points: dict[str, Job] = {}
        designs: list[Design] = []
        for one in candidates:
            made = plan.compiled(one.selection, records, asked.store)
            designs += made.designs
            for design in made.designs:
                is_left = asked.quick and design.primitive.name in _SLOW
                points |= _points(design, one.settings, places=not is_left)
        found = yield points
        placed = Found(found)
        yield {
            point: job
            for design in designs
            if (mhz := clocks(placed, design.label))
            for point, job in _times(design, statistics.median(mhz), quick=asked.quick)
        }
        yield {
            f"software {variant.label}": MeasureSoftware(variant)
            for one in candidates
            for variant in one.selection.software
            if not missing_features(variant)
        }

    def _candidates(self, asked: Asked) -> Iterator[_Candidate]:
        """Give those that the catalogue has: with `--quick` those of chapter 2, there both ways."""
        names = list(functions(self.theirs))
        if asked.quick:
            names = [str(row["primitive"]) for row in self.theirs.named("table-2-2").records()]
        there = {primitive.name for primitive in catalog.primitives()}
        for name in names:
            if name not in there:
                continue
            [selection] = cores.select(name, every=True)
            labels = {label_of(name, design) for design in DESIGNS}
            designs = tuple(one for one in selection.designs if one.label in labels)
            if asked.quick and len(designs) < len(DESIGNS):
                continue
            settings = plan.Settings(
                targets.find(TARGET),
                seeds=1 if asked.quick else _LARGE.get(name, SEEDS),
                map_ns=_MAP_NS.get(name),
                chains=name in _CHAINS,
                place_options=_PLACER,
                timeout_s=max(asked.timeout_s, _PLACE_S),
            )
            yield _Candidate(replace(selection, designs=designs), settings)

    def sections(self, found: Found) -> tuple[Section, ...]:
        """Give the tables."""
        return Tables(self.theirs, found).sections()


def _points(design: Design, settings: plan.Settings, *, places: bool) -> Mapping[str, Job]:
    """Plan to prove a design and to map it; to prove what came of that and to place it."""
    proof = Verify(design)
    sources = build.sources_of(design)
    made = plan.implementation(design.label, sources, design.clock, settings, proof=proof)
    points: dict[str, Job] = {
        f"verify {design.label}": proof,
        f"map {design.label}": made.synthesis,
    }
    if places:
        assert made.netlist is not None, "it is to be proven"
        points[f"netlist {design.label}"] = made.netlist
        points |= {f"place {design.label} {at}": one for at, one in enumerate(made.placements)}
    return points


def _times(design: Design, core_mhz: float, *, quick: bool) -> Iterator[tuple[str, Job]]:
    """Plan messages by size behind the testbed, the core at the median of its clocks."""
    jobs = message_times.jobs(design, QUICK_KB if quick else KB, core_mhz)
    for kb, job in jobs.items():
        yield f"testbed {design.label} {kb}", job
