# SPDX-License-Identifier: Apache-2.0
"""What a study has to say, before it is drawn: sections of prose, facts, tables and figures.

`html` makes a page of it, `latex` tables for a paper. Nothing here knows what was studied: a study
builds a Page, and every page has the same parts in the same places. Values are plain and frozen, so
that the same study gives the same page.
"""

from __future__ import annotations

import re
import shlex
from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from typing import TypeAlias

from lydite.report.table import Table
from lydite.runs.record import Record

# Digits of a key that people read and `lydite show` takes.
SHORT = 12


@dataclass(frozen=True, slots=True)
class Prose:
    """A paragraph."""

    text: str


@dataclass(frozen=True, slots=True)
class Fact:
    """One figure that stands out: what it is, the figure, its unit, a remark below."""

    name: str
    value: str
    unit: str = ""
    note: str = ""


@dataclass(frozen=True, slots=True)
class Facts:
    """Figures to be seen first."""

    facts: tuple[Fact, ...]


@dataclass(frozen=True, slots=True)
class Tabled:
    """A table of a page.

    Attributes
    ----------
    name : str
        Short, of letters, digits and hyphens, and its own on the page: links and labels are made
        from it.
    keys : tuple of mapping
        For each row the name of a column to the keys of the records that its figure comes from;
        empty if no figure comes from a record.
    is_folded : bool
        Whether a reader must unfold it; a table for looking things up.
    in_paper : bool
        Whether it is one for a paper, too.
    caption : str
        What stands with it in a paper, where no title of a page does; if empty, the table's title.
    """

    name: str
    table: Table
    keys: tuple[Mapping[str, tuple[str, ...]], ...] = ()
    is_folded: bool = False
    in_paper: bool = True
    caption: str = ""

    def __post_init__(self) -> None:
        rows = len(self.table.rows)
        assert slug(self.name) == self.name, f"no name for a link: {self.name!r}"
        assert len(self.keys) in (0, rows), f"{len(self.keys)} keys for {rows} rows"


@dataclass(frozen=True, slots=True)
class Axis:
    """What an axis measures, its unit, and whether equal steps are equal ratios."""

    label: str
    unit: str = ""
    is_log: bool = False

    @property
    def title(self) -> str:
        """What stands beside the axis."""
        return f"{self.label}, {self.unit}" if self.unit else self.label


@dataclass(frozen=True, slots=True)
class Ratio:
    """Lines of equal `scale` x y / x, in a unit of their own."""

    unit: str
    scale: float = 1.0


@dataclass(frozen=True, slots=True)
class Point:
    """A point of a scatter plot, of a series, with the key of the record behind it."""

    label: str
    x: float
    y: float
    series: str = ""
    key: str = ""


@dataclass(frozen=True, slots=True)
class Scatter:
    """Two figures of each thing; `about` says in a sentence what is to be seen.

    Points of the series `faint` are small and pale. Through `steps`, points by rising x, goes a
    line that bounds what they dominate.
    """

    title: str
    about: str
    x: Axis
    y: Axis
    points: tuple[Point, ...]
    ratio: Ratio | None = None
    faint: tuple[str, ...] = ()
    steps: tuple[tuple[float, float], ...] = ()


@dataclass(frozen=True, slots=True)
class Strip:
    """All samples of one figure, each with the key of its record or none with one."""

    label: str
    values: tuple[float, ...]
    keys: tuple[str, ...] = ()
    series: str = ""


@dataclass(frozen=True, slots=True)
class Strips:
    """Samples of several things beside each other, each with its median."""

    title: str
    about: str
    axis: Axis
    strips: tuple[Strip, ...]


@dataclass(frozen=True, slots=True)
class Bar:
    """A figure, and how low and high its samples reach."""

    label: str
    value: float
    low: float | None = None
    high: float | None = None
    series: str = ""
    key: str = ""


@dataclass(frozen=True, slots=True)
class Bars:
    """One figure of each thing, from 0; bars of one label stand on each other, as its parts."""

    title: str
    about: str
    axis: Axis
    bars: tuple[Bar, ...]


@dataclass(frozen=True, slots=True)
class Line:
    """Figures over sizes, in rising order of x."""

    label: str
    points: tuple[tuple[float, float], ...]
    series: str = ""
    key: str = ""


@dataclass(frozen=True, slots=True)
class Lines:
    """How figures of several things change with a size."""

    title: str
    about: str
    x: Axis
    y: Axis
    lines: tuple[Line, ...]


@dataclass(frozen=True, slots=True)
class Slope:
    """A thing's rank in each of two orders, 1 the best."""

    label: str
    before: int
    after: int
    series: str = ""
    key: str = ""


@dataclass(frozen=True, slots=True)
class Slopes:
    """How the order of things changes from one side to the other; `heads` name the sides."""

    title: str
    about: str
    heads: tuple[str, str]
    slopes: tuple[Slope, ...]


Figure: TypeAlias = Scatter | Strips | Bars | Lines | Slopes
Part: TypeAlias = Prose | Facts | Tabled | Scatter | Strips | Bars | Lines | Slopes


@dataclass(frozen=True, slots=True)
class Section:
    """A titled part of a page."""

    title: str
    parts: tuple[Part, ...]


@dataclass(frozen=True, slots=True)
class Run:
    """A record that figures come from.

    Attributes
    ----------
    key, kind, label : str
        As in the record.
    status : str
        `ok`, `failed` or `damaged`.
    """

    key: str
    kind: str
    label: str
    status: str = "ok"

    @property
    def command(self) -> str:
        """What makes it again and compares."""
        return f"lydite show {short(self.key)} --replay | sh"


@dataclass(frozen=True, slots=True)
class Origin:
    """What a page was made with.

    Attributes
    ----------
    command : str
        What makes all of it again.
    machines : tuple of str
        Where the runs ran.
    versions : tuple of (str, str)
        Tools and their versions, ours first.
    runs : tuple of Run
        All records that figures come from, sorted by kind and label.
    """

    command: str
    machines: tuple[str, ...]
    versions: tuple[tuple[str, str], ...]
    runs: tuple[Run, ...]


@dataclass(frozen=True, slots=True)
class Page:
    """A study: title, what it is of, first figures, sections, and where all of it comes from."""

    title: str
    subtitle: str
    sections: tuple[Section, ...]
    origin: Origin

    @property
    def tables(self) -> tuple[Tabled, ...]:
        """All tables, in their order."""
        parts = (part for section in self.sections for part in section.parts)
        return tuple(part for part in parts if isinstance(part, Tabled))

    @property
    def figures(self) -> tuple[Figure, ...]:
        """All figures, in their order."""
        parts = (part for section in self.sections for part in section.parts)
        return tuple(part for part in parts if isinstance(part, Figure))


def short(key: str) -> str:
    """Give as much of a key as people read."""
    return key[:SHORT]


def slug(*words: str) -> str:
    """Give a name for `Tabled` out of any words: letters, digits and hyphens."""
    return re.sub(r"[^a-z0-9]+", "-", " ".join(words).lower()).strip("-") or "table"


def origin(command: Iterable[str], records: Iterable[Record]) -> Origin:
    """Tell where a page's figures come from.

    Parameters
    ----------
    command : iterable of str
        Words of the command that makes the page's figures.
    records : iterable of Record
        All that its figures come from.
    """
    records = sorted(records, key=lambda record: (record.kind, record.label, record.key))
    tools = {
        (str(tool["name"]), f"{tool['version']} ({tool['origin']})")
        for record in records
        for tool in record.inputs.get("tools", ())
    }
    ours = {("lydite", record.lydite) for record in records if record.lydite}
    return Origin(
        command=shlex.join(command),
        machines=tuple(sorted({record.machine for record in records if record.machine})),
        versions=(*sorted(ours), *sorted(tools)),
        runs=tuple(Run(record.key, record.kind, record.label, record.status) for record in records),
    )
