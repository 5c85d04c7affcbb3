# SPDX-License-Identifier: Apache-2.0
"""Tables of the study of SHA-3 candidates.

Throughput is of long messages: bits of a block by cycles a block, at the routed clock, ports
included. The thesis' area is in slices of Virtex-5, ours in LUT4 of ECP5: areas stand side by side
and only ratios within one flow compare.
"""

from __future__ import annotations

import itertools
import statistics
from collections.abc import Callable, Mapping, Sequence
from functools import partial
from typing import Any

from lydite.cores import formula
from lydite.report.page import (
    Axis,
    Bar,
    Bars,
    Part,
    Point,
    Prose,
    Ratio,
    Scatter,
    Section,
    Slope,
    Slopes,
    Tabled,
)
from lydite.report.table import Column, figure
from lydite.search.statistics import (
    MOST_SEEDS,
    kendall,
    kendall_interval,
    median_interval,
    odds_above,
    seeds_to_settle,
)
from lydite.studies.message_times import KB
from lydite.studies.sha3_designs import (
    DESIGNS,
    HEADS,
    TARGET,
    VARIANTS,
    Mapped,
    functions,
    label_of,
    read,
)
from lydite.studies.study import Fields, Found
from lydite.studies.theirs import Theirs

# Numbers of blocks for which cycles of whole messages are set beside theirs.
_BLOCKS = (1, 18)

Row = Mapping[str, Any]
Get = Callable[[Any], Any]


def _efficiencies(one: Mapped) -> tuple[float, ...]:
    return tuple(1000 * rate / one.lut4 for rate in one.rates)


# Name, head, a design's figure under each seed, and what stands for it.
_METRICS: tuple[tuple[str, str, Callable[[Mapped], Sequence[float]]], ...] = (
    ("area", "area", lambda one: (-one.lut4,)),
    ("throughput", "throughput", lambda one: one.rates),
    ("efficiency", "throughput/area", _efficiencies),
)
# Of these the columns of theirs.
_THEIRS = {"area": "slices", "throughput": "mbit_per_s", "efficiency": "mbit_per_s_slice"}


class Tables:
    """The tables of what was found."""

    def __init__(self, theirs: Theirs, found: Found) -> None:
        self._theirs, self._found = theirs, found
        of = functions(theirs)
        self._names = {primitive: name for primitive, (name, _) in of.items()}
        self._mapped = {
            (primitive, design): one
            for primitive, (_, block_bits) in of.items()
            for design in DESIGNS
            if (one := read(found, primitive, design, block_bits)) is not None
        }
        self._placed = {names: one for names, one in self._mapped.items() if one.mhz}

    def sections(self) -> tuple[Section, ...]:
        """Give all."""
        both = [name for name in self._names if self._has(name)]
        ours: list[Part] = [self._designs()]
        if both:
            ours += [self._scatter(), self._bars(both)]
        ranks: list[Part] = [self._ranks(both), self._sure()]
        ranks += [Prose(self._orders(both)), *(self._slopes(both) if both else ())]
        return (
            Section("What there is", (Prose(self._told()),)),
            Section("By hand and from C", tuple(ours)),
            Section(
                "Beside chapter 2",
                (
                    self._table_2_2(),
                    self._results("table-2-3", "hls"),
                    self._results("table-2-4", "rtl"),
                    self._table_2_5(both),
                    Prose(self._means(both)),
                ),
            ),
            Section("Ranks", tuple(ranks)),
            Section(
                "Beside chapter 4",
                (
                    self._table_4_1(),
                    self._blocks(),
                    self._table_4_2(),
                    self._times(),
                ),
            ),
            Section("Software", (self._software(),)),
        )

    # ---- what was measured ----

    def _has(self, name: str) -> bool:
        return all((name, design) in self._placed for design in DESIGNS)

    def _ours(self, design: str, get: Get) -> Get:
        """Give what gives a figure of ours of a row of theirs."""

        def value(row: Row) -> float | None:
            name = next(n for n, title in self._names.items() if title == row["algorithm"])
            one = self._mapped.get((name, design))
            return None if one is None else get(one)

        return value

    # ---- tables ----

    def _told(self) -> str:
        there = [title for name, title in self._names.items() if self._has(name)]
        mapped = [
            title
            for name, title in self._names.items()
            if not self._has(name) and all((name, design) in self._mapped for design in DESIGNS)
        ]
        lacking = [title for title in self._names.values() if title not in (*there, *mapped)]
        seeds = sorted({len(one.mhz) for one in self._placed.values()})
        *fewer, most = [str(count) for count in seeds] or ["no"]
        counts = f"{', '.join(fewer)} or {most}" if fewer else most
        return (
            f"Ours: proven and placed on {TARGET} under {counts} hashed seeds, both ways under the "
            f"same wrapper, mapping and tools: {', '.join(there) or 'none'}."
            + (f" Proven and mapped, not placed: {', '.join(mapped)}." if mapped else "")
            + (f" Not here: {', '.join(lacking)}." if lacking else "")
            + "".join(
                f" {self._names[name]} is its variant {variant.removeprefix('-')}: what it is by "
                "default no routing ends of."
                for name, variant in VARIANTS.items()
            )
        )

    def _designs(self) -> Tabled:
        fields: Fields = (
            (Column("algorithm", "function"), lambda one: self._names[one.primitive]),
            (Column("design", "design"), lambda one: HEADS[one.design]),
            (figure("cycles", "cycles\na block", "{:g}"), lambda one: one.cycles),
            (figure("mhz", "MHz\nmedian", "{:.1f}"), _clocked(lambda one: one.median_mhz)),
            (figure("mhz_low", "95 %\nfrom", "{:.1f}"), lambda one: _interval(one.mhz)[0]),
            (figure("mhz_high", "\nto", "{:.1f}"), lambda one: _interval(one.mhz)[1]),
            (figure("seeds", "seeds"), lambda one: len(one.mhz)),
            (figure("lut4", "LUT4", "{:,.0f}"), lambda one: one.lut4),
            *(
                (figure(unit, head, "{:,.0f}"), lambda one, unit=unit: one.area(unit))
                for unit, head in (("ff", "FF"), ("bram", "BRAM"), ("dsp", "DSP"))
            ),
            (figure("mbit_per_s", "Mb/s", "{:,.0f}"), _clocked(lambda one: one.rate)),
            (
                figure("mbit_per_s_klut", "Mb/s\na kLUT", "{:.1f}"),
                _clocked(lambda one: one.efficiency),
            ),
        )
        notes = (
            "area by LUT4 alone: whoever has block RAM or multipliers looks better by that",
            "the interval of a median: of n seeds it holds the true one with a chance of at most "
            "1 - 2^(1 - n), 75 % of three, 94 % of five",
        )
        return self._found.table("designs", "Ours", fields, self._mapped.values(), notes)

    def _scatter(self) -> Scatter:
        return Scatter(
            "Throughput against area",
            "Both in equal ratios; dashed lines join equal throughput a kLUT (figures 2.11, 2.12).",
            Axis("area", "LUT4", is_log=True),
            Axis("throughput", "Mb/s", is_log=True),
            tuple(
                Point(
                    f"{self._names[one.primitive]} {HEADS[one.design]}",
                    one.lut4,
                    one.rate,
                    series=HEADS[one.design],
                    key=one.key,
                )
                for one in self._placed.values()
            ),
            Ratio("Mb/s a kLUT", 1000.0),
        )

    def _bars(self, both: Sequence[str]) -> Bars:
        return Bars(
            "RTL over HLS, throughput a kLUT",
            "1: the C is as good as the Verilog.",
            Axis("ratio"),
            tuple(Bar(self._names[name], self._ratio(name, "efficiency")) for name in both),
        )

    def _table_2_2(self) -> Tabled:
        theirs = self._theirs.named("table-2-2")
        fields: list[Any] = [_algorithm()]
        for design in DESIGNS:
            name, head = f"{design}_cycles", f"{HEADS[design]} cycles"
            fields.append((figure(f"{name}_theirs", f"{head}\ntheirs", "{:g}"), _get(name)))
            ours = self._ours(design, lambda one: one.cycles)
            fields.append((figure(f"{name}_ours", f"{head}\nours", "{:g}"), ours))
        title = f"Table 2.2: {theirs.title}"
        return self._found.table("table-2-2", title, fields, theirs.records())

    def _results(self, name: str, design: str) -> Tabled:
        theirs = self._theirs.named(name)
        columns: tuple[tuple[str, str, str, Get], ...] = (
            ("freq_mhz", "MHz", "{:.1f}", _clocked(lambda one: one.median_mhz)),
            ("mbit_per_s", "Mb/s", "{:,.0f}", _clocked(lambda one: one.rate)),
            ("slices", "area", "{:,.0f}", lambda one: one.lut4),
            (
                "mbit_per_s_slice",
                "Mb/s\nby area",
                "{:.3g}",
                _clocked(lambda one: one.rate / one.lut4),
            ),
        )
        fields: list[Any] = [_algorithm()]
        for column, head, form, get in columns:
            fields.append((figure(f"{column}_theirs", f"{head}\ntheirs", form), _get(column)))
            fields.append(
                (figure(f"{column}_ours", f"{head}\nours", form), self._ours(design, get))
            )
        notes = ("theirs: Virtex-5, area in slices; ours: ECP5, slowest grade, area in LUT4",)
        number = name.removeprefix("table-").replace("-", ".")
        title = f"Table {number}: {theirs.title}"
        return self._found.table(name, title, fields, theirs.records(), notes)

    def _ratio(self, name: str, which: str) -> float:
        """Give RTL over HLS."""
        rtl, hls = (self._placed[name, design] for design in DESIGNS)
        pairs = {
            "freq": (rtl.median_mhz, hls.median_mhz),
            "throughput": (rtl.rate, hls.rate),
            "area": (rtl.lut4, hls.lut4),
            "efficiency": (rtl.efficiency, hls.efficiency),
        }
        one, other = pairs[which]
        return one / other

    def _table_2_5(self, both: Sequence[str]) -> Tabled:
        theirs = {row["algorithm"]: row for row in self._theirs.named("table-2-5").records()}
        columns = (
            ("freq", "freq", "frequency"),
            ("throughput", "throughput", "throughput"),
            ("area", "area", "area"),
            ("throughput_area", "efficiency", "throughput\nby area"),
        )
        fields: list[Any] = [(Column("algorithm", "function"), lambda name: self._names[name])]

        def their(name: str, column: str) -> Any:
            return theirs.get(self._names[name], {}).get(column)

        for column, which, head in columns:
            lines = head.split("\n")
            for side, get in (
                ("theirs", lambda name, column=column: their(name, column)),
                (
                    "ours",
                    lambda name, which=which: self._ratio(name, which) if name in both else None,
                ),
            ):
                text = f"{' '.join(lines)}\n{side}"
                fields.append((figure(f"{column}_{side}", text, "{:.2f}"), get))
        rows = [name for name in self._names if name in both or self._names[name] in theirs]
        return self._found.table("table-2-5", "Table 2.5: RTL over HLS", fields, rows)

    def _means(self, both: Sequence[str]) -> str:
        """Give the geometric means of RTL over HLS."""
        rtl, hls = (self._theirs.named(name).records() for name in ("table-2-4", "table-2-3"))
        mean = statistics.geometric_mean(
            float(one["mbit_per_s_slice"]) / float(other["mbit_per_s_slice"])
            for one, other in zip(rtl, hls, strict=True)
        )
        told = f"Geometric mean of throughput by area, RTL over HLS: theirs {mean:.2f} over four"
        if not both:
            return told + "."
        ratios = [self._ratio(name, "efficiency") for name in both]
        ours = statistics.geometric_mean(ratios)
        return f"{told}, ours {ours:.2f} over {len(both)}, at most {max(ratios):.2f}."

    # ---- ranks ----

    def _ranks(self, both: Sequence[str]) -> Tabled:
        fields: list[Any] = [(Column("algorithm", "function"), lambda name: self._names[name])]
        for metric, head, get in _METRICS:
            for design in DESIGNS:
                order = self._order(both, design, get)
                fields.append(
                    (
                        figure(f"{metric}_{design}", f"{head}\n{HEADS[design]}"),
                        lambda name, order=order: order.index(name) + 1,
                    )
                )
        return self._found.table("ranks", "Ranks, 1 the best", fields, both)

    def _order(
        self, both: Sequence[str], design: str, get: Callable[[Mapped], Sequence[float]]
    ) -> list[str]:
        """Give the functions, best first."""
        return sorted(both, key=lambda name: -statistics.median(get(self._placed[name, design])))

    def _slopes(self, both: Sequence[str]) -> list[Part]:
        """Draw how each order changes from RTL to HLS."""
        drawn: list[Part] = []
        for _, head, get in _METRICS:
            orders = [self._order(both, design, get) for design in DESIGNS]
            slopes = []
            for name in orders[0]:
                before, after = (order.index(name) + 1 for order in orders)
                kept = "same rank both ways" if before == after else "another rank"
                slopes.append(Slope(self._names[name], before, after, series=kept))
            heads = (HEADS[DESIGNS[0]], HEADS[DESIGNS[1]])
            about = "Lines that cross are functions whose order is another one from C."
            drawn.append(Slopes(f"Ranks by {head}", about, heads, tuple(slopes)))
        return drawn

    def _orders(self, both: Sequence[str]) -> str:
        """Say how alike the orders of both ways are: theirs, and ours."""
        told = []
        rtl, hls = (
            {row["algorithm"]: row for row in self._theirs.named(name).records()}
            for name in ("table-2-4", "table-2-3")
        )
        for metric, head, get in _METRICS:
            column = _THEIRS[metric]
            pair = [[float(side[name][column]) for name in rtl] for side in (rtl, hls)]
            printed = kendall(*pair)
            text = f"{head}: theirs {printed:.2f}" if printed is not None else f"{head}: theirs -"
            samples = [[get(self._placed[name, design]) for name in both] for design in DESIGNS]
            tau = kendall(*([statistics.median(values) for values in side] for side in samples))
            text += f", ours {tau:.2f}" if tau is not None else ", ours -"
            interval = kendall_interval(*samples) if tau is not None else None
            if interval is not None:
                text += f" (95 %: {interval[0]:.2f} to {interval[1]:.2f})"
            told.append(text)
        return (
            f"Kendall's tau between the orders of RTL and HLS: {'; '.join(told)}. The interval is "
            "of a bootstrap over the seeds: of one seed it has no width and says nothing."
        )

    def _sure(self) -> Tabled:
        """Say of each two neighbours in throughput by area how sure their order is."""
        pairs: list[tuple[Mapped, Mapped]] = []
        for design in DESIGNS:
            placed = [one for one in self._placed.values() if one.design == design]
            placed.sort(key=lambda one: -one.efficiency)
            pairs += itertools.pairwise(placed)
        fields: Fields = (
            (Column("design", "design"), lambda pair: HEADS[pair[0].design]),
            (Column("better", "better"), lambda pair: self._names[pair[0].primitive]),
            (Column("worse", "worse"), lambda pair: self._names[pair[1].primitive]),
            (
                figure("sure", "how sure", "{:.1%}"),
                lambda pair: odds_above(*map(_efficiencies, pair)),
            ),
            (
                figure("seeds", "seeds for\n95 %", "{}"),
                lambda pair: seeds_to_settle(*map(_efficiencies, pair)),
            ),
        )
        notes = (
            "in the order of medians; Welch's test of means over the seeds; - with one seed, or "
            f"where {MOST_SEEDS:,} would not do",
        )
        title = "Neighbours in throughput by area"
        return self._found.table("sure", title, fields, pairs, notes)

    # ---- chapter 4, software ----

    def _table_4_1(self) -> Tabled:
        theirs = self._theirs.named("table-4-1")
        gbit = self._ours("rtl", _clocked(lambda one: one.rate / 1000))
        fields = (
            _algorithm(),
            (figure("static_mhz_theirs", "static\nMHz, theirs", "{:.1f}"), _get("static_mhz")),
            (figure("board_mhz_theirs", "board\nMHz, theirs", "{:.1f}"), _get("board_mhz")),
            (
                figure("mhz_ours", "MHz, ours\nRTL, median", "{:.1f}"),
                self._ours("rtl", _clocked(lambda one: one.median_mhz)),
            ),
            (
                figure("gbit_per_s_theirs", "Gb/s\ntheirs", "{:.3f}"),
                _get("formula_gbit_per_s"),
            ),
            (
                figure("measured_theirs", "measured\nGb/s, theirs", "{:.3f}"),
                _get("measured_gbit_per_s"),
            ),
            (figure("gbit_per_s_ours", "Gb/s\nours", "{:.3f}"), gbit),
        )
        notes = (
            "theirs: Zynq-7020; Gb/s by formula, and measured, at the board's clock; ours at the "
            "routed clock",
        )
        title = f"Table 4.1: {theirs.title}"
        return self._found.table("table-4-1", title, fields, theirs.records(), notes)

    def _blocks(self) -> Tabled:
        theirs = self._theirs.named("table-4-2")
        fields: list[Any] = [
            _algorithm(),
            (figure("bus_bits", "bits of\ntheir bus", "{:g}"), _get("bus_bits")),
            (figure("block_bits", "bits of\na block", "{:g}"), _get("block_bits")),
            (figure("cycles_theirs", "cycles\ntheirs", "{:g}"), _get("block_cycles")),
        ]
        for design in DESIGNS:
            ours = self._ours(design, lambda one: one.cycles)
            head = f"cycles\n{HEADS[design]}, ours"
            fields.append((figure(f"cycles_{design}_ours", head, "{:g}"), ours))
        title = "Table 4.2: bus, bits and cycles a block"
        return self._found.table("blocks", title, fields, theirs.records())

    def _table_4_2(self) -> Tabled:
        theirs = self._theirs.named("table-4-2")
        fields: list[Any] = [
            _algorithm(),
            (Column("hash_cycles", "cycles of N blocks, theirs"), _get("hash_cycles")),
        ]
        for blocks in _BLOCKS:
            name = f"cycles_{blocks}"
            fields.append((figure(f"{name}_theirs", f"N = {blocks}\ntheirs"), _total(blocks)))
            for design in DESIGNS:
                ours = self._ours(design, _cycles(blocks))
                head = f"N = {blocks}\n{HEADS[design]}, ours"
                fields.append((figure(f"{name}_{design}_ours", head), ours))
        title = "Table 4.2: cycles of N blocks"
        return self._found.table("table-4-2", title, fields, theirs.records())

    def _times(self) -> Tabled:
        """Give what messages take end to end, by their size."""

        def took(kb: int, one: Mapped) -> float | None:
            label = label_of(one.primitive, one.design)
            found = self._found.result(f"testbed {label} {kb}")
            return float(found["hardware_ns"]) / 1000 if found else None

        fields: list[Any] = [
            (Column("algorithm", "function"), lambda one: self._names[one.primitive]),
            (Column("design", "design"), lambda one: HEADS[one.design]),
        ]
        fields += [(figure(f"us_{kb}", f"{kb} kB\nus", "{:,.1f}"), partial(took, kb)) for kb in KB]
        notes = (
            "end to end behind FIFOs, two clocks and a DMA of 100 MHz, the core at its median "
            "clock: simulated, link and host modelled",
        )
        there = [one for one in self._placed.values() if any(took(kb, one) for kb in KB)]
        title = "Times in the testbed, by size of the message"
        return self._found.table("times", title, fields, there, notes)

    def _software(self) -> Tabled:
        variants = [
            tuple(label.split("/"))
            for kind, _, label in (name.partition(" ") for name in self._found.records)
            if kind == "software" and self._ran(label)["available"]
        ]
        order = list(self._names)
        variants.sort(key=lambda one: order.index(one[0]))

        def rate(long: str, one: tuple[str, str]) -> float | None:
            ran = self._ran("/".join(one))
            times = ran["operations"][0][long]
            return 1e3 * ran["long_bytes"] / times["median_ns"] if times else None

        def rtl(one: tuple[str, str]) -> float | None:
            placed = self._placed.get((one[0], "rtl"))
            return placed.rate / 8 if placed else None

        fields: Fields = (
            (Column("algorithm", "function"), lambda one: self._names[one[0]]),
            (Column("variant", "variant"), lambda one: one[1]),
            (figure("mbyte_per_s_1", "MB/s\none thread", "{:,.0f}"), partial(rate, "long_1")),
            (figure("mbyte_per_s_all", "MB/s\nall threads", "{:,.0f}"), partial(rate, "long_all")),
            (figure("mbyte_per_s_rtl", "MB/s\nRTL", "{:,.0f}"), rtl),
        )
        title = "Software, and one core of ours"
        return self._found.table("software", title, fields, variants, self._measured(variants))

    def _measured(self, variants: Sequence[tuple[str, ...]]) -> tuple[str, ...]:
        """Say on which machines software was measured, and what it was built by."""
        records = [self._found.records[f"software {'/'.join(one)}"] for one in variants]
        notes = []
        for machine in sorted({one.machine for one in records}):
            ran = [one.result for one in records if one.machine == machine]
            ghz = sorted(f"{one['core_ghz']:.1f}" for one in ran if one["core_ghz"])
            clock = f", core at {ghz[0]} to {ghz[-1]} GHz" if ghz else ""
            builds = sorted({one["compiler"] for one in ran})
            notes.append(
                f"{machine}{clock}; messages of {ran[0]['long_bytes']:,} bytes; of several builds "
                f"the fastest, by {' or '.join(builds)}"
            )
        return tuple(notes)

    def _ran(self, label: str) -> dict[str, Any]:
        """Give what was found of a variant of the software."""
        return self._found.result(f"software {label}") or {"available": False}


def _algorithm() -> tuple[Column, Get]:
    return Column("algorithm", "function"), _get("algorithm")


def _clocked(get: Get) -> Get:
    """Give what gives a figure of a design that has clocks, and None of another."""
    return lambda one: get(one) if one.mhz else None


def _get(name: str) -> Get:
    return lambda row: row[name]


def _total(blocks: int) -> Get:
    def get(row: Row) -> int:
        where = f"table-4-2: {row['algorithm']}"
        return int(formula.rational(row["hash_cycles"], {"N": blocks}, where=where))

    return get


def _cycles(blocks: int) -> Callable[[Mapped], float | None]:
    return lambda one: one.totals.get(blocks)


def _interval(values: Sequence[float]) -> tuple[Any, Any]:
    """Give the interval of a median; none of one value."""
    return median_interval(values) if len(values) > 1 else (None, None)
