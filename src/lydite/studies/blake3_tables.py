# SPDX-License-Identifier: Apache-2.0
"""The tables of the study of BLAKE3: theirs, ours, and how many times ours is better."""

from __future__ import annotations

import functools
import itertools
from collections.abc import Callable, Iterator, Mapping
from typing import Any, TypeAlias

from lydite import targets
from lydite.base.units import digits, si
from lydite.report.page import Axis, Line, Lines, Prose, Section, Tabled
from lydite.report.table import Column, figure
from lydite.studies.blake3_figures import (
    DMA_MHZ,
    LINK,
    LINKS,
    MB,
    NOMINAL_MHZ,
    SHORT_BYTES,
    TARGET,
    Figures,
    Times,
    placed_as,
)
from lydite.studies.study import Fields, Found, beside, of_rows
from lydite.studies.theirs import Theirs
from lydite.targets import links

DESIGNS = ("rtl-pipe", "hls-pipe", "rtl-ring", "hls-ring", "rtl", "hls", "hls-passes")
_ROLES = {
    "rtl-pipe": "a block a cycle",
    "hls-pipe": "C, a block a cycle",
    "rtl-ring": "a round in four stages, a block in seven cycles",
    "hls-ring": "C, a round in six stages, a block in seven cycles",
    "rtl": "a round a cycle",
    "hls": "C, a chunk after the other",
    "hls-passes": "C, their schedule: block j of all chunks before block j + 1",
}
# Of a part, as its placement counts them: LUT4, FF, block RAM.
_CELLS = ("TRELLIS_COMB", "TRELLIS_FF", "DP16KD")
# Of the table of links.
_SHOWN_MB = (1, 16, 1024)
_WHO = (
    ("ours", "1", "ours, one thread"),
    ("ours", "all", "ours, all threads"),
    ("wheel", "1", "package, one thread"),
    ("wheel", "all", "package, all threads"),
)

Row: TypeAlias = Mapping[str, Any]
Getter: TypeAlias = Callable[[Any], Any]


class Tables:
    """The tables, made of records by the names of their points."""

    def __init__(self, theirs: Theirs, found: Found) -> None:
        self.theirs, self.found, self.figures = theirs, found, Figures(found)
        self.rows: tuple[Row, ...] = theirs.named("times").records()

    def sections(self) -> tuple[Section, ...]:
        """Give all of them."""
        times = [self._times(name) for name in DESIGNS]
        return (
            Section("One message", (Prose(self._told()), *times, *self._plot())),
            Section("Links", (self._links(),)),
            Section("Engines", (self._engines(),)),
            Section("Processors", (self._software(),)),
            Section("GPU", (self._gpu(),)),
            Section("Short messages", (self._short(),)),
        )

    def _told(self) -> str:
        link = links.find(LINK)
        placed = [name for name in DESIGNS if self.figures.mhz(name)]
        clock = f"at {NOMINAL_MHZ:g} MHz, asked for and not routed"
        if placed:
            clock = f"at the clock of its placement, or else {clock}, as its table says"
        return (
            f"Ours: each design {clock}, with a DMA at {DMA_MHZ:g} MHz, simulated in the testbed "
            f"behind a modelled {link.title}, the link of their board. Theirs moves a message, "
            "then computes; total is the sum of their columns. Ours hashes while the message comes "
            "in: to the device is what the core waits for it. A MB is 2^20 bytes, a kB 2^10. "
            "Ratios above 1 are in favour of ours."
        )

    # ---- one message ----

    def _times(self, design: str) -> Tabled:
        def ours(name: str) -> Getter:
            def get(row: Row) -> float | None:
                found = self.figures.times(design, int(row["mb"]))
                return getattr(found, name) if found else None

            return get

        def rate(row: Row) -> float | None:
            found = self.figures.times(design, int(row["mb"]))
            return _rate(row, found.compute if found else None)

        fields: list[Any] = [(figure("mb", "MB", "{:,.0f}"), _get("mb"))]
        for their, our, head in _PARTS:
            three = _beside_s(our, head, their, ours(our))
            # Ours is under way while it computes: no part of the time by itself is comparable.
            fields += three[:2] if our in ("to_device", "from_device") else three
        fields += [
            (Column("compute_mbyte_per_s", "MB/s\ncompute", _whole, is_number=True, rank=1), rate),
            (Column("how", "ours is"), ours("how")),
        ]
        # Of a part of the study only the designs that it has.
        some = any(self.figures.times(name, 1) for name in DESIGNS)
        rows = self.rows if self.figures.times(design, 1) or not some else ()
        found = self.figures.times(design, int(self.rows[0]["mb"]))
        asked = "" if self.figures.mhz(design) else ", asked for and not routed"
        clock = f" at {found.mhz:.1f} MHz{asked}" if found else ""
        named = f" ({placed_as(design)})" if self.figures.mhz(design) else ""
        title = f"{design}{named if placed_as(design) != design else ''}{clock}: {_ROLES[design]}"
        return self.found.table(f"times-{design}", title, fields, rows, self._cycles(design))

    def _cycles(self, design: str) -> Iterator[str]:
        """Say what 'by cycles' rests on."""
        line = self.figures.line(design)
        if line is None:
            return
        given = ", ".join(_size(size) for size in line.given)
        if line.missed:
            size, got, wanted = line.missed[0]
            yield (
                f"NOT by cycles: {line}, by simulations of {given}: {wanted} for {_size(size)}, "
                f"and simulation says {got}"
            )
            return
        held = ", ".join(_size(size) for size in line.held) or "none"
        yield (
            f"by cycles: {line}, by simulations of {given}; held to the cycle by those of {held}; "
            "what the core waits for the link grows as between the two largest behind the testbed, "
            "or where there is one, and it hides, not at all"
        )

    def _plot(self) -> tuple[Lines, ...]:
        lines = [
            Line("Arria 10, computing", self._theirs_rates(_us("compute_us")), "theirs"),
            Line("Arria 10, with transfers", self._theirs_rates(_theirs_total), "theirs"),
        ]
        for design in DESIGNS:
            points = tuple(
                (float(mb), 1e-6 * MB * mb / one.total)
                for row in self.rows
                if (one := self.figures.times(design, mb := int(row["mb"])))
            )
            if points:
                what = "with transfers" if self.figures.mhz(design) else "not routed"
                lines.append(Line(f"{design}, {what}", points, "ours"))
        processors = [(told, self.figures.software(who, n)) for who, n, told in _WHO]
        processors.append(("GPU, with transfers", self.figures.gpu_total()))
        for told, seconds in processors:
            points = tuple((n / MB, 1e-6 * n / took) for n, took in seconds.items() if n >= MB)
            if points:
                lines.append(Line(told, points, "processor"))
        if len(lines) == 2:
            return ()
        about = "Megabytes a second of one message, from the host's first access to its last."
        return (
            Lines(
                "Throughput over size",
                about,
                Axis("size", "MB", is_log=True),
                Axis("throughput", "MB/s", is_log=True),
                tuple(lines),
            ),
        )

    def _theirs_rates(self, seconds: Getter) -> tuple[tuple[float, float], ...]:
        return tuple((row["mb"], 1e-6 * MB * row["mb"] / seconds(row)) for row in self.rows)

    # ---- links ----

    def _links(self) -> Tabled:
        def times(row: tuple[str, str]) -> dict[int, Times]:
            """Give the times by the size in MB."""
            every = {mb: self.figures.times(row[0], mb, row[1]) for mb in _SHOWN_MB}
            return {mb: one for mb, one in every.items() if one is not None}

        def total(mb: int, row: tuple[str, str]) -> float | None:
            one = self.figures.times(row[0], mb, row[1])
            return one.total if one else None

        def largest(row: tuple[str, str]) -> tuple[int, Times]:
            return max(times(row).items())

        def rate(row: tuple[str, str]) -> float:
            mb, one = largest(row)
            return 1e-6 * MB * mb / one.total

        def bound(row: tuple[str, str]) -> str:
            _, one = largest(row)
            return "link" if one.to_device > 0.1 * one.total else "core"

        rows = [row for row in itertools.product(DESIGNS, LINKS) if times(row)]
        fields: list[Any] = [
            (Column("design", "design"), lambda row: row[0]),
            (figure("mhz", "MHz", "{:.1f}"), lambda row: min(times(row).items())[1].mhz),
            (Column("link", "link"), lambda row: links.find(row[1]).title),
            (figure("link_mbyte_per_s", "MB/s\nof it", "{:,.0f}"), lambda row: _of_link(row[1])),
        ]
        for mb in _SHOWN_MB:
            column = _seconds(f"total_{mb}_s", f"{mb:,} MB\ntotal")
            fields.append((column, functools.partial(total, mb)))
        fields += [
            (Column("mbyte_per_s", "MB/s of\nthe largest", _whole, is_number=True), rate),
            (Column("bound", "bound by"), bound),
        ]
        asked = ", ".join(dict.fromkeys(one for one, _ in rows if not self.figures.mhz(one)))
        notes = [
            "links are modelled, their figures in targets/hosts/links.toml; the DMA moves a word "
            f"of theirs a cycle of {DMA_MHZ:g} MHz: 6,400 MB/s of 64 bytes, 1,600 of 16, 800 of 8",
            "bound by the link: the core waits for it for more than a tenth of the time",
        ]
        if asked:
            notes.append(f"{asked}: at {NOMINAL_MHZ:g} MHz, asked for and not routed")
        return self.found.table("links", "Over other links, ours", fields, rows, notes)

    # ---- engines ----

    def _engines(self) -> Tabled:
        def rows() -> Iterator[tuple[Any, ...]]:
            for design in DESIGNS:
                # What is placed for a design, and the design itself where that is another.
                for name in dict.fromkeys((placed_as(design), design)):
                    for many in (False, True):
                        if row := self._engine(name, design, many=many):
                            yield row
            most = max(row["mb"] for row in self.rows)
            theirs = self.theirs.named("times").number("compute_us", mb=most)
            alm, mhz = (float(self.theirs.facts[name]) for name in ("alm", "mhz"))
            yield ("Arria 10 (ALM), theirs", 1, alm, None, None, mhz, MB * most / theirs)

        columns = (
            Column("what", "engine"),
            figure("engines", "engines"),
            figure("lut4", "LUT4", "{:,.0f}"),
            figure("ff", "FF", "{:,.0f}"),
            figure("bram", "BRAM", "{:,.0f}"),
            figure("mhz", "MHz", "{:.1f}"),
            Column("mbyte_per_s", "MB/s\nat most", _whole, is_number=True),
        )
        each = Column("mbyte_per_s_klut", "MB/s a\nk LUT", digits, is_number=True)
        made = ((*row, 1e3 * row[-1] / row[2] if row[-1] else None) for row in rows())
        part = targets.find(TARGET)
        notes = (
            f"one seed of {part.name}; at most: of a message that does not end, by the cycles of a "
            "chunk; of several engines all hash messages of their own",
            "as many as fit: not placed; by LUT, registers and block RAM of the part, at the clock "
            "of one",
            "theirs: of 1,024 MB, computing; an ALM of an Arria 10 is worth two to four LUT4 (two "
            "functions of four inputs, or one of six)",
        )
        title = f"Engines on {part.part.device}"
        return self.found.table("engines", title, of_rows((*columns, each)), made, notes)

    def _engine(self, name: str, design: str, *, many: bool) -> tuple[Any, ...] | None:
        """Give the row of what is placed for a design, or of a part full of it."""
        mapped, placed = self.found.result(f"map {name}"), self.found.result(f"place {name}")
        if mapped is None:
            return None
        # The clock of its own placement, not of one that stands for it.
        mhz = float(placed["fmax_mhz"]) if placed else None
        area, line = mapped["area"], self.figures.line(design)
        sizes = tuple(float(area.get(unit, 0)) for unit in ("lut4", "ff", "bram"))
        rate = 1024 / float(line.chunk) * mhz if line and mhz else None
        if not many:
            return (name, 1, *sizes, mhz, rate)
        if placed is None or rate is None:
            return None
        room = placed["utilization"]
        fit = min(
            int(room[cell][1] // size)
            for cell, size in zip(_CELLS, sizes, strict=True)
            if size and cell in room
        )
        return (f"{name}, as many as fit", fit, *(fit * n for n in sizes), mhz, fit * rate)

    # ---- processors ----

    def _software(self) -> Tabled:
        def seconds(who: str, threads: str) -> Getter:
            return lambda row: self.figures.software(who, threads).get(int(MB * row["mb"]))

        def best(row: Row) -> float | None:
            found = [
                one
                for design in DESIGNS
                # A clock that was only asked for is none that an engine has.
                if self.figures.mhz(design) and (one := self.figures.times(design, int(row["mb"])))
            ]
            return min((one.total for one in found), default=None)

        fields: list[Any] = [(figure("mb", "MB", "{:,.0f}"), _get("mb"))]
        fields += _beside_s(
            "total", "total; ours:\nCPU, all", _theirs_total, seconds("ours", "all")
        )
        fields += [
            (_seconds(f"{who}_{n}_s", told.replace(", ", ",\n")), seconds(who, n))
            for who, n, told in _WHO
        ]
        fields.append((_seconds("engine_s", "best engine\nplaced"), best))
        notes = [f"measured on {name}" for name in self._machines()]
        notes += [
            f"{told}: {made['variant']}, {made['version']}"
            for who, n, told in _WHO
            if (made := self.found.result(f"software {who} {n}")) and made["available"]
        ]
        notes.append("medians; every digest compared with the reference in C")
        return self.found.table("software", "This processor", fields, self.rows, notes)

    def _gpu(self) -> Tabled | Prose:
        if not self.figures.gpu():
            return Prose(
                "No GPU was there that runs `blake3.cl`; it is measured on what OpenCL finds."
            )

        def ours(name: str) -> Getter:
            return lambda row: self.figures.gpu().get(int(MB * row["mb"]), {}).get(name)

        fields: list[Any] = [(figure("mb", "MB", "{:,.0f}"), _get("mb"))]
        for their, our, head in _PARTS:
            fields += _beside_s(our, head, their, ours(our))
        rate = Column("mbyte_per_s", "MB/s\nin all", _whole, is_number=True)
        fields.append((rate, lambda row: _rate(row, ours("total")(row))))
        made = self.found.result("gpu")
        assert made is not None, "it has run"
        notes = (
            f"ours: {made['version']}, medians of {made['sizes'][0]['samples']}",
            "the parts each by themselves, by the device's clock: a copy from pinned memory, what "
            "is computed of a message that is there, the digest's way back",
            "total: by the host's clock, from pinned memory to the digest in the host's; a part of "
            "16 MB is hashed while the next one is copied, so that of long messages it is less "
            "than the parts' sum",
            "every digest compared with the reference in C",
        )
        return self.found.table("gpu", "A GPU", fields, self.rows, notes)

    def _machines(self) -> list[str]:
        records = (self.found.get(f"software {who} {threads}") for who, threads, _ in _WHO)
        return sorted({str(one.machine) for one in records if one})

    # ---- short messages ----

    def _short(self) -> Tabled:
        fields: list[Any] = [(figure("bytes", "bytes", "{:,.0f}"), lambda size: size)]
        for design in DESIGNS:
            if self.found.result(f"cycles {design}") is None:
                continue
            for which, head in (("alone", "alone"), ("next", "of many")):
                column = _seconds(f"{design}_{which}_s", f"{design}\n{head}")
                fields.append((column, functools.partial(self._message_s, design, which)))
        for who, told in (("ours", "ours"), ("wheel", "package")):
            if self.figures.software(who, "1"):
                column = _seconds(f"{who}_s", f"CPU,\n{told}")
                fields.append((column, functools.partial(self._software_s, who)))
        if self.figures.gpu():
            column = _seconds("gpu_s", "GPU,\nin all")
            fields.append((column, lambda size: self.figures.gpu_total().get(size)))
        notes = (
            "alone: from the first beat in to the last one out, without host and link; of many: "
            "from one to the next, back to back. At clocks as above. A tree helps from the "
            "second chunk on: below, blocks of one message wait for each other",
            "CPU: one thread, a call at a time; of the package with Python's own time",
        )
        # Of a part of the study that has none, nothing but sizes.
        rows = SHORT_BYTES if len(fields) > 1 else ()
        return self.found.table("short", "Short messages", fields, rows, notes)

    def _software_s(self, who: str, size: int) -> float | None:
        return self.figures.software(who, "1").get(size)

    def _message_s(self, design: str, which: str, size: int) -> float | None:
        ran = self.figures.message(design, size)
        cycles = ran[f"{which}_cycles"] if ran else None
        mhz = self.figures.mhz(design) or NOMINAL_MHZ
        return cycles / mhz * 1e-6 if cycles else None


def _get(name: str) -> Getter:
    return lambda row: row[name]


def _us(name: str) -> Getter:
    return lambda row: row[name] * 1e-6


def _rate(row: Row, seconds: float | None) -> float | None:
    return 1e-6 * MB * row["mb"] / seconds if seconds else None


def _theirs_total(row: Row) -> float:
    parts = (row[name] for name in ("compute_us", "to_device_us", "from_device_us"))
    return 1e-6 * float(sum(parts))


# Of theirs, of ours, head.
_PARTS = (
    (_us("compute_us"), "compute", "compute"),
    (_us("to_device_us"), "to_device", "to device"),
    (_us("from_device_us"), "from_device", "from it"),
    (_theirs_total, "total", "total"),
)


def _of_link(name: str) -> float:
    return links.find(name).mbyte_per_s


def _size(size: int) -> str:
    return f"{size // MB} MB" if size % MB == 0 else f"{size // 1024} kB"


def _whole(value: float) -> str:
    return f"{value:,.0f}"


def _seconds(name: str, head: str) -> Column:
    return Column(name, head, lambda value: si(value, "s"), is_number=True)


def _beside_s(name: str, head: str, of_theirs: Getter, of_ours: Getter) -> Fields:
    """Give the three columns of a time in seconds."""
    return beside(name, head, lambda value: si(value, "s"), of_theirs, of_ours, smaller=True)
