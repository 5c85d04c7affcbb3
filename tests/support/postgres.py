# SPDX-License-Identifier: Apache-2.0
"""A PostgreSQL server of the tests' own: in a folder, on a Unix socket, of a user but root."""

from __future__ import annotations

import os
import shutil
import subprocess
import tempfile
from collections.abc import Iterator
from pathlib import Path

import pytest

REASON = "needs PostgreSQL's initdb and pg_ctl"


def programs() -> Path | None:
    """Give the folder of the server's programs, which Debian keeps out of PATH."""
    found = shutil.which("initdb")
    if found:
        return Path(found).resolve().parent
    some = sorted(Path("/usr/lib/postgresql").glob("*/bin/initdb"))
    return some[-1].parent if some else None


class Server:
    """A server that can be stopped as by a power cut, and started again."""

    def __init__(self, programs: Path, folder: Path) -> None:
        self._programs = programs
        self._folder = folder
        # initdb refuses root.
        self._user = "nobody" if os.geteuid() == 0 else None
        if self._user:
            shutil.chown(folder, self._user)
        options = ("-U", "lydite", "-A", "trust", "-E", "UTF8", "--locale=C", "--no-sync")
        self._call("initdb", "-D", str(folder / "data"), *options)

    def _call(self, program: str, *arguments: str) -> None:
        log = self._folder / f"{program}.log"
        with log.open("w") as out:
            code = subprocess.call(
                [str(self._programs / program), *arguments],
                cwd=self._folder,
                user=self._user,
                stdin=subprocess.DEVNULL,
                stdout=out,
                stderr=out,
            )
        assert code == 0, log.read_text()

    def start(self) -> None:
        options = f"-F -c listen_addresses='' -c unix_socket_directories='{self._folder}'"
        log = str(self._folder / "server.log")
        self._call(
            "pg_ctl", "start", "-w", "-D", str(self._folder / "data"), "-l", log, "-o", options
        )

    def stop(self) -> None:
        """Stop it as a power cut would: connections are cut."""
        self._call("pg_ctl", "stop", "-w", "-m", "immediate", "-D", str(self._folder / "data"))

    def url(self, base: str, user: str = "lydite") -> str:
        """Give the URL of a data base."""
        return f"postgresql://{user}@/{base}?host={self._folder}"


@pytest.fixture(scope="session")
def server() -> Iterator[Server]:
    """Give a server for all tests of a session."""
    pytest.importorskip("psycopg", reason=REASON)
    found = programs()
    if found is None:
        pytest.skip(REASON)
    # A socket's path is short, and its folder one that another user may enter.
    folder = Path(tempfile.mkdtemp(prefix="lydite-pg-", dir="/tmp"))
    try:
        made = Server(found, folder)
        made.start()
        try:
            yield made
        finally:
            made.stop()
    finally:
        shutil.rmtree(folder, ignore_errors=True)


@pytest.fixture
def data_base(server: Server, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> str:
    """Give the URL of an empty data base; this user's folder beside it is the test's own."""
    import psycopg

    monkeypatch.setenv("XDG_DATA_HOME", str(tmp_path / "user"))
    name = f"base_{abs(hash(str(tmp_path))):x}"
    with psycopg.connect(server.url("postgres"), autocommit=True) as connection:
        connection.execute(f"CREATE DATABASE {name}")
    return server.url(name)
