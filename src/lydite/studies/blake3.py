# SPDX-License-Identifier: Apache-2.0
"""BLAKE3 of one message of 1 MB to 1,024 MB: blake3-fpga on an Arria 10, and ours.

`docs/blake3.md` tells of the tables. Names of points: `compile DESIGN`, `cycles DESIGN`, `turns
DESIGN`, `nominal DESIGN MB LINK`, `routed DESIGN MB LINK`, `map DESIGN`, `netlist DESIGN`, `place
DESIGN`, `software WHO THREADS`, `gpu`. What is `nominal` runs at a clock of its own, what is
`routed` at that of the placement.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping

from msgspec.structs import replace

from lydite import cores, targets
from lydite.cores import Design, catalog
from lydite.report.page import Section
from lydite.runs import plan
from lydite.runs.job import Job
from lydite.runs.kinds.hardware import Verify
from lydite.runs.kinds.messages import MeasureMessages
from lydite.runs.kinds.sizes import MeasureSizes, module_of, variants
from lydite.runs.kinds.testbed import MeasureTestbed
from lydite.runs.kinds.turns import CountTurns
from lydite.runs.record import Record
from lydite.sim import build
from lydite.sim.testbed.measure import Setting
from lydite.studies.blake3_figures import (
    DMA_MHZ,
    LINK,
    LINKS,
    LONG_BYTES,
    MB,
    NOMINAL_MHZ,
    OPERATION,
    PRIMITIVE,
    SHORT_BYTES,
    TARGET,
    Figures,
    placed_as,
)
from lydite.studies.blake3_tables import DESIGNS, Tables
from lydite.studies.study import Asked, Found, Plan, Study
from lydite.targets import links

# Of the document's sizes: those that are simulated as a whole, and those on other links.
SIMULATED = (1, 2, 4, 8, 16)
_ENDS = (SIMULATED[0], SIMULATED[-1])
_QUICK_DESIGNS = ("rtl-pipe", "hls-pipe", "rtl-ring")
_QUICK_MB = 16
# Designs that are one loop in C, and the program that counts its turns.
_LOOPS = ("hls-pipe", "hls-ring")
_TURNS = "hls/blake3_turns.c"
# Of a pipeline of 17,000 LUTs the default placer leaves what router1 does a thousand arcs of a
# minute, after an estimate of 43 MHz.
_PLACER = ("--placer", "static")
# Seconds that the placement of a pipeline of 17,000 LUTs may take.
_PLACE_S = 5400.0


class Blake3(Study):
    """The table of the page; links, engines, short messages and this processor beside it."""

    name = "blake3"
    title = "BLAKE3 of one message, 1 MB to 1,024 MB: SYCL on an Arria 10, and ours"

    def plan(self, asked: Asked) -> Plan:
        """Plan it: C; simulations and placements; simulations at routed clocks; software."""
        settings = plan.Settings(
            targets.find(TARGET),
            seeds=1,
            place_options=_PLACER,
            timeout_s=max(asked.timeout_s, _PLACE_S),
        )
        [selection] = cores.select(PRIMITIVE, every=True)
        every = dict.fromkeys((*DESIGNS, *map(placed_as, DESIGNS)))
        wanted = _QUICK_DESIGNS if asked.quick else tuple(every)
        named = {one.name: one for one in selection.designs}
        chosen = replace(selection, designs=tuple(named[name] for name in wanted))
        designs = chosen.designs
        compilations = {
            f"compile {job.design.name}": job for job in plan.compilations([chosen], settings)
        }
        if compilations:
            found = yield dict(compilations)
            records = {job.key: found[name] for name, job in compilations.items() if name in found}
            designs = plan.compiled(chosen, records, asked.store).designs
        points: dict[str, Job] = {}
        for design in designs:
            if design.name in DESIGNS:
                points |= _nominal(design)
            if design.name in _LOOPS:
                sizes = (*LONG_BYTES, *(MB * mb for mb in self._mega()))
                points[f"turns {design.name}"] = CountTurns(design, _TURNS, sizes)
            if not asked.quick:
                points |= _placement(design, settings)
        found = yield points
        if not asked.quick:
            yield _routed(designs, found)
        sizes = self._sizes(quick=asked.quick)
        yield _software(sizes) | _gpu(sizes)

    def sections(self, found: Found) -> tuple[Section, ...]:
        """Give the tables."""
        return Tables(self.theirs, found).sections()

    def _sizes(self, *, quick: bool) -> tuple[int, ...]:
        mega = [mb for mb in self._mega() if not quick or mb <= _QUICK_MB]
        return (*SHORT_BYTES, *(MB * mb for mb in mega))

    def _mega(self) -> tuple[int, ...]:
        return tuple(int(row["mb"]) for row in self.theirs.named("times").records())


def _nominal(design: Design) -> Mapping[str, Job]:
    """Plan short messages, those that show how cycles grow, and one behind the testbed."""
    proof = Verify(design)
    return {
        f"cycles {design.name}": MeasureMessages(proof, OPERATION, (*SHORT_BYTES, *LONG_BYTES)),
        f"nominal {design.name} {_ENDS[0]} {LINK}": _testbed(proof, _ENDS[0], LINK, NOMINAL_MHZ),
    }


def _testbed(proof: Verify, mb: int, link: str, mhz: float) -> MeasureTestbed:
    setting = Setting(core_mhz=mhz, dma_mhz=DMA_MHZ, link=links.find(link))
    return MeasureTestbed(proof, OPERATION, MB * mb, setting)


def _placement(design: Design, settings: plan.Settings) -> Mapping[str, Job]:
    """Plan to map a design, and to place it if no other stands for it that does not take hours."""
    made = plan.implementation(
        design.label, build.sources_of(design), design.clock, settings, proof=Verify(design)
    )
    points: dict[str, Job] = {f"map {design.name}": made.synthesis}
    if design.name != "rtl-pipe":
        if made.netlist is not None:
            points[f"netlist {design.name}"] = made.netlist
        [points[f"place {design.name}"]] = made.placements
    return points


def _routed(designs: Iterable[Design], found: Mapping[str, Record]) -> Mapping[str, Job]:
    """Plan messages at the clocks of placements that ended; behind their link at the nominal clock
    where none did.
    """
    figures = Figures(Found(found))
    points: dict[str, Job] = {}
    for design in designs:
        if design.name not in DESIGNS:
            continue
        mhz, proof = figures.mhz(design.name), Verify(design)
        if mhz is None:
            for mb in SIMULATED[1:]:
                name = f"nominal {design.name} {mb} {LINK}"
                points[name] = _testbed(proof, mb, LINK, NOMINAL_MHZ)
            continue
        for link in LINKS:
            for mb in SIMULATED if link == LINK else _ENDS:
                points[f"routed {design.name} {mb} {link}"] = _testbed(proof, mb, link, mhz)
    return points


def _software(sizes: tuple[int, ...]) -> dict[str, Job]:
    """Plan this processor's side: ours and the package of its designers, one thread and all."""
    points: dict[str, Job] = {}
    for who, role, define in (("ours", "single", "BLAKE3_THREADS"), ("wheel", "peer", "THREADS")):
        for threads in (False, True):
            usable = variants(PRIMITIVE, role, threads=threads, define=define)
            if usable:
                told = "all" if threads else "1"
                points[f"software {who} {told}"] = MeasureSizes(PRIMITIVE, OPERATION, usable, sizes)
    return points


def _gpu(sizes: tuple[int, ...]) -> dict[str, Job]:
    """Plan the third side, if a GPU is here."""
    [gpu] = catalog.software(PRIMITIVE, gpu=True)
    if not module_of(gpu).available:
        return {}
    return {"gpu": MeasureSizes(PRIMITIVE, OPERATION, (gpu,), sizes)}
