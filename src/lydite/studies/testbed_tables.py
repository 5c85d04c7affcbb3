# SPDX-License-Identifier: Apache-2.0
"""Tables of the study of the testbed.

Static figures, simulated ones and those of boards stand in columns of their own, and no figure is
made of two kinds but the gain, which says of which. The last is empty of ours.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping, Sequence
from functools import partial
from typing import Any

from lydite.report.page import Axis, Bar, Bars, Line, Lines, Prose, Section, Tabled
from lydite.report.table import Column, figure
from lydite.sim.routed import chips
from lydite.sim.routed.stimulus import Kind
from lydite.studies.message_times import DMA_MHZ, KB
from lydite.studies.study import Fields, Found, beside
from lydite.studies.theirs import Theirs

TARGET = "ecp5-85k"
DESIGN = "rtl"
# MHz of a faster DMA than the usual one.
FAST_DMA_MHZ = 150.0
# The first is that of tables 4.1 and 4.3.
STIMULI: tuple[Kind, ...] = ("random", "long")
# Of the model of variation, one for each board of theirs.
CHIPS = (1, 2)
# Sizes of which figure 4.7 is told in words, and that of the throughput of table 4.1.
_TOLD_KB, _RATE_KB = KB[:3], 1000
_BUS_BITS = 64
_NEVER = "never run by us"

Row = Mapping[str, Any]
Get = Callable[[Any], Any]


class Tables:
    """The tables of what was found."""

    def __init__(self, theirs: Theirs, found: Found) -> None:
        self._theirs, self._found = theirs, found
        self._rows: Sequence[Row] = theirs.named("table-4-1").records()
        self._formulas = _by_function(theirs, "table-4-2")
        self._told = _by_function(theirs, "figure-4-7")

    def sections(self) -> tuple[Section, ...]:
        """Give all."""
        return (
            Section("What there is", (Prose(self._there()),)),
            Section(
                "Clocks",
                (
                    self._table_4_1(),
                    self._figure_4_6(),
                    self._table_4_3(),
                ),
            ),
            Section("Why", (self._why(), self._growth())),
            Section(
                "Times",
                (
                    self._rates(),
                    self._overheads(),
                    self._figure_4_7(),
                    self._table_4_4(),
                ),
            ),
        )

    # ---- what was found ----

    def _result(self, point: str, row: Row) -> dict[str, Any] | None:
        """Give what was found at a point of a function: its name stands for `{}`."""
        return self._found.result(point.format(row["primitive"]))

    def _clock(self, row: Row) -> float | None:
        placed = self._result("place {}", row)
        return placed["fmax_mhz"] if placed else None

    def _simulated(self, row: Row, point: str = f"frequency {{}} {STIMULI[0]}") -> float | None:
        found = self._result(point, row)
        return found["simulated_mhz"] if found else None

    def _there(self) -> str:
        names = [row["algorithm"] for row in self._rows if self._simulated(row)]
        return (
            f"Clocks of ours, one placement each on {TARGET}, proven in the routed netlist: "
            f"{', '.join(names) or 'none'}; those of others were not run. Static: by nextpnr, and "
            "equal in our model. Simulated: the routed netlist with its delays, at rising clocks, "
            "until an answer is wrong; no chip was measured. On a board: " + _NEVER + "."
        )

    # ---- clocks ----

    def _table_4_1(self) -> Tabled:
        def gain(row: Row) -> float | None:
            static, simulated = self._clock(row), self._simulated(row)
            return simulated / static - 1 if static and simulated else None

        fields: Fields = (
            _algorithm(),
            (figure("static_theirs", "static\nMHz, theirs", "{:.1f}"), _get("static_mhz")),
            (figure("board_theirs", "board\nMHz, theirs", "{:.1f}"), _get("board_mhz")),
            (_gain("gain_theirs", "gain\ntheirs", 0), _their_gain),
            (figure("static_ours", "static\nMHz, ours", "{:.1f}"), self._clock),
            (figure("simulated_ours", "simulated\nMHz, ours", "{:.1f}"), self._simulated),
            (_gain("gain_ours", "gain\nsimulated"), gain),
            (Column("board_ours", "board\nMHz, ours", absent=_NEVER), lambda _: None),
        )
        notes = (
            "theirs: Zynq-7020, Vivado, one board, messages of 10 to 5,000 kB; ours: ECP5, slowest "
            "grade, " + self._messages(STIMULI[0]),
        )
        title = "Table 4.1, figure 4.6: highest clocks"
        return self._found.table("table-4-1", title, fields, self._rows, notes)

    def _messages(self, stimulus: str) -> str:
        """Say how many messages of a stimulus were run."""
        found = [self._result(f"frequency {{}} {stimulus}", row) for row in self._rows]
        counts = sorted({one["messages"] for one in found if one})
        return f"{' or '.join(map(str, counts)) or 'no'} {stimulus} messages"

    def _figure_4_6(self) -> Bars:
        bars = []
        for row in self._rows:
            static, simulated = self._clock(row), self._simulated(row)
            ratio = row["board_mhz"] / row["static_mhz"]
            bars.append(Bar(f"{row['algorithm']}, their board", ratio, series="theirs"))
            if static and simulated:
                ratio = simulated / static
                bars.append(Bar(f"{row['algorithm']}, simulated", ratio, series="ours"))
        about = "1: the clock of static analysis, of each its own (figure 4.6)."
        return Bars("Highest clock over static", about, Axis("ratio"), tuple(bars))

    def _table_4_3(self) -> Tabled:
        theirs = self._theirs.named("table-4-3")
        named = {row["algorithm"]: row for row in self._rows}

        def ours(point: str) -> Get:
            return lambda row: self._simulated(named[row["algorithm"]], point)

        fields: list[tuple[Column, Get]] = [
            _algorithm(),
            (figure("board1_theirs", "board 1\nMHz, theirs", "{:.1f}"), _get("board1_mhz")),
            (figure("board2_theirs", "board 2\nMHz, theirs", "{:.1f}"), _get("board2_mhz")),
            (figure("deviation_theirs", "deviation\nMHz, theirs", "{:.0f}"), _get("deviation_mhz")),
            (
                figure("file_ours", "as the file\nMHz, simulated", "{:.1f}"),
                ours(f"frequency {{}} {STIMULI[0]}"),
            ),
        ]
        for chip in CHIPS:
            head = f"invented chip {chip}\nMHz, simulated"
            fields.append((figure(f"chip{chip}_ours", head, "{:.1f}"), ours(f"chip {{}} {chip}")))
        notes = (
            f"chips of ours: delays times factors of {chips.SOURCE} sigmas; they say nothing of "
            "any chip. Table 4.1 has another clock of Hamsi on the first board than this one",
        )
        title = f"Table 4.3: {theirs.title}"
        return self._found.table("table-4-3", title, fields, theirs.records(), notes)

    # ---- why ----

    def _searches(self) -> Iterator[tuple[Row, str]]:
        for row in self._rows:
            for stimulus in STIMULI:
                if self._result(f"frequency {{}} {stimulus}", row) is not None:
                    yield row, stimulus

    def _search(self, one: tuple[Row, str]) -> dict[str, Any]:
        found = self._result(f"frequency {{}} {one[1]}", one[0])
        assert found is not None, "it is one of those that there are"
        return found

    def _why(self) -> Tabled:
        of = self._search

        def total(one: tuple[Row, str], name: str) -> int:
            return sum(kind[name] for kind in of(one)["excited"])

        fields: Fields = (
            (Column("algorithm", "function"), lambda one: one[0]["algorithm"]),
            (Column("stimulus", "messages"), lambda one: one[1]),
            (_gain("gain_theirs", "gain on\ntheir board", 0), lambda o: _their_gain(o[0])),
            (_gain("gain_ours", "gain\nsimulated"), lambda one: of(one)["gain"]),
            (_gain("gain_min", "fastest\ncolumn"), lambda one: _fastest(of(one))),
            (Column("near", ""), partial(total, name="near")),
            (Column("excited", ""), partial(total, name="excited")),
            (Column("kinds", "near the limit,\nexcited"), lambda one: _kinds(of(one)["excited"])),
            (Column("static_path", "slowest,\nstatic"), lambda one: of(one)["static_path"]["kind"]),
            (Column("first_path", "fails first"), lambda one: _first(of(one))),
        )
        notes = (
            "fastest column: static analysis with the least delays that nextpnr has of this grade",
            "near: registers whose slowest path takes 95 % of the slowest of all, or more; "
            "excited: those whose input was seen to change so late, at a clock at which all is "
            "right; fails first: its kind, and which end it is by static analysis",
        )
        title = "Paths near the limit, and those excited"
        return self._found.table("why", title, fields, tuple(self._searches()), notes)

    def _growth(self) -> Tabled:
        """Give how gains fall as messages grow in number."""

        def gain(at: int, one: tuple[Row, str]) -> float | None:
            found = self._search(one)
            growth = dict(found["growth"])
            return growth[at] / found["static_mhz"] - 1 if at in growth else None

        searches = tuple(self._searches())
        counts = sorted({count for one in searches for count, _ in self._search(one)["growth"]})
        fields: list[tuple[Column, Get]] = [
            (Column("algorithm", "function"), lambda one: one[0]["algorithm"]),
            (Column("stimulus", "messages"), lambda one: one[1]),
        ]
        for count in counts:
            head = f"first\n{count:g}"
            fields.append((_gain(f"gain_{count:g}", head), partial(gain, count)))
        title = "Simulated gain as messages grow in number"
        return self._found.table("growth", title, fields, searches)

    # ---- times ----

    def _rates(self) -> Tabled:
        def formula(row: Row) -> float | None:
            proof, mhz = self._result("routed {}", row), self._clock(row)
            if proof is None or mhz is None:
                return None
            cycles = proof["operations"][0]["timing"]["cycles_per_block"]["mean"]
            bits = self._formulas[row["algorithm"]]["block_bits"]
            return float(bits * mhz / cycles / 1000)

        def measured(row: Row) -> float | None:
            found = self._result(f"testbed {{}} {_RATE_KB}", row)
            return 8 * found["bytes"] / found["hardware_ns"] if found else None

        fields = (
            _algorithm(),
            *beside("formula", "Gb/s, formula", _gbit, _get("formula_gbit_per_s"), formula),
            *beside("testbed", "Gb/s, testbed", _gbit, _get("measured_gbit_per_s"), measured),
        )
        notes = (
            "formula: of long messages, theirs at the board's clock, ours at the static one; "
            f"testbed: {_RATE_KB} kB end to end, theirs measured, ours simulated at the static "
            "clock of the placement",
        )
        title = "Table 4.1: throughput"
        return self._found.table("table-4-1-rates", title, fields, self._rows, notes)

    def _overhead(self, row: Row, kb: int, dma_mhz: float = DMA_MHZ) -> float | None:
        """Give the time in the testbed over that of the core alone."""
        found = self._result(f"overhead {{}} {dma_mhz:g} {kb}", row)
        return found["hardware_ns"] / found["compute_ns"] if found else None

    def _overhead_of(self, kb: int, pair: tuple[Row, float]) -> float | None:
        return self._overhead(pair[0], kb, pair[1])

    def _overheads(self) -> Tabled:
        fields: list[tuple[Column, Get]] = [
            (Column("algorithm", "function"), lambda pair: _title(*pair)),
        ]
        for kb in KB:
            if kb in _TOLD_KB:
                head = f"{kb} kB\ntheirs"
                get: Get = partial(self._told_of, kb)
                fields.append((Column(f"kb_{kb}_theirs", head, is_number=True), get))
            elif kb == _RATE_KB:
                column = figure(f"kb_{kb}_theirs", f"{kb} kB\ntheirs", "{:.3f}")
                fields.append((column, _their_overhead))
            column = figure(f"kb_{kb}_ours", f"{kb} kB\nours", "{:.3f}")
            fields.append((column, partial(self._overhead_of, kb)))
        notes = (
            "ours at the clock of their board, DMA at 100 MHz but where said: end to end over the "
            "core alone, fed without a pause; simulated, link and host modelled",
            "theirs: what their text says of the figure (of most functions it names none), and of "
            "1,000 kB the two throughputs of table 4.1, of which Luffa's is more than a DMA of 100 "
            "MHz moves, and Keccak's by formula would be 5.58 Gb/s",
        )
        title = "Figure 4.7: time end to end over the core's"
        return self._found.table("figure-4-7", title, fields, tuple(self._pairs()), notes)

    def _pairs(self) -> Iterator[tuple[Row, float]]:
        """Give functions with clocks of their DMA: the faster one where there are points of it."""
        for row in self._rows:
            for dma_mhz in (DMA_MHZ, FAST_DMA_MHZ):
                there = any(self._overhead(row, kb, dma_mhz) for kb in KB)
                if there or dma_mhz == DMA_MHZ:
                    yield row, dma_mhz

    def _told_of(self, kb: int, pair: tuple[Row, float]) -> str:
        name = pair[0]["algorithm"] if pair[1] == DMA_MHZ else ""
        return str(self._told.get(name, self._told["others"])[f"kb_{kb}"])

    def _figure_4_7(self) -> Lines:
        lines = []
        for row, dma_mhz in self._pairs():
            ratios = ((kb, self._overhead(row, kb, dma_mhz)) for kb in KB)
            points = tuple((float(kb), ratio) for kb, ratio in ratios if ratio)
            if points:
                lines.append(Line(_title(row, dma_mhz), points))
        return Lines(
            "Time end to end over the core's",
            "Simulated, at the clocks of the thesis' board (figure 4.7).",
            Axis("message", "kB", is_log=True),
            Axis("ratio"),
            tuple(lines),
        )

    def _table_4_4(self) -> Tabled:
        theirs = self._theirs.named("table-4-4")
        named = {row["algorithm"]: row for row in self._rows}

        def ours(kb: int, row: Row) -> float | None:
            one = named[row["algorithm"]]
            hardware = self._result(f"testbed {{}} {kb}", one)
            software = self._result("software {}", one)
            if not hardware or not software or not software["available"]:
                return None
            took = {one["bytes"]: one["median_ns"] for one in software["sizes"]}.get(1000 * kb)
            return took and float(took / hardware["hardware_ns"])

        fields: list[tuple[Column, Get]] = [_algorithm()]
        for kb in KB:
            head = f"{kb} kB\ntheirs"
            fields.append((figure(f"kb_{kb}_theirs", head, "{:,.0f}"), _get(f"kb_{kb}")))
            fields.append((figure(f"kb_{kb}_ours", f"{kb} kB\nours", "{:.3g}"), partial(ours, kb)))
        notes = (
            "theirs: Zynq-7020 at the board's clock over C on its ARM of 667 MHz; ours: simulated "
            "at the static clock, over the quickest software of this machine, one thread",
            *self._machines(),
        )
        title = f"Table 4.4: {theirs.title}"
        return self._found.table("table-4-4", title, fields, theirs.records(), notes)

    def _machines(self) -> Sequence[str]:
        records = (self._found.get(f"software {row['primitive']}") for row in self._rows)
        return sorted({f"software measured on {one.machine}" for one in records if one})


def _by_function(theirs: Theirs, name: str) -> Mapping[str, Row]:
    return {str(row["algorithm"]): row for row in theirs.named(name).records()}


def _algorithm() -> tuple[Column, Get]:
    return Column("algorithm", "function"), _get("algorithm")


def _get(name: str) -> Get:
    return lambda row: row[name]


def _gbit(value: float) -> str:
    return f"{value:.3f}"


def _gain(name: str, head: str, digits: int = 1) -> Column:
    """Give a column of shares above static figures; below by less than is shown is 0."""

    def show(value: float) -> str:
        return f"{round(value, digits + 2) + 0.0:+.{digits}%}"

    return Column(name, head, show, is_number=True)


def _their_gain(row: Row) -> float:
    return float(row["board_mhz"] / row["static_mhz"] - 1)


def _their_overhead(pair: tuple[Row, float]) -> float | None:
    """Give it where the DMA at that clock is the one that it was measured with."""
    row, dma_mhz = pair
    measured = row["measured_gbit_per_s"]
    is_faster = measured > _BUS_BITS * DMA_MHZ / 1000
    if is_faster != (dma_mhz == FAST_DMA_MHZ):
        return None
    return float(row["formula_gbit_per_s"] / measured)


def _title(row: Row, dma_mhz: float) -> str:
    told = "" if dma_mhz == DMA_MHZ else f", DMA at {dma_mhz:g} MHz"
    return f"{row['algorithm']}{told}"


def _fastest(found: Row) -> float:
    mhz = found["vendor_mhz"]
    return float(mhz["min"] / mhz["max"] - 1)


def _kinds(excited: Sequence[Row]) -> str:
    return ", ".join(f"{one['kind']} {one['excited']} of {one['near']}" for one in excited)


def _first(found: Row) -> str | None:
    first = found["first_path"]
    if first is None:
        return None
    return f"{first['kind']}, {first['static_rank']} of {first['static_ends']}"
