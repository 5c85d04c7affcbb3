# SPDX-License-Identifier: Apache-2.0
"""What rounds of compiling and placing found, as rows and text."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from rich.console import RenderableType

from lydite.hls import feedback
from lydite.report import text
from lydite.runs.refine import Round


@dataclass(frozen=True, slots=True)
class Row:
    """A round in figures.

    Attributes
    ----------
    round : int
        0 is what the family's table alone gives.
    predicted_ns, routed_ns : float, float or None
        Clock period by the delays of this round, and after place and route.
    cycles : int or None
        In co-simulation, else the static bound.
    time_us : float or None
        Of the cycles, at the clock asked for or a slower one that is met.
    paths, explained : int
        Slowest paths between registers, and how many a chain of operations explains.
    slowest : str
        The slowest of them all.
    learnt : tuple of (str, int, float)
        For the next round: kinds of operations, how many, and their greatest change.
    met, best : bool
        Whether the clock is met, and whether this round is written.
    """

    round: int
    predicted_ns: float
    routed_ns: float | None
    cycles: int | None
    time_us: float | None
    paths: int
    explained: int
    slowest: str
    learnt: tuple[tuple[str, int, float], ...]
    met: bool
    best: bool


def rows(rounds: Sequence[Round], best: Round) -> tuple[Row, ...]:
    """Give the figures of rounds."""
    return tuple(row(item, is_best=item is best) for item in rounds)


def row(item: Round, *, is_best: bool = False) -> Row:
    """Give the figures of one round."""
    paths = item.lesson.explained if item.lesson is not None else ()
    known = item.cycles is not None and item.routed_ns is not None
    return Row(
        round=item.number,
        predicted_ns=round(item.compiled.report.critical_ns, 2),
        routed_ns=None if item.routed_ns is None else round(item.routed_ns, 2),
        cycles=item.cycles,
        time_us=round(item.time_ns / 1000, 3) if known else None,
        paths=len(paths),
        explained=sum(path.chain is not None for path in paths),
        slowest="" if item.slowest is None else _route(item),
        learnt=feedback.summary(item.lesson.changed) if item.lesson is not None else (),
        met=item.met,
        best=is_best,
    )


def _route(item: Round) -> str:
    assert item.slowest is not None
    source, sink = (
        names[0].removeprefix("u_core.") for names in (item.slowest.source, item.slowest.sink)
    )
    return f"{source} to {sink}"


def line(item: Round) -> str:
    """Give a round in one line, for progress."""
    found = row(item)
    routed = "no placement" if found.routed_ns is None else f"routed {found.routed_ns:.2f} ns"
    cycles = "" if found.cycles is None else f", {found.cycles} cycles"
    return (
        f"round {found.round}: predicted {found.predicted_ns:.2f} ns, {routed}{cycles}; "
        f"slowest {found.slowest or '-'}; learnt {_learnt(found) or 'nothing'}"
    )


def _learnt(found: Row) -> str:
    return ", ".join(f"{count} {kind} up to x{change:.2f}" for kind, count, change in found.learnt)


def table(found: Sequence[Row], clock_ns: float) -> RenderableType:
    """Give the rounds as a table."""
    columns = [">round", ">predicted ns", ">routed ns", ">cycles", ">us", "slowest path", "learnt"]
    lines = [
        [
            f"{item.round}{'*' if item.best else ''}",
            f"{item.predicted_ns:.2f}",
            "-" if item.routed_ns is None else f"{item.routed_ns:.2f}",
            "-" if item.cycles is None else str(item.cycles),
            "-" if item.time_us is None else f"{item.time_us:g}",
            item.slowest or "-",
            _learnt(item) or "-",
        ]
        for item in found
    ]
    return text.table(f"Rounds for {clock_ns:g} ns; * is written", columns, lines)
