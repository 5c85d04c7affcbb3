# SPDX-License-Identifier: Apache-2.0
"""Learn a family's operator delays and areas from its tools: plan, and table out of records.

Every point of `operators` goes between the registers of the measuring wrapper and is mapped, placed
and routed under each seed; a time is the median over the seeds. With T0 + n * L the line through
chains of n tables of four inputs, which no mapper can merge, L is the time of one with its wire,
and T0 that of a path without logic: a register, the wire behind it, the next one's set-up. An
operator's delay is the time of its design less T0: its logic, and one wire.
"""

from __future__ import annotations

import math
import statistics
from collections.abc import Mapping
from dataclasses import dataclass, field, replace

from lydite.base.errors import CheckFailed, InputError
from lydite.base.seeds import hashed
from lydite.runs import operators, plan
from lydite.runs.operators import CHAIN_WIDTH, Point
from lydite.runs.plan import Implementation, Settings
from lydite.runs.record import Record
from lydite.targets import Target

MOST_WIDTH = 128
# How often a point without a placement gets one seed more.
MORE_SEEDS = 3
_OPERATORS = ("add", "compare", "equal", "logic", "mux", "shift", "multiply")


@dataclass(frozen=True, slots=True)
class Measured:
    """One point: median period in ns over the seeds, and what a copy of it occupies."""

    period_ns: float
    cells_ns: float
    path_to: str
    area: Mapping[str, float]


@dataclass(frozen=True)
class Table:
    """What `hls.delay_model` wants to know of a family; delays in ns, areas in LUTs.

    Attributes
    ----------
    seeds, lost : int
        Seeds of each point, and placements that failed, of all points.
    delay : mapping
        Operator to (width, delay) points.
    area : mapping
        Operator to LUTs a bit; for `shift` a bit and a level of log2(width) / 4, for `multiply_lut`
        a bit times a bit. And `dsp_width`, `dsp_threshold` in bits.
    chain : mapping
        Operator of CHAIN_WIDTH bits to (how many in a row, their delay) points.
    """

    target: Target
    seeds: int
    lost: int
    tools: tuple[str, ...]
    date: str
    register_ns: float
    setup_ns: float
    lut_ns: float
    bram_read_ns: float
    bram_setup_ns: float
    lutram_read_ns: float
    delay: Mapping[str, tuple[tuple[int, float], ...]]
    area: Mapping[str, float]
    chain: Mapping[str, tuple[tuple[int, float], ...]] = field(default_factory=dict)


def planned(widths: tuple[int, ...], settings: Settings) -> Mapping[Point, Implementation]:
    """Plan all points of the settings' target.

    Raises
    ------
    InputError
        A width is out of range, or they do not rise; or the family's file does not say what RAM
        there is.
    """
    if list(widths) != sorted(set(widths)) or not widths:
        raise InputError("--widths", "must rise", "as 2,4,8,16,32,64")
    if widths[0] < 2 or widths[-1] > MOST_WIDTH:
        raise InputError("--widths", f"must be 2 to {MOST_WIDTH}", "as 2,4,8,16,32,64")
    family = settings.target.family
    if family.memory is None:
        hint = "docs/targets.md says what stands in it"
        raise InputError(f"targets/{family.name}.toml", "there is no section [memory]", hint)
    no_dsp = family.synthesis.no_dsp
    found: dict[Point, Implementation] = {}
    for point in operators.points(
        widths, has_lutram=family.memory.lutram_depth > 0, has_dsp=bool(no_dsp)
    ):
        options = settings.synthesis_options + ((no_dsp,) if not point.dsp else ())
        found[point] = plan.implementation(
            point.label,
            operators.sources(point),
            point.clock,
            replace(settings, synthesis_options=options),
        )
    return found


def again(
    planned: Mapping[Point, Implementation], records: Mapping[str, Record]
) -> Mapping[Point, Implementation]:
    """Give each point whose placements all failed one seed more.

    nextpnr finds no way for the clock, or no end, under some seeds; that says nothing of delays.
    A point that was not even mapped stays as it is.
    """
    found = dict(planned)
    for point, implementation in planned.items():
        synthesis = records.get(implementation.synthesis.key)
        placed = [records.get(job.key) for job in implementation.placements]
        if synthesis is None or synthesis.status != "ok":
            continue
        if all(record is not None and record.status != "ok" for record in placed):
            last = implementation.placements[-1]
            more = replace(last, seed=hashed("placement", len(placed)))
            placements = (*implementation.placements, more)
            found[point] = replace(implementation, placements=placements)
    return found


def table(planned: Mapping[Point, Implementation], records: Mapping[str, Record]) -> Table | None:
    """Compute the table, or give None if a point has no result under any seed.

    Placements that failed are left out; the table says how many.

    Raises
    ------
    CheckFailed
        The tools did not make of a memory what the family's file says it has.
    """
    lost = 0
    used: list[Record] = []
    measured: dict[Point, Measured] = {}
    for point, implementation in planned.items():
        synthesis = records.get(implementation.synthesis.key)
        placed = [records.get(job.key) for job in implementation.placements]
        placements = [record for record in placed if record and record.status == "ok"]
        if synthesis is None or not placements:
            return None
        lost += len(placed) - len(placements)
        used += [synthesis, *placements]
        measured[point] = _measured(point, synthesis, placements)
    implementation = next(iter(planned.values()))
    tools = {tool["name"]: tool for record in used for tool in record.inputs["tools"]}
    return _Maker(
        implementation.synthesis.target,
        measured,
        seeds=len(implementation.placements),
        lost=lost,
        tools=tuple(f"{name} {tool['version']} ({tool['origin']})" for name, tool in tools.items()),
        date=max(record.started_utc for record in used)[:10],
    ).table()


def _measured(point: Point, synthesis: Record, placements: list[Record]) -> Measured:
    results = sorted((record.result for record in placements), key=lambda each: each["fmax_mhz"])
    middle = results[len(results) // 2]
    return Measured(
        period_ns=statistics.median(1000 / result["fmax_mhz"] for result in results),
        cells_ns=statistics.median(result["path_logic_ns"] for result in results),
        path_to=middle["path_to"],
        area={unit: count / point.copies for unit, count in synthesis.result["area"].items()},
    )


@dataclass(frozen=True)
class _Maker:
    """Turns measurements into a table."""

    target: Target
    found: Mapping[Point, Measured]
    seeds: int
    lost: int
    tools: tuple[str, ...]
    date: str

    def table(self) -> Table:
        self._check_memories()
        chains = [(n, self.found[Point("lut", CHAIN_WIDTH, n)]) for n in operators.LUT_CHAINS]
        lut_ns, base_ns = _line([(n, each.period_ns) for n, each in chains])
        _, register_ns = _line([(n, each.cells_ns) for n, each in chains])
        setup_ns = base_ns - register_ns
        into_bram = self._period("product_into_bram", operators.PRODUCT_WIDTH)
        product = self._period("multiply", operators.PRODUCT_WIDTH)
        lutram = Point("lutram", operators.LUTRAM[1])
        return Table(
            target=self.target,
            seeds=self.seeds,
            lost=self.lost,
            tools=self.tools,
            date=self.date,
            register_ns=register_ns,
            setup_ns=setup_ns,
            lut_ns=lut_ns,
            bram_read_ns=self._period("bram", operators.BRAM[1]) - setup_ns,
            bram_setup_ns=max(0.0, into_bram - product + setup_ns),
            lutram_read_ns=self.found[lutram].period_ns - base_ns if lutram in self.found else 0.0,
            delay={kind: self._delays(kind, base_ns) for kind in _OPERATORS},
            area=self._areas(),
            chain={
                kind: tuple(
                    (point.chain, each.period_ns - base_ns)
                    for point, each in sorted(self.found.items(), key=lambda item: item[0].chain)
                    if point.kind == kind and point.width == CHAIN_WIDTH
                )
                for kind in ("add", "logic", "mux")
            },
        )

    def _period(self, kind: str, width: int) -> float:
        return self.found[Point(kind, width)].period_ns

    def _check_memories(self) -> None:
        """Refuse figures of a block RAM or a RAM in logic that the tools did not use."""
        bram = self.found[Point("bram", operators.BRAM[1])].area
        if bram["bram"] < 1:
            raise CheckFailed("a block RAM", "none", f"bram of {self.target.name}")
        lutram = self.found.get(Point("lutram", operators.LUTRAM[1]))
        if lutram is not None and lutram.area["ff"] >= math.prod(operators.LUTRAM):
            raise CheckFailed("RAM in logic", "registers", f"lutram of {self.target.name}")

    def _delays(self, kind: str, base_ns: float) -> tuple[tuple[int, float], ...]:
        points = sorted(
            (point.width, each.period_ns - base_ns)
            for point, each in self.found.items()
            if point.kind == kind and point.chain == 1 and point.dsp
        )
        # A wider operator is not faster: what says so is the draw of a placement.
        most = 0.0
        rising = []
        for width, delay in points:
            most = max(most, delay)
            rising.append((width, most))
        return tuple(rising)

    def _areas(self) -> dict[str, float]:
        areas = {}
        for kind in ("add", "compare", "equal", "logic", "mux", "shift"):
            width = max(p.width for p in self.found if p.kind == kind and p.chain == 1)
            area = self.found[Point(kind, width)].area["lut4"] / width
            areas[kind] = area / max(1.0, math.log2(width) / 4) if kind == "shift" else area
        products = {p: each for p, each in self.found.items() if p.kind == "multiply"}
        in_lut = [(p.width, each) for p, each in products.items() if each.area["dsp"] == 0]
        width, most = max(in_lut, key=lambda item: item[0])
        areas["multiply_lut"] = most.area["lut4"] / width**2
        single = [p.width for p, each in products.items() if 0 < each.area["dsp"] <= 1]
        areas["dsp_width"] = max(single, default=MOST_WIDTH)
        areas["dsp_threshold"] = min(single, default=MOST_WIDTH)
        return areas


def _line(points: list[tuple[int, float]]) -> tuple[float, float]:
    """Give slope and intercept of the least squares line."""
    slope, intercept = statistics.linear_regression(*zip(*points, strict=True))
    return slope, intercept
