# SPDX-License-Identifier: Apache-2.0
"""Tables that fit any terminal: every figure whole, nothing left out without a word."""

from __future__ import annotations

import csv
import io
import re

import pytest
from hypothesis import given
from hypothesis import strategies as st
from rich.console import Console

from lydite.report.draw import Fitted
from lydite.report.table import Column, Table, figure, of, plain


def drawn(table: Table, width: int) -> str:
    text = io.StringIO()
    Console(width=width, file=text).print(Fitted(table))
    return text.getvalue()


def words(text: str) -> list[str]:
    return text.split()


def test_a_wide_terminal_has_one_table() -> None:
    table = plain("Title", ["design", ">MHz"], [["rtl", "131.3"], ["hls", "121.6"]])
    assert [line.rstrip() for line in drawn(table, 40).splitlines() if line.strip()] == [
        "Title",
        " design     MHz",
        " " + 14 * "\u2500",
        " rtl      131.3",
        " hls      121.6",
    ]


@given(
    columns=st.integers(1, 12),
    rows=st.lists(st.integers(0, 10**9), min_size=1, max_size=3),
    width=st.integers(18, 130),
)
def test_no_figure_is_ever_cut(columns: int, rows: list[int], width: int) -> None:
    figures = [[f"{seed % 10 ** (1 + n % 9)}.5" for n in range(columns)] for seed in rows]
    heads = [f">c{n}" for n in range(columns)]
    table = plain("", ["d", *heads], [[f"r{i}", *line] for i, line in enumerate(figures)])
    text = drawn(table, width)
    assert all(len(line) <= width for line in text.splitlines())
    shown = words(text)
    for line in figures:
        for value in line:
            assert value in shown
    # Each piece of a stack says what its rows are about.
    assert shown.count("r0") == shown.count("d") >= 1


def test_figures_with_units_and_what_stands_above_them_are_whole() -> None:
    columns = tuple(
        Column(f"t{n}", f"time of {n}\nall threads", lambda value: f"{value} ms", is_number=True)
        for n in range(12)
    )
    rows = ((*[123456] * 12,), (*[1] * 12,))
    text = drawn(Table("", columns, rows), 60)
    # The first column stands in each piece.
    pieces = text.count("time of 0")
    assert text.count("123456 ms") == text.count("all threads") == 11 + pieces


def test_a_stack_repeats_the_first_column_and_has_the_title_once() -> None:
    names = [f">head{n}" for n in range(6)]
    table = plain("Title", ["design", *names], [["sha3", *(f"{n}.123456" for n in range(6))]])
    text = drawn(table, 40)
    assert (text.count("Title"), text.count("design"), text.count("sha3")) == (1, 3, 3)
    assert re.findall(r"head\d", text) == [name[1:] for name in names]


def test_columns_of_rank_are_left_out_first_and_named() -> None:
    table = Table(
        "",
        (
            Column("key", "key"),
            Column("wall_s", "wall_s", is_number=True, rank=1),
            Column("started_utc", "started_utc", rank=2),
            figure("mhz", "MHz", "{:.1f}"),
        ),
        (("abcdef", 12.0, "2026-11-22 at noon", 131.25),),
    )
    assert "no room" not in drawn(table, 60)
    # A text is folded before it is left out.
    folded = drawn(table, 44)
    assert "no room" not in folded and "2026-11-22 at noon" not in folded
    assert {"2026-11-22", "noon"} <= set(words(folded))
    narrow = " ".join(words(drawn(table, 30)))
    assert "131.2" in narrow and "12.0" in narrow and "2026" not in narrow
    assert "no room for: started_utc; --csv and --json have all" in narrow
    least = " ".join(words(drawn(table, 18)))
    assert "131.2" in least and "no room for: wall_s, started_utc" in least


def test_columns_without_a_head_are_in_csv_alone() -> None:
    fields = (
        (Column("name", "name"), lambda item: item[0]),
        (Column("key", ""), lambda item: item[1]),
        (Column("from", "from", is_number=True, absent="never"), lambda item: item[2]),
    )
    table = of("", fields, [("a", "k,1", None), ("b", "k2", 7)])
    assert "k2" not in drawn(table, 80) and "never" in drawn(table, 80)
    rows = list(csv.DictReader(io.StringIO(table.csv())))
    assert rows == [
        {"name": "a", "key": "k,1", "from": ""},
        {"name": "b", "key": "k2", "from": "7"},
    ]
    assert table.as_dicts()[1] == {"name": "b", "key": "k2", "from": 7}


def test_columns_that_some_lack_are_drawn_where_a_row_has_a_value() -> None:
    columns = (Column("a", "a"), Column("b", "of b", is_number=True, optional=True))
    assert "of b" not in drawn(Table("t", columns, (("x", None), ("y", None))), 80)
    assert "of b" in drawn(Table("t", columns, (("x", None), ("y", 0))), 80)
    assert Table("t", columns, (("x", None),)).csv() == "a,b\nx,\n"


def test_brackets_in_a_cell_are_no_markup() -> None:
    lines = drawn(plain("", ["what", ">n"], [["[red]a[0]", "1"], ["b", "100"]]), 60).splitlines()
    assert [line.rstrip() for line in lines][-3:-1] == [" [red]a[0]     1", " b           100"]


@pytest.mark.parametrize("width", [20, 60])
def test_notes_are_folded_under_their_margin(width: int) -> None:
    table = Table("", (Column("a", "a"),), (("1",),), ("one two three four five six",))
    lines = [line.rstrip() for line in drawn(table, width).splitlines() if "1" not in line]
    noted = [line for line in lines if re.search("one|four|six", line)]
    assert noted and all(line.startswith("  ") and line[2] != " " for line in noted)
