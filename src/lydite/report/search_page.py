# SPDX-License-Identifier: Apache-2.0
"""A search as a page: its tables, the best clock over time, spread of arms, slack."""

from __future__ import annotations

from collections.abc import Mapping, Sequence

from lydite.base.units import digits
from lydite.report import search
from lydite.report.page import (
    Axis,
    Fact,
    Facts,
    Line,
    Lines,
    Page,
    Point,
    Scatter,
    Section,
    Tabled,
    origin,
)
from lydite.report.search import SearchTable
from lydite.runs.record import Record
from lydite.search import objective
from lydite.search.compare import Compared

_CLOCK = Axis("clock", "MHz")
# Arms whose distribution is drawn: those with the most placements.
_DRAWN = 6
_DOMINATED = "dominated"


def page(found: SearchTable, records: Mapping[str, Record], command: Sequence[str]) -> Page:
    """Give the page of a search."""
    drawn = (best_so_far(found), clock_over_area(found), spread(found), slack(found))
    figures = [one for one in drawn if one is not None]
    arms = Tabled(
        "arms",
        search.arms(found),
        tuple({"best_mhz": (key,)} if (key := _key(found, row.arm)) else {} for row in found.arms),
    )
    runs = Tabled(
        "runs",
        search.runs(found),
        tuple({"fmax_mhz": (row.key,)} if row.key in records else {} for row in found.runs),
        is_folded=True,
        in_paper=False,
    )
    used = {row.key for row in found.runs}
    return Page(
        title=f"{found.design} on {found.target}: search",
        subtitle=f"{found.strategy}, {found.n} placements, {digits(found.spent_cpu_s)} CPU s",
        sections=(
            Section("Best", (_facts(found),)),
            Section("Arms", (arms, *figures)),
            Section("Runs", (runs,)),
        ),
        origin=origin(command, (records[key] for key in records if key in used)),
    )


def _key(found: SearchTable, arm: str) -> str:
    """Give the key of the best run of an arm."""
    own = [row for row in found.runs if row.arm == arm and row.fmax_mhz is not None]
    return max(own, key=lambda row: row.fmax_mhz or 0.0).key if own else ""


def _facts(found: SearchTable) -> Facts:
    if not objective.find(found.objective).is_placed and found.best_arm:
        note = f"by {found.best_arm}, of {found.n} arms"
        return Facts((Fact("smallest", digits(found.arms[0].esc or 0, 4), "ESC", note),))
    if found.best_mhz is None:
        return Facts((Fact("best clock", "none", note="every run failed"),))
    note = f"by {found.best_arm}, seed {found.best_seed}; best of {found.n}"
    return Facts(
        (
            Fact(f"best, {found.objective}", digits(found.best_mhz, 4), "MHz", note),
            Fact("spent", digits(found.spent_cpu_s), "CPU s", f"{found.failed} runs failed"),
        )
    )


def best_so_far(found: SearchTable) -> Lines | None:
    """Draw the best clock over the processor seconds spent."""
    points: list[tuple[float, float]] = []
    for row in found.runs:
        if row.best_mhz is not None and (not points or row.best_mhz > points[-1][1]):
            if points:
                points.append((row.spent_cpu_s, points[-1][1]))
            points.append((row.spent_cpu_s, row.best_mhz))
    if not points:
        return None
    points.append((max(points[-1][0], found.spent_cpu_s), points[-1][1]))
    return Lines(
        "Best clock so far",
        "The highest clock of all placements that had ended when so much was spent.",
        Axis("spent", "CPU s"),
        _CLOCK,
        (Line(found.strategy, tuple(points), key=found.best_key),),
    )


def clock_over_area(found: SearchTable) -> Scatter | None:
    """Draw the best clock of each arm, or its rate, over its area."""
    is_rate = all(row.rate is not None for row in found.arms if row.best_mhz is not None)
    points = tuple(
        Point(
            label=row.arm if row.is_on_front else "",
            x=row.esc,
            y=row.rate if is_rate and row.rate is not None else row.best_mhz,
            series="front" if row.is_on_front else _DOMINATED,
            key=_key(found, row.arm),
        )
        for row in sorted(found.arms, key=lambda row: not row.is_on_front)
        if row.esc is not None and row.best_mhz is not None
    )
    if len(points) < 2:
        return None
    return Scatter(
        "Rate over area" if is_rate else "Clock over area",
        "Up and left is better. Each arm is at its best clock; of pale ones another has as much in "
        "no more slices.",
        Axis("equivalent slices", "hundreds"),
        Axis("rate", found.unit) if is_rate else _CLOCK,
        points,
        faint=(_DOMINATED,),
    )


def spread(found: SearchTable) -> Lines | None:
    """Draw the distribution of clocks over the seeds of the arms with the most placements."""
    most = sorted((row for row in found.arms if row.n > 1), key=lambda row: -row.n)[:_DRAWN]
    lines = []
    for arm in most:
        clocks = sorted(r.fmax_mhz for r in found.runs if r.arm == arm.arm and r.fmax_mhz)
        points = tuple((mhz, (rank + 1) / len(clocks)) for rank, mhz in enumerate(clocks))
        lines.append(Line(f"{arm.arm}, n {arm.n}", points, arm.arm, _key(found, arm.arm)))
    if not lines:
        return None
    return Lines(
        "Spread over seeds",
        "Share of an arm's placements that are no faster than a clock; the further to the right, "
        "the faster.",
        _CLOCK,
        Axis("share of placements"),
        tuple(lines),
    )


def slack(found: SearchTable) -> Scatter | None:
    """Draw the slack over the frequency asked for."""
    points = tuple(
        Point(
            # A name at each of very many points hides them.
            label=row.arm if len(found.runs) <= _NAMED else "",
            x=row.asked_mhz,
            y=row.slack_ns,
            series="met" if row.slack_ns >= 0 else "not met",
            key=row.key,
        )
        for row in found.runs
        if row.asked_mhz is not None and row.slack_ns is not None
    )
    if not points:
        return None
    return Scatter(
        "Slack over the frequency asked for",
        "Above 0 the frequency is met. nextpnr is not steered by it: each is a sample of its own.",
        Axis("asked for", "MHz"),
        Axis("slack", "ns"),
        points,
    )


_NAMED = 16


def comparison(found: Sequence[Compared], command: Sequence[str]) -> Page:
    """Give the page of strategies on a recorded grid."""
    designs = dict.fromkeys((one.design, one.target) for one in found)
    figures = tuple(
        Lines(
            f"{design} on {target}",
            "Median over replays of the best clock so far.",
            Axis("share of the budget", "%"),
            _CLOCK,
            tuple(
                Line(
                    one.strategy,
                    tuple((100 * share, mhz) for share, mhz in one.curve),
                    one.strategy,
                )
                for one in found
                if (one.design, one.target) == (design, target)
            ),
        )
        for design, target in designs
    )
    return Page(
        title="Strategies of search",
        subtitle=f"{found[0].replays} replays of recorded placements" if found else "",
        sections=(
            Section("Compared", (Tabled("compared", search.compared(found)),)),
            Section("Over time", figures),
        ),
        origin=origin(command, ()),
    )
