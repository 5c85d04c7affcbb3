# SPDX-License-Identifier: Apache-2.0
"""The testbed of Farahmand's thesis, chapter 4: clocks beyond static analysis, times of messages.

Theirs were measured on two boards; our clocks are simulated (`sim.routed`) and said to be, and no
board was used. Names of points: `map NAME`, `netlist NAME`, `place NAME`, `routed NAME`,
`frequency NAME STIMULUS`, `chip NAME NUMBER`; `overhead NAME DMA_MHZ KB` at the clock of the
thesis' board, `testbed NAME KB` at the routed clock, `software NAME`. What the catalogue does not
have is left out.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import replace

from lydite import targets
from lydite.cores import Design, catalog
from lydite.report.page import Section
from lydite.runs import plan
from lydite.runs.job import Job
from lydite.runs.kinds import frequency
from lydite.runs.kinds import testbed as testbeds
from lydite.runs.kinds.frequency import Asked as Clocks
from lydite.runs.kinds.sizes import MeasureSizes
from lydite.runs.processors.software import missing_features
from lydite.runs.record import Record
from lydite.studies import message_times
from lydite.studies.message_times import DMA_MHZ, KB, OPERATION, QUICK_KB
from lydite.studies.study import Asked, Found, Plan, Study
from lydite.studies.testbed_tables import CHIPS, DESIGN, FAST_DMA_MHZ, STIMULI, TARGET, Tables

# Of quick: what is placed in minutes.
_QUICK = ("cubehash-256", "hamsi-256", "shabal-256")
_CLOCKS = Clocks(messages=64)
# Whose DMA at its usual clock is slower than it; figure 4.7 (b).
_FASTER_THAN_DMA = "luffa-256"
# Seconds that the placement of ECHO may take.
_PLACE_S = 7200.0
# Where the default placer leaves what does not route in an hour.
_OTHER_PLACER = {"skein-512-256": ("--placer=static",), "echo-256": ("--placer=static",)}


class Testbed(Study):
    """Tables 4.1, 4.3 and 4.4, figures 4.6 and 4.7."""

    __test__ = False  # no test of pytest
    name = "testbed"
    title = "Clocks and times of SHA-3 candidates in a testbed"
    document = "thesis"

    def plan(self, asked: Asked) -> Plan:
        """Plan it: placements and simulations; times at routed clocks; software."""
        settings = plan.Settings(
            targets.find(TARGET),
            seeds=1,
            timeout_s=max(asked.timeout_s, _PLACE_S),
            prove_netlist="routed",
        )
        clocks = dict(self._clocks(quick=asked.quick))
        sizes = QUICK_KB if asked.quick else KB
        points: dict[str, Job] = {}
        for name, board_mhz in clocks.items():
            design = catalog.design(name, DESIGN)
            own = replace(settings, place_options=_OTHER_PLACER.get(name, ()))
            points |= _routed(design, own, quick=asked.quick)
            fast = name == _FASTER_THAN_DMA
            for dma_mhz in (DMA_MHZ, FAST_DMA_MHZ) if fast else (DMA_MHZ,):
                jobs = message_times.jobs(design, sizes, board_mhz, dma_mhz)
                points |= {f"overhead {name} {dma_mhz:g} {kb}": job for kb, job in jobs.items()}
        found = yield points
        yield dict(_at_routed_clocks(found, tuple(clocks), sizes))
        # Times of software are of a machine that does nothing else.
        yield {point: job for name in clocks for point, job in _software(name, sizes).items()}

    def sections(self, found: Found) -> tuple[Section, ...]:
        """Give the tables."""
        return Tables(self.theirs, found).sections()

    def _clocks(self, *, quick: bool) -> Iterator[tuple[str, float]]:
        """Give the functions of table 4.1 that the catalogue has, each with the board's MHz."""
        there = {one.name for one in catalog.primitives()}
        for row in self.theirs.named("table-4-1").records():
            name = str(row["primitive"])
            if name in there and (name in _QUICK or not quick):
                yield name, float(row["board_mhz"])


def _routed(design: Design, settings: plan.Settings, *, quick: bool) -> Mapping[str, Job]:
    """Plan to place a design, to prove what was routed, and to run it with its delays."""
    name = design.primitive.name
    made = testbeds.implementation(design, settings)
    assert made.netlist is not None, "it is to be proven"
    asked = {f"frequency {name} {one}": replace(_CLOCKS, stimulus=one) for one in STIMULI}
    if quick:
        asked = dict(list(asked.items())[:1])
    else:
        asked |= {f"chip {name} {chip}": replace(_CLOCKS, chip=chip) for chip in CHIPS}
    return {
        f"map {name}": made.synthesis,
        f"netlist {name}": made.netlist,
        **{f"place {name}": placement for placement in made.placements},
        **{f"routed {name}": proof for proof in made.routed},
        **dict(zip(asked, frequency.plan(made, tuple(asked.values())), strict=True)),
    }


def _at_routed_clocks(
    found: Mapping[str, Record], names: tuple[str, ...], sizes: tuple[int, ...]
) -> Iterator[tuple[str, Job]]:
    """Plan messages at the static clocks of placements that ended: never at simulated ones."""
    for name in names:
        placed = found.get(f"place {name}")
        if placed is not None and placed.status == "ok":
            mhz = placed.result["fmax_mhz"]
            jobs = message_times.jobs(catalog.design(name, DESIGN), sizes, mhz)
            for kb, job in jobs.items():
                yield f"testbed {name} {kb}", job


def _software(name: str, sizes: tuple[int, ...]) -> Mapping[str, Job]:
    """Plan the quickest software of one message on one thread, if some runs here."""
    single = (one for one in catalog.software(name) if one.role == "single")
    usable = tuple(one for one in single if not missing_features(one))
    if not usable:
        return {}
    job = MeasureSizes(name, OPERATION, usable, tuple(1000 * kb for kb in sizes))
    return {f"software {name}": job}
