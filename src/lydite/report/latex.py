# SPDX-License-Identifier: Apache-2.0
r"""The tables of a study for a paper: booktabs, to be read with \input.

Figures stand below each other by their points, units in the heads, notes below the table. A table
that is wider than the text is made to fit. Each row ends in a comment with the keys of its records.
"""

from __future__ import annotations

import re
import unicodedata
from collections.abc import Iterator, Sequence
from dataclasses import dataclass

from lydite.report import cells
from lydite.report.page import Page, Tabled, short
from lydite.report.table import Column

_SPECIAL = {
    "\\": r"\textbackslash{}",
    "{": r"\{",
    "}": r"\}",
    "$": r"\$",
    "&": r"\&",
    "#": r"\#",
    "_": r"\_",
    "%": r"\%",
    "~": r"\textasciitilde{}",
    "^": r"\textasciicircum{}",
    "<": r"\textless{}",
    ">": r"\textgreater{}",
    "|": r"\textbar{}",
    '"': r"{\char34}",
    # After the end of a row a bracket or an asterisk would be an argument.
    "[": "{[}",
    "]": "{]}",
    "*": "{*}",
    "\u00b5": r"\ensuremath{\mu}",
    "\u00d7": r"\ensuremath{\times}",
    "\u2013": "--",
    "\u2014": "---",
    "\u2026": r"\ldots{}",
}
# Two of these make one other letter, and a mark before a quote a Spanish one.
_LIGATURE = re.compile(r"([-,`'])(?=\1)|([?!])(?=`)")
# Letters of a word that may have to be broken.
_LONG = 20
# Beyond these, fonts of pdflatex may lack a letter.
_LATIN = 0x180


def escape(text: str) -> str:
    """Give a text that LaTeX prints as it stands; lines become one.

    Letters that the usual fonts lack are given by their numbers.
    """
    made = []
    for letter in " ".join(text.split()):
        if letter in _SPECIAL:
            made.append(_SPECIAL[letter])
        elif ord(letter) >= _LATIN or unicodedata.category(letter).startswith("C"):
            made.append(f"U+{ord(letter):04X}")
        else:
            made.append(letter)
    return _LIGATURE.sub(r"\g<0>{}", "".join(made))


def render(page: Page) -> str:
    """Give the file: a head of comments, then a floating table for each that is one for a paper."""
    tables = [tabled for tabled in page.tables if tabled.in_paper and tabled.table.rows]
    parts = ["".join(f"% {line}".rstrip() + "\n" for line in _head(page, tables))]
    parts += [_float(tabled) for tabled in tables]
    return "\n".join(parts)


def _head(page: Page, tables: Sequence[Tabled]) -> Iterator[str]:
    """Give the lines of the comment on top."""
    yield _one_line(f"{page.title} ({page.subtitle})")
    yield ""
    yield r"Needs: \usepackage{booktabs,graphicx}; read it with \input, and refer to"
    yield ", ".join(rf"\ref{{{_label(tabled)}}}" for tabled in tables) or "no table"
    yield ""
    yield _one_line(f"Made by: {page.origin.command}")
    for machine in page.origin.machines:
        yield _one_line(f"machine: {machine}")
    for name, version in page.origin.versions:
        yield _one_line(f"{name}: {version}")
    yield "Each row ends in the keys of its runs: `lydite show KEY --replay | sh` makes one again."


def _one_line(text: str) -> str:
    return "".join(letter if letter.isprintable() else " " for letter in text)


def _label(tabled: Tabled) -> str:
    return f"tab:{tabled.name}"


@dataclass(frozen=True, slots=True)
class _Drawn:
    """A column as LaTeX has it: its letter, the lines of its head, its cells."""

    form: str
    heads: tuple[str, ...]
    rows: tuple[str, ...]


def _float(tabled: Tabled) -> str:
    table = tabled.table
    places = table.drawn
    drawn = [_column(table.columns[place], [row[place] for row in table.rows]) for place in places]
    lines = max(len(column.heads) for column in drawn)
    out = [
        r"\begin{table}[tbp]",
        r"\centering\small\setlength{\tabcolsep}{4pt}%",
        rf"\caption{{{escape(tabled.caption or table.title)}}}\label{{{_label(tabled)}}}",
        rf"\sbox0{{\begin{{tabular}}{{@{{}}{''.join(column.form for column in drawn)}@{{}}}}",
        r"\toprule",
    ]
    for line in range(lines):
        # Heads stand on their last lines.
        above = [("",) * (lines - len(column.heads)) + column.heads for column in drawn]
        out.append(" & ".join(head[line] for head in above) + r" \\")
    out.append(r"\midrule")
    for number in range(len(table.rows)):
        keys = tabled.keys[number] if tabled.keys else {}
        every = dict.fromkeys(short(key) for found in keys.values() for key in found if key)
        told = f" % {' '.join(every)}" if every else ""
        out.append(" & ".join(column.rows[number] for column in drawn) + r" \\" + told)
    out += [
        r"\bottomrule",
        r"\end{tabular}}%",
        r"\ifdim\wd0>\linewidth\resizebox{\linewidth}{!}{\usebox0}\else\usebox0\fi",
        *_notes(table.notes),
        r"\end{table}",
    ]
    return "\n".join(out) + "\n"


def _column(column: Column, values: Sequence[object]) -> _Drawn:
    texts, unit = cells.shown(column, values)
    heads = tuple(escape(line) for line in cells.heads(column, unit))
    if not column.is_number:
        return _Drawn("l", heads, tuple(escape(text) for text in texts))
    found = [cells.parts(text) for text in texts]
    longest = max((each.fraction for each in found), key=len, default="")
    return _Drawn("r", heads, tuple(_figure(each, longest) for each in found))


def _figure(parts: cells.Parts, longest: str) -> str:
    """Give a figure with as much room behind its point as the longest of its column takes."""
    if not parts.is_figure:
        return escape(parts.whole)
    sign = re.sub(r"^-", r"\\ensuremath{-}", parts.whole)
    rest = longest[len(parts.fraction) :]
    room = rf"\phantom{{{rest}}}" if rest else ""
    unit = rf"\,{escape(parts.unit)}" if parts.unit.strip() else ""
    return f"{sign}{parts.fraction}{unit}{room}"


def _notes(notes: Sequence[str]) -> list[str]:
    if not notes:
        return []
    told = [_breakable(escape(note)) + r"\par" for note in notes]
    return [
        r"\par\smallskip",
        r"\begin{minipage}{\linewidth}\footnotesize\raggedright",
        *told,
        r"\end{minipage}",
    ]


def _breakable(text: str) -> str:
    """Let long names, which have no spaces, go on in the next line."""
    text = text.replace(r" \%", r"~\%")
    return " ".join(
        re.sub(r"(\.|\\_)(?=.)", r"\1\\allowbreak{}", word) if len(word) > _LONG else word
        for word in text.split(" ")
    )
