# SPDX-License-Identifier: Apache-2.0
"""The store keeps whole records with their artefacts, whatever is killed and whoever writes."""

from __future__ import annotations

import random
import signal
import sqlite3
import subprocess
import sys
import threading
import time
from pathlib import Path

import pytest

from lydite.base import InputError
from lydite.runs.record import Record
from lydite.runs.shared import opened
from lydite.runs.store import FILE, Store, default_folder


def record(key: str, status: str = "ok", **values: object) -> Record:
    fields = {"kind": "test", "label": f"test {key}", "inputs": {}, "result": {}, **values}
    return Record(key=key, status=status, **fields)  # type: ignore[arg-type]


def test_record_comes_back_as_it_was(place: Path | str) -> None:
    kept = record("ab12", result={"fmax_mhz": 117.25, "parts": [1, 2]}, commands=(("a", "b"),))
    with opened(place) as store:
        store.put(kept)
    with opened(place) as store:
        assert store.get("ab12") == kept
        assert store.all() == (kept,)


def test_failed_record_is_kept_but_not_given(place: Path | str) -> None:
    with opened(place) as store:
        store.put(record("ab12", "failed", error="first"))
        store.put(record("ab12", "failed", error="second"))
        assert store.get("ab12") is None
        store.put(record("ab12"))
        assert store.get("ab12") == record("ab12")
        assert [entry.error for entry in store.find("ab12")] == ["first", "second", ""]


def test_first_ok_record_of_a_key_stays(place: Path | str) -> None:
    with opened(place) as store:
        store.put(record("ab12", wall_s=1.0))
        store.put(record("ab12", wall_s=2.0))
        assert store.all() == (record("ab12", wall_s=1.0),)


def test_records_are_found_by_the_beginning_of_their_key(place: Path | str) -> None:
    with opened(place) as store:
        for key in ("ab12", "ab34", "cd56"):
            store.put(record(key))
        assert [entry.key for entry in store.find("ab")] == ["ab12", "ab34"]
        assert store.find("%") == store.find("a_") == ()
        assert len(store.find("")) == 3


def test_artefacts_are_moved_into_place(place: Path | str) -> None:
    with opened(place) as store:
        for text in ("one", "two"):
            with store.work_folder() as work:
                (work / text).write_text(text)
                store.keep("ab12", work)
        folder = store.artefacts("ab12")
        assert folder == store.folder / "artefacts" / "ab" / "ab12"
        assert [path.name for path in folder.iterdir()] == ["two"]


def test_work_folder_is_gone_afterwards(place: Path | str) -> None:
    with opened(place) as store:
        with pytest.raises(KeyboardInterrupt), store.work_folder() as work:
            (work / "x").write_text("x")
            raise KeyboardInterrupt
        assert list((store.folder / "work").iterdir()) == []


def test_default_folder_is_that_of_the_environment(
    store_folder: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    assert default_folder() == store_folder
    monkeypatch.delenv("LYDITE_STORE")
    monkeypatch.setenv("XDG_DATA_HOME", "/data/of/test")
    assert default_folder() == Path("/data/of/test/lydite")


def test_store_of_another_version_is_refused(store_folder: Path) -> None:
    Store(store_folder).__exit__()
    base = sqlite3.connect(store_folder / "store.sqlite")
    base.execute("PRAGMA user_version = 9")
    base.close()
    with pytest.raises(InputError) as raised:
        Store(store_folder)
    assert str(raised.value) == (
        f"{store_folder / 'store.sqlite'}: store of version 9; this Lydite reads version 1\n"
        "  name another folder with --store"
    )


def test_file_that_is_no_store_is_refused(store_folder: Path) -> None:
    store_folder.mkdir()
    (store_folder / "store.sqlite").write_text("no data base " * 100)
    with pytest.raises(InputError) as raised:
        Store(store_folder)
    assert str(raised.value) == (
        f"{store_folder / 'store.sqlite'}: the store cannot be used: file is not a database\n"
        "  name another folder with --store"
    )


def test_folder_that_cannot_be_made_is_refused(store_folder: Path) -> None:
    store_folder.write_text("a file")
    with pytest.raises(InputError) as raised:
        Store(store_folder)
    assert str(raised.value) == f"{store_folder}: cannot write: Not a directory"


def test_folder_that_may_not_be_written_is_refused() -> None:
    with pytest.raises(InputError) as raised:
        Store(Path("/proc/lydite"))
    assert str(raised.value) == "/proc/lydite: cannot write: No such file or directory"


def test_threads_use_one_store(place: Path | str) -> None:
    with opened(place) as store:

        def work(thread: int) -> None:
            for i in range(20):
                store.put(record(f"{thread:02x}{i:02x}"))
                assert store.get(f"{thread:02x}{i:02x}") is not None

        threads = [threading.Thread(target=work, args=(number,)) for number in range(6)]
        for thread in threads:
            thread.start()
        for thread in threads:
            thread.join()
        assert len(store.all()) == 120


def test_claim_is_held_by_one_at_a_time(place: Path | str) -> None:
    with opened(place) as one, opened(place) as other:
        with one.claim("ab12", give_up=lambda: False) as held:
            assert held
            with other.claim("ab12", give_up=lambda: True) as second:
                assert not second
            with other.claim("cd34", give_up=lambda: True) as third:
                assert third
        with other.claim("ab12", give_up=lambda: True) as fourth:
            assert fourth


def test_many_processes_may_open_a_new_store_at_once(
    script: Path, tmp_path: Path, place: Path | str
) -> None:
    # All begin at the same moment, on a store that is not there, with the same points.
    log = tmp_path / "log"
    command = [sys.executable, str(script), str(place), "12", str(log)]
    running = [
        subprocess.Popen(command, stdout=subprocess.PIPE, stderr=subprocess.STDOUT, text=True)
        for _ in range(5)
    ]
    outputs = [process.communicate()[0] for process in running]
    assert outputs == ["begun\n12 True\n"] * 5
    # Each point was evaluated once, by one of them.
    assert sorted(map(int, log.read_text().split())) == list(range(12))


def test_store_that_another_process_has_just_begun_is_opened(
    store_folder: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    # Between the question whether it is there and the look into the folder, another makes it.
    store_folder.mkdir(parents=True)
    (store_folder / f"{FILE}-journal").touch()
    with Store(store_folder):
        pass
    monkeypatch.setattr("lydite.runs.store.is_store", lambda folder: False)
    with Store(store_folder) as store:
        assert not store.all()


def check(place: Path | str) -> int:
    """Check that every record is whole; give how many there are."""
    with opened(place) as store:
        for entry in store.all():
            assert entry.status == "ok"
            parts = sorted(store.artefacts(entry.key).iterdir())
            assert [path.name for path in parts] == ["part0", "part1", "part2"]
            assert {len(path.read_bytes()) for path in parts} == {50_000}
        return len(store.all())


@pytest.mark.parametrize("rounds", [4, pytest.param(60, marks=pytest.mark.slow)])
def test_kill_at_any_moment_loses_nothing_that_was_kept(
    script: Path, tmp_path: Path, place: Path | str, rounds: int
) -> None:
    log = tmp_path / "log"
    command = [sys.executable, str(script), str(place), "400", str(log)]
    moments = random.Random(1)
    kept = 0
    for _ in range(rounds):
        process = subprocess.Popen(command, stdout=subprocess.PIPE, text=True)
        assert process.stdout is not None
        assert process.stdout.readline() == "begun\n"
        time.sleep(moments.uniform(0, 0.3))
        process.send_signal(signal.SIGKILL)
        process.communicate()
        now = check(place)
        assert now >= kept
        kept = now
    last = subprocess.run(command, capture_output=True, text=True, check=True)
    assert last.stdout == "begun\n400 True\n"
    assert check(place) == 400
    # What dead processes left was swept away.
    with opened(place) as store:
        assert list((store.folder / "work").iterdir()) == []


def test_sweep_leaves_the_work_of_the_living(place: Path | str) -> None:
    with opened(place) as one, opened(place) as other, one.work_folder() as work:
        (work / "x").write_text("x")
        other.sweep()
        assert (work / "x").exists()
