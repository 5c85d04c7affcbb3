# SPDX-License-Identifier: Apache-2.0
"""What a bench has to say, as a page: the tables of `bench_tables` with the records behind them,
throughput against area, clock by seed, software by size.
"""

from __future__ import annotations

import math
from collections.abc import Iterable, Mapping, Sequence

from lydite.base.units import digits
from lydite.report import bench_tables
from lydite.report.areas import AreaRow
from lydite.report.bench import BenchTable, HardwareRow, SoftwareRow
from lydite.report.failures import Failure
from lydite.report.page import (
    Axis,
    Fact,
    Facts,
    Line,
    Lines,
    Page,
    Part,
    Point,
    Ratio,
    Scatter,
    Section,
    Strip,
    Strips,
    Tabled,
    origin,
    slug,
)
from lydite.report.table import Column, Table, of
from lydite.runs.record import Record

Keys = Mapping[str, tuple[str, ...]]

_HARDWARE, _SOFTWARE = "hardware", "software"


def page(
    benches: Sequence[BenchTable], records: Mapping[str, Record], command: Sequence[str]
) -> Page:
    """Give the page of a bench of one primitive or several.

    Parameters
    ----------
    records : mapping
        Key to record, as `runs.execute` gives it.
    command : sequence of str
        Words of the command that makes the same figures.
    """
    several = len(benches) > 1
    sections = [section for found in benches for section in _sections(found, several=several)]
    names = ", ".join(dict.fromkeys(found.title for found in benches))
    return Page(
        title=f"{names}: hardware and software",
        subtitle="; ".join(dict.fromkeys(_subtitle(found) for found in benches)),
        sections=tuple(sections),
        origin=origin(command, records.values()),
    )


def _subtitle(found: BenchTable) -> str:
    return found.standard + bench_tables.blocks(found)


def _sections(found: BenchTable, *, several: bool) -> list[Section]:
    """Give the sections of one operation; of several, each is named."""
    parts: list[tuple[str, list[Part]]] = [("", _facts(found))]
    if found.hardware:
        parts.append(("Hardware", _hardware(found)))
    if found.areas:
        table = bench_tables.hardware(found)
        keys = map(_area_keys, found.areas)
        parts.append(("Area, by synthesis alone", [_tabled(found, "hardware", table, keys)]))
    if found.software:
        parts.append(("Software", _software(found)))
    if found.comparisons:
        table = bench_tables.comparisons(found)
        tabled = _tabled(found, "compared", table, _comparison_keys(found, table))
        parts.append(("Compared", [tabled]))
    for name, entries in (("Left out", found.left_out), ("Failed", found.failures)):
        if entries:
            tabled = _failures(found, name, entries)
            parts.append((name, [tabled]))
    heading = found.heading if several else ""
    return [
        Section(". ".join(filter(None, (heading, title))), tuple(made))
        for title, made in parts
        if made
    ]


def _name(found: BenchTable, table: str) -> str:
    return slug(found.primitive, found.operation, table)


def _tabled(found: BenchTable, name: str, table: Table, keys: Iterable[Keys]) -> Tabled:
    caption = f"{found.heading}. {table.title}"
    return Tabled(_name(found, name), table, tuple(keys), caption=caption)


def _facts(found: BenchTable) -> list[Part]:
    facts = []
    if found.hardware:
        fastest = max(found.hardware, key=lambda row: row.rate)
        finite = [row for row in found.hardware if math.isfinite(row.rate_per_klut)]
        device = fastest.implemented.device
        facts += [
            Fact("fastest hardware", digits(fastest.rate, 4), found.unit, fastest.design),
            *(
                Fact(
                    "throughput per area",
                    digits(row.rate_per_klut, 4),
                    f"{found.unit} a kLUT",
                    row.design,
                )
                for row in sorted(finite, key=lambda row: -row.rate_per_klut)[:1]
            ),
            Fact("part", device, "", bench_tables.seeds_text(fastest.implemented)),
            Fact("known answers", f"{fastest.vectors}", "", "passed before placement"),
        ]
    if found.software:
        best = max(found.software, key=lambda row: row.rate_all)
        note = f"{best.variant}, {best.threads} threads"
        facts.append(Fact("fastest software", digits(best.rate_all, 4), found.unit, note))
    return [Facts(tuple(facts))] if facts else []


def _hardware(found: BenchTable) -> list[Part]:
    table = bench_tables.hardware(found)
    seeds = bench_tables.seeds(found)
    return [
        _against_area(found),
        _tabled(found, "hardware", table, map(_hardware_keys, found.hardware)),
        Strips(
            "Clock by seed",
            "Each dot is one placement under a hashed seed, the line their median; the clock of "
            "paths between the core's own registers, where it has such.",
            Axis("clock", "MHz"),
            tuple(
                Strip(
                    row.design,
                    tuple(sample.fmax_mhz for sample in row.implemented.samples),
                    tuple(sample.key for sample in row.implemented.samples),
                )
                for row in found.hardware
            ),
        ),
        Tabled(
            _name(found, "seeds"),
            seeds,
            _seed_keys(found),
            is_folded=True,
            in_paper=False,
        ),
    ]


def _against_area(found: BenchTable) -> Scatter:
    return Scatter(
        "Throughput against area",
        "Both in equal ratios; up and to the left is better. Dashed lines join equal throughput "
        "a kLUT: a design on a higher line does more with the same area.",
        Axis("area", "LUT4", is_log=True),
        Axis("throughput", found.unit, is_log=True),
        tuple(
            Point(row.design, row.implemented.area["lut4"], row.rate, key=row.implemented.keys[0])
            for row in found.hardware
        ),
        Ratio(f"{found.unit} a kLUT", 1000.0),
    )


def _software(found: BenchTable) -> list[Part]:
    table = bench_tables.software(found)
    keys = tuple(_software_keys(table, row) for row in found.software)
    return [_by_size(found), _tabled(found, "software", table, keys)]


def _by_size(found: BenchTable) -> Lines:
    """Give rates of a message of one block, alone, and of a long one, on one thread or core."""
    short, long = found.one_block_bytes, found.long_bytes
    software = [
        Line(
            row.variant,
            ((short, 1000 * short / row.block_ns), (long, row.rate_1)),
            _SOFTWARE,
            row.key,
        )
        for row in found.software
    ]
    hardware = [
        Line(
            row.design,
            ((short, 1000 * short / row.latency_ns), (long, row.rate)),
            _HARDWARE,
            row.proof_key,
        )
        for row in found.hardware
    ]
    return Lines(
        "Software by size of message",
        f"One thread, and one core of hardware: a message of one block ({short} bytes), from its "
        f"first byte to its last, and messages of {long} bytes one after the other.",
        Axis("message", "bytes", is_log=True),
        Axis("throughput", found.unit, is_log=True),
        (*software, *hardware),
    )


def _failures(found: BenchTable, name: str, entries: Sequence[Failure]) -> Tabled:
    table = of(
        "",
        (
            (Column("label", "what"), lambda entry: entry.label),
            (Column("error", "why"), lambda entry: entry.error),
        ),
        entries,
    )
    keys = tuple({"label": (entry.key,)} if entry.key else {} for entry in entries)
    return Tabled(_name(found, name), table, keys, in_paper=False)


# Which records a figure comes from; columns that are not named tell what was asked for.


def _hardware_keys(row: HardwareRow) -> Keys:
    synthesis, *placed = row.implemented.keys  # by rising clock
    median = placed[len(placed) // 2]
    others = tuple(key for key in placed if key != median)
    clocks = (median, *others)
    return {
        **dict.fromkeys(("cycles_per_block", "latency_cycles"), (row.proof_key,)),
        **dict.fromkeys(("seeds", "fmax_median_mhz"), clocks),
        "fmax_best_mhz": (placed[-1],),
        "fmax_best_of_fewest_mhz": clocks,
        "fmax_worst_mhz": (placed[0],),
        "path_kind": (median,),
        **dict.fromkeys(row.implemented.area, (synthesis,)),
        **dict.fromkeys(("rate", "latency_ns"), (*clocks, row.proof_key)),
        "rate_per_klut": (*clocks, row.proof_key, synthesis),
        "netlist_vectors": (row.netlist_key,),
    }


def _area_keys(row: AreaRow) -> Keys:
    return {
        **dict.fromkeys(("cycles_per_block", "latency_cycles"), (row.proof_key,)),
        **dict.fromkeys((*row.mapped.area, "esc"), (row.mapped.key,)),
        "netlist_vectors": (row.netlist_key,),
    }


def _seed_keys(found: BenchTable) -> tuple[Keys, ...]:
    samples = (sample for row in found.hardware for sample in row.implemented.samples)
    return tuple(dict.fromkeys(("fmax_mhz", "key"), (sample.key,)) for sample in samples)


def _software_keys(table: Table, row: SoftwareRow) -> Keys:
    figures = (column.name for column in table.columns if column.is_number)
    return {**dict.fromkeys(figures, (row.key,)), "build": (row.key,)}


def _comparison_keys(found: BenchTable, table: Table) -> tuple[Keys, ...]:
    hardware = {row.design: _hardware_keys(row)["rate_per_klut"] for row in found.hardware}
    software = {row.variant: row.key for row in found.software}
    figures = [column.name for column in table.columns if column.is_number]
    return tuple(
        dict.fromkeys(figures, (*hardware[row.design], software[row.variant]))
        for row in found.comparisons
    )
