# SPDX-License-Identifier: Apache-2.0
"""A store that can only be read is read; a name that is no store's is told, not made one."""

from __future__ import annotations

import os
import stat
import subprocess
import sys
import tempfile
from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import pytest

from lydite import cli
from lydite.base import InputError
from lydite.runs.execute import execute
from lydite.runs.job import Job, Outcome
from lydite.runs.record import Record
from lydite.runs.store import Store

NOBODY = 65534


def record(key: str) -> Record:
    return Record(key=key, kind="test", label="test", status="ok", inputs={}, result={})


def state(folder: Path) -> dict[str, tuple[int, int]]:
    """Give all files with sizes and times."""
    return {str(path): (path.stat().st_size, path.stat().st_mtime_ns) for path in folder.rglob("*")}


@pytest.fixture
def sealed(store_folder: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """Give a store in which the system says that nothing may be written.

    To root everything may be written: the answer of `access` is what a read-only disk gives it.
    """
    with Store(store_folder) as store:
        store.put(record("ab12"))
    monkeypatch.setattr(os, "access", lambda path, mode: mode != os.W_OK)
    return store_folder


def test_store_that_can_only_be_read_is_read(sealed: Path) -> None:
    before = state(sealed)
    with Store(sealed) as store:
        assert not store.can_write
        assert store.get("ab12") == record("ab12")
        assert store.all() == (record("ab12"),)
        store.sweep()
    assert state(sealed) == before


def test_records_in_the_log_of_another_process_are_read(
    store_folder: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    with Store(store_folder) as writer:
        writer.put(record("ab12"))
        assert (store_folder / "store.sqlite-wal").stat().st_size > 0
        monkeypatch.setattr(os, "access", lambda path, mode: mode != os.W_OK)
        before = state(store_folder)
        with Store(store_folder) as store:
            assert store.all() == (record("ab12"),)
        assert state(store_folder) == before


@pytest.mark.parametrize("what", ["put", "keep", "claim", "work"])
def test_store_that_can_only_be_read_is_not_written(
    sealed: Path, tmp_path: Path, what: str
) -> None:
    with Store(sealed) as store, pytest.raises(InputError) as raised:
        if what == "put":
            store.put(record("cd34"))
        elif what == "keep":
            store.retire(record("ab12"), "x")
        elif what == "claim":
            with store.claim("cd34", give_up=lambda: False):
                pass
        else:
            with store.work_folder():
                pass
    assert str(raised.value) == (
        f"{sealed}: this store can only be read\n  name another folder with --store"
    )


@dataclass(frozen=True)
class Made(Job):
    """Makes one file."""

    name: str
    kind = "made"

    @property
    def label(self) -> str:
        return f"made {self.name}"

    def inputs(self) -> Mapping[str, Any]:
        return {"name": self.name}

    def run(self, work: Path, store: Store) -> Outcome:
        (work / "file").write_text(self.name)
        return Outcome(result={"name": self.name})


def test_what_a_store_has_is_given_where_it_can_only_be_read(
    store_folder: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    old, new = Made("old"), Made("new")
    with Store(store_folder) as store:
        execute([old], store, parallel=1)
        # Its figures still are what they were.
        (store.artefacts(old.key) / "file").unlink()
    monkeypatch.setattr(os, "access", lambda path, mode: mode != os.W_OK)
    before = state(store_folder)
    with Store(store_folder) as store:
        assert execute([old], store, parallel=1)[old.key].result == {"name": "old"}
        with pytest.raises(InputError) as raised:
            execute([old, new], store, parallel=1)
    assert str(raised.value) == (
        f"{store_folder}: this store can only be read\n  name another folder with --store"
    )
    assert state(store_folder) == before


@pytest.fixture
def reachable() -> Iterator[Path]:
    """Give a folder that any user can reach; $TMPDIR may be one user's alone."""
    with tempfile.TemporaryDirectory(prefix="lydite-", dir="/tmp") as name:
        Path(name).chmod(0o755)
        yield Path(name)


def test_store_of_another_user_is_read(reachable: Path) -> None:
    folder = reachable / "store"
    with Store(folder) as store:
        store.put(record("ab12"))
    for path in (folder, *folder.rglob("*")):
        path.chmod(path.stat().st_mode & ~(stat.S_IWUSR | stat.S_IWGRP | stat.S_IWOTH))
    script = (
        "import os, sys; from lydite.runs.store import Store; from pathlib import Path\n"
        "os.getuid() or os.setuid(int(sys.argv[2]))\n"
        "with Store(Path(sys.argv[1])) as store: print(store.can_write, store.all()[0].key)"
    )
    try:
        shown = subprocess.run(
            [sys.executable, "-c", script, str(folder), str(NOBODY)], capture_output=True, text=True
        )
    finally:
        for path in (folder, *folder.rglob("*")):
            path.chmod(path.stat().st_mode | stat.S_IWUSR)
    assert shown.stdout == "False ab12\n", shown.stderr


def test_list_and_show_read_a_store_that_can_only_be_read(
    sealed: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    assert cli.main(["list", "runs", "--csv"]) == 0
    assert capsys.readouterr().out.splitlines()[1].startswith("ab12,test,ok,")
    assert cli.main(["show", "ab12"]) == 0


def test_misspelt_store_is_not_made_by_who_reads(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    with Store(tmp_path / "results"):
        pass
    wrong = tmp_path / "result"
    for command in (["list", "runs"], ["show", "ab"]):
        assert cli.main([*command, "--store", str(wrong)]) == 2
        assert capsys.readouterr().err == (
            f"lydite: {wrong}: there is no store\n"
            f"  the nearest that is one: {tmp_path / 'results'}\n"
        )
    assert not wrong.exists()


def test_store_that_is_made_is_told(
    crc32: Path, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    folder = tmp_path / "new"
    (crc32 / "crc32.v").write_text("module crc32; endmodule")
    command = ["run", str(crc32 / "crc32.v"), "--top", "crc32", "--store", str(folder)]
    cli.main(command)
    assert f"lydite: new store: {folder}\n" in capsys.readouterr().err
    cli.main(command)
    assert "new store" not in capsys.readouterr().err


def test_folder_with_other_things_is_no_store(tmp_path: Path) -> None:
    for name in ("a", "b", "c", "d"):
        (tmp_path / "mine" / name).mkdir(parents=True)
    with pytest.raises(InputError) as raised:
        Store(tmp_path / "mine")
    assert str(raised.value) == (
        f"{tmp_path / 'mine'}: is no store, and has other things in it: a, b, c, ...\n"
        "  name a store, or a folder that is to be made"
    )


def test_store_whose_making_was_cut_short_is_made(store_folder: Path) -> None:
    (store_folder / "artefacts").mkdir(parents=True)
    with Store(store_folder) as store:
        assert store.made
