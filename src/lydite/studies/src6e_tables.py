# SPDX-License-Identifier: Apache-2.0
"""The tables of the study of the SRC-6E: theirs, ours, and how many times ours is better."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping
from functools import partial
from typing import Any, TypeAlias

from lydite import targets
from lydite.base.units import digits, si
from lydite.report.page import Prose, Section, Tabled
from lydite.report.table import Column
from lydite.studies.src6e_figures import TARGET, Figures, configuration_s
from lydite.studies.study import Fields, Found, beside, of_rows
from lydite.studies.theirs import Theirs
from lydite.targets import links

LINK = "axi-hp64"
MHZ = 100.0
BLOCK_BYTES = 8
CIPHERS = {"rtl-pipe": "RTL", "hls-macro": "C that calls the macro"}
# Counts of engines that are placed whole; of 24 nextpnr's default placer finds no placement.
PLACED = (8, 20)
# With the default one 20 take longer, too: 1,740 processor seconds and not 1,270.
PLACER = ("--placer=static",)
# ZTEX's own figure of one LX150 of their board of four, and the part's LUT (Xilinx DS160).
_ZTEX_KEYS_PER_S, _ZTEX_LUT6 = 6.1e9, 92_152
_SPACE = 2.0**56
_REFERENCE = "C: ours is the reference, written bit by bit, to be read"

# What gives the value of a column of a row of theirs.
Getter: TypeAlias = Callable[[Mapping[str, Any]], float | None]
# What gives a rate of this machine's software.
Rate: TypeAlias = Callable[[], float | None]


class Tables:
    """The tables, made of records by the names of their points."""

    def __init__(self, theirs: Theirs, found: Found) -> None:
        self.theirs, self.found, self.figures = theirs, found, Figures(found)

    def sections(self) -> tuple[Section, ...]:
        """Give all of them."""
        told = Prose(self._told())
        ciphers = [self._table_1(name) for name in CIPHERS]
        hidden = [self._hidden(name) for name in CIPHERS]
        return (
            Section("Triple DES", (told, *ciphers, *hidden, self._table_2(), self._table_3())),
            Section(
                "Search for a key",
                (self._table_4(), self._table_5(), self._table_6()),
            ),
            Section("Whole parts", (self._engines(), self._routed_table(), self._worst_case())),
        )

    def _told(self) -> str:
        link = links.find(LINK)
        device = targets.find(TARGET).part.device
        return (
            f"Ours: core and DMA at {MHZ:g} MHz, as theirs, simulated in the testbed behind "
            f"{link.title}; configuration of {device} is modelled, {configuration_s():.3f} s. "
            "Total: with configuration; loaded: without; compute: the core alone. "
            "Ratios above 1 are in favour of ours."
        )

    # ---- Triple DES ----

    def _table_1(self, design: str) -> Tabled:
        theirs = self.theirs.named("table-1")

        def ours(name: str) -> Getter:
            def get(row: Mapping[str, Any]) -> float | None:
                times = self.figures.cipher(design, int(row["blocks"]))
                return getattr(times, name) if times else None

            return get

        fields: list[Any] = [_blocks()]
        for their, our, head in (
            ("total_s", "total", "total"),
            ("loaded_s", "loaded", "loaded"),
            ("map_s", "compute", "compute"),
        ):
            fields += _beside_s(our, head, _get(their), ours(our))
        rate = Column("compute_mbyte_per_s", "MB/s\ncompute", _four, is_number=True, rank=1)
        fields.append((rate, lambda row: _per(8e-6 * row["blocks"], ours("compute")(row))))
        title = f"Table 1: {theirs.title}; ours: {CIPHERS[design]} ({design})"
        return self.found.table(f"table-1-{design}", title, fields, theirs.records())

    def _hidden(self, design: str) -> Tabled:
        def ours(name: str) -> Getter:
            def get(row: Mapping[str, Any]) -> float | None:
                times = self.figures.cipher(design, int(row["blocks"]))
                return getattr(times, name) if times else None

            return get

        columns = (
            ("total", "total\npart modelled"),
            ("hidden", "hidden\nderived"),
            ("loaded", "loaded\none job"),
            ("queued", "queued\nmeasured"),
        )
        fields: list[Any] = [_blocks()]
        fields += [(_seconds(f"{name}_s", head), ours(name)) for name, head in columns]
        mbyte = Column("queued_mbyte_per_s", "MB/s\nqueued", _four, is_number=True)
        fields.append((mbyte, lambda row: _per(8e-6 * row["blocks"], ours("queued")(row))))
        notes = (
            "queued: from job to job, transfers of the next under way while one computes "
            "(double buffering); hidden, derived: each job needs another configuration, two parts "
            "in turn, one is configured while the other computes, as the paper proposes",
        )
        rows = self.theirs.named("table-1").records()
        title = f"What can be hidden, ours: {CIPHERS[design]} ({design})"
        return self.found.table(f"hidden-{design}", title, fields, rows, notes)

    def _table_2(self) -> Tabled:
        theirs = self.theirs.named("table-2")

        def seconds(rate: Rate) -> Getter:
            return lambda row: _per(BLOCK_BYTES * row["blocks"], rate())

        fields = (
            _blocks(),
            *_beside_s("c", "C", _get("c_s"), seconds(partial(self.figures.rate, "ref"))),
            *_beside_s(
                "best", "best C", _get("assembly_s"), seconds(partial(self._best, threads=False))
            ),
            (
                _seconds("openssl_s", "OpenSSL\nours"),
                seconds(partial(self.figures.rate, "openssl")),
            ),
            (
                _seconds("best_all_s", "best, all\nthreads"),
                seconds(partial(self._best, threads=True)),
            ),
        )
        notes = ["best C: theirs is assembly", _REFERENCE, *self.figures.machines("software ")]
        for threads, what in ((False, "best C, one thread"), (True, "best, all threads")):
            if best := self.figures.best(threads=threads):
                notes.append(f"{what}: {best[0]}, {si(best[1], 'B/s')}; keys expanded each 16 KiB")
        title = f"Table 2: {theirs.title}; ours: this machine"
        return self.found.table("table-2", title, fields, theirs.records(), notes)

    def _table_3(self) -> Tabled:
        theirs = self.theirs.named("table-3")
        sides: tuple[tuple[str, str, Rate], ...] = (
            ("c", "C", partial(self.figures.rate, "ref")),
            ("assembly", "best", partial(self._best, threads=True)),
        )

        def speedup(rate: Rate, view: str) -> Getter:
            def get(row: Mapping[str, Any]) -> float | None:
                times = self.figures.cipher("rtl-pipe", int(row["blocks"]))
                soft = _per(BLOCK_BYTES * row["blocks"], rate())
                return soft / getattr(times, view) if soft and times else None

            return get

        fields: list[Any] = [_blocks()]
        for side, told, rate in sides:
            for their, view in (("total", "total"), ("loaded", "loaded"), ("map", "compute")):
                name = f"{side}_{their}"
                fields += _beside_x(name, f"{view} /{told}", _get(name), speedup(rate, view))
        notes = (
            "/C: RTL at 100 MHz over the reference on one thread, which is written bit by bit, to "
            "be read: no fair opponent",
            "/best: over the best software on all threads; theirs is one thread of assembly",
        )
        title = f"Table 3: speed-ups, {theirs.title}; ours: rtl-pipe over this machine"
        return self.found.table("table-3", title, fields, theirs.records(), notes)

    def _best(self, *, threads: bool) -> float | None:
        """Give the bytes a second of the best software, on one or all threads."""
        best = self.figures.best(threads=threads)
        return best[1] if best else None

    # ---- the search ----

    def _table_4(self) -> Tabled:
        theirs = self.theirs.named("table-4")

        def ours(name: str) -> Getter:
            def get(row: Mapping[str, Any]) -> float | None:
                found = self.figures.search("search", int(row["engines"]), int(row["keys"]))
                return getattr(found[0], name) if found else None

            return get

        def how(row: Mapping[str, Any]) -> str | None:
            found = self.figures.search("search", int(row["engines"]), int(row["keys"]))
            return found[1] if found else None

        fields: list[Any] = [*_range()]
        for their, our in (("total_s", "total"), ("loaded_s", "loaded"), ("map_s", "compute")):
            fields += _beside_s(our, our, _get(their), ours(our))
        fields += [
            (_seconds("queued_s", "queued\nmeasured"), ours("queued")),
            (_seconds("hidden_s", "hidden\nderived"), ours("hidden")),
            (Column("how", "ours is"), how),
        ]
        title = f"Table 4: {theirs.title}; ours: RTL at {MHZ:g} MHz"
        notes = self.figures.cycles("search")
        return self.found.table("table-4", title, fields, theirs.records(), notes)

    def _table_5(self) -> Tabled:
        theirs = self.theirs.named("table-5")

        def seconds(variant: str, *, threads: bool) -> Getter:
            return lambda row: _per(row["keys"], self.figures.keys_rate(variant, threads=threads))

        fields = (
            (Column("keys", "keys", "{:,.0f}".format, is_number=True), _get("keys")),
            *_beside_s("c", "C", _get("c_s"), seconds("ref", threads=False)),
            *_beside_s("best", "best C", _get("assembly_s"), seconds("best", threads=False)),
            (_seconds("ref_all_s", "C, all\nthreads"), seconds("ref", threads=True)),
            (_seconds("best_all_s", "best, all\nthreads"), seconds("best", threads=True)),
        )
        told = [
            f"{name}: {si(rate, 'keys/s')} on {many}"
            for name in ("ref", "best")
            for threads, many in ((False, "one thread"), (True, "all threads"))
            if (rate := self.figures.keys_rate(name, threads=threads))
        ]
        how = "seconds are those of the processors that work on it"
        notes = (_REFERENCE, *self.figures.machines("rate "), "; ".join(told), how) if told else ()
        title = f"Table 5: {theirs.title}; ours: this machine"
        return self.found.table("table-5", title, fields, theirs.records(), notes)

    def _table_6(self) -> Tabled:
        theirs = self.theirs.named("table-6")
        reference = partial(self.figures.keys_rate, "ref")
        best = partial(self.figures.keys_rate, "best", threads=True)

        def speedup(rate: Rate, view: str) -> Getter:
            def get(row: Mapping[str, Any]) -> float | None:
                found = self.figures.search("search", int(row["engines"]), int(row["keys"]))
                soft = _per(row["keys"], rate())
                return soft / getattr(found[0], view) if soft and found else None

            return get

        fields: list[Any] = [*_range()]
        for their, view in (("total", "total"), ("loaded", "loaded"), ("map", "compute")):
            fields += _beside_x(their, f"{view} /C", _get(their), speedup(reference, view))
        for view in ("total", "loaded", "compute"):
            column = _times_column(f"{view}_best", f"{view} /best\nours")
            fields.append((column, speedup(best, view)))
        notes = (
            "over reference C on one thread, and over the best on all threads",
            _REFERENCE,
        )
        title = f"Table 6: speed-ups, {theirs.title}; ours: over this machine"
        return self.found.table("table-6", title, fields, theirs.records(), notes)

    # ---- whole parts ----

    def _engines(self) -> Tabled:
        columns = (
            Column("what", "engines, part"),
            Column("engines", "engines", is_number=True),
            Column("lut", "LUT", "{:,.0f}".format, is_number=True),
            Column("ff", "FF", "{:,.0f}".format, is_number=True),
            Column("core_mhz", "MHz of\nthe whole", "{:.1f}".format, is_number=True),
            Column("keys_per_s", "G keys/s", lambda v: digits(v / 1e9), is_number=True),
            Column("route_cpu_s", "CPU s of\nplacing", "{:.0f}".format, is_number=True),
            Column("part_lut", "LUT of\nthe part", "{:,.0f}".format, is_number=True),
            Column("keys_per_s_lut", "k keys/s\na LUT", _thousands, is_number=True),
            Column("keys_per_s_part_lut", "a LUT of\nthe part", _thousands, is_number=True),
        )
        notes = (
            f"ours: LUT of four inputs, one seed, {targets.find(TARGET).name}, {' '.join(PLACER)}, "
            "nextpnr's clock of the whole design, all engines together; of 24 engines its default "
            "placer finds no placement",
            "ZTEX: their own figure of a part, over all of its LUT, which have six inputs: a LUT "
            "of theirs holds four of ours where a function has six inputs, as S-boxes do",
        )
        title = "The search, placed and routed as a whole"
        return self.found.table("engines", title, of_rows(columns), self._placed(), notes)

    def _placed(self) -> Iterator[tuple[Any, ...]]:
        """Give the rows of what is placed, and theirs."""
        for engines in PLACED:
            mapped, record = self.found.result(f"map {engines}"), self.found.get(f"place {engines}")
            if mapped is None or record is None:
                continue
            area, mhz = mapped["area"], float(record.result["fmax_mhz"])
            room = record.result["utilization"]["TRELLIS_COMB"][1]
            name = f"rtl-{engines}, {targets.find(TARGET).part.device}"
            rate = 1e6 * mhz * engines
            sizes = (area["lut4"], area["ff"])
            each = (rate / area["lut4"], rate / room)
            yield (name, engines, *sizes, mhz, rate, record.cpu_s, room, *each)
        rate, room = _ZTEX_KEYS_PER_S, _ZTEX_LUT6
        empty = (None,) * 4
        yield ("ZTEX, Spartan-6 LX150", *empty, rate, None, room, None, rate / room)

    def _routed_table(self) -> Tabled:
        def rows() -> Iterator[tuple[Any, ...]]:
            of_theirs = self.theirs.named("table-4").records()
            for engines in PLACED:
                for keys in dict.fromkeys(int(one["keys"]) for one in of_theirs):
                    found = self.figures.search("routed", engines, keys)
                    result = self.found.result(f"place {engines}")
                    if found is None or result is None:
                        continue
                    times, how = found
                    seconds = (times.total, times.loaded, times.compute)
                    mhz, rate = float(result["fmax_mhz"]), keys / times.compute
                    yield (engines, keys, mhz, *seconds, rate, how)

        columns = (
            *(column for column, _ in _range()),
            Column("core_mhz", "MHz", "{:.1f}".format, is_number=True),
            *(_seconds(f"{name}_s", f"{name} s") for name in ("total", "loaded", "compute")),
            Column("keys_per_s", "G keys/s", lambda v: digits(v / 1e9), is_number=True),
            Column("how", "is"),
        )
        title = "The search at the clocks of these placements"
        notes = self.figures.cycles("routed")
        return self.found.table("table-4-routed", title, of_rows(columns), rows(), notes)

    def _worst_case(self) -> Tabled:
        def rates() -> Iterator[tuple[str, float]]:
            yield "SRC-6E, 8 engines at 100 MHz, theirs", 8e8
            for engines in PLACED:
                if result := self.found.result(f"place {engines}"):
                    yield f"rtl-{engines}, one part", 1e6 * result["fmax_mhz"] * engines
            for name, told in (("ref", "reference C"), ("best", "best software")):
                if rate := self.figures.keys_rate(name, threads=True):
                    yield f"{told}, all threads of this machine", rate

        columns = (
            Column("what", "who"),
            Column("keys_per_s", "keys/s", lambda v: si(v), is_number=True),
            Column("days", "days for\nall 2^56", lambda v: digits(v), is_number=True),
            Column("for_a_day", "of them for\na day", "{:,.0f}".format, is_number=True),
        )
        rows = (
            (name, rate, _SPACE / rate / 86400, float(-(-_SPACE // (rate * 86400))))
            for name, rate in rates()
        )
        notes = (
            "projection: the rates above, held for all keys, without configuration, host and "
            "failures; the cost is told in parts or machines, the mean search takes half",
        )
        return self.found.table("worst-case", "All 56 bits of a key", of_rows(columns), rows, notes)


def _get(name: str) -> Callable[[Mapping[str, Any]], Any]:
    return lambda row: row[name]


def _per(amount: float, rate: float | None) -> float | None:
    return amount / rate if rate else None


def _thousands(value: float) -> str:
    return digits(value / 1e3)


def _four(value: float) -> str:
    return digits(value, 4)


def _seconds(name: str, head: str) -> Column:
    return Column(name, head, lambda value: si(value, "s"), is_number=True)


def _times_column(name: str, head: str) -> Column:
    return Column(name, head, lambda value: f"{digits(value)} x", is_number=True)


def _blocks() -> tuple[Column, Callable[[Any], Any]]:
    return Column("blocks", "blocks", "{:,.0f}".format, is_number=True), _get("blocks")


def _range() -> Fields:
    return (
        (Column("engines", "engines", "{:.0f}".format, is_number=True), _get("engines")),
        (Column("keys", "keys", "{:,.0f}".format, is_number=True), _get("keys")),
    )


def _beside_s(
    name: str, head: str, of_theirs: Callable[[Any], Any], of_ours: Callable[[Any], Any]
) -> Fields:
    """Give the three columns of a time in seconds."""
    return beside(name, head, lambda value: si(value, "s"), of_theirs, of_ours, smaller=True)


def _beside_x(
    name: str, head: str, of_theirs: Callable[[Any], Any], of_ours: Callable[[Any], Any]
) -> Fields:
    """Give the three columns of a speed-up."""
    return beside(name, head, lambda value: f"{digits(value)} x", of_theirs, of_ours)
