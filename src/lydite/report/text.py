# SPDX-License-Identifier: Apache-2.0
"""Tables as text for a terminal."""

from __future__ import annotations

import textwrap
from collections.abc import Sequence

from rich.box import SIMPLE_HEAD
from rich.console import Group, RenderableType
from rich.table import Table
from rich.text import Text

from lydite.base.units import digits, si
from lydite.report.bench import BenchTable, Failure, Implemented
from lydite.runs.record import Record


def table(title: str, columns: Sequence[str], rows: Sequence[Sequence[str]]) -> Table:
    """Give a table; a column whose name begins with `>` holds numbers."""
    made = Table(
        title=title, title_justify="left", title_style="bold", box=SIMPLE_HEAD, pad_edge=False
    )
    for column in columns:
        if column.startswith(">"):
            made.add_column(column[1:], justify="right", no_wrap=True)
        else:
            made.add_column(column, overflow="fold", min_width=min(len(column), 8))
    for row in rows:
        made.add_row(*(Text(cell) for cell in row))
    return made


def bench(found: BenchTable) -> RenderableType:
    """Give the tables of a bench."""
    block = f"blocks of {found.block_bytes} byte{'s' if found.block_bytes > 1 else ''}"
    parts: list[RenderableType] = [Text(f"{found.title} ({found.standard}), {block}", style="bold")]
    if found.hardware:
        parts += [Text(), *_hardware(found)]
    if found.software:
        parts += [Text(), *_software(found)]
    if found.comparisons:
        parts += [Text(), *_comparisons(found)]
    parts += _failed("Left out", found.left_out)
    parts += _failed("Failed", found.failures)
    return Group(*parts)


def _hardware(found: BenchTable) -> list[RenderableType]:
    first = found.hardware[0].implemented
    rows, paths = [], []
    for row in found.hardware:
        placed = row.implemented
        rows.append(
            [
                row.design,
                str(row.cycles_per_block),
                str(row.latency_cycles),
                f"{placed.fmax_median_mhz:.1f}",
                f"{placed.fmax_best_mhz:.1f}",
                *_area(placed),
                digits(row.mb_per_s, 4),
                f"{row.latency_ns:.0f}",
                digits(row.mb_per_s_per_klut, 4),
            ]
        )
        paths.append(f"{row.design}: {critical_path(placed)}")
    columns = ["design", ">cycles\na block", ">cycles\nlatency", ">MHz\nmedian", ">MHz\nbest"]
    columns += [">\nLUT4", ">\nFF", ">\ncarry", ">\nBRAM", ">\nDSP"]
    columns += [">\nMB/s", ">ns for\n1 block", ">MB/s\na kLUT"]
    row = found.hardware[0]
    return [
        table(f"Hardware: {first.device}, {seeds_text(first)}", columns, rows),
        *(Text(f"  critical path, {path}", style="dim") for path in paths),
        Text(
            f"  proven first: {row.vectors} known answers, each under stalls "
            f"{', '.join(row.stall_modes)}; resets in mid-message",
            style="dim",
        ),
        Text(f"  tools: {'; '.join(first.tools)}", style="dim"),
    ]


def seeds_text(placed: Implemented) -> str:
    """Say over how many seeds figures are."""
    lost = placed.seeds_asked - placed.seeds
    plural = "s" if placed.seeds > 1 else ""
    return f"{placed.seeds} hashed seed{plural}" + (f" ({lost} more failed)" if lost else "")


def critical_path(placed: Implemented) -> str:
    """Give the critical path of the median run in words."""
    total = placed.path_logic_ns + placed.path_routing_ns
    share = 100 * placed.path_logic_ns / total
    return (
        f"{placed.path_from} to {placed.path_to}: {total:.2f} ns, {share:.0f} % logic in "
        f"{placed.path_levels} levels, {100 - share:.0f} % routing{_doubt(placed)}"
    )


def _doubt(placed: Implemented) -> str:
    """Say why a clock is not to be believed, if so."""
    if not placed.untimed:
        return ""
    cells = ", ".join(f"{count} {cell}" for cell, count in placed.untimed.items())
    return f"; warning: the clock is not to be believed, no delay is known through {cells}"


def _area(placed: Implemented) -> list[str]:
    return [f"{placed.area[unit]:g}" for unit in ("lut4", "ff", "carry", "bram", "dsp")]


def _software(found: BenchTable) -> list[RenderableType]:
    first = found.software[0]
    rows = [
        [
            row.variant,
            str(row.lanes),
            f"{row.cycles_per_byte:.2f}",
            digits(row.mb_per_s_1, 4),
            f"{100 * row.spread:.0f} %",
            digits(row.mb_per_s_all, 4),
            si(row.permutations_per_s_1) if row.permutations_per_s_1 else "-",
            si(row.permutations_per_s_all) if row.permutations_per_s_all else "-",
            f"{row.block_ns:.0f}",
            f"{row.compiler.split(' ')[0]} {row.flags}"
            if not row.compiler.startswith("zig")
            else f"zig cc {row.flags}",
        ]
        for row in found.software
    ]
    threads = f"{first.threads} thr."
    columns = ["variant", ">at\nonce", ">cycles\na byte", ">MB/s\n1 thr.", ">\nspread"]
    columns += [f">MB/s\n{threads}", ">perm/s\n1 thr.", f">perm/s\n{threads}"]
    columns += [">ns for\n1 block", "fastest build"]
    versions = [f"{row.variant} is {row.version}" for row in found.software if row.version]
    compilers = dict.fromkeys(row.compiler for row in found.software)
    return [
        table(f"Software: {first.machine}", columns, rows),
        Text(
            f"  medians; messages of {found.long_bytes} bytes; core at {first.core_ghz:.2f} GHz; "
            "each build passed the known answers first",
            style="dim",
        ),
        Text(f"  {'; '.join([*compilers, *versions])}", style="dim"),
    ]


def _comparisons(found: BenchTable) -> list[RenderableType]:
    rows = [
        [
            f"{row.design} / {row.variant}, {row.threads} thr.",
            f"{digits(row.throughput_ratio)} x",
            f"{digits(row.latency_ratio)} x",
            str(row.instances_to_match),
            str(row.instances_that_fit),
            _wins(row.wins_from_messages),
            _wins(row.wins_from_long_messages),
        ]
        for row in found.comparisons
    ]
    columns = ["hardware / software", ">through-\nput", ">speed,\n1 block", ">cores to\nmatch"]
    columns += [">cores\nthat fit", ">wins from,\n1 block", f">wins from,\n{found.long_bytes} B"]
    link = found.link
    return [
        table("One core against the best software", columns, rows),
        Text(
            "  above 1 x the hardware is faster; 'cores that fit' divides the part's resources by "
            "the core's, it was not placed",
            style="dim",
        ),
        Text(
            f"  'wins from': messages in a batch, over a link modelled with {link.gbit_per_s:g} "
            f"Gb/s each way and {link.round_trip_us:g} us there and back, no configuration",
            style="dim",
        ),
    ]


def _wins(messages: int | None) -> str:
    return "never" if messages is None else f"{messages}"


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
    columns = ["module", ">MHz median", ">MHz best", ">MHz worst"]
    columns += [">LUT4", ">FF", ">carry", ">BRAM", ">DSP"]
    row = [name, *(f"{value:.1f}" for value in _clocks(placed)), *_area(placed)]
    return Group(
        table(f"{placed.device}, {seeds_text(placed)}", columns, [row]),
        Text(f"  critical path: {critical_path(placed)}", style="dim"),
        Text(f"  tools: {'; '.join(placed.tools)}", style="dim"),
        Text(f"  {proof}", style="dim"),
    )


def _clocks(placed: Implemented) -> tuple[float, float, float]:
    return placed.fmax_median_mhz, placed.fmax_best_mhz, placed.fmax_worst_mhz


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
    rows += [["command", " ".join(argv)] for argv in found.commands]
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
