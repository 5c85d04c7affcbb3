# SPDX-License-Identifier: Apache-2.0
"""What the compiler made of a program, as one HTML file with the schedule drawn.

The file needs nothing but itself: style and script are inside, and its own policy forbids any other
script, so that no name or line of the C can become one. It holds every operation once, as text,
which a script only points at: without one it can still be read. The same program gives the same
file.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from pathlib import PurePosixPath
from typing import TYPE_CHECKING

import lydite
from lydite.base.units import si
from lydite.report import template
from lydite.report.bench_tables import critical_path, seeds_text
from lydite.report.schedule_view import Overview, View, overview, view

if TYPE_CHECKING:
    from lydite.hls import Compiled, FunctionReport, LoopReport, Report
    from lydite.report.implemented import Implemented
    from lydite.sim.cosim import Result


@dataclass(frozen=True, slots=True)
class Place:
    """A line of the C: the file's number in the page (-1: its text is not there), what to show."""

    file: int
    line: int
    shown: str


@dataclass(frozen=True, slots=True)
class SourceLine:
    """A line and how many operations come from it."""

    number: int
    text: str
    operations: int


@dataclass(frozen=True, slots=True)
class SourceFile:
    """A file of the program."""

    shown: str
    lines: tuple[SourceLine, ...]


@dataclass(frozen=True, slots=True)
class LoopRow:
    """A loop and how deep it lies."""

    loop: LoopReport
    iterations: str
    cycles: str


@dataclass(frozen=True, slots=True)
class FunctionPart:
    """A function: figures and drawing."""

    report: FunctionReport
    latency: str
    latency_time: str
    loops: tuple[LoopRow, ...]
    overview: Overview
    view: View


@dataclass(frozen=True, slots=True)
class AreaRow:
    """A resource: estimate, count after place and route, what the part has."""

    name: str
    estimated: str
    placed: str
    available: str


def page(
    compiled: Compiled,
    cosimulated: Result | None,
    implemented: Implemented | None,
    sources: Mapping[str, str],
    *,
    target: str = "",
) -> str:
    """Give the page.

    Parameters
    ----------
    cosimulated, implemented : object or None
        None if that was not asked.
    sources : mapping
        File to text, for as many of `files_named` as can be read.
    target : str
        The part asked for; the family of the delays stands in the report.
    """
    places = _Places(compiled, sources)
    report = compiled.report
    functions = tuple(_functions(compiled))
    return template.render(
        "hls.html",
        styles=("base.css", "hls.css"),
        script="hls.js",
        compiled=compiled,
        report=report,
        top=functions[0],
        functions=functions,
        frequency=f"{1000 / report.clock_ns:.4g} MHz",
        target=target,
        version=lydite.__version__,
        cosimulated=cosimulated,
        fills={
            fill.channel: f"{fill.highest} of {fill.most}"
            for fill in (cosimulated.fills if cosimulated is not None else ())
        },
        implemented=implemented,
        placement="" if implemented is None else seeds_text(implemented),
        path="" if implemented is None else critical_path(implemented),
        area=_area(report, implemented),
        sources=places.files,
        place=places.place,
    )


def files_named(compiled: Compiled) -> tuple[str, ...]:
    """Give the files that operations, functions and warnings of a result come from, sorted."""
    return tuple(sorted({file for file, _ in filter(None, map(_split, _wheres(compiled)))}))


def _wheres(compiled: Compiled) -> Iterator[str]:
    """Give every place that the page shows."""
    for timeline in compiled.timelines:
        yield from (op.where for op in timeline.ops)
        yield from (block.where for block in timeline.blocks)
    for function in compiled.report.functions:
        yield function.where
        yield from (loop.where for loop in function.loops)
    yield from (warning.where for warning in compiled.warnings)


def _split(where: str) -> tuple[str, int] | None:
    file, _, line = where.rpartition(":")
    return (file, int(line)) if file and line.isdecimal() else None


class _Places:
    """Turns `file:line` into links within the page."""

    def __init__(self, compiled: Compiled, sources: Mapping[str, str]) -> None:
        self._shown = _shortened(files_named(compiled))
        counts = Counter(op.where for timeline in compiled.timelines for op in timeline.ops)
        known = [file for file in self._shown if file in sources]
        self._number = {file: index for index, file in enumerate(known)}
        self.files = tuple(
            SourceFile(
                self._shown[file],
                tuple(
                    SourceLine(line, text, counts[f"{file}:{line}"])
                    for line, text in enumerate(sources[file].splitlines(), 1)
                ),
            )
            for file in known
        )

    def place(self, where: str) -> Place:
        """Give the place, for the template."""
        found = _split(where)
        if found is None:
            return Place(-1, 0, where)
        file, line = found
        number = self._number.get(file, -1)
        if number >= 0 and not 1 <= line <= len(self.files[number].lines):
            number = -1
        return Place(number, line, f"{self._shown[file]}:{line}")


def _shortened(files: Sequence[str]) -> dict[str, str]:
    """Give each file the shortest end of its path that no other has: no folder of this machine."""
    result: dict[str, str] = {}
    for file in files:
        parts = PurePosixPath(file).parts
        others = [PurePosixPath(other).parts for other in files if other != file]
        count = next(
            (n for n in range(1, len(parts)) if all(o[-n:] != parts[-n:] for o in others)),
            len(parts),
        )
        result[file] = "/".join(parts[-count:])
    return result


def _functions(compiled: Compiled) -> Iterator[FunctionPart]:
    clock_ns = compiled.report.clock_ns
    for report, timeline in zip(compiled.report.functions, compiled.timelines, strict=True):
        low, high = report.latency_min, report.latency_max
        loops = tuple(
            LoopRow(
                loop,
                span(loop.trip_min, loop.trip_max),
                span(loop.iteration_min, loop.iteration_max),
            )
            for loop in report.loops
        )
        yield FunctionPart(
            report=report,
            latency=span(low, high),
            latency_time="" if high is None else si(high * clock_ns * 1e-9, "s"),
            loops=loops,
            overview=overview(timeline, loops_text(loops)),
            view=view(timeline),
        )


def loops_text(loops: Sequence[LoopRow]) -> list[str]:
    """Give a line for each loop: name, iterations, cycles."""
    return [
        _loop_text(row) if row.loop.ii is None else f"{_loop_text(row)}, one every {row.loop.ii}"
        for row in loops
    ]


def _loop_text(row: LoopRow) -> str:
    if row.iterations != "varies":
        return f"{row.loop.name}: {row.iterations} x {row.cycles} cycles"
    return f"{row.loop.name}: {row.cycles} cycles each"


def span(low: int | None, high: int | None) -> str:
    """Give a range that may be open."""
    if low is None and high is None:
        return "varies"
    if low == high:
        return f"{low}"
    if high is None:
        return f"{low} or more"
    return f"up to {high}" if low is None else f"{low} to {high}"


def _area(report: Report, implemented: Implemented | None) -> list[AreaRow]:
    """Give the rows of estimate beside measurement."""
    area = report.area
    rows: list[AreaRow] = []
    for name, unit, estimate in (
        ("LUT", "lut4", f"{area.lut}"),
        ("FF", "ff", f"{area.ff}"),
        ("carry", "carry", "in LUT"),
        ("BRAM", "bram", f"{area.bram}"),
        ("DSP", "dsp", f"{area.dsp}"),
    ):
        if implemented is not None:
            placed, available = implemented.area.get(unit, 0), implemented.available.get(unit)
            rows.append(AreaRow(name, estimate, f"{placed:g}", f"{available or '-'}"))
        elif unit != "carry":
            rows.append(AreaRow(name, estimate, "", ""))
    estimate = f"{1000 / report.critical_ns:.1f} MHz ({report.critical_ns:.2f} ns)"
    if implemented is None:
        return [*rows, AreaRow("clock", estimate, "", "")]
    low, high = implemented.fmax_worst_mhz, implemented.fmax_best_mhz
    placed_clock = f"{implemented.fmax_median_mhz:.1f} MHz ({low:.1f} to {high:.1f})"
    return [*rows, AreaRow("clock", estimate, placed_clock, "")]
