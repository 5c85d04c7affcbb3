# SPDX-License-Identifier: Apache-2.0
"""Compiles C again and again, each time with what placing the last hardware has taught.

A round compiles, places and routes, and learns (`hls.lessons`) from the slowest paths between
registers, with the median over the seeds. Where the clock asked for is missed, what is late gets
longer delays, then all that took longer; once it is met, all gets the delays that were found,
shorter ones, too, so that more is done in a state. Compiling and placing repeat themselves exactly,
and placements are in the store: what was stopped goes on where it was.
"""

from __future__ import annotations

import re
import statistics
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from pathlib import Path

import msgspec

from lydite import hls
from lydite.base import digest
from lydite.base.files import write_atomic
from lydite.hls import feedback
from lydite.hls.compiled import Compiled
from lydite.hls.contract.options import Options
from lydite.hls.feedback import Lesson
from lydite.runs import plan
from lydite.runs.plan import Implementation, Settings
from lydite.runs.record import Record
from lydite.sim.build import Sources, cache_folder
from lydite.sim.cosim import Result
from lydite.tools.routes import Route

Prove = Callable[[Options, Compiled], Result | None]
Place = Callable[[Implementation], Mapping[str, Record]]


@dataclass(frozen=True)
class Round:
    """One compilation with its truth.

    Attributes
    ----------
    number : int
        From 0: that is what the family's table alone gives.
    options : Options
        What it was compiled from, with what had been learnt before.
    cycles : int or None
        Of all calls in co-simulation; else the static bound of one call; None if there is none.
    routed_ns : float or None
        Clock period, the median over the seeds; None if a placement failed.
    slowest : Route or None
        The slowest path between registers.
    lesson : Lesson or None
        What it taught; None for one that failed.
    """

    number: int
    options: Options
    compiled: Compiled
    result: Result | None
    implementation: Implementation
    records: Mapping[str, Record]
    cycles: int | None
    routed_ns: float | None
    slowest: Route | None = None
    lesson: Lesson | None = None

    @property
    def met(self) -> bool:
        """Whether the clock asked for is met."""
        return self.routed_ns is not None and self.routed_ns <= self.options.clock_ns

    @property
    def time_ns(self) -> float:
        """Time of a run: at the clock asked for, or at a slower one if that is missed.

        Infinite for a round that failed; of one cycle where cycles are not known.
        """
        if self.routed_ns is None:
            return float("inf")
        return (self.cycles or 1) * max(self.routed_ns, self.options.clock_ns)


def rounds(
    options: Options, settings: Settings, most: int, *, prove: Prove, place: Place
) -> Iterator[Round]:
    """Compile, place and learn, until nothing is learnt or the hardware is one that was there.

    Parameters
    ----------
    most : int
        Rounds after the first one, at least 1.
    prove : callable
        Co-simulates; None where that is not wanted. A failure ends the rounds.
    place : callable
        Runs a plan, or takes it from the store.
    """
    settings = replace(settings, routes=True)
    seen: set[str] = set()
    for number in range(most + 1):
        compiled = hls.compile(options)
        hardware = re.sub(r"//.*", "", compiled.verilog)
        if hardware in seen:
            return
        seen.add(hardware)
        sources = _sources(compiled, options.top)
        result = prove(options, compiled)
        name = f"{options.top} for {options.clock_ns:g} ns, round {number}"
        implementation = plan.implementation(name, sources, "ap_clk", settings)
        wrong = result is not None and result.failure is not None
        records = {} if wrong else place(implementation)
        found = _round(number, options, compiled, result, implementation, records)
        yield found
        if found.lesson is None or not found.lesson.changed:
            return
        options = replace(options, learnt=found.lesson.learnt)


def best(found: Sequence[Round]) -> Round:
    """Give the round that meets the clock, else the fastest; of equal ones the fewest ns."""
    return min(
        found,
        key=lambda item: (not item.met, item.time_ns, item.routed_ns or 0.0, item.number),
    )


def _round(
    number: int,
    options: Options,
    compiled: Compiled,
    result: Result | None,
    implementation: Implementation,
    records: Mapping[str, Record],
) -> Round:
    cycles = compiled.report.functions[0].latency_max
    if result is not None and result.failure is None:
        cycles = result.cycles
    empty = Round(number, options, compiled, result, implementation, records, cycles, None)
    placed = [records[job.key] for job in implementation.placements if job.key in records]
    good = [record.result for record in placed if record.status == "ok"]
    if not good:
        return empty
    routed_ns = statistics.median(1000 / float(item["fmax_mhz"]) for item in good)
    routes = _medians([msgspec.convert(item["routes"], list[Route]) for item in good])
    met = routed_ns <= options.clock_ns
    # At first only what is late is changed: what is fast enough may stay as it is.
    least_ns = 0.0 if met or number else options.clock_ns
    lesson = feedback.learn(compiled, routes, least_ns=least_ns, shorten=met)
    return replace(empty, routed_ns=routed_ns, slowest=routes[0], lesson=lesson)


def _medians(seeds: Iterable[Sequence[Route]]) -> list[Route]:
    """Give the median of each path over the seeds, if more than half have it, slowest first."""
    tables = [{(row.source, row.sink): row.delay_ns for row in rows} for rows in seeds]
    found = []
    for key in dict.fromkeys(key for table in tables for key in table):
        delays = [table[key] for table in tables if key in table]
        if 2 * len(delays) > len(tables):
            found.append(Route(*key, statistics.median(delays)))
    return sorted(found, key=lambda row: (-row.delay_ns, row.source, row.sink))


def _sources(compiled: Compiled, top: str) -> Sources:
    """Keep the Verilog in the cache folder, under its digest."""
    text = "\n".join(file.text for file in compiled.files)
    folder = cache_folder() / "refined" / digest.of_bytes(text.encode())
    paths: dict[str, Path] = {}
    for file in compiled.files:
        paths[file.name] = folder / file.name
        if not paths[file.name].exists():
            write_atomic(paths[file.name], file.text)
    return Sources(files=paths, top=top, parameters={})
