# SPDX-License-Identifier: Apache-2.0
"""The store of runs: one SQLite file, and a folder of artefacts for each key.

A run works in a folder of its own; when it is done, the folder of artefacts is renamed into place
and then the record is committed, so that a kill at any moment leaves either no record or a whole
one with its artefacts. A lock on a file for each key, which the system frees when its holder dies,
keeps two processes from doing the same run twice.
"""

from __future__ import annotations

import contextlib
import difflib
import fcntl
import os
import shutil
import sqlite3
import tempfile
import threading
import time
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import IO

import msgspec
import platformdirs

from lydite.base import digest, files
from lydite.base.errors import InputError
from lydite.runs.record import Record

FILE = "store.sqlite"
_FOLDERS = ("artefacts", "locks", "work")
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
# So many records of a kind say what its jobs take; more only take time to read.
_NEWEST = 1000
# Another process may hold the write lock while its disk syncs.
_BUSY_S = 60.0


def default_folder() -> Path:
    """Give the folder of the store: `LYDITE_STORE`, else one of the user's data folders."""
    given = os.environ.get("LYDITE_STORE")
    return Path(given) if given else Path(platformdirs.user_data_dir("lydite", appauthor=False))


def _connect(name: str) -> sqlite3.Connection:
    is_uri = name.startswith("file:")
    return sqlite3.connect(name, timeout=_BUSY_S, check_same_thread=False, uri=is_uri)


def _lock(lock: IO[str], path: Path) -> bool | None:
    """Try to take a lock: None if another process has it, False if its file has been removed."""
    try:
        fcntl.flock(lock, fcntl.LOCK_EX | fcntl.LOCK_NB)
    except BlockingIOError:
        return None
    return path.exists() and os.fstat(lock.fileno()).st_ino == path.stat().st_ino


def _check_free(folder: Path) -> None:
    """Refuse to put a store into a folder that has other things in it.

    The files of a store are none of those: another process may be making it at this moment.
    """
    if not folder.is_dir():
        return
    names = sorted(path.name for path in folder.iterdir())
    others = [name for name in names if name not in _FOLDERS and not name.startswith(FILE)]
    if others:
        some = ", ".join(others[:3]) + (", ..." if len(others) > 3 else "")
        what = f"is no store, and has other things in it: {some}"
        raise InputError(str(folder), what, "name a store, or a folder that is to be made")


def _nearest(folder: Path) -> str:
    """Give a hint: the store beside whose name is most alike."""
    beside = folder.absolute().parent
    names = [path.name for path in beside.iterdir() if is_store(path)] if beside.is_dir() else []
    near = difflib.get_close_matches(folder.name, names, n=1, cutoff=0.5)
    if near:
        return f"the nearest that is one: {folder.parent / near[0]}"
    return "commands that measure make one: bench, run, hls, characterise"


def is_store(folder: Path) -> bool:
    """Whether there is a store in a folder, or the beginning of one."""
    return (folder / FILE).exists()


class _Peak(msgspec.Struct):
    """What of a record says how much memory the run took."""

    label: str
    peak_kib: int = 0


class Store:
    """A store of runs in a folder; a context manager.

    Any number of processes and threads may use one store at once, each thread through the same
    object. Where the folder may only be read, so may the store: what writes is then refused.

    Parameters
    ----------
    make : bool
        Whether to make the store if it is not there.

    Attributes
    ----------
    place : str
        What it is called: its folder, or where else it is.
    made : bool
        Whether it was not there.
    can_write : bool
        Whether records can be put into it.

    Raises
    ------
    InputError
        There is no store and none can or shall be made, or one of another version; or the folder
        has other things in it.
    """

    def __init__(self, folder: Path, *, make: bool = True) -> None:
        self.folder = folder
        self.place = str(folder)
        self._file = folder / FILE
        self._lock = threading.Lock()
        self._copy: tempfile.TemporaryDirectory[str] | None = None
        self.made = not is_store(folder)
        if self.made:
            if not make:
                raise InputError(str(folder), "there is no store", _nearest(folder))
            _check_free(folder)
        self.can_write = self.made or os.access(folder, os.W_OK)
        try:
            for name in _FOLDERS if self.can_write else ():
                (folder / name).mkdir(parents=True, exist_ok=True)
        except OSError as error:
            raise files.cannot_write(folder, error) from error
        with self._errors():
            if self.can_write:
                self._base = _connect(str(self._file))
            else:
                self._base = self._connect_to_read()
            self._open()

    def _connect_to_read(self) -> sqlite3.Connection:
        """Open the records without writing beside them, as SQLite would do for its log."""
        log = self._file.with_name(f"{FILE}-wal")
        if not log.exists() or not log.stat().st_size:
            return _connect(f"{self._file.absolute().as_uri()}?mode=ro&immutable=1")
        # The log has records that the file has not; they are seen in a copy of both.
        self._copy = tempfile.TemporaryDirectory(prefix="lydite-store-")
        for path in (self._file, log):
            shutil.copyfile(path, Path(self._copy.name) / path.name)
        return _connect(str(Path(self._copy.name) / FILE))

    def _open(self) -> None:
        [(version,)] = self._base.execute("PRAGMA user_version")
        if version == 0 and self.can_write:
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
        # A thread that still looks something up is let finish: SQLite would not survive it.
        with self._lock:
            self._base.close()
        if self._copy is not None:
            self._copy.cleanup()

    def _writing(self) -> None:
        """Refuse to write where that cannot be done."""
        if not self.can_write:
            what = "this store can only be read"
            raise InputError(self.place, what, "name another folder with --store")

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

    def peaks(self, kind: str) -> tuple[tuple[str, int], ...]:
        """Give labels and peaks in KiB of the newest runs of a kind, failed ones too, as far as
        they are on this machine.
        """
        query = "SELECT body FROM record WHERE kind = ? ORDER BY number DESC LIMIT ?"
        with self._errors():
            rows = self._base.execute(query, (kind, _NEWEST)).fetchall()
        found = (msgspec.json.decode(body, type=_Peak) for (body,) in rows)
        return tuple((one.label, one.peak_kib) for one in found if one.peak_kib)

    def put(self, record: Record) -> None:
        """Keep a record; of two that are `ok` with one key, the first stays."""
        self._writing()
        with self._errors(), self._base:
            self._base.execute(
                "INSERT OR IGNORE INTO record (key, kind, status, body) VALUES (?, ?, ?, ?)",
                (record.key, record.kind, record.status, msgspec.json.encode(record)),
            )

    def retire(self, record: Record, why: str) -> Record:
        """Make of a record that is `ok` one that is `damaged`, so that its run is done again."""
        self._writing()
        retired = msgspec.structs.replace(record, status="damaged", error=why)
        with self._errors(), self._base:
            # Another process may have made it again meanwhile: that one stays.
            self._base.execute(
                "UPDATE record SET status = ?, body = ? WHERE key = ? AND status = ? AND body = ?",
                (
                    *(retired.status, msgspec.json.encode(retired)),
                    *(record.key, record.status, msgspec.json.encode(record)),
                ),
            )
        return retired

    def remove(self, key: str) -> None:
        """Remove all records of a key, and its artefacts."""
        self._writing()
        with self._errors(), self._base:
            self._base.execute("DELETE FROM record WHERE key = ?", (key,))
        shutil.rmtree(self.artefacts(key), ignore_errors=True)

    def artefacts(self, key: str) -> Path:
        """Give the folder of the artefacts of a key; it is there if the record is `ok`."""
        return self.folder / "artefacts" / key[:2] / key

    def damage(self, record: Record, *, deep: bool = False) -> str:
        """Say what of the artefacts of a record is not as it was kept; nothing if all is.

        Parameters
        ----------
        deep : bool
            Whether to compare contents, too, and not only sizes.
        """
        folder = self.artefacts(record.key)
        if not folder.is_dir():
            return "its artefacts are not there"
        for name, (size, sha256) in record.files.items():
            path = folder / name
            if not path.is_file():
                return f"its {name} is not there"
            if path.stat().st_size != size:
                return f"its {name} has {path.stat().st_size} bytes, not {size}"
            if deep and digest.of_file(path) != sha256:
                return f"its {name} has been changed"
        return ""

    def read(self, key: str, name: str) -> bytes:
        """Give an artefact of a run that is `ok`, as it was kept.

        Raises
        ------
        InputError
            It is no longer as it was.
        """
        path = self.artefacts(key) / name
        record = self.get(key)
        data = path.read_bytes() if path.is_file() else b""
        if record is None or record.files.get(name) != (len(data), digest.of_bytes(data)):
            raise InputError(str(path), "is not as it was kept", "the same command makes it again")
        return data

    def keep(self, key: str, work: Path) -> None:
        """Make a work folder the artefacts of a key."""
        target = self.artefacts(key)
        target.parent.mkdir(parents=True, exist_ok=True)
        if target.exists():  # left by a run that was killed before its record, or damaged
            shutil.rmtree(target)
        work.replace(target)
        files.sync_folder(target.parent)

    @contextlib.contextmanager
    def work_folder(self) -> Iterator[Path]:
        """Give a scratch folder on the disk of the artefacts, removed afterwards if still there."""
        self._writing()
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
        if not self.can_write:
            return
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
        self._writing()
        path = self.folder / "locks" / key
        while True:
            with path.open("w") as lock:
                held = _lock(lock, path)
                if held or (held is None and give_up()):
                    yield bool(held)
                    return
            time.sleep(0.05 if held is None else 0)

    def free(self, key: str) -> None:
        """Remove the lock of a key, if nobody holds it."""
        path = self.folder / "locks" / key
        with contextlib.suppress(OSError), path.open() as lock:
            fcntl.flock(lock, fcntl.LOCK_EX | fcntl.LOCK_NB)
            path.unlink(missing_ok=True)

    def damage_of_base(self) -> str:
        """Say what is wrong with the file of records; nothing if it is whole."""
        with self._errors():
            [(found,)] = self._base.execute("PRAGMA integrity_check(1)").fetchall()
        return "" if found == "ok" else str(found)
