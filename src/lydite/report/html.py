# SPDX-License-Identifier: Apache-2.0
"""A study as one HTML file: tables that can be sorted, figures, and where each figure comes from.

The file needs nothing but itself. Without its script all of it can be read; the script only sorts.
The same study gives the same file.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass

from markupsafe import Markup

from lydite.report import cells, figures, svg, template
from lydite.report.page import Facts, Figure, Origin, Page, Part, Prose, Run, Tabled, short
from lydite.report.table import Column

# More runs than this are folded.
_MANY = 24


@dataclass(frozen=True, slots=True)
class Head:
    """What stands above a column."""

    lines: tuple[str, ...]
    is_number: bool


@dataclass(frozen=True, slots=True)
class Source:
    """A record behind a figure, as a link names it."""

    anchor: str
    key: str
    kind: str


@dataclass(frozen=True, slots=True)
class Cell:
    """A cell: its text, split where figures are aligned, what it is sorted by, its records."""

    text: str
    after: str
    sort: str
    is_number: bool
    sources: tuple[Source, ...]

    @property
    def told(self) -> str:
        """What the link to its records says when pointed at."""
        first, *rest = self.sources
        return f"{first.kind} {first.key}" + (f" and {len(rest)} more" if rest else "")


@dataclass(frozen=True, slots=True)
class Row:
    """Cells, the first of which says what the row is about, and all its records."""

    cells: tuple[Cell, ...]
    sources: tuple[Source, ...]


@dataclass(frozen=True, slots=True)
class Shown:
    """A table.

    Attributes
    ----------
    widths : tuple of int
        For each column the letters right of where its figures are aligned.
    """

    name: str
    title: str
    heads: tuple[Head, ...]
    widths: tuple[int, ...]
    rows: tuple[Row, ...]
    notes: tuple[str, ...]
    is_folded: bool
    has_sources: bool


@dataclass(frozen=True, slots=True)
class Series:
    """A colour and a shape of a figure, and what they stand for."""

    name: str
    number: int
    shape: str


@dataclass(frozen=True, slots=True)
class Drawn:
    """A figure."""

    title: str
    about: str
    svg: Markup
    series: tuple[Series, ...]
    left_out: tuple[str, ...]


@dataclass(frozen=True, slots=True)
class Chapter:
    """A section with its parts, each named by its kind."""

    number: int
    title: str
    parts: tuple[tuple[str, object], ...]


def render(page: Page) -> str:
    """Give the file."""
    kinds = {run.key: run.kind for run in page.origin.runs}
    chapters = []
    for number, section in enumerate(page.sections, 1):
        parts = [
            _part(part, f"figure-{number}-{place}", kinds)
            for place, part in enumerate(section.parts, 1)
        ]
        chapters.append(Chapter(number, section.title, tuple(part for part in parts if part)))
    return template.render(
        "page.html",
        styles=("base.css", "page.css"),
        script="page.js",
        page=page,
        chapters=chapters,
        runs=_runs(page.origin),
        many=len(page.origin.runs) > _MANY,
    )


def _part(part: Part, name: str, kinds: Mapping[str, str]) -> tuple[str, object] | None:
    """Give a part with the name of its kind, for the template; None if there is nothing of it."""
    if isinstance(part, Prose):
        return "prose", part.text
    if isinstance(part, Facts):
        return "facts", part.facts
    if isinstance(part, Tabled):
        return "table", table(part, kinds)
    return ("figure", _figure(part, name)) if figures.is_drawable(part) else None


def _figure(figure: Figure, name: str) -> Drawn:
    names = figures.series(figure)
    return Drawn(
        title=figure.title,
        about=figure.about,
        # Of matplotlib and ElementTree, which escape.
        svg=Markup(figures.draw(figure, name=name)),
        series=tuple(
            Series(
                each or "other",
                1 + index % len(svg.SERIES),
                figures.SHAPES[index % len(figures.SHAPES)],
            )
            for index, each in enumerate(names)
        )
        if len(names) > 1
        else (),
        left_out=figures.left_out(figure),
    )


def table(tabled: Tabled, kinds: Mapping[str, str]) -> Shown:
    """Give a table for the template.

    Parameters
    ----------
    kinds : mapping
        Key to kind of record, for those that the page tells of.
    """
    given = tabled.table
    places = given.drawn
    columns = [given.columns[place] for place in places]
    drawn = [
        cells.shown(column, [row[place] for row in given.rows])
        for column, place in zip(columns, places, strict=True)
    ]
    rows = []
    for number, row in enumerate(given.rows):
        keys = tabled.keys[number] if tabled.keys else {}
        made = tuple(
            _cell(column, texts[number], row[place], _sources(keys.get(column.name, ()), kinds))
            for column, place, (texts, _) in zip(columns, places, drawn, strict=True)
        )
        every = (key for found in keys.values() for key in found)
        rows.append(Row(made, _sources(every, kinds)))
    return Shown(
        name=tabled.name,
        title=given.title,
        heads=tuple(
            Head(cells.heads(column, unit), column.is_number)
            for column, (_, unit) in zip(columns, drawn, strict=True)
        ),
        widths=tuple(
            max((len(cells.parts(text).after) for text in texts), default=0) for texts, _ in drawn
        ),
        rows=tuple(rows),
        notes=given.notes,
        is_folded=tabled.is_folded,
        has_sources=any(row.sources for row in rows),
    )


def _cell(column: Column, text: str, value: object, sources: tuple[Source, ...]) -> Cell:
    if not column.is_number:
        return Cell(text, "", cells.sort_key(value), False, sources)
    found = cells.parts(text)
    return Cell(found.whole, found.after, cells.sort_key(value), True, sources)


def _sources(keys: Iterable[str], kinds: Mapping[str, str]) -> tuple[Source, ...]:
    return tuple(
        Source(svg.anchor(key), short(key), kinds.get(key, "run"))
        for key in dict.fromkeys(keys)
        if key
    )


@dataclass(frozen=True, slots=True)
class RunRow:
    """A record: where links to it lead, and what is said of it."""

    anchor: str
    key: str
    run: Run


def _runs(origin: Origin) -> Sequence[RunRow]:
    return [RunRow(svg.anchor(run.key), short(run.key), run) for run in origin.runs]
