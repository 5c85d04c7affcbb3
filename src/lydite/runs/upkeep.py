# SPDX-License-Identifier: Apache-2.0
"""Upkeep of a store: look whether all of it is as it was kept, remove what nothing names."""

from __future__ import annotations

import shutil
from collections.abc import Iterable
from dataclasses import dataclass
from pathlib import Path

from lydite.runs.record import Record
from lydite.runs.store import Store


@dataclass(frozen=True)
class Damage:
    """A record whose artefacts are not as they were kept; an empty key for the records' file."""

    key: str
    label: str
    what: str


@dataclass(frozen=True)
class Left:
    """Files that serve nothing any more: the folder or file, its size in bytes, and why."""

    path: Path
    size_bytes: int
    why: str


def check(store: Store) -> tuple[Damage, ...]:
    """Compare the digests of all artefacts of records that are `ok` with what was kept."""
    base = store.damage_of_base()
    found = [Damage("", "records", base)] if base else []
    for record in store.all():
        what = store.damage(record, deep=True) if record.status == "ok" else ""
        if what:
            found.append(Damage(record.key, record.label, what))
    return tuple(found)


def left(store: Store, *, failed: bool = False) -> tuple[Left, ...]:
    """Find what can be removed: artefacts that no record names, work of dead processes.

    Parameters
    ----------
    failed : bool
        Whether artefacts count of which there are only records that failed or were damaged.
    """
    records = store.all()
    named = {record.key for record in records if not failed or record.status == "ok"}
    known = {record.key for record in records}
    found = []
    for path in sorted((store.folder / "artefacts").glob("*/*")):
        if path.name not in named:
            why = "of runs that failed" if path.name in known else "named by no record"
            found.append(Left(path, _size(path), why))
    # Of a process that lives there is a lock beside; `sweep` removes those of the dead.
    works = (path for path in sorted((store.folder / "work").glob("*")) if path.is_dir())
    dead = (path for path in works if not path.with_suffix(".lock").exists())
    return (*found, *(Left(path, _size(path), "of a process that has died") for path in dead))


def _size(path: Path) -> int:
    return sum(each.stat().st_size for each in path.rglob("*") if each.is_file())


def collect(store: Store, *, failed: bool = False) -> tuple[Left, ...]:
    """Remove what can be removed, but for what a process works on, and give what that was."""
    store.sweep()
    removed = []
    for entry in left(store, failed=failed):
        key = entry.path.name
        with store.claim(key, give_up=lambda: True) as held:
            # Meanwhile another process may have put a record of it.
            if held and store.get(key) is None:
                shutil.rmtree(entry.path, ignore_errors=True)
                removed.append(entry)
    for path in sorted((store.folder / "locks").iterdir()):
        if path.name != "work":
            store.free(path.name)
    return tuple(removed)


def dependents(store: Store, keys: Iterable[str]) -> tuple[Record, ...]:
    """Give the records that rest on runs, directly or not, without these, oldest first."""
    records = store.all()
    wanted = set(keys)
    found = set(wanted)
    while more := {r.key for r in records if not found.isdisjoint(r.needs)} - found:
        found |= more
    latest = {record.key: record for record in records if record.key in found - wanted}
    return tuple(latest.values())
