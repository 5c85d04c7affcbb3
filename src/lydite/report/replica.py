# SPDX-License-Identifier: Apache-2.0
"""Tables of a bundle: what was published, what would run here, and what making it again gave."""

from __future__ import annotations

import statistics
from collections.abc import Iterable, Mapping, Sequence
from typing import Any

import msgspec

from lydite.report import listing
from lydite.report.table import Column, Table, plain
from lydite.runs.differences import Difference
from lydite.runs.record import Record
from lydite.runs.reruns import replica

# Places of one run that a table shows; JSON has all.
_SHOWN = 3
_DIGEST = 64


class Row(msgspec.Struct, frozen=True, kw_only=True):
    """A run of a bundle, made again.

    Attributes
    ----------
    verdict : str
        `equal`, `differs`, `measured here`, `failed` or `not run`.
    differences : tuple of Difference
        Where it differs: the published value, and the one found here.
    told : str
        What was compared; or why it failed or is not run.
    """

    key: str
    kind: str
    label: str
    verdict: str
    differences: tuple[Difference, ...] = ()
    told: str = ""


class ToolRow(msgspec.Struct, frozen=True, kw_only=True):
    """A tool, and its version there and here."""

    tool: str
    published: str
    here: str


def row(record: Record, found: Record | None, why: str) -> Row:
    """Give the row of a run, from the record of making it again or why there is none."""
    verdict = "not run"
    differences: tuple[Difference, ...] = ()
    if found is not None and found.status != "ok":
        verdict, why = "failed", found.error
    elif found is not None:
        verdict, why = found.result["verdict"], found.result["told"]
        differences = msgspec.convert(found.result["differences"], tuple[Difference, ...])
    return Row(
        key=record.key,
        kind=record.kind,
        label=record.label,
        verdict=verdict,
        differences=differences,
        told=why,
    )


def tools(records: Iterable[Record]) -> tuple[ToolRow, ...]:
    """Give the tools that runs name, with those that this machine has."""
    found: dict[tuple[str, str], str] = {}
    for record in records:
        here = replica.here(record)
        found |= {(name, then): here[name] for name, then in replica.tools(record).items()}
    return tuple(
        ToolRow(tool=name, published=then, here=now) for (name, then), now in sorted(found.items())
    )


def tool_table(rows: Iterable[ToolRow]) -> Table:
    """Give the tools whose versions differ."""
    other = [(one.tool, one.published, one.here) for one in rows if one.published != one.here]
    return plain("Other versions of tools here", ("tool", "published", "here"), other)


def table(rows: Sequence[Row], records: Mapping[str, Record]) -> Table:
    """Give the verdict on every run, with the figure that was published."""
    columns = ("key", "kind", "what", "published", "verdict", "where")
    found = [
        (
            *(one.key[:12], one.kind, one.label.removeprefix(f"{one.kind} ")),
            *(listing.headline(records[one.key]), one.verdict, _where(one)),
        )
        for one in rows
    ]
    return plain("Made again", columns, found)


def summary(rows: Sequence[Row]) -> str:
    """Say how many runs came to which verdict."""
    counts: dict[str, int] = {}
    for one in rows:
        counts[one.verdict] = counts.get(one.verdict, 0) + 1
    return ", ".join(f"{count} {verdict}" for verdict, count in counts.items()) or "nothing was run"


def _where(one: Row) -> str:
    if not one.differences:
        first = one.told.partition("\n")[0]
        return first if one.verdict in ("failed", "not run", "measured here") else ""
    shown = [
        f"{each.field}: {_short(each.before)}, here {_short(each.now)}"
        for each in one.differences[:_SHOWN]
    ]
    more = len(one.differences) - len(shown)
    return "; ".join(shown) + (f"; {more} more" if more else "")


def _short(value: Any) -> str:
    text = str(value)
    return text[:12] if len(text) == _DIGEST else text


def published(records: Sequence[Record]) -> tuple[Table, ...]:
    """Give the results of runs: clocks over seeds, then every run with its figure."""
    return (_clocks(records), listing.runs(records))


def _clocks(records: Sequence[Record]) -> Table:
    """Give each design that was placed: its clock over seeds, and what it uses."""
    by_netlist: dict[str, list[float]] = {}
    for record in records:
        if record.kind == "placement":
            found = by_netlist.setdefault(str(record.inputs["netlist"]), [])
            found.append(record.result["fmax_mhz"])
    mapped = {record.key: record for record in records}
    areas = {key: mapped[key].result["area"] for key in by_netlist}
    units = tuple(dict.fromkeys(unit for area in areas.values() for unit in area))
    columns = (
        *(Column("what", "what"), Column("seeds", "seeds", is_number=True)),
        Column("median_mhz", "median\nMHz", "{:.2f}".format, is_number=True),
        Column("best_mhz", "best\nMHz", "{:.2f}".format, is_number=True),
        *(Column(unit, unit, "{:g}".format, is_number=True) for unit in units),
    )
    rows = tuple(
        (
            mapped[key].label.removeprefix("synthesis "),
            *(len(clocks), statistics.median(clocks), max(clocks)),
            *(areas[key].get(unit) for unit in units),
        )
        for key, clocks in by_netlist.items()
    )
    return Table("Clocks over seeds, and what is used", columns, rows)
