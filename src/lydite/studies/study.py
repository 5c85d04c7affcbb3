# SPDX-License-Identifier: Apache-2.0
"""What a study is: the tables of a document, the jobs that make them again, and both beside.

Its points have names of their own, since the keys of jobs move when code moves: tables are made of
records by these names, whether they were run now or are published.
"""

from __future__ import annotations

import contextlib
from abc import ABC, abstractmethod
from collections.abc import Callable, Collection, Generator, Iterable, Iterator, Mapping, Set
from dataclasses import dataclass, field, replace
from fnmatch import fnmatchcase
from functools import cached_property
from operator import itemgetter
from pathlib import Path
from typing import Any, ClassVar, TypeAlias

from lydite.base.errors import InputError
from lydite.report.failures import Failure, failures
from lydite.report.page import Page, Section, Tabled, origin
from lydite.report.table import Column, Table
from lydite.runs.job import Job
from lydite.runs.record import Record
from lydite.runs.store import Store
from lydite.studies import theirs
from lydite.studies.theirs import Theirs

Points: TypeAlias = Mapping[str, Job]
# Gives waves of points; is sent the records of all points so far that ended or are known.
Plan: TypeAlias = Generator[Points, Mapping[str, Record], None]
Execute: TypeAlias = Callable[[Iterable[Job]], Mapping[str, Record]]
# A column, and what gives its value of a row.
Field: TypeAlias = tuple[Column, Callable[[Any], Any]]
Fields: TypeAlias = tuple[Field, ...]

_END = object()
_NAMES = (
    "names of points are in the published results, and at the head of the study's source; what is "
    "planned from points that never ran is asked for together with these"
)


@dataclass(frozen=True, slots=True, kw_only=True)
class Asked:
    """How a study is run.

    Attributes
    ----------
    quick : bool
        A part of it that takes minutes.
    only : tuple of str
        Patterns (`*`, `?`, `[ab]`) of names of points, of which one has to match; none: all. What
        these are planned from is not run for them, but taken from what is known.
    timeout_s : float
        Seconds after which a run of a tool is given up.
    """

    store: Store
    quick: bool = False
    only: tuple[str, ...] = ()
    timeout_s: float = 1800.0

    def wants(self, name: str) -> bool:
        """Say whether a point is to be run."""
        return not self.only or any(fnmatchcase(name, pattern) for pattern in self.only)

    def needs(self, points: Points, known: Collection[str]) -> frozenset[str]:
        """Give the points of a wave whose files those that are wanted may be planned from.

        Such a point is named by what it is of (`compile des`), which is a word of the names of what
        comes of it (`map des/hls`).

        Parameters
        ----------
        known : collection of str
            Names of points that there are. Of a pattern that none of them matches, and that has no
            such word itself, it is not known what it needs: all, unless none begins as it does.
        """
        makers = {name: name.split()[-1] for name, job in points.items() if job.planned_from}
        needed: set[str] = set()
        for pattern in self.only:
            names = [name for name in known if fnmatchcase(name, pattern)]
            words = {word for name in (pattern, *names) for word in name.replace("/", " ").split()}
            named = {name for name, subject in makers.items() if subject in words}
            kind = pattern.partition(" ")[0]
            is_told = names or named or (known and not _begins(known, kind))
            needed |= named if is_told else makers.keys()
        return frozenset(needed)


def _begins(names: Iterable[str], pattern: str) -> bool:
    return any(fnmatchcase(name.partition(" ")[0], pattern) for name in names)


@dataclass(frozen=True, slots=True)
class Found:
    """Records of points by their names.

    Attributes
    ----------
    records : mapping
        Of points that ended, failed ones too.
    failures : tuple of Failure
        Of points, and of what they need.
    timed : frozenset of str
        Points that measure the time of software on this machine.
    """

    records: Mapping[str, Record]
    failures: tuple[Failure, ...] = ()
    timed: frozenset[str] = frozenset()
    exit_code: int = 0
    _reading: list[dict[str, None]] = field(
        default_factory=list, init=False, repr=False, compare=False
    )

    def get(self, name: str) -> Record | None:
        """Give a record that is `ok`."""
        record = self.records.get(name)
        if record is None or record.status != "ok":
            return None
        for keys in self._reading:
            keys[record.key] = None
        return record

    def result(self, name: str) -> dict[str, Any] | None:
        """Give what was found at a point."""
        record = self.get(name)
        return record.result if record else None

    @contextlib.contextmanager
    def reading(self) -> Iterator[dict[str, None]]:
        """Collect the keys of the records that are read meanwhile."""
        keys: dict[str, None] = {}
        self._reading.append(keys)
        try:
            yield keys
        finally:
            self._reading.pop()

    def table(
        self,
        name: str,
        title: str,
        fields: Iterable[Field],
        items: Iterable[Any],
        notes: Iterable[str] = (),
    ) -> Tabled:
        """Make a table of items: each column with what gives its value of an item.

        A value leads to the records that are read for it: by what gives it, and if it is a figure
        those that are read while its item is made, where items come one by one.
        """
        fields, rows, sources = tuple(fields), [], []
        left = iter(items)
        while True:
            with self.reading() as made:
                item = next(left, _END)
            if item is _END:
                break
            row, keys = [], {}
            for column, get in fields:
                with self.reading() as read:
                    row.append(get(item))
                if column.is_number:
                    read = made | read
                if read and row[-1] is not None:
                    keys[column.name] = tuple(read)
            rows.append(tuple(row))
            sources.append(keys)
        columns = tuple(column for column, _ in fields)
        return Tabled(name, Table(title, columns, tuple(rows), tuple(notes)), tuple(sources))


@dataclass(slots=True)
class _Run:
    """Records and jobs so far."""

    records: dict[str, Record] = field(default_factory=dict)
    everything: dict[str, Record] = field(default_factory=dict)
    timed: set[str] = field(default_factory=set)

    def take(self, points: Points, records: Mapping[str, Record]) -> None:
        self.everything |= records
        self.timed |= {name for name, job in points.items() if job.alone}
        for name, job in points.items():
            assert name not in self.records, f"two points are named {name}"
            if job.key in records:
                self.records[name] = records[job.key]


class Study(ABC):
    """A study. Subclasses have a name, a title, and a file of tables beside them.

    Attributes
    ----------
    document : str
        That file without `.toml`, where several studies are of one document; else it is named as
        the study.
    """

    name: ClassVar[str]
    title: ClassVar[str]
    document: ClassVar[str] = ""

    @property
    def folder(self) -> Path:
        """Where its tables are, and `published/` with its results."""
        return Path(__file__).parent

    @cached_property
    def theirs(self) -> Theirs:
        """The document's tables."""
        return theirs.load(self.folder / f"{self.document or self.name}.toml")

    @property
    def published(self) -> Path:
        """The file of its published results."""
        return self.folder / "published" / f"{self.name}.json"

    @abstractmethod
    def plan(self, asked: Asked) -> Plan:
        """Plan it: a generator of waves, that is sent the records of all points so far, as `run`
        has them.

        Planning runs nothing. A wave that needs what a failed point would have told is left out.
        """

    @abstractmethod
    def sections(self, found: Found) -> tuple[Section, ...]:
        """Give the tables, theirs beside ours; a point that there is no record of is None there.

        They are made of records and of the document alone: nothing of the machine that draws them
        is in them.
        """

    def page(self, found: Found, command: Iterable[str]) -> Page:
        """Give the page."""
        return Page(
            title=self.title,
            subtitle=f"Theirs: {self.theirs.source}",
            sections=self.sections(found),
            origin=origin(command, found.records.values()),
        )


def run(study: Study, asked: Asked, execute: Execute, known: Found | None = None) -> Found:
    """Run a study, wave by wave.

    Parameters
    ----------
    execute : callable
        Runs jobs, and gives the records of them and of all that they need by their keys.
    known : Found, optional
        What is published: it stands for points that are not asked for, where others are planned
        from what was found there. Points whose files are needed are run.

    Raises
    ------
    InputError
        Only some points are asked for, and there are none of them.
    """
    known = known or Found({})
    done = _Run()
    told: dict[str, Record] = {}
    is_there = False
    plan = study.plan(asked)
    try:
        points = next(plan)
        while True:
            needed = asked.needs(points, known.records)
            wanted = {name for name in points if asked.wants(name)}
            now = {name: job for name, job in points.items() if name in wanted | needed}
            is_there = is_there or bool(wanted)
            if now:
                done.take(now, execute(now.values()))
            for name, job in points.items():
                record = known.get(name)
                if name not in now and record is not None and not job.planned_from:
                    told[name] = record
            points = plan.send(told | done.records)
    except StopIteration:
        pass
    if asked.only and not is_there:
        raise InputError("--only", f"no point matches: {', '.join(asked.only)}", _NAMES)
    everything = done.everything
    return Found(
        records=done.records,
        failures=failures(everything),
        timed=frozenset(done.timed),
        exit_code=max((record.exit_code for record in everything.values()), default=0),
    )


def again(study: Study, found: Found, known: Found) -> tuple[Section, ...]:
    """Give the rows of tables that have a figure of a point that was run; what else is in them is
    what is known.
    """
    both = Found({**known.records, **found.records}, timed=known.timed | found.timed)
    ran = {record.key for record in found.records.values()}
    return tuple(
        Section(one.title, tuple(_cut(part, ran) for part in one.parts if isinstance(part, Tabled)))
        for one in study.sections(both)
    )


def _cut(part: Tabled, ran: Set[str]) -> Tabled:
    """Give the rows of a table that some keys are behind."""
    kept = [
        (row, sources)
        for row, sources in zip(part.table.rows, part.keys, strict=False)
        if any(not ran.isdisjoint(keys) for keys in sources.values())
    ]
    rows, keys = zip(*kept, strict=True) if kept else ((), ())
    return replace(part, table=replace(part.table, rows=rows), keys=keys)


def tables(sections: Iterable[Section]) -> tuple[Tabled, ...]:
    """Give all tables of a study."""
    return tuple(part for one in sections for part in one.parts if isinstance(part, Tabled))


def of_rows(columns: Iterable[Column]) -> Fields:
    """Give the fields of rows that have a value for each column."""
    return tuple((column, itemgetter(place)) for place, column in enumerate(columns))


def beside(
    name: str,
    head: str,
    show: Callable[[Any], str],
    of_theirs: Callable[[Any], float | None],
    of_ours: Callable[[Any], float | None],
    *,
    smaller: bool = False,
) -> Fields:
    """Give three columns: theirs, ours, and the ratio: by how many times ours is better.

    Parameters
    ----------
    name, head
        Of the figure; `theirs`, `ours`, `ratio` are put behind and below.
    smaller : bool
        Whether the smaller figure is the better one, as of times.
    """

    def ratio(row: Any) -> float | None:
        their, our = of_theirs(row), of_ours(row)
        if not their or not our:
            return None
        return their / our if smaller else our / their

    def column(which: str, form: Callable[[Any], str]) -> Column:
        return Column(f"{name}_{which}", f"{head}\n{which}", form, is_number=True)

    return (
        (column("theirs", show), of_theirs),
        (column("ours", show), of_ours),
        (column("ratio", lambda value: f"{value:.3g} x"), ratio),
    )
