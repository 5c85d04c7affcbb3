# SPDX-License-Identifier: Apache-2.0
"""Published results of a study: one file of records by the names of points, and what differs.

Looked up by names and not by keys, since keys move when code moves. Commands, lists of artefacts
and the shared libraries of a system stay in the store that the file was made of.
"""

from __future__ import annotations

import contextlib
import fcntl
import os
from collections.abc import Iterator
from pathlib import Path

import msgspec

import lydite
from lydite.base.errors import InputError
from lydite.base.files import cannot_write, read_text, write_atomic
from lydite.report.table import Column, Table
from lydite.runs.differences import PLACES, TIMES, differences
from lydite.runs.record import Record
from lydite.studies.study import Found, Study

# Version of the form of these files; raised when older programs would misread one.
VERSION = 1
# Fields of results that name places of one machine.
_PLACES = frozenset({"libraries"})


class Published(msgspec.Struct, frozen=True, kw_only=True, forbid_unknown_fields=True):
    """The file.

    Attributes
    ----------
    points : mapping
        Name of a point to its record, in the order in which the study runs them.
    timed : tuple of str
        Those that measure the time of software.
    lydite : str
        Version that wrote it.
    """

    version: int
    study: str
    lydite: str
    timed: tuple[str, ...]
    points: dict[str, Record]


class _Head(msgspec.Struct, frozen=True, kw_only=True):
    version: int


def write(path: Path, study: Study, found: Found, *, only: bool = False) -> None:
    """Write the file of a study of which nothing failed.

    Parameters
    ----------
    only : bool
        Whether points that were not found now stay as the file has them. Runs of one study may
        publish into one file at once.

    Raises
    ------
    InputError
        A point failed, the file is none of these, or it cannot be written.
    """
    if found.failures:
        what = f"{len(found.failures)} runs failed, the first: {found.failures[0].label}"
        raise InputError("--publish", what, "only what ran whole is published")
    with _alone(path):
        before = read(path, study) if only and path.exists() else Found({})
        points = dict(before.records)
        timed = found.timed | before.timed
        for name, record in found.records.items():
            result = {key: value for key, value in record.result.items() if key not in _PLACES}
            points[name] = msgspec.structs.replace(record, result=result, commands=(), files={})
        made = Published(
            version=VERSION,
            study=study.name,
            lydite=lydite.__version__,
            timed=tuple(name for name in points if name in timed),
            points=points,
        )
        write_atomic(path, msgspec.json.format(msgspec.json.encode(made), indent=1) + b"\n")


@contextlib.contextmanager
def _alone(path: Path) -> Iterator[None]:
    """Keep other runs from the folder of a file that is read and written again."""
    try:
        path.parent.mkdir(parents=True, exist_ok=True)
        folder = os.open(path.parent, os.O_RDONLY)
    except OSError as error:
        raise cannot_write(path, error) from error
    try:
        fcntl.flock(folder, fcntl.LOCK_EX)
        yield
    finally:
        os.close(folder)


def read(path: Path, study: Study) -> Found:
    """Read the file of a study.

    Raises
    ------
    InputError
        There is none; it is of a newer version or of another study; or it is damaged.
    """
    if not path.exists():
        hint = f"run it: `lydite reproduce {study.name}`"
        raise InputError(str(path), f"no results of {study.name} are published", hint)
    text = read_text(path, "published results")
    try:
        version = msgspec.json.decode(text, type=_Head).version
        if version > VERSION:
            what = f"is of version {version}; this Lydite reads version {VERSION}"
            raise InputError(str(path), what, "take a newer Lydite")
        found = msgspec.json.decode(text, type=Published)
    except msgspec.DecodeError as error:
        raise InputError(str(path), f"not published results: {error}") from error
    if found.study != study.name:
        raise InputError(str(path), f"has results of {found.study}, not of {study.name}")
    return Found(found.points, timed=frozenset(found.timed))


def compare(found: Found, before: Found) -> Table:
    """Say of each point that was run whether it is what was published.

    Times of software are told apart: they are of a machine. So is the digest of a netlist, which is
    not compared.
    """
    rows: list[tuple[str, str, str]] = []
    for name, record in found.records.items():
        old = before.get(name)
        if record.status != "ok":
            rows.append((name, "failed", record.error.partition("\n")[0]))
        elif old is None:
            rows.append((name, "not published", ""))
        elif name in found.timed:
            same = record.machine == old.machine
            rows.append((name, "a time", "" if same else f"published: {old.machine}"))
        else:
            where = "; ".join(
                f"{one.field}: published {one.before!r}, now {one.now!r}"
                for one in differences(old.result, record.result, without=TIMES | PLACES)
            )
            rows.append((name, "differs" if where else "equal", where))
    counts: dict[str, int] = {}
    for _, verdict, _ in rows:
        counts[verdict] = counts.get(verdict, 0) + 1
    told = ", ".join(f"{count} {verdict}" for verdict, count in counts.items())
    columns = (Column("point", "point"), Column("verdict", "verdict"), Column("where", "where"))
    # Those that are equal are counted alone: what is to be read is what differs.
    shown = tuple(row for row in rows if row[1] not in ("equal", "a time"))
    notes = (f"beside the published results: {told or 'nothing was run'}",)
    return Table("Against what is published", columns, shown, notes)
