# SPDX-License-Identifier: Apache-2.0
"""Tables for a paper: what LaTeX would stumble over is escaped, and all rows have all columns."""

from __future__ import annotations

import re

import pytest
import studies
from hypothesis import given
from hypothesis import strategies as st
from studies import HOSTILE

from lydite.report import latex
from lydite.report.page import Page, Section, Tabled, origin
from lydite.report.table import Column, Table, figure


def file_of(*tables: Table, **values: object) -> str:
    parts = tuple(
        Tabled(f"t-{number}", table, **values)  # type: ignore[arg-type]
        for number, table in enumerate(tables)
    )
    return latex.render(Page("T", "s", (Section("S", parts),), origin(("lydite", "x"), ())))


def bare(text: str) -> str:
    """Give LaTeX without comments and without what is escaped."""
    return re.sub(r"(?<!\\)%.*", "", re.sub(r"\\\\|\\[{}$&#_%]", "", text))


def check(text: str) -> None:
    """Check that groups and environments are closed, and rows have as many cells as columns."""
    text = re.sub(r"(?<!\\)%.*", "", text)
    assert all(ord(letter) < 0x180 for letter in text)
    plain, depth = bare(text), 0
    for letter in plain:
        depth += {"{": 1, "}": -1}.get(letter, 0)
        assert depth >= 0
    assert depth == 0
    opened: list[str] = []
    for what, name in re.findall(r"\\(begin|end)\{(\w+)\}", text):
        if what == "begin":
            opened.append(name)
        else:
            assert opened.pop() == name
    assert opened == []
    assert not re.search(r"[$#~^]|_(?!\w*\})", re.sub(r"\\\w+", "", plain))
    for form, body in re.findall(
        r"\\begin\{tabular\}\{@\{\}([lr]+)@\{\}\}\n(.*?)\\bottomrule", text, re.S
    ):
        rows = [line for line in body.splitlines() if r" \\" in line]
        assert rows
        for row in rows:
            assert len(re.findall(r"(?<!\\)&", row)) == len(form) - 1, row


@pytest.mark.parametrize(
    ("text", "escaped"),
    [
        ("100 % & more_or_less #1", r"100 \% \& more\_or\_less \#1"),
        ("a\\b{c}$d$~^", r"a\textbackslash{}b\{c\}\$d\$\textasciitilde{}\textasciicircum{}"),
        ("<script>|", r"\textless{}script\textgreater{}\textbar{}"),
        ("[1] *", "{[}1{]} {*}"),
        ("gcc --param -O3", r"gcc -{}-param -O3"),
        ("---", "-{}-{}-"),
        ("?`", "?{}`"),
        ("''a''", "'{}'a'{}'"),
        ("two\nlines\tand", "two lines and"),
        ("\u00b5s, \u00e9, \u4e2d", r"\ensuremath{\mu}s, " + "\u00e9, U+4E2D"),
        ("a\x00b", "aU+0000b"),
        ("", ""),
    ],
)
def test_a_text_is_printed_as_it_stands(text: str, escaped: str) -> None:
    assert latex.escape(text) == escaped


@given(st.text())
def test_no_text_breaks_a_table(text: str) -> None:
    column = Column("a", text, is_number=True)
    table = Table(text, (Column("w", text or "w"), column), ((text, text), (text, None)), (text,))
    check(file_of(table))


def test_a_study_with_hostile_names_is_whole() -> None:
    found = latex.render(studies.study(HOSTILE))
    check(found)
    assert found.count(r"\begin{table}") == 1, "the folded table is none for a paper"
    # No name ends a comment.
    head = found.partition("\n\n")[0]
    assert all(line.startswith("%") for line in head.splitlines())
    check(latex.render(studies.study("%\n\\end{table}\r[*]")))


def test_the_head_says_what_it_needs_and_what_made_it() -> None:
    found = studies.bench_table()
    where = origin(("lydite", "bench", "sha3-256", "--seeds=3"), studies.records(found).values())
    table = Table("A", (Column("a", "a"),), (("1",),))
    made = latex.render(Page("T", "s", (Section("", (Tabled("a", table),)),), where))
    head = made.partition("\n\n")[0].splitlines()
    assert r"% Needs: \usepackage{booktabs,graphicx}; read it with \input, and refer to" in head
    assert r"% \ref{tab:a}" in head
    assert "% Made by: lydite bench sha3-256 --seeds=3" in head
    assert {"% machine: AMD EPYC, 2 processors", "% lydite: 0.1.0"} <= set(head)
    assert "% yosys: 0.70 (wheel pyosys)" in head


def test_figures_stand_below_each_other() -> None:
    table = Table(
        "A",
        (
            Column("d", "design"),
            figure("x", "rate\nMB/s"),
            figure("p", "spread", "{} %"),
            Column("w", "wins", is_number=True, absent="never"),
            Column("hidden", ""),
        ),
        (("a", 1.25, 3, None, 1), ("b", -30, 12, 7, 1), ("c", "3.5 M", 1, 8, 1)),
        ("a note of 5 %",),
    )
    lines = file_of(table).splitlines()
    start = lines.index(r"\toprule")
    assert lines[start - 1 : start + 8] == [
        r"\sbox0{\begin{tabular}{@{}lrrr@{}}",
        r"\toprule",
        r" & rate &  &  \\",
        r"design & MB/s & spread, \% & wins \\",
        r"\midrule",
        r"a & 1.25 & 3 & never \\",
        r"b & \ensuremath{-}30\phantom{.25} & 12 & 7 \\",
        r"c & 3.5\,M\phantom{5} & 1 & 8 \\",
        r"\bottomrule",
    ]
    assert r"a note of 5~\%\par" in lines


def test_rows_end_in_the_keys_of_their_runs() -> None:
    one, two = studies.key("1"), studies.key("2")
    table = Table("A", (Column("d", "d"), figure("x", "x")), (("a", 1), ("b", 2)))
    made = file_of(table, keys=({"x": (one, two), "d": (one,)}, {}))
    assert rf"a & 1 \\ % {one[:12]} {two[:12]}" in made
    assert "b & 2 \\\\\n" in made


def test_a_wide_table_is_made_to_fit_and_a_narrow_one_left() -> None:
    made = file_of(Table("A", (Column("d", "d"),), (("a",),)))
    fits = r"\ifdim\wd0>\linewidth\resizebox{\linewidth}{!}{\usebox0}\else\usebox0\fi"
    assert fits in made.splitlines()
    assert r"\caption{A}\label{tab:t-0}" in made


def test_a_long_name_in_a_note_can_be_broken() -> None:
    table = Table(
        "A", (Column("d", "d"),), (("a",),), ("from u_core.g_parallel.u_sponge.q to b_c.d",)
    )
    assert (
        r"from u\_\allowbreak{}core.\allowbreak{}g\_\allowbreak{}parallel.\allowbreak{}"
        r"u\_\allowbreak{}sponge.\allowbreak{}q to b\_c.d\par"
    ) in file_of(table)


def test_tables_without_rows_or_for_looking_up_are_left_out() -> None:
    empty = Table("A", (Column("d", "d"),), ())
    assert r"\begin{table}" not in file_of(empty) and "no table" in file_of(empty)
    full = Table("A", (Column("d", "d"),), (("a",),))
    assert r"\begin{table}" not in file_of(full, in_paper=False)
