# SPDX-License-Identifier: Apache-2.0
"""What commands print for people: tables of a bench, of a record, of what failed."""

from __future__ import annotations

import shlex
import textwrap
from collections.abc import Sequence

from rich.console import Group, RenderableType
from rich.text import Text

from lydite.report import areas, bench_tables
from lydite.report.areas import Area
from lydite.report.bench import BenchTable
from lydite.report.draw import Fitted
from lydite.report.failures import Failure
from lydite.report.implemented import Implemented
from lydite.report.table import Table, plain
from lydite.runs.record import Record


def table(title: str, columns: Sequence[str], rows: Sequence[Sequence[str]]) -> RenderableType:
    """Give a table of texts; a column whose name begins with `>` holds numbers."""
    return Fitted(plain(title, columns, rows))


def bench(found: BenchTable) -> RenderableType:
    """Give the tables of a bench."""
    head = f"{found.heading} ({found.standard}){bench_tables.blocks(found)}"
    parts: list[RenderableType] = [Text(head, style="bold")]
    for rows, made in (
        (found.hardware or found.areas, bench_tables.hardware),
        (found.software, bench_tables.software),
        (found.comparisons, bench_tables.comparisons),
    ):
        if rows:
            parts += [Text(), Fitted(made(found))]
    parts += _failed("Left out", found.left_out)
    parts += _failed("Failed", found.failures)
    return Group(*parts)


def tables(found: Sequence[Table], failed: Sequence[Failure]) -> RenderableType:
    """Give tables one below the other, and what failed."""
    shown = [part for one in found if one.rows for part in (Fitted(one), Text())]
    return Group(*shown[:-1], *_failed("Failed", failed))


def _failed(title: str, entries: Sequence[Failure]) -> list[RenderableType]:
    if not entries:
        return []
    lines: list[RenderableType] = []
    for entry in entries:
        lines.append(Text(f"  {entry.label}"))
        # A path or a command that is cut in two helps nobody.
        error = textwrap.indent(entry.error, "    ")
        lines.append(Text(error, no_wrap=True, overflow="ignore"))
        if entry.key:
            lines.append(Text(f"    more: lydite show {entry.key[:12]}", style="dim"))
    return [Text(), Text(title, style="bold"), *lines]


def implementation(name: str, placed: Implemented, *, proof: str) -> RenderableType:
    """Give the table of one design; `proof` says what has shown that it is right, if anything."""
    return Fitted(bench_tables.implementation(name, placed, proof=proof))


def area(name: str, mapped: Area, *, proof: str) -> RenderableType:
    """Give the table of one module by synthesis alone; `proof` as of `implementation`."""
    return Fitted(areas.alone(name, mapped, proof=proof))


def failures(entries: Sequence[Failure]) -> RenderableType:
    """Give what failed, as the user is told."""
    return Group(*_failed("Failed", entries))


def record(found: Record, folder: str, artefacts: Sequence[str]) -> RenderableType:
    """Give all of a record, and where its artefacts are."""
    rows = [
        ["key", found.key],
        ["kind", found.kind],
        ["what", found.label],
        ["status", found.status],
    ]
    rows += [["error", found.error]] if found.error else []
    rows += [[f"result.{name}", _plain(value)] for name, value in found.result.items()]
    rows += [[f"inputs.{name}", _plain(value)] for name, value in found.inputs.items()]
    rows += [["command", shlex.join(argv)] for argv in found.commands]
    rows += [["replay", f"lydite show {found.key[:12]} --replay | sh"]]
    rows += [
        ["needs", " ".join(key[:12] for key in found.needs) or "-"],
        ["wall_s", f"{found.wall_s:g}"],
        ["cpu_s", f"{found.cpu_s:g}"],
        ["peak_kib", f"{found.peak_kib}"],
        ["started_utc", found.started_utc],
        ["machine", found.machine],
        ["lydite", found.lydite],
        ["artefacts", f"{folder}: {' '.join(artefacts) or 'none'}"],
    ]
    return table("", ["field", "value"], rows)


def _plain(value: object) -> str:
    if isinstance(value, dict):
        return ", ".join(f"{name} {_plain(item)}" for name, item in value.items())
    if isinstance(value, list | tuple):
        return ", ".join(_plain(item) for item in value)
    return f"{value:g}" if isinstance(value, float) else str(value)
