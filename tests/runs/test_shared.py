# SPDX-License-Identifier: Apache-2.0
"""A store in a data base: what one machine found others have, and nothing is lost while it is away.

What is true of every store is in `test_store`, which has both forms.
"""

from __future__ import annotations

import subprocess
import sys
import time
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest
from postgres import Server

from lydite.base import InputError, ToolNotFound, files
from lydite.cli import main
from lydite.runs import postgres, shared, upkeep
from lydite.runs.record import Record
from lydite.runs.shared import SharedStore
from lydite.runs.store import Store

A, B, C = ("a" * 64, "b" * 64, "c" * 64)


def put(store: Store, key: str, text: str = "text", **values: Any) -> Record:
    """Put a run with two artefacts."""
    with store.work_folder() as work:
        (work / "inner").mkdir()
        (work / "inner" / "file").write_text(text)
        (work / "other").write_bytes(bytes(range(256)) * 40)
        kept = files.contents(work)
        store.keep(key, work)
    fields = {"status": "ok", "inputs": {}, "result": {"mhz": 0.1}, "files": kept, **values}
    record = Record(key=key, kind="test", label=f"test {key[:2]}", **fields)
    store.put(record)
    return record


@pytest.fixture
def user(
    data_base: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> Callable[[str], SharedStore]:
    """Give a function that opens the store as on the machine of a user."""

    def _user(name: str) -> SharedStore:
        monkeypatch.setenv("XDG_DATA_HOME", str(tmp_path / name))
        return SharedStore(data_base)

    return _user


User = Callable[[str], SharedStore]


def test_what_one_found_another_has(user: User) -> None:
    with user("ann") as ann:
        assert ann.made
        kept = put(ann, A)
        here = files.contents(ann.artefacts(A))
    with user("bob") as bob:
        assert not bob.made
        assert (bob.get(A), bob.all(), bob.find("aa")) == (kept, (kept,), (kept,))
        assert bob.damage(kept, deep=True) == ""
        assert bob.read(A, "inner/file") == b"text"
        assert files.contents(bob.artefacts(A)) == here == kept.files
        assert bob.folder != ann.folder


def test_first_of_two_that_found_the_same_stays(user: User) -> None:
    with user("ann") as ann, user("bob") as bob:
        first = put(ann, A, "of ann")
        put(bob, A, "of bob")
        for store in (ann, bob):
            assert store.get(A) == first
            assert store.damage(first, deep=True) == ""
            assert store.read(A, "inner/file") == b"of ann"


def test_what_waits_is_kept_while_another_process_delivers(
    user: User, monkeypatch: pytest.MonkeyPatch
) -> None:
    # Both deliver A; then the other has B, whose delivery is still to come.
    with user("ann") as one, user("ann") as other:
        deliver = one._far.deliver

        def slowly(record: Record, folder: Path | None) -> bool | None:
            stays = deliver(record, folder)
            if record.key == A:
                other._deliver()
                with monkeypatch.context() as patch:
                    patch.setattr(other, "_deliver", lambda: None)
                    put(other, B)
            return stays

        monkeypatch.setattr(one._far, "deliver", slowly)
        put(one, A)
    with user("bob") as bob:
        assert [record.key for record in bob.all()] == [A, B]


def test_what_another_process_delivers_meanwhile_is_found(
    user: User, monkeypatch: pytest.MonkeyPatch
) -> None:
    with user("ann") as one, user("ann") as other:
        with monkeypatch.context() as patch:
            patch.setattr(other, "_deliver", lambda: None)
            kept = put(other, A)
        records = one._far.records

        def slowly(clause: str, values: tuple[object, ...]) -> tuple[Record, ...] | None:
            found = records(clause, values)
            other._deliver()
            return found

        monkeypatch.setattr(one._far, "records", slowly)
        monkeypatch.setattr(one, "_deliver", lambda: None)
        assert one.get(A) == kept


def test_two_machines_do_not_run_the_same_at_once(user: User) -> None:
    with user("ann") as ann, user("bob") as bob:
        with ann.claim(A, give_up=lambda: False) as held:
            assert held
            with bob.claim(A, give_up=lambda: True) as second:
                assert not second
            with bob.claim(B, give_up=lambda: True) as third:
                assert third
        with bob.claim(A, give_up=lambda: True) as fourth:
            assert fourth


def test_nothing_is_lost_while_the_data_base_is_away(
    user: User, server: Server, caplog: pytest.LogCaptureFixture
) -> None:
    with user("ann") as ann:
        first = put(ann, A)
        server.stop()
        try:
            second = put(ann, B, "while it was away")
            put(ann, C, status="failed", error="no")
            # What was found before and since serves on.
            assert (ann.get(A), ann.get(B), ann.get(C)) == (first, second, None)
            assert ann.read(A, "inner/file") == b"text"
            assert len(ann.all()) == 3
            with ann.claim(A, give_up=lambda: True) as held:
                assert held
            with pytest.raises(InputError, match="is away: nothing is removed"):
                ann.remove(A)
            [said] = caplog.messages
            assert said.startswith(f"{ann.place} is away: ")
            assert said.endswith(f"; what finishes waits in {ann.folder} until it is back")
        finally:
            server.start()
        ann._far._asked = 0.0
        assert ann.get(B) == second
        assert caplog.messages[1:] == [f"{ann.place} is back"]
    with user("bob") as bob:
        assert [record.key for record in bob.all()] == [A, B, C]
        assert bob.read(B, "inner/file") == b"while it was away"


def test_what_waits_when_a_process_ends_is_delivered_by_the_next(
    user: User, server: Server, caplog: pytest.LogCaptureFixture
) -> None:
    ann = user("ann")
    server.stop()
    try:
        kept = put(ann, A)
        ann.__exit__()
    finally:
        server.start()
    assert caplog.messages[-1] == (
        f"1 results wait in {ann.folder}: the next command with this store delivers them"
    )
    with user("ann"):
        pass
    with user("bob") as bob:
        assert bob.get(A) == kept


def test_plan_goes_on_while_the_data_base_is_away(
    script: Path, data_base: str, server: Server, tmp_path: Path
) -> None:
    command = [sys.executable, str(script), data_base, "60", str(tmp_path / "log")]
    pipe = subprocess.PIPE
    running = subprocess.Popen(command, stdout=pipe, stderr=pipe, text=True)
    assert running.stdout is not None
    assert running.stdout.readline() == "begun\n"
    log = tmp_path / "log"
    while running.poll() is None and not (log.exists() and len(log.read_text().split()) >= 10):
        time.sleep(0.05)
    server.stop()
    try:
        # It waits for nothing: what it finds is on its disk.
        time.sleep(1.0)
    finally:
        server.start()
    out, said = running.communicate()
    assert (out, running.returncode) == ("60 True\n", 0), said
    assert " is away: " in said
    assert sorted(map(int, log.read_text().split())) == list(range(60))
    # Where it ended before it saw the data base again, this delivers the rest.
    with SharedStore(data_base) as store:
        records = store._far.records()
        assert records is not None
        assert len(records) == 60
        assert [store.damage(record, deep=True) for record in records] == [""] * 60


def test_connection_that_died_is_made_again(user: User, server: Server) -> None:
    with user("ann") as ann:
        put(ann, A)
        server.stop()
        server.start()
        put(ann, B)
        assert len(ann.all()) == 2


def test_copy_that_was_damaged_is_fetched_again(user: User) -> None:
    with user("ann") as ann:
        kept = put(ann, A)
        (ann.artefacts(A) / "inner" / "file").write_text("tex")
        assert ann.damage(kept) == ""
        assert ann.read(A, "inner/file") == b"text"
        assert upkeep.check(ann) == ()


def test_damage_in_the_data_base_is_found(user: User) -> None:
    with user("ann") as ann:
        kept = put(ann, A)
        ann._far.ask(
            lambda connection: connection.execute(
                "UPDATE lydite_artefact SET data = 'x' WHERE name = 'other'"
            )
        )
        # The copy here is still good, and is what work goes on with.
        [found] = upkeep.check(ann)
        assert found.what == f"{A[:12]}: its other has been changed in the data base"
    with user("bob") as bob:
        damage = "its other has 1 bytes, not 10240"
        assert bob.damage(kept) == damage
        assert bob.retire(kept, damage).status == "damaged"
        assert bob.get(A) is None
        again = put(bob, A, "made again")
        assert bob.get(A) == again
        assert bob.read(A, "inner/file") == b"made again"
    with user("ann") as ann:
        assert ann.get(A) == again
        assert ann.damage(again, deep=True) == ""
        assert ann.read(A, "inner/file") == b"made again"


def test_what_was_damaged_before_it_was_delivered_is_not(
    user: User, server: Server, caplog: pytest.LogCaptureFixture
) -> None:
    with user("ann") as ann:
        server.stop()
        try:
            put(ann, A)
            (ann.artefacts(A) / "other").write_text("x")
        finally:
            server.start()
        ann._far._asked = 0.0
        assert ann.get(A) is None
        assert ann.all() == ()
        told = "test aa, not yet delivered: its other has 1 bytes, not 10240; it is made again"
        assert told in caplog.messages


def test_removed_run_is_removed_for_all(user: User) -> None:
    with user("ann") as ann, user("bob") as bob:
        put(ann, A)
        assert bob.get(A) is not None
        bob.remove(A)
        assert (ann.get(A), ann.all(), bob.all()) == (None, (), ())


def test_who_may_only_read_reads(user: User, data_base: str, server: Server) -> None:
    with user("ann") as ann:
        kept = put(ann, A)
        grants = "CREATE ROLE reader LOGIN; GRANT SELECT ON ALL TABLES IN SCHEMA public TO reader"
        ann._far.ask(lambda connection: connection.execute(grants))
    try:
        with SharedStore(data_base.replace("lydite@", "reader@")) as reader:
            assert not reader.can_write
            assert reader.get(A) == kept
            assert reader.read(A, "inner/file") == b"text"
            with pytest.raises(InputError, match="this store can only be read"):
                put(reader, B)
            with pytest.raises(InputError, match="this store can only be read"):
                reader.remove(A)
    finally:
        with user("ann") as ann:
            drop = "DROP OWNED BY reader; DROP ROLE reader"
            ann._far.ask(lambda connection: connection.execute(drop))


def test_data_base_without_a_store_is_told_and_left_alone(
    data_base: str, capsys: pytest.CaptureFixture[str]
) -> None:
    assert main(["list", "runs", "--store", data_base]) == 2
    shown = capsys.readouterr().err
    assert shown.startswith(f"lydite: {data_base}: there is no store in this data base\n")


def test_store_of_another_version_is_refused(user: User, data_base: str) -> None:
    with user("ann") as ann:
        ann._far.ask(lambda connection: connection.execute("UPDATE lydite_version SET version = 9"))
    with pytest.raises(InputError) as raised:
        user("ann")
    assert str(raised.value) == (
        f"{data_base}: store of version 9; this Lydite reads version 1\n"
        "  name another data base with --store"
    )


def test_runs_are_listed_and_bundled_from_a_data_base(
    user: User, data_base: str, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    with user("ann") as ann:
        put(ann, A)
    assert main(["list", "runs", "--store", data_base, "--csv"]) == 0
    assert capsys.readouterr().out.splitlines()[1].startswith("aaaaaaaaaaaa,test,ok,")
    out = str(tmp_path / "a.zip")
    assert main(["bundle", "aaaa", "-o", out, "--store", data_base]) == 0
    assert main(["store", "check", "--store", data_base]) == 0
    assert capsys.readouterr().out.endswith("1 records: all as it was kept\n")


def test_server_that_is_not_there_is_told_without_its_password(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    pytest.importorskip("psycopg", reason="needs PostgreSQL's initdb and pg_ctl")
    monkeypatch.setenv("XDG_DATA_HOME", str(tmp_path))
    url = f"postgresql://ann:secret@/lab?host={tmp_path}"
    monkeypatch.setenv("LYDITE_STORE", url)
    assert main(["list", "runs"]) == 2
    shown = capsys.readouterr().err
    assert shown.startswith(f"lydite: postgresql://ann@/lab?host={tmp_path}: the store cannot be ")
    assert "secret" not in shown


def test_driver_that_is_missing_is_told(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("XDG_DATA_HOME", str(tmp_path))
    monkeypatch.setitem(sys.modules, "psycopg", None)
    with pytest.raises(ToolNotFound) as raised:
        shared.opened("postgresql://host/lab")
    assert str(raised.value) == (
        "psycopg: this package is not there\n"
        "  install the extra `postgres`: pip install 'lydite[postgres]'"
    )


def test_folders_are_no_data_bases(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    assert shared.place(tmp_path) == tmp_path
    assert shared.place("postgresql") == Path("postgresql")
    monkeypatch.setenv("LYDITE_STORE", "postgres://lab/x")
    assert shared.place(None) == "postgres://lab/x"
    assert shared.place("folder") == Path("folder")
    assert postgres.shown("postgres://a:b@h:1/x?y=z") == "postgres://a@h:1/x?y=z"
