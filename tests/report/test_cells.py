# SPDX-License-Identifier: Apache-2.0
"""Cells of tables: where figures are aligned, which unit goes to the head, what sorts them."""

from __future__ import annotations

import math

import pytest
from hypothesis import given
from hypothesis import strategies as st

from lydite.report import cells
from lydite.report.cells import Parts
from lydite.report.table import Column, figure


@pytest.mark.parametrize(
    ("text", "found"),
    [
        ("24", Parts("24")),
        ("131.3", Parts("131", ".3")),
        ("-0.50", Parts("-0", ".50")),
        ("1.07 M", Parts("1", ".07", " M")),
        ("23 %", Parts("23", "", " %")),
        ("never", Parts("never", is_figure=False)),
        ("inf", Parts("inf", is_figure=False)),
        ("-", Parts("-", is_figure=False)),
        ("", Parts("", is_figure=False)),
        ("1.2.3", Parts("1.2.3", is_figure=False)),
        ("LFE5U-85F", Parts("LFE5U-85F", is_figure=False)),
    ],
)
def test_a_figure_has_parts(text: str, found: Parts) -> None:
    assert cells.parts(text) == found


@given(st.text())
def test_no_letter_is_lost(text: str) -> None:
    found = cells.parts(text)
    assert found.whole + found.after == text


@pytest.mark.parametrize(
    ("texts", "unit"),
    [
        (["23 %", "1 %"], " %"),
        (["23 %", "never"], " %"),
        (["538 k", "1.07 M"], ""),
        (["3.88 M", "7.76 M"], ""),  # a prefix is no unit
        (["0.5 x", "1 x"], ""),
        (["never"], ""),
        ([], ""),
    ],
)
def test_a_unit_that_all_share_goes_to_the_head(texts: list[str], unit: str) -> None:
    assert cells.shared_unit(texts) == unit


def test_cells_and_heads_say_the_unit_once() -> None:
    column = Column("spread", "\nspread", lambda value: f"{value} %", is_number=True)
    texts, unit = cells.shown(column, [3, None, 12])
    assert (texts, unit) == (["3", "-", "12"], "%")
    assert cells.heads(column, unit) == ("spread, %",)
    assert cells.heads(figure("mhz", "MHz\nmedian")) == ("MHz", "median")


def test_a_text_keeps_what_looks_like_a_unit() -> None:
    assert cells.shown(Column("what", "what"), ["3 %"]) == (["3 %"], "")


@pytest.mark.parametrize(
    ("value", "key"),
    [
        (None, ""),
        (math.nan, ""),
        (3, "3"),
        (-1.5, "-1.5"),
        (1e300, "1e+300"),
        (math.inf, "Infinity"),
        (-math.inf, "-Infinity"),
        (True, "1"),
        ("Rtl", "rtl"),
    ],
)
def test_sort_keys_are_what_javascript_reads(value: object, key: str) -> None:
    assert cells.sort_key(value) == key
