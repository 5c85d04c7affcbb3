# SPDX-License-Identifier: Apache-2.0
"""A table between what was measured and how it is drawn: named columns, rows of plain values.

Text, CSV and JSON are made from it. Nothing here knows how wide a terminal is.
"""

from __future__ import annotations

import csv
import io
from collections.abc import Callable, Iterable
from dataclasses import dataclass
from typing import Any


@dataclass(frozen=True, slots=True)
class Column:
    """A column.

    Attributes
    ----------
    name : str
        In CSV and JSON; a unit stands in it (`fmax_median_mhz`).
    head : str
        Above it for people, in one line or two; a column without one is not drawn.
    show : callable
        Gives a value as people read it.
    is_number : bool
        Figures are right-aligned and never broken; texts are folded where there is little room.
    absent : str
        What people read where the value is None.
    rank : int
        0 is always drawn; where there is little room, columns of the highest rank go first.
    optional : bool
        Whether it is drawn only where some row has a value.
    """

    name: str
    head: str
    show: Callable[[Any], str] = str
    is_number: bool = False
    absent: str = "-"
    rank: int = 0
    optional: bool = False

    def text(self, value: Any) -> str:
        """Give a value as people read it."""
        return self.absent if value is None else self.show(value)


@dataclass(frozen=True, slots=True)
class Table:
    """A title, columns, rows with a value for each column, and notes below.

    The first column says what a row is about.
    """

    title: str
    columns: tuple[Column, ...]
    rows: tuple[tuple[Any, ...], ...]
    notes: tuple[str, ...] = ()

    @property
    def drawn(self) -> tuple[int, ...]:
        """Places of the columns that people see."""
        return tuple(
            place
            for place, column in enumerate(self.columns)
            if column.head
            and not (column.optional and all(row[place] is None for row in self.rows))
        )

    def csv(self) -> str:
        """Give all columns as comma-separated values, with a line of names; None is empty."""
        text = io.StringIO()
        writer = csv.writer(text, lineterminator="\n")
        writer.writerow(column.name for column in self.columns)
        writer.writerows(self.rows)
        return text.getvalue()

    def as_dicts(self) -> list[dict[str, Any]]:
        """Give the rows as mappings from the names of the columns."""
        names = [column.name for column in self.columns]
        return [dict(zip(names, row, strict=True)) for row in self.rows]


def of(
    title: str,
    fields: Iterable[tuple[Column, Callable[[Any], Any]]],
    items: Iterable[Any],
    notes: Iterable[str] = (),
) -> Table:
    """Give a table of items: each column with what gives its value of an item."""
    fields = tuple(fields)
    rows = tuple(tuple(get(item) for _, get in fields) for item in items)
    return Table(title, tuple(column for column, _ in fields), rows, tuple(notes))


def figure(name: str, head: str, form: str = "{}") -> Column:
    """Give a column of numbers, shown by a format string."""
    return Column(name, head, form.format, is_number=True)


def plain(title: str, names: Iterable[str], rows: Iterable[Iterable[str]]) -> Table:
    """Give a table of texts; a name that begins with `>` is of figures.

    A name is also what stands above the column.
    """
    columns = tuple(
        Column(name.removeprefix(">"), name.removeprefix(">"), is_number=name.startswith(">"))
        for name in names
    )
    return Table(title, columns, tuple(tuple(row) for row in rows))
