# SPDX-License-Identifier: Apache-2.0
"""What pages and papers do with the cells of a table beside showing them: align and sort."""

from __future__ import annotations

import math
import re
from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from typing import Any

from lydite.report.table import Column

_FIGURE = re.compile(r"([-+]?\d+)(\.\d+)?( ?[^\d.].*)?", re.DOTALL)

_NO_UNITS = frozenset({"x", "G", "M", "k", "m", "u", "n"})


@dataclass(frozen=True, slots=True)
class Parts:
    """A figure in its parts, which stand below each other in a column; `1.07 M` is 1, .07 and M.

    What is no figure (`never`, `inf`, `-`) is all `whole`.
    """

    whole: str
    fraction: str = ""
    unit: str = ""
    is_figure: bool = True

    @property
    def after(self) -> str:
        """All that stands right of where figures are aligned."""
        return self.fraction + self.unit


def parts(text: str) -> Parts:
    """Take a figure apart."""
    found = _FIGURE.fullmatch(text)
    if found is None:
        return Parts(text, is_figure=False)
    return Parts(found[1], found[2] or "", found[3] or "")


def shared_unit(texts: Iterable[str]) -> str:
    """Give the unit that all figures of a column have, to stand in its head; empty if none is.

    A prefix alone (`1.07 M`) and `x` for "times" are no units: they stay with their figures.
    """
    units = {found.unit for text in texts if (found := parts(text)).is_figure}
    unit = units.pop() if len(units) == 1 else ""
    return "" if unit.strip() in _NO_UNITS else unit


def without_unit(text: str, unit: str) -> str:
    """Give a figure without the unit that stands in the head of its column."""
    return text.removesuffix(unit) if unit and parts(text).is_figure else text


def shown(column: Column, values: Sequence[Any]) -> tuple[list[str], str]:
    """Give the cells of a column as people read them, and the unit that goes to its head."""
    texts = [column.text(value) for value in values]
    if not column.is_number:
        return texts, ""
    unit = shared_unit(text for text, value in zip(texts, values, strict=True) if value is not None)
    cut = [
        text if value is None else without_unit(text, unit)
        for text, value in zip(texts, values, strict=True)
    ]
    return cut, unit.strip()


def heads(column: Column, unit: str = "") -> tuple[str, ...]:
    """Give the lines above a column, with the unit of its figures if that is not there."""
    lines = tuple(line for line in column.head.split("\n") if line)
    return (*lines[:-1], f"{lines[-1]}, {unit}") if unit and lines else lines


def sort_key(value: Any) -> str:
    """Give what a cell is sorted by: a number that JavaScript reads, or a text in one case.

    Nothing, which always comes last, is empty.
    """
    if value is None or (isinstance(value, float) and math.isnan(value)):
        return ""
    if isinstance(value, bool):
        return f"{int(value)}"
    if isinstance(value, int | float):
        text = repr(value)
        return text.replace("inf", "Infinity")
    return str(value).casefold()
