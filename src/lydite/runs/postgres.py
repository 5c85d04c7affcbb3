# SPDX-License-Identifier: Apache-2.0
"""Records and artefacts in a PostgreSQL data base, which may be away for a while.

What is asked of it while it is away gives None; that it is away, and that it is back, is said once.
"""

from __future__ import annotations

import contextlib
import hashlib
import logging
import threading
import time
from collections.abc import Callable, Mapping
from pathlib import Path
from typing import TYPE_CHECKING, Any, TypeVar
from urllib.parse import urlsplit, urlunsplit

import msgspec

from lydite.base import digest
from lydite.base.errors import InputError, ToolNotFound
from lydite.runs.record import Record

if TYPE_CHECKING:
    from psycopg import Connection

log = logging.getLogger(__name__)
T = TypeVar("T")

SCHEMES = ("postgresql", "postgres")
_VERSION = 1
_SCHEMA = b"""
CREATE TABLE lydite_version (version int NOT NULL);
CREATE TABLE lydite_record (
    number bigint GENERATED ALWAYS AS IDENTITY PRIMARY KEY,
    key text NOT NULL,
    kind text NOT NULL,
    status text NOT NULL,
    digest text NOT NULL,
    body text NOT NULL,
    UNIQUE (key, digest)
);
CREATE UNIQUE INDEX lydite_record_ok ON lydite_record (key) WHERE status = 'ok';
CREATE TABLE lydite_artefact (
    key text NOT NULL,
    name text NOT NULL,
    sha256 text NOT NULL,
    data bytea NOT NULL,
    PRIMARY KEY (key, name)
);
"""
# How long to leave a data base alone that was away when it was asked.
_AGAIN_S = 1.0


def is_url(place: str) -> bool:
    """Whether a text names a data base."""
    scheme, separator, _ = place.partition("://")
    return bool(separator) and scheme in SCHEMES


def shown(url: str) -> str:
    """Give a URL as it can be shown: without its password."""
    parts = urlsplit(url)
    user, at, host = parts.netloc.rpartition("@")
    return urlunsplit(parts._replace(netloc=user.partition(":")[0] + at + host))


class Base:
    """The data base of a store.

    Parameters
    ----------
    make : bool
        Whether to make its tables if they are not there.
    waits : Path
        Where results wait while it is away, for messages.

    Attributes
    ----------
    made : bool
        Whether they were not there.
    can_write : bool
        Whether this user may put records into it.

    Raises
    ------
    InputError
        It cannot be reached, has no store and may have none, or one of another version.
    ToolNotFound
        The package `psycopg` is not there.
    """

    def __init__(self, url: str, *, make: bool, waits: Path) -> None:
        try:
            # Imported here: an optional package.
            import psycopg
        except ModuleNotFoundError as error:
            remedy = "install the extra `postgres`: pip install 'lydite[postgres]'"
            raise ToolNotFound("psycopg", "this package is not there", remedy) from error
        self.place = shown(url)
        self.made = False
        # A thread that has it may ask for it again.
        self.lock = threading.RLock()
        self._url = url
        self._waits = waits
        self._is_away = False
        self._asked = 0.0
        self._refusal: type[Exception] = psycopg.Error
        self._away = (psycopg.OperationalError, psycopg.InterfaceError)
        self._connection: Connection[Any] | None = None
        try:
            self._connection = _dial(url)
            self.can_write = self._prepare(self._connection, make=make)
        except psycopg.Error as error:
            self.close()
            what = f"the store cannot be used: {_said(error)}"
            raise InputError(
                self.place, what, "see that it runs, and that you may use it"
            ) from error
        except BaseException:
            self.close()
            raise

    def _prepare(self, connection: Connection[Any], *, make: bool) -> bool:
        """Look for the tables, make them if that is asked, and say whether they can be written."""
        if not _has_tables(connection):
            if not make:
                hint = "commands that measure make one: bench, run, hls, characterise"
                raise InputError(self.place, "there is no store in this data base", hint)
            # Of several that make it at once the others wait, and look again in a transaction that
            # begins after that: one that had begun before would not see what was made.
            connection.execute("SELECT pg_advisory_lock(%s)", (_number("tables"),))
            with connection.transaction():
                self.made = not _has_tables(connection)
                if self.made:
                    connection.execute(_SCHEMA)
                    connection.execute("INSERT INTO lydite_version VALUES (%s)", (_VERSION,))
            connection.execute("SELECT pg_advisory_unlock(%s)", (_number("tables"),))
        [(version,)] = connection.execute("SELECT version FROM lydite_version").fetchall()
        if version != _VERSION:
            what = f"store of version {version}; this Lydite reads version {_VERSION}"
            raise InputError(self.place, what, "name another data base with --store")
        asked = "SELECT has_table_privilege('lydite_record', 'INSERT')"
        [(can,)] = connection.execute(asked).fetchall()
        return bool(can)

    def close(self) -> None:
        """End the connection, and with it its locks."""
        with self.lock, contextlib.suppress(Exception):
            if self._connection is not None:
                self._connection.close()
        self._connection = None

    def ask(self, does: Callable[[Connection[Any]], T]) -> T | None:
        """Do something with the connection; None where the data base is away.

        Raises
        ------
        InputError
            The data base refuses it.
        """
        with self.lock:
            # A connection may have died of old age, so there is a second try.
            for _ in range(2):
                connection = self._reached()
                if connection is None:
                    return None
                try:
                    return does(connection)
                except self._away as error:
                    self._lost(error)
                except self._refusal as error:
                    what = f"the store cannot be used: {_said(error)}"
                    raise InputError(self.place, what, "see what its log says") from error
            self._asked = time.monotonic()
            return None

    def _reached(self) -> Connection[Any] | None:
        """Give the connection, made again if it was lost, but not time and again."""
        if self._connection is not None or time.monotonic() - self._asked < _AGAIN_S:
            return self._connection
        self._asked = time.monotonic()
        try:
            self._connection = _dial(self._url)
        except self._away as error:
            self._say_away(error)
            return None
        if self._is_away:
            log.warning("%s is back", self.place)
            self._is_away = False
        return self._connection

    def _lost(self, error: Exception) -> None:
        was_broken = self._connection is None or self._connection.broken
        self.close()
        self._asked = 0.0
        if not was_broken:  # it answers, and cannot: a full disk, too many connections
            self._say_away(error)

    def _say_away(self, error: Exception) -> None:
        if not self._is_away:
            self._is_away = True
            what = "what finishes waits in %s until it is back"
            log.warning(f"%s is away: %s; {what}", self.place, _said(error), self._waits)

    def records(
        self, clause: str = "", values: tuple[object, ...] = ()
    ) -> tuple[Record, ...] | None:
        """Give records, oldest first; `clause` chooses them."""
        query = f"SELECT body FROM lydite_record {clause} ORDER BY number".encode()
        rows = self.ask(lambda connection: connection.execute(query, values).fetchall())
        if rows is None:
            return None
        return tuple(msgspec.json.decode(body, type=Record) for (body,) in rows)

    def deliver(self, record: Record, folder: Path | None) -> bool | None:
        """Put a record and its artefacts into it, all or nothing.

        Parameters
        ----------
        folder : Path, optional
            Of its artefacts; without, those that are there stay.

        Returns
        -------
        bool or None
            Whether it stays; else there is another one that is `ok` already.
        """

        def does(connection: Connection[Any]) -> bool:
            with connection.transaction():
                # One at a time for a key: processes of one user may deliver the same.
                connection.execute(
                    "SELECT pg_advisory_xact_lock(%s)", (_number(f"put {record.key}"),)
                )
                new = connection.execute(
                    "INSERT INTO lydite_record (key, kind, status, digest, body) "
                    "VALUES (%s, %s, %s, %s, %s) ON CONFLICT DO NOTHING RETURNING number",
                    (record.key, record.kind, record.status, _digest(record), _text(record)),
                ).fetchone()
                ok = connection.execute(
                    "SELECT digest FROM lydite_record WHERE key = %s AND status = 'ok'",
                    (record.key,),
                ).fetchone()
                # Artefacts are those of the record that is `ok`, else of the last that failed.
                if ok is not None and ok[0] != _digest(record):
                    return False
                if new is not None and folder is not None:
                    _put_files(connection, record, folder)
            return True

        return self.ask(does)

    def retire(self, record: Record, retired: Record) -> None:
        """Put a record in the place of one, if that is still there."""
        query = (
            "UPDATE lydite_record SET status = %s, body = %s, digest = %s "
            "WHERE key = %s AND digest = %s AND status = 'ok'"
        )
        values = (retired.status, _text(retired), _digest(retired), record.key, _digest(record))
        self.ask(lambda connection: connection.execute(query, values).rowcount)

    def remove(self, key: str) -> bool | None:
        """Remove all records of a key, and its artefacts."""

        def does(connection: Connection[Any]) -> bool:
            with connection.transaction():
                connection.execute("DELETE FROM lydite_record WHERE key = %s", (key,))
                connection.execute("DELETE FROM lydite_artefact WHERE key = %s", (key,))
            return True

        return self.ask(does)

    def artefacts(self, key: str) -> Mapping[str, bytes] | None:
        """Give the artefacts of a key by their names; None where there is no run of it, too."""

        def does(connection: Connection[Any]) -> Mapping[str, bytes] | None:
            known = "SELECT 1 FROM lydite_record WHERE key = %s LIMIT 1"
            if connection.execute(known, (key,)).fetchone() is None:
                return None
            query = "SELECT name, data FROM lydite_artefact WHERE key = %s"
            return dict(connection.execute(query, (key,)).fetchall())

        return self.ask(does)

    def take(self, key: str) -> bool | None:
        """Try to take the lock of a key; it is free again when this connection ends."""
        query = "SELECT pg_try_advisory_lock(%s)"
        row = self.ask(lambda connection: connection.execute(query, (_number(key),)).fetchone())
        return None if row is None else bool(row[0])

    def give(self, key: str) -> None:
        """Give the lock of a key back; one that was lost with its connection is free already."""
        query = "SELECT pg_advisory_unlock(%s)"
        self.ask(lambda connection: connection.execute(query, (_number(key),)).fetchone())

    def changed(self) -> str:
        """Say which artefact is not as it was kept; nothing if all are."""
        query = (
            "SELECT key, name FROM lydite_artefact "
            "WHERE encode(sha256(data), 'hex') <> sha256 ORDER BY key, name LIMIT 1"
        )
        row = self.ask(lambda connection: connection.execute(query).fetchone())
        return f"{row[0][:12]}: its {row[1]} has been changed in the data base" if row else ""


def _put_files(connection: Connection[Any], record: Record, folder: Path) -> None:
    connection.execute("DELETE FROM lydite_artefact WHERE key = %s", (record.key,))
    for name, (_, sha256) in record.files.items():
        connection.execute(
            "INSERT INTO lydite_artefact (key, name, sha256, data) VALUES (%s, %s, %s, %s)",
            (record.key, name, sha256, (folder / name).read_bytes()),
        )


def _has_tables(connection: Connection[Any]) -> bool:
    [(found,)] = connection.execute("SELECT to_regclass('lydite_version')").fetchall()
    return found is not None


def _dial(url: str) -> Connection[Any]:
    """Connect; a network that is cut, which says nothing, is noticed after half a minute."""
    # Imported here: an optional package.
    import psycopg

    return psycopg.connect(
        url,
        autocommit=True,
        connect_timeout=10,
        keepalives_idle=10,
        keepalives_interval=5,
        keepalives_count=3,
        tcp_user_timeout=20_000,
    )


def _text(record: Record) -> str:
    return msgspec.json.encode(record).decode()


def _digest(record: Record) -> str:
    return digest.of_bytes(_text(record).encode())


def _number(key: str) -> int:
    """Give the number of a lock."""
    hashed = hashlib.sha256(f"lydite {key}".encode()).digest()
    return int.from_bytes(hashed[:8], "big", signed=True)


def _said(error: Exception) -> str:
    return " ".join(str(error).split()) or type(error).__name__
