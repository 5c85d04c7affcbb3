# SPDX-License-Identifier: Apache-2.0
"""A store that many machines share: records and artefacts in a PostgreSQL data base.

Beside it each user has a folder, which is a store as any other: runs work in it, and what they
leave is whole there, on the disk, before it is delivered to the data base, record and artefacts in
one transaction. So what a run has found is never lost while the data base is away: it waits in the
folder, and is delivered when the data base is back, by this process or by the next. What was read
once is in the folder, too, and serves while the data base is away.
"""

from __future__ import annotations

import contextlib
import logging
import os
import shutil
import tempfile
import time
from collections.abc import Callable, Iterator
from pathlib import Path

import msgspec
import platformdirs

from lydite.base import digest, files
from lydite.base.errors import InputError
from lydite.runs import postgres
from lydite.runs.record import Record
from lydite.runs.store import Store, default_folder

log = logging.getLogger(__name__)

# What waits to be delivered, in the folder.
_PENDING = "CREATE TABLE IF NOT EXISTS pending (number INTEGER PRIMARY KEY, body BLOB NOT NULL)"
_POLL_S = 0.2


def folder_of(url: str) -> Path:
    """Give this user's folder beside a data base."""
    data = Path(platformdirs.user_data_dir("lydite", appauthor=False))
    return data / "shared" / digest.of_bytes(postgres.shown(url).encode())[:16]


class SharedStore(Store):
    """A store in a data base, named by its URL; a context manager.

    Raises
    ------
    InputError, ToolNotFound
        As `postgres.Base`; or the folder beside it cannot be used.
    """

    def __init__(self, url: str, *, make: bool = True) -> None:
        super().__init__(folder_of(url))
        try:
            with self._errors(), self._base:
                self._base.execute(_PENDING)
            self._far = postgres.Base(url, make=make, waits=self.folder)
        except BaseException:
            super().__exit__()
            raise
        self.place = self._far.place
        self.made = self._far.made
        self.can_write = self._far.can_write
        self._deliver()

    def __exit__(self, *error: object) -> None:
        try:
            self._deliver()
            with self._errors():
                [(count,)] = self._base.execute("SELECT count(*) FROM pending").fetchall()
            if count:
                log.warning(
                    "%d results wait in %s: the next command with this store delivers them",
                    *(count, self.folder),
                )
        finally:
            self._far.close()
            super().__exit__(*error)

    def _deliver(self) -> None:
        """Deliver what waits, oldest first; what the data base does not take waits on."""
        while self.can_write:
            with self._far.lock:  # one thread delivers
                with self._errors():
                    row = self._base.execute(
                        "SELECT number, body FROM pending ORDER BY number LIMIT 1"
                    ).fetchone()
                if row is None or not self._delivered(msgspec.json.decode(row[1], type=Record)):
                    return
                with self._errors(), self._base:
                    # Another process may have delivered it, too, and a number is used again.
                    self._base.execute("DELETE FROM pending WHERE number = ? AND body = ?", row)

    def _delivered(self, record: Record) -> bool:
        """Deliver a record with its artefacts; say whether it need wait no longer."""
        damage = super().damage(record, deep=True) if record.files else ""
        if damage and record.status == "ok":
            log.warning("%s, not yet delivered: %s; it is made again", record.label, damage)
            super().retire(record, damage)
            return True
        # Of failures in a row the artefacts of the last are there.
        folder = super().artefacts(record.key)
        stays = self._far.deliver(record, None if damage else folder)
        if stays is False:
            # Somebody else's stays: its artefacts are fetched when they are wanted.
            shutil.rmtree(folder, ignore_errors=True)
        return stays is not None

    def put(self, record: Record) -> None:
        """Keep a record; of two that are `ok` with one key, the first stays."""
        self._writing()
        self._cache(record, waits=True)
        self._deliver()

    def _cache(self, record: Record, *, waits: bool = False) -> None:
        """Keep a record in the folder; with `waits` it is to be delivered, too."""
        body = msgspec.json.encode(record)
        with self._errors(), self._base:
            if record.status == "ok":
                self._base.execute("DELETE FROM record WHERE key = ?", (record.key,))
            self._base.execute(
                "INSERT OR IGNORE INTO record (key, kind, status, body) VALUES (?, ?, ?, ?)",
                (record.key, record.kind, record.status, body),
            )
            if waits:
                self._base.execute("INSERT INTO pending (body) VALUES (?)", (body,))

    def get(self, key: str) -> Record | None:
        """Give the record of a key that is `ok`, or None."""
        self._deliver()
        # Before the data base is asked: another process may deliver it meanwhile.
        waiting = self._undelivered(key)
        here, found = (
            super().get(key),
            self._far.records("WHERE key = %s AND status = 'ok'", (key,)),
        )
        if found is None:
            return here
        if not found:
            return waiting
        if found[0] != here:
            self._cache(found[0])
        return found[0]

    def _undelivered(self, key: str) -> Record | None:
        """Give the record of a key that is `ok` and waits."""
        with self._errors():
            rows = self._base.execute("SELECT body FROM pending").fetchall()
        waiting = (msgspec.json.decode(body, type=Record) for (body,) in rows)
        return next((one for one in waiting if one.key == key and one.status == "ok"), None)

    def find(self, prefix: str) -> tuple[Record, ...]:
        """Give all records, failed ones too, whose key begins with a prefix, oldest first."""
        self._deliver()
        found = self._far.records("WHERE left(key, %s) = %s", (len(prefix), prefix))
        return super().find(prefix) if found is None else found

    def all(self) -> tuple[Record, ...]:
        """Give all records, failed ones too, oldest first."""
        self._deliver()
        found = self._far.records()
        return super().all() if found is None else found

    def retire(self, record: Record, why: str) -> Record:
        """Make of a record that is `ok` one that is `damaged`, so that its run is done again."""
        retired = super().retire(record, why)
        self._far.retire(record, retired)
        return retired

    def remove(self, key: str) -> None:
        """Remove all records of a key, and its artefacts."""
        self._writing()
        self._deliver()
        if self._far.remove(key) is None:
            raise InputError(self.place, "is away: nothing is removed", "try it again later")
        super().remove(key)

    def artefacts(self, key: str) -> Path:
        """Give the folder of the artefacts of a key, fetched if it is not here yet."""
        folder = super().artefacts(key)
        if not folder.exists():
            self._fetch(key, folder)
        return folder

    def _fetch(self, key: str, folder: Path) -> None:
        found = self._far.artefacts(key)
        if found is None:
            return
        with tempfile.TemporaryDirectory(dir=self.folder / "work") as scratch:
            work = Path(scratch) / "artefacts"
            work.mkdir()
            files.write_all(work, found, self.place)
            folder.parent.mkdir(parents=True, exist_ok=True)
            # Another thread or process may have been quicker: its copy is as good.
            with contextlib.suppress(OSError):
                work.rename(folder)

    def damage(self, record: Record, *, deep: bool = False) -> str:
        """Say what of a run's artefacts is not as it was kept: here, and in the data base."""
        self.artefacts(record.key)
        found = super().damage(record, deep=deep)
        if not found or self._undelivered(record.key) is not None:
            return found
        shutil.rmtree(super().artefacts(record.key), ignore_errors=True)
        self.artefacts(record.key)
        return super().damage(record, deep=True)

    @contextlib.contextmanager
    def claim(self, key: str, *, give_up: Callable[[], bool]) -> Iterator[bool]:
        """Hold the lock of a key, waiting while another process, here or elsewhere, has it.

        Where the data base is away, locks of other machines are not seen: at worst a run is made
        twice, and the first record of it stays.
        """
        with super().claim(key, give_up=give_up) as held:
            while held and self._far.take(key) is False:
                if give_up():
                    held = False
                else:
                    time.sleep(_POLL_S)
            try:
                yield held
            finally:
                if held:
                    self._far.give(key)

    def damage_of_base(self) -> str:
        """Say what is wrong with the records here, or the artefacts in the data base."""
        return super().damage_of_base() or self._far.changed()


def place(given: Path | str | None) -> Path | str:
    """Give where a store is, as named or by default: a folder, or the URL of a data base."""
    named = str(given or os.environ.get("LYDITE_STORE", ""))
    if postgres.is_url(named):
        return named
    return Path(given) if given else default_folder()


def opened(given: Path | str | None, *, make: bool = True) -> Store:
    """Open a store: a folder, or a data base by its URL; by default that of the user.

    Raises
    ------
    InputError, ToolNotFound
        As `Store`, `SharedStore`.
    """
    where = place(given)
    return SharedStore(where, make=make) if isinstance(where, str) else Store(where, make=make)
