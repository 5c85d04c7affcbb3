# SPDX-License-Identifier: Apache-2.0
"""Tables of the study of the sponge action.

Time of hardware is cycles by the routed clock. Cycles of a test are those of simulations with few
permutations a run, of which each more takes the same, extended to 100,000; where the whole test of
one run was simulated its cycles are held against that.
"""

from __future__ import annotations

import functools
import statistics
from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass
from typing import Any

from lydite.report.page import Prose, Section, Tabled
from lydite.report.table import Column, figure
from lydite.studies.study import Fields, Found, beside
from lydite.studies.theirs import Theirs

TARGET = "ecp5-85k"
# Of the document; areas of ours there are by synthesis alone.
THEIR_TARGET = "xcu-ku060"
DESIGNS = (
    *("rtl", "rtl-x2", "rtl-x4", "rtl-x8", "rtl-x12"),
    *("hls-stream", "hls-stream-x2", "hls-stream-x4", "hls-stream-x8", "hls-stream-x12"),
)
# As many engines as the document has: by synthesis alone.
THEIR_SLICES = (16, 32)
THEIR_DESIGNS = tuple(f"rtl-x{count}" for count in THEIR_SLICES)
# Seeds that a design is placed under, at most.
MOST_SEEDS = 3
# Permutations a run that are simulated: the first two give what one more takes, the last holds it.
REDUCED = (2, 3, 20)
# Of these one run is simulated as a whole.
FULL = ("rtl", "hls-stream")

_THEIRS = "theirs"
_THEIR_LUTS = ("16_slices", "32_slices", "shell")

Row = Mapping[str, Any]


def compiled_name(design: str) -> str:
    """Give the name of the point that compiles a design."""
    return f"compile {design}"


def placed_names(design: str, seeds: int) -> tuple[str, ...]:
    """Give the names of the points that place a design, a seed each."""
    return (f"place {design}", *(f"place {design} {seed}" for seed in range(1, seeds)))


def slices_of(design: str) -> int:
    """Give the number of engines of a design."""
    _, _, count = design.partition("-x")
    return int(count or 1)


def _kind_and_slices(design: str) -> tuple[bool, int]:
    return not design.startswith("rtl"), slices_of(design)


def _mega(value: float) -> str:
    return f"{value / 1e6:.4g}"


def _area(mapped: Row | None) -> Mapping[str, float]:
    """Give unit of area to count of what was mapped; nothing of what was not."""
    return mapped["area"] if mapped else {}


@dataclass(frozen=True)
class Engines:
    """A design that was placed."""

    found: Found
    name: str

    @property
    def slices(self) -> int:
        """Number of its engines."""
        return slices_of(self.name)

    @property
    def area(self) -> Mapping[str, float]:
        """Unit of area to its count, of all engines."""
        return _area(self.found.result(f"map {self.name}"))

    @property
    def clocks_mhz(self) -> tuple[float, ...]:
        """Its clock under each seed, ports included."""
        tried = (self.found.result(one) for one in placed_names(self.name, MOST_SEEDS))
        return tuple(one["fmax_mhz"] for one in tried if one is not None)

    @property
    def mhz(self) -> float:
        """Median of its clocks."""
        return statistics.median(self.clocks_mhz)


class Tables:
    """The tables of what was found."""

    def __init__(self, theirs: Theirs, found: Found) -> None:
        self._theirs, self._found = theirs, found
        self._rows = theirs.named("speed-test").records()
        self._rounds = int(theirs.facts["nb_rounds"])
        names = [name.split() for name in found.records if name.startswith("cpu ")]
        self._threads = sorted({int(threads) for _, _, threads in names})
        self._engines = {one.name: one for one in self._placed()}

    def sections(self) -> tuple[Section, ...]:
        """Give all."""
        return (
            Section("Checksums", (self._checksums(),)),
            Section("Permutations a second", (self._rates(),)),
            Section("Engines", (self._areas(), Prose(self._aim()))),
            Section("Area on a KU060", (self._kintex(),)),
            Section("Each number of engines", (self._times(),)),
        )

    # ---- what was measured ----

    def _placed(self) -> Iterator[Engines]:
        for one in (Engines(self._found, name) for name in DESIGNS):
            if one.area and one.clocks_mhz:
                yield one

    def _result(self, name: str) -> dict[str, Any] | None:
        return self._found.result(name)

    def _cycles(self, design: str, elements: int) -> int | None:
        """Give the cycles of a test of the document; None where simulations lack or disagree."""
        found = [self._result(f"sim {design} {elements} {rounds}") for rounds in REDUCED]
        if any(one is None for one in found):
            return None
        few, more, check = (int(one["cycles"]) for one in found if one is not None)
        each = (more - few) // (REDUCED[1] - REDUCED[0])
        if check != few + each * (REDUCED[2] - REDUCED[0]):
            return None
        return few + each * (self._rounds - REDUCED[0])

    def _seconds(self, engines: Engines | None, elements: int) -> float | None:
        cycles = self._cycles(engines.name, elements) if engines else None
        return cycles / engines.mhz / 1e6 if engines and cycles else None

    def _rate(self, engines: Engines | None, elements: int) -> float | None:
        seconds = self._seconds(engines, elements)
        return elements * self._rounds / seconds if seconds else None

    def _best(self, kind: str) -> Engines | None:
        placed = [one for one in self._engines.values() if one.name.startswith(kind)]
        return max(placed, key=lambda one: one.slices * one.mhz, default=None)

    def _cpu(self, elements: int, threads: int) -> dict[str, Any] | None:
        return self._result(f"cpu {elements} {threads}")

    def _cpu_rate(self, elements: int) -> float | None:
        """Give permutations a second on as many threads as are the quickest."""
        every = [self._cpu(elements, threads) for threads in self._threads]
        rates = [found["permutations"] / found["seconds"] for found in every if found]
        return max(rates, default=None)

    # ---- tables ----

    def _checksums(self) -> Tabled:
        def ours(row: Row) -> str | None:
            found = [self._cpu(int(row["nb_elmts"]), threads) for threads in self._threads]
            values = {one["checksum"] for one in found if one}
            return " ".join(sorted(values)) or None

        def equal(row: Row) -> str | None:
            got = ours(row)
            if got is None or got == row["checksum"]:
                return got and "equal"
            # Which digit of 16 a misprint has dropped cannot be told, only that one is missing.
            shorter = {got[:at] + got[at + 1 :] for at in range(len(got))}
            return "a digit is missing in theirs" if row["checksum"] in shorter else "DIFFERENT"

        def simulated(row: Row) -> str | None:
            full = {name: self._result(f"full {name}") for name in FULL}
            told = [name for name, one in full.items() if one and int(row["nb_elmts"]) == 1]
            wrong = [n for n in told if (full[n] or {})["checksum"] != row["checksum"]]
            return ", ".join(f"{n}: DIFFERENT" for n in wrong) or ", ".join(told) or None

        columns = (
            (figure("nb_elmts", "nb_elmts", "{:.0f}"), lambda row: row["nb_elmts"]),
            (Column("theirs", "checksum\ntheirs"), lambda row: row["checksum"]),
            (Column("ours", "\nours"), ours),
            (Column("verdict", "verdict"), equal),
            (Column("simulated", "simulated\nas a whole"), simulated),
        )
        title = "Checksums of the document, and of this machine"
        return self._found.table("checksums", title, columns, self._rows)

    def _rates(self) -> Tabled:
        best, threads = self._best("rtl"), " or ".join(map(str, sorted(self._threads))) or "no"
        rows = [(row, int(row["nb_elmts"])) for row in self._rows]
        columns = (
            (figure("nb_elmts", "nb_elmts"), lambda pair: pair[1]),
            *beside(
                "cpu",
                "M/s, CPU",
                _mega,
                lambda pair: pair[0]["cpu_per_s"],
                lambda pair: self._cpu_rate(pair[1]),
            ),
            *beside(
                "fpga",
                "M/s, FPGA",
                _mega,
                lambda pair: pair[0]["slices32_per_s"],
                lambda pair: self._rate(best, pair[1]),
            ),
            (
                Column("gain_theirs", "FPGA / CPU\ntheirs", "{:.3g} x".format, is_number=True),
                lambda pair: pair[0]["slices32_per_s"] / pair[0]["cpu_per_s"],
            ),
            (
                Column("gain_ours", "\nours", "{:.3g} x".format, is_number=True),
                lambda pair: _over(self._rate(best, pair[1]), self._cpu_rate(pair[1])),
            ),
        )
        notes = (
            "theirs: POWER CPU, 160 threads; KU060, 32 slices. ours: this machine, "
            f"{threads} threads, whichever is quicker, the best software of all builds, median of "
            "two seconds of runs; LFE5U-85F-6, engines in Verilog: "
            + (str(best.slices) if best else "none placed"),
            "hardware of ours: cycles of simulations with 2, 3 and 20 permutations a run, extended "
            "to 100,000, by the routed clock",
        )
        return self._found.table("rates", "Permutations a second", columns, rows, notes)

    def _areas(self) -> Tabled:
        def rate(one: Engines) -> float:
            return one.slices * one.mhz * 1e6 / 24

        columns = (
            (Column("design", "design"), lambda one: one.name),
            (figure("slices", "engines"), lambda one: one.slices),
            (figure("lut4", "LUT4", "{:.0f}"), lambda one: one.area["lut4"]),
            (figure("ff", "FF", "{:.0f}"), lambda one: one.area["ff"]),
            (
                figure("lut4_each", "LUT4 an\nengine", "{:.0f}"),
                lambda one: one.area["lut4"] / one.slices,
            ),
            (figure("mhz", "MHz\nmedian", "{:.1f}"), lambda one: one.mhz),
            (figure("least_mhz", "\nleast", "{:.1f}"), lambda one: min(one.clocks_mhz)),
            (figure("most_mhz", "\nmost", "{:.1f}"), lambda one: max(one.clocks_mhz)),
            (figure("seeds", "seeds"), lambda one: len(one.clocks_mhz)),
            (Column("rate", "M perm/s\nat most", _mega, is_number=True), rate),
            (
                Column("rate_klut", "M perm/s\na kLUT", "{:.3f}".format, is_number=True),
                lambda one: rate(one) / 1e3 / one.area["lut4"],
            ),
        )
        shell = int(self._theirs.facts["lut_32_slices"]) - int(self._theirs.facts["lut_16_slices"])
        notes = (
            "LUT4 and clock are of all engines, dispatcher and sum, placed and routed as one",
            f"theirs on a KU060: 16 slices more take {shell} LUT6, {shell / 16:.0f} each",
            "at most: a permutation takes 24 cycles of an engine, and nothing else any",
            *self._whole(),
        )
        title = "Engines on LFE5U-85F-6"
        return self._found.table("engines", title, columns, self._engines.values(), notes)

    def _whole(self) -> Iterator[str]:
        for name in FULL:
            if (found := self._result(f"full {name}")) is not None:
                same = found["cycles"] == self._cycles(name, 1)
                verdict = "as extended from few" if same else "NOT as extended from few"
                yield f"one run of all permutations by {name}: {found['cycles']} cycles, {verdict}"

    def _kintex(self) -> Tabled:
        facts = {name: int(self._theirs.facts[f"lut_{name}"]) for name in _THEIR_LUTS}
        shell = facts["shell"]
        theirs = {count: {"lut6": facts[f"{count}_slices"] - shell} for count in THEIR_SLICES}
        rows = [(_THEIRS, count) for count in theirs]
        ours = sorted((*DESIGNS, *THEIR_DESIGNS), key=_kind_and_slices)
        rows += [(name, slices_of(name)) for name in ours if self._result(f"map-ku060 {name}")]

        def area(row: tuple[str, int]) -> Mapping[str, float]:
            name, count = row
            if name == _THEIRS:
                return theirs[count]
            return _area(self._result(f"map-ku060 {name}"))

        def proven(row: tuple[str, int]) -> str | None:
            return "proven" if self._result(f"netlist-ku060 {row[0]}") else None

        columns: Fields = (
            (Column("design", "design"), lambda row: row[0]),
            (figure("slices", "engines"), lambda row: row[1]),
            (figure("lut6", "LUT6", "{:.0f}"), lambda row: area(row)["lut6"]),
            (figure("ff", "FF", "{:.0f}"), lambda row: area(row).get("ff")),
            (
                figure("lut6_each", "LUT6 an\nengine", "{:.0f}"),
                lambda row: area(row)["lut6"] / row[1],
            ),
            (Column("proven", "netlist"), proven),
        )
        each = (theirs[32]["lut6"] - theirs[16]["lut6"]) / 16
        notes = (
            f"theirs: Vivado, placed: {facts['16_slices']:,} and {facts['32_slices']:,} LUT6 in "
            f"all, here without the {shell:,} of the shell; of 16 slices more each takes "
            f"{each:,.0f}",
            "ours: Yosys, by synthesis alone: nothing here places this part; each table is a LUT6, "
            "where Vivado puts two small ones into one",
        )
        return self._found.table("ku060", "Area on a KU060", columns, rows, notes)

    def _aim(self) -> str:
        told = []
        for rtl in self._engines.values():
            kind, _, _ = rtl.name.partition("-")
            hls = self._engines.get(rtl.name.replace("rtl", "hls-stream", 1))
            if kind == "rtl" and hls:
                count = f"{rtl.slices} engine" + "s" * (rtl.slices > 1)
                told.append(
                    f"{count} {hls.mhz / rtl.mhz:.2f} and {hls.area['lut4'] / rtl.area['lut4']:.2f}"
                )
        if not told:
            return "No two designs were placed."
        return f"C to Verilog, median clock and LUTs: {'; '.join(told)}."

    def _times(self) -> Tabled:
        rows = [(row, int(row["nb_elmts"])) for row in self._rows]
        columns: list[tuple[Column, Callable[[Any], Any]]] = [
            (figure("nb_elmts", "nb_elmts"), lambda pair: pair[1]),
            (_ms("theirs_cpu_ms", "ms, theirs\nCPU"), lambda pair: pair[0]["cpu_ms"]),
            (_ms("theirs_16_ms", "\n16 slices"), lambda pair: pair[0]["slices16_ms"]),
            (_ms("theirs_ms", "\n32 slices"), lambda pair: pair[0]["slices32_ms"]),
        ]
        for threads in self._threads:
            column = _ms(f"cpu_{threads}_ms", f"ms, CPU\n{threads} thr.")
            columns.append((column, functools.partial(self._cpu_ms, threads)))
        for engines in self._engines.values():
            column = _ms(f"{engines.name.replace('-', '_')}_ms", f"ms\n{engines.name}")
            columns.append((column, functools.partial(self._engines_ms, engines)))
        if (best := self._best("rtl")) is not None:

            def over(pair: tuple[Row, int]) -> float | None:
                return _over(pair[0]["slices32_ms"], self._engines_ms(best, pair))

            head = f"theirs, 32\n/ {best.name}"
            columns.append((Column("over", head, "{:.3g} x".format, is_number=True), over))
        title = "Time of a test of 100,000 permutations a run"
        notes = ("of 65,536 runs nb_elmts count: so many calls",)
        return self._found.table("times", title, columns, rows, notes)

    def _cpu_ms(self, threads: int, pair: tuple[Row, int]) -> float | None:
        found = self._cpu(pair[1], threads)
        return 1000 * found["seconds"] if found else None

    def _engines_ms(self, engines: Engines, pair: tuple[Row, int]) -> float | None:
        seconds = self._seconds(engines, pair[1])
        return None if seconds is None else 1000 * seconds


def _ms(name: str, head: str) -> Column:
    return Column(name, head, "{:.4g}".format, is_number=True)


def _over(one: float | None, other: float | None) -> float | None:
    return one / other if one and other else None
