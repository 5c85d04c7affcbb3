# SPDX-License-Identifier: Apache-2.0
"""An exploration as a page: the front drawn, its tables, all points, the knobs."""

from __future__ import annotations

from collections.abc import Mapping, Sequence

from lydite.base.units import digits
from lydite.report import explore
from lydite.report.explore import BESIDE, ESTIMATED, FRONT, PROVEN, WRITTEN, Exploration, PointRow
from lydite.report.page import (
    Axis,
    Fact,
    Facts,
    Page,
    Point,
    Prose,
    Scatter,
    Section,
    Tabled,
    origin,
)
from lydite.runs.record import Record
from lydite.search.explore.objectives import OBJECTIVES


def page(found: Exploration, records: Mapping[str, Record], command: Sequence[str]) -> Page:
    """Give the page of an exploration."""
    best = explore.best(found)
    shown = {row.title: row for row in (*found.points, *found.beside)}
    rows = [shown[str(row[0])] for row in best.rows]
    used = {key for row in (*found.points, *found.beside) for key in row.keys}
    told = [row.placed.keys for row in rows if row.placed is not None]
    used |= {key for keys in told for key in keys}
    listing = "\n".join(
        f"{row.title}: {'; '.join(row.directives) or 'nothing'}" for row in found.front
    )
    return Page(
        title=f"{found.top} on {found.target}: directives",
        subtitle=f"{len(found.points)} points, {found.sampler}, seed {found.seed}",
        sections=(
            Section("Found", (_facts(found),)),
            Section(
                "Front",
                (
                    *filter(None, (scatter(found),)),
                    Tabled(
                        "front",
                        best,
                        tuple(_keys(row, records) for row in rows),
                        caption=f"Directives explored: {found.top} on {found.target}",
                    ),
                    *(Prose(line) for line in listing.splitlines()),
                ),
            ),
            Section(
                "Points",
                (
                    Tabled(
                        "points",
                        explore.points(found),
                        tuple(_keys(row, records) for row in found.points),
                        is_folded=True,
                        in_paper=False,
                    ),
                    Tabled(
                        "knobs",
                        explore.knobs(found.knobs, found.size),
                        is_folded=True,
                        in_paper=False,
                    ),
                ),
            ),
        ),
        origin=origin(command, (records[key] for key in records if key in used)),
    )


def _keys(row: PointRow, records: Mapping[str, Record]) -> dict[str, tuple[str, ...]]:
    """Give the records behind the figures of a point."""
    estimate = tuple(key for key in row.keys[:1] if key in records)
    proof = tuple(key for key in row.keys[1:] if key in records)
    found = {"lut": estimate, "cycles": proof or estimate}
    if row.placed is not None:
        found["placed_fmax_median_mhz"] = row.placed.keys
    return {name: keys for name, keys in found.items() if keys}


def _facts(found: Exploration) -> Facts:
    facts = [
        Fact("points", f"{len(found.points)}", note=f"{found.proven} co-simulated and right"),
        Fact("front", f"{len(found.front)}", "points", f"{found.covered.get('front', 0):.1%}"),
    ]
    for name, title in (("latency_ns", "fastest"), ("esc", "smallest")):
        rows = [row for row in found.front if getattr(row, name) is not None]
        if rows:
            row = min(rows, key=lambda one: getattr(one, name))
            unit = "ns" if name == "latency_ns" else "ESC"
            facts.append(Fact(title, digits(getattr(row, name), 4), unit, f"point {row.title}"))
    return Facts(tuple(facts))


def scatter(found: Exploration) -> Scatter | None:
    """Draw the points over the first two objectives; with one alone, over the latency."""
    names = (
        *found.objectives,
        *(name for name in ("latency", "lut") if name not in found.objectives),
    )
    x, y = names[:2]
    first = found.points[0].number if found.points else None
    rows = [row for row in (*found.points, *found.beside) if row.latency_ns is not None]
    if not rows:
        return None
    made = []
    for row in rows:
        at = explore.objectives(row, (x, y))
        assert at is not None, "rows without figures are left out"
        series = BESIDE if row.name else WRITTEN if row.number == first else row.status
        label = row.title if series in (FRONT, BESIDE, WRITTEN) else ""
        made.append(Point(label, at[0], at[1], series, row.keys[-1]))
    # What is behind is drawn first.
    order = (ESTIMATED, PROVEN, FRONT, WRITTEN, BESIDE)
    made.sort(key=lambda point: order.index(point.series))
    is_log = {axis: all(getattr(p, axis) > 0 for p in made) for axis in ("x", "y")}
    return Scatter(
        f"Directives of {found.top} on {found.target}",
        "Down and left is better. The line is the front, each point of which was co-simulated "
        "against the C; pale points are dominated, those by estimate were not co-simulated.",
        Axis(x, _unit(x), is_log=is_log["x"]),
        Axis(y, _unit(y), is_log=is_log["y"]),
        tuple(made),
        faint=(ESTIMATED, PROVEN),
        steps=tuple(
            (at[0], at[1])
            for row in (found.front if len(found.objectives) == 2 else ())
            if (at := explore.objectives(row, (x, y))) is not None
        ),
    )


def _unit(name: str) -> str:
    return OBJECTIVES[name][0].removesuffix(" of a call").removesuffix(" of a cycle")
