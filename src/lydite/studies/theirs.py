# SPDX-License-Identifier: Apache-2.0
"""The tables of a document, as it prints them: a data file with its source beside each study."""

from __future__ import annotations

from collections.abc import Mapping
from pathlib import Path
from typing import TypeAlias

import msgspec

from lydite.base import schema
from lydite.base.errors import InputError
from lydite.base.schema import Data

Value: TypeAlias = float | str


class TheirTable(Data, frozen=True, kw_only=True):
    """A table.

    Attributes
    ----------
    name, title : str
        As the document has them: `table-1`.
    columns : tuple of str
        Names, with units in them: `total_s`.
    rows : tuple
        A value for each column, as printed.
    """

    name: str
    title: str
    columns: tuple[str, ...]
    rows: tuple[tuple[Value, ...], ...]

    def records(self) -> tuple[Mapping[str, Value], ...]:
        """Give the rows as mappings from the names of the columns."""
        return tuple(dict(zip(self.columns, row, strict=True)) for row in self.rows)

    def number(self, column: str, **where: Value) -> float:
        """Give a figure: of the one row with these values in columns.

        Raises
        ------
        KeyError
            No row has them, several have, or it is no figure: the study asks wrongly.
        """
        found = [row for row in self.records() if where.items() <= row.items()]
        if len(found) != 1 or isinstance(found[0].get(column, ""), str):
            raise KeyError(f"{self.name}: {column} where {where}: {len(found)} rows")
        return float(found[0][column])


class Theirs(Data, frozen=True, kw_only=True):
    """What a document says.

    Attributes
    ----------
    source : str
        Authors, title, where and when: as it is cited.
    facts : mapping
        Figures of its prose, with units in their names.
    """

    source: str
    table: tuple[TheirTable, ...]
    facts: dict[str, Value] = msgspec.field(default_factory=dict)

    def named(self, name: str) -> TheirTable:
        """Give a table."""
        [found] = [table for table in self.table if table.name == name]
        return found


def load(path: Path) -> Theirs:
    """Read the tables of a document.

    Raises
    ------
    InputError
        A field is unknown or lacks, or a row has another number of values than there are columns.
    """
    found = schema.load(path, Theirs, "the tables of a document")
    for table in found.table:
        for number, row in enumerate(table.rows, 1):
            if len(row) != len(table.columns):
                what = f"row {number} has {len(row)} values for {len(table.columns)} columns"
                raise InputError(f"{path}: {table.name}", what)
    return found
