# SPDX-License-Identifier: Apache-2.0
"""Tables as text that fits the terminal: folded, narrowed or stacked, with every figure whole."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from rich.box import SIMPLE_HEAD
from rich.console import Console, ConsoleOptions, RenderableType, RenderResult
from rich.measure import Measurement
from rich.padding import Padding
from rich.table import Table as Drawn
from rich.text import Text

from lydite.report.table import Column, Table

# A column of text is folded to this many characters before any column is left out.
_TEXT_WIDTH = 16


@dataclass(frozen=True, slots=True)
class Fitted:
    """A table that is drawn as wide as there is room.

    Columns of the highest rank are left out first, and named below; where those that must be there
    do not fit beside each other, they are stacked, each piece beginning with the first column.
    """

    table: Table

    def __rich_console__(self, console: Console, options: ConsoleOptions) -> RenderResult:
        wanted = [self.table.columns[place] for place in self.table.drawn]
        shown, left_out = _kept(self.table, wanted, console, options)
        title = self.table.title
        for piece in _pieces(self.table, shown, console, options):
            yield _drawn(self.table, piece, title)
            title = ""
        if left_out:
            names = ", ".join(column.name for column in left_out)
            yield note(f"no room for: {names}; --csv and --json have all")
        for text in self.table.notes:
            yield note(text)


def note(text: str) -> RenderableType:
    """Give a remark below a table, folded under its own margin."""
    return Padding(Text(text, style="dim"), (0, 0, 0, 2))


def _kept(
    table: Table, columns: Sequence[Column], console: Console, options: ConsoleOptions
) -> tuple[list[Column], list[Column]]:
    """Give the columns to draw, and those for which there is no room, in their order."""
    shown = list(columns)
    while not _fits(table, shown, console, options):
        ranked = [column for column in shown if column.rank > 0]
        if not ranked:
            break
        shown.remove(max(reversed(ranked), key=lambda column: column.rank))
    return shown, [column for column in columns if column not in shown]


def _pieces(
    table: Table, columns: Sequence[Column], console: Console, options: ConsoleOptions
) -> list[list[Column]]:
    """Cut columns into pieces that fit, each with the first column."""
    first, *rest = columns
    pieces = [[first]]
    for column in rest:
        if len(pieces[-1]) > 1 and not _fits(table, [*pieces[-1], column], console, options):
            pieces.append([first])
        pieces[-1].append(column)
    return pieces


def _fits(
    table: Table, columns: Sequence[Column], console: Console, options: ConsoleOptions
) -> bool:
    """Say whether columns fit beside each other, figures and what stands above them whole, texts
    folded, but not to threads.
    """
    drawn = _drawn(table, columns, "")
    for column, made in zip(columns, drawn.columns, strict=True):
        width = _width(table, column)
        made.min_width = width if column.is_number else min(width, _TEXT_WIDTH)
    unbounded = options.update(max_width=10_000)
    return Measurement.get(console, unbounded, drawn).minimum <= options.max_width


def _width(table: Table, column: Column) -> int:
    """Give the width of a column of which nothing is folded."""
    place = table.columns.index(column)
    texts = [column.head, *(column.text(row[place]) for row in table.rows)]
    return max(len(line) for text in texts for line in text.split("\n"))


def _drawn(table: Table, columns: Sequence[Column], title: str) -> Drawn:
    made = Drawn(
        title=title or None,
        title_justify="left",
        title_style="bold",
        box=SIMPLE_HEAD,
        pad_edge=False,
    )
    for column in columns:
        right = column.is_number
        made.add_column(
            column.head, justify="right" if right else "left", no_wrap=right, overflow="fold"
        )
    places = [(column, table.columns.index(column)) for column in columns]
    for row in table.rows:
        made.add_row(*(Text(column.text(row[place])) for column, place in places))
    return made
