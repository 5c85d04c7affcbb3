# SPDX-License-Identifier: Apache-2.0
"""The store of runs: one SQLite file, and a folder of artefacts for each key.

A run works in a folder of its own; when it is done, the folder of artefacts is renamed into place
and then the record is committed, so that a kill at any moment leaves either no record or a whole
one with its artefacts. A lock on a file for each key, which the system frees when its holder dies,
keeps two processes from doing the same run twice.
"""

from __future__ import annotations

import contextlib
import fcntl
import os
import shutil
import sqlite3
import tempfile
import threading
import time
from collections.abc import Callable, Iterator
from pathlib import Path

import msgspec
import platformdirs

from lydite.base import files
from lydite.base.errors import InputError
from lydite.runs.record import Record

_VERSION = 1
_SCHEMA = """
CREATE TABLE IF NOT EXISTS record (
    number INTEGER PRIMARY KEY,
    key TEXT NOT NULL,
    kind TEXT NOT NULL,
    status TEXT NOT NULL,
    body BLOB NOT NULL
);
CREATE INDEX IF NOT EXISTS record_key ON record (key);
CREATE UNIQUE INDEX IF NOT EXISTS record_ok ON record (key) WHERE status = 'ok';
"""
# Another process may hold the write lock while its disk syncs.
_BUSY_S = 60.0


def default_folder() -> Path:
    """Give the folder of the store: `LYDITE_STORE`, else one of the user's data folders."""
    given = os.environ.get("LYDITE_STORE")
    return Path(given) if given else Path(platformdirs.user_data_dir("lydite", appauthor=False))


class Store:
    """A store of runs in a folder, made if it is not there; a context manager.

    Any number of processes and threads may use one store at once, each thread through the same
    object.

    Raises
    ------
    InputError
        The folder cannot be written, or holds a store of another version.
    """

    def __init__(self, folder: Path) -> None:
        self.folder = folder
        try:
            for name in ("artefacts", "locks", "work"):
                (folder / name).mkdir(parents=True, exist_ok=True)
        except OSError as error:
            raise files.cannot_write(folder, error) from error
        self._file = folder / "store.sqlite"
        self._lock = threading.Lock()
        with self._errors():
            self._base = sqlite3.connect(self._file, timeout=_BUSY_S, check_same_thread=False)
            self._open()

    def _open(self) -> None:
        [(version,)] = self._base.execute("PRAGMA user_version")
        if version == 0:
            self._base.execute("PRAGMA journal_mode = WAL")
            with self._base:
                self._base.executescript(_SCHEMA)
                self._base.execute(f"PRAGMA user_version = {_VERSION}")
        elif version != _VERSION:
            raise InputError(
                str(self._file),
                f"store of version {version}; this Lydite reads version {_VERSION}",
                "name another folder with --store",
            )
        # A record that was said to be kept must survive a power cut.
        self._base.execute("PRAGMA synchronous = FULL")

    def __enter__(self) -> Store:
        return self

    def __exit__(self, *error: object) -> None:
        self._base.close()

    @contextlib.contextmanager
    def _errors(self) -> Iterator[None]:
        try:
            with self._lock:
                yield
        except sqlite3.Error as error:
            hint = "free some space" if "full" in str(error) else "name another folder with --store"
            raise InputError(str(self._file), f"the store cannot be used: {error}", hint) from error

    def get(self, key: str) -> Record | None:
        """Give the record of a key that is `ok`, or None."""
        with self._errors():
            row = self._base.execute(
                "SELECT body FROM record WHERE key = ? AND status = 'ok'", (key,)
            ).fetchone()
        return msgspec.json.decode(row[0], type=Record) if row else None

    def find(self, prefix: str) -> tuple[Record, ...]:
        """Give all records, failed ones too, whose key begins with a prefix, oldest first."""
        return self._select("WHERE substr(key, 1, ?) = ? ORDER BY number", (len(prefix), prefix))

    def all(self) -> tuple[Record, ...]:
        """Give all records, failed ones too, oldest first."""
        return self._select("ORDER BY number", ())

    def _select(self, clause: str, values: tuple[object, ...]) -> tuple[Record, ...]:
        with self._errors():
            rows = self._base.execute(f"SELECT body FROM record {clause}", values).fetchall()
        return tuple(msgspec.json.decode(row[0], type=Record) for row in rows)

    def put(self, record: Record) -> None:
        """Keep a record; of two that are `ok` with one key, the first stays."""
        with self._errors(), self._base:
            self._base.execute(
                "INSERT OR IGNORE INTO record (key, kind, status, body) VALUES (?, ?, ?, ?)",
                (record.key, record.kind, record.status, msgspec.json.encode(record)),
            )

    def artefacts(self, key: str) -> Path:
        """Give the folder of the artefacts of a key; it is there if the record is `ok`."""
        return self.folder / "artefacts" / key[:2] / key

    def keep(self, key: str, work: Path) -> None:
        """Make a work folder the artefacts of a key."""
        target = self.artefacts(key)
        target.parent.mkdir(parents=True, exist_ok=True)
        if target.exists():  # left by a run that was killed before its record
            shutil.rmtree(target)
        work.replace(target)

    @contextlib.contextmanager
    def work_folder(self) -> Iterator[Path]:
        """Give a scratch folder on the disk of the artefacts, removed afterwards if still there."""
        with self._guard():
            handle, name = tempfile.mkstemp(dir=self.folder / "work", suffix=".lock")
            lock = os.fdopen(handle, "w")
            fcntl.flock(lock, fcntl.LOCK_EX)
            held = Path(name)
            folder = held.with_suffix("")
            folder.mkdir()
        try:
            yield folder
        finally:
            shutil.rmtree(folder, ignore_errors=True)
            held.unlink(missing_ok=True)
            lock.close()

    def sweep(self) -> None:
        """Remove the work folders of processes that have died."""
        with self._guard():
            for path in (self.folder / "work").glob("*.lock"):
                with contextlib.suppress(OSError), path.open() as lock:
                    fcntl.flock(lock, fcntl.LOCK_EX | fcntl.LOCK_NB)
                    shutil.rmtree(path.with_suffix(""), ignore_errors=True)
                    path.unlink(missing_ok=True)

    @contextlib.contextmanager
    def _guard(self) -> Iterator[None]:
        """Keep `sweep` away from a work folder whose lock is not yet held."""
        with (self.folder / "locks" / "work").open("w") as guard:
            fcntl.flock(guard, fcntl.LOCK_EX)
            yield

    @contextlib.contextmanager
    def claim(self, key: str, *, give_up: Callable[[], bool]) -> Iterator[bool]:
        """Hold the lock of a key, waiting while another process has it.

        Parameters
        ----------
        give_up : callable
            Asked while waiting; if it says true, the lock is not taken.

        Yields
        ------
        bool
            Whether the lock is held.
        """
        with (self.folder / "locks" / key).open("w") as lock:
            while True:
                try:
                    fcntl.flock(lock, fcntl.LOCK_EX | fcntl.LOCK_NB)
                    break
                except BlockingIOError:
                    if give_up():
                        yield False
                        return
                    time.sleep(0.05)
            yield True
