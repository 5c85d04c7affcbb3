# SPDX-License-Identifier: Apache-2.0
"""What a testbed found, as a page: tables, ratio and speed-up over the size, the parts of a job."""

from __future__ import annotations

from collections.abc import Mapping, Sequence

from lydite.base.units import bytes_text
from lydite.report import testbed
from lydite.report.page import Axis, Bar, Bars, Line, Lines, Page, Section, Tabled, origin, slug
from lydite.report.testbed import VIEWS, TestbedTable
from lydite.runs.record import Record

_SIZE = Axis("payload", "bytes", is_log=True)


def page(
    tables: Sequence[TestbedTable], records: Mapping[str, Record], command: Sequence[str]
) -> Page:
    """Give the page of all operations of a design."""
    design, link = tables[0].design, tables[0].link_title
    return Page(
        title=f"{design} end to end",
        subtitle=f"{link}; core at {tables[0].core_mhz:g} MHz, DMA at {tables[0].dma_mhz:g} MHz",
        sections=tuple(_section(found) for found in tables if found.rows),
        origin=origin(command, records.values()),
    )


def _section(found: TestbedTable) -> Section:
    name = slug(found.design, found.operation)
    whole, parts = testbed.end_to_end(found), testbed.parts(found)
    figures = [one for one in (_ratio(found), _parts(found), _speedup(found)) if one is not None]
    keys = tuple(
        dict.fromkeys((c.name for c in whole.columns if c.name != "bytes"), (row.key,))
        | dict.fromkeys(("best_ns", "reference_ns"), found.software_keys)
        for row in found.rows
    )
    split = tuple(
        dict.fromkeys(("to_device_ns", "compute_ns", "from_device_ns"), (row.key,))
        for row in found.rows
    )
    tabled = (Tabled(f"{name}-whole", whole, keys), Tabled(f"{name}-parts", parts, split))
    return Section(found.operation or "End to end", (*tabled, *figures))


def _ratio(found: TestbedTable) -> Lines | None:
    points = tuple((row.bytes, row.ratio) for row in found.rows if row.ratio is not None)
    if not points:
        return None
    return Lines(
        "Overhead over the size",
        "Time end to end over the time that the design claims; 1 is a transfer that costs nothing.",
        _SIZE,
        Axis("end to end over claim"),
        (Line(found.link, points, key=found.rows[-1].key),),
    )


def _parts(found: TestbedTable) -> Bars:
    bars = [
        Bar(bytes_text(row.bytes), 100 * part / row.hardware_ns, series=name, key=row.key)
        for row in found.rows
        for name, part in (
            ("to the device", row.to_device_ns),
            ("compute", row.compute_ns),
            ("from the device", row.from_device_ns),
        )
    ]
    return Bars(
        "Where the time goes",
        "Shares of one job alone, from the host's first access to its last, without configuration.",
        Axis("share", "%"),
        tuple(bars),
    )


def _speedup(found: TestbedTable) -> Lines | None:
    lines = []
    for number, view in enumerate(VIEWS):
        points = tuple((r.bytes, s) for r in found.rows if (s := r.speedups[number]) is not None)
        if points:
            lines.append(Line(view, points, view, found.rows[-1].key))
    if not lines:
        return None
    return Lines(
        "Speed-up over the size",
        f"Time of the best software here ({found.best}, one thread) over that of the hardware; "
        "above 1 the accelerator is faster.",
        _SIZE,
        Axis("speed-up", "x", is_log=True),
        tuple(lines),
    )
