# SPDX-License-Identifier: Apache-2.0
"""Triple DES and the search for a DES key on the SRC-6E (Fidanci et al., IPDPS 2003), beside ours.

The hardware is simulated in the testbed, with DMA, clocks and host; `docs/src6e.md` has the tables.
Their three views of time are total, without configuration ("loaded") and MAP only, which is our
`compute`. Names of points: `testbed DESIGN BLOCKS`, `search ENGINES KEYS`, `routed ENGINES KEYS`,
`map ENGINES`, `netlist ENGINES`, `place ENGINES`, `software VARIANT`, `rate VARIANT THREADS`.
"""

from __future__ import annotations

from collections.abc import Mapping

from msgspec.structs import replace

from lydite import cores, targets
from lydite.cores import Design, catalog
from lydite.report.page import Section
from lydite.runs import plan
from lydite.runs.job import Job
from lydite.runs.kinds import testbed as testbeds
from lydite.runs.kinds.hardware import Verify
from lydite.runs.kinds.search_bench import MeasureSearch, MeasureSearchRate
from lydite.runs.processors import key_search
from lydite.runs.processors.measuring import thread_count
from lydite.runs.processors.software import MeasureSoftware, cpu_features, missing_features
from lydite.runs.record import Record
from lydite.sim import build
from lydite.sim.testbed.measure import Setting
from lydite.studies.src6e_figures import TARGET
from lydite.studies.src6e_tables import BLOCK_BYTES, CIPHERS, LINK, MHZ, PLACED, PLACER, Tables
from lydite.studies.study import Asked, Found, Plan, Study
from lydite.targets import links

_BLOCKS = (1024, 10_000, 25_000, 50_000, 100_000, 250_000, 500_000)
_ENGINES = (1, 2, 4, 8)
# Simulated, of theirs; what is larger follows from the cycles of these.
_KEYS = (128_000, 1_000_000)
# Seconds that the placement of a whole part may take.
_PLACE_S = 5400.0
_RATE_KEYS = {"ref": 1 << 18, "best": 1 << 31}


class Src6e(Study):
    """Tables 1 to 6 of the paper."""

    name = "src6e"
    title = "Triple DES and the search for a DES key: the SRC-6E and ours"

    def plan(self, asked: Asked) -> Plan:
        """Plan it: C, then simulations and placements, then what is at routed clocks, software."""
        settings = plan.Settings(targets.find(TARGET), seeds=1, timeout_s=asked.timeout_s)
        ciphers = cores.select("tdes-2key", every=True)[0]
        macro = replace(ciphers, designs=tuple(d for d in ciphers.designs if d.name in CIPHERS))
        [compilation] = plan.compilations([macro], settings)
        found = yield {"compile hls-macro": compilation}
        made = plan.compiled(macro, _by_key({"compile hls-macro": compilation}, found), asked.store)
        points: dict[str, Job] = {}
        for design in made.designs:
            for blocks in _BLOCKS[:2] if asked.quick else _BLOCKS:
                [job] = testbeds.plan(design, ("encrypt",), (BLOCK_BYTES * blocks,), _setting(MHZ))
                points[f"testbed {design.name} {blocks}"] = job
        for engines in (1, 8) if asked.quick else _ENGINES:
            for keys in (_KEYS[0] // 16, _KEYS[0]) if asked.quick else _KEYS:
                search = MeasureSearch(Verify(_search(engines)), keys, _setting(MHZ))
                points[f"search {engines} {keys}"] = search
        if not asked.quick:
            points |= _placements(settings)
        found = yield points
        if not asked.quick:
            yield _routed(found)
        yield _software(ciphers, quick=asked.quick)

    def sections(self, found: Found) -> tuple[Section, ...]:
        """Give the tables."""
        return Tables(self.theirs, found).sections()


def _by_key(points: Mapping[str, Job], found: Mapping[str, Record]) -> dict[str, Record]:
    return {job.key: found[name] for name, job in points.items() if name in found}


def _setting(mhz: float) -> Setting:
    return Setting(core_mhz=mhz, dma_mhz=MHZ, link=links.find(LINK))


def _search(engines: int) -> Design:
    name = "rtl" if engines == 1 else f"rtl-{engines}"
    return catalog.design("des-search", name)


def _placements(settings: plan.Settings) -> dict[str, Job]:
    """Plan to place whole searches."""
    points: dict[str, Job] = {}
    for engines in PLACED:
        design = _search(engines)
        made = plan.implementation(
            design.label,
            build.sources_of(design),
            design.clock,
            plan.Settings(
                settings.target,
                seeds=1,
                place_options=PLACER,
                timeout_s=max(settings.timeout_s, _PLACE_S),
            ),
            proof=Verify(design),
        )
        points[f"map {engines}"] = made.synthesis
        if made.netlist is not None:
            points[f"netlist {engines}"] = made.netlist
        [points[f"place {engines}"]] = made.placements
    return points


def _routed(found: Mapping[str, Record]) -> dict[str, Job]:
    """Plan the search at the clocks of placements that ended."""
    points: dict[str, Job] = {}
    for engines in PLACED:
        placed = found.get(f"place {engines}")
        if placed is not None and placed.status == "ok":
            setting = _setting(round(placed.result["fmax_mhz"], 3))
            for keys in _KEYS:
                job = MeasureSearch(Verify(_search(engines)), keys, setting)
                points[f"routed {engines} {keys}"] = job
    return points


def _software(ciphers: cores.Selection, *, quick: bool) -> dict[str, Job]:
    """Plan the processor's side: of Triple DES all variants, of the search the two that matter."""
    points: dict[str, Job] = {
        f"software {one.name}": MeasureSoftware(one)
        for one in ciphers.software
        if not missing_features(one) and not (quick and one.name in ("bitslice-64",))
    }
    variants = {one.name: one for one in catalog.software("des-search")}
    best = key_search.variant(cpu_features())
    for name, variant in (("ref", variants["ref"]), ("best", best)):
        for threads in sorted({1, thread_count()}):
            keys = _RATE_KEYS[name] >> (1 if quick else 0)
            points[f"rate {name} {threads}"] = MeasureSearchRate(variant, threads, keys)
    return points
