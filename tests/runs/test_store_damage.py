# SPDX-License-Identifier: Apache-2.0
"""What is cut, altered, deleted or half written is seen before it is used, and made again."""

from __future__ import annotations

import errno
import os
import resource
import shutil
import subprocess
import sys
from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import pytest

from lydite import targets
from lydite.base import InputError, ToolFailed, files
from lydite.runs import evaluation, plan
from lydite.runs.execute import execute
from lydite.runs.job import Job, Outcome
from lydite.runs.record import Record
from lydite.runs.store import Store
from lydite.sim.build import Sources
from lydite.tools import yosys

CRC32 = Path(__file__).resolve().parents[2] / "examples" / "crc32" / "crc32.v"


@dataclass(frozen=True)
class Made(Job):
    """Leaves one file, whose content names it."""

    name: str
    kind = "made"

    @property
    def label(self) -> str:
        return f"made {self.name}"

    def inputs(self) -> Mapping[str, Any]:
        return {"name": self.name}

    def run(self, work: Path, store: Store) -> Outcome:
        (work / "in").mkdir()
        (work / "in" / "file").write_text(f"{self.name} " * 100)
        return Outcome(result={"bytes": 100 * (len(self.name) + 1)})


@dataclass(frozen=True)
class Uses(Job):
    """Works on what `Made` left."""

    made: Made
    kind = "uses"

    @property
    def label(self) -> str:
        return "uses"

    @property
    def needs(self) -> tuple[Job, ...]:
        return (self.made,)

    def inputs(self) -> Mapping[str, Any]:
        return {"made": self.made.key}

    def run(self, work: Path, store: Store) -> Outcome:
        return Outcome(result={"read": store.read(self.made.key, "in/file").decode()[:4]})


MADE = Made("abc")
USES = Uses(MADE)


@pytest.fixture
def store(store_folder: Path) -> Iterator[Store]:
    with Store(store_folder) as opened:
        yield opened


def run(store: Store, *jobs: Job) -> list[str]:
    """Run jobs and give what was said of each, ends of records with it."""
    said: list[str] = []

    def watch(job: Job, state: str, record: Record | None) -> None:
        if state not in ("waiting", "running"):
            more = f": {record.error}" if record and record.error else ""
            said.append(f"{state} {job.label}{more}")

    execute(jobs, store, parallel=2, watch=watch)
    return said


def the_file(store: Store) -> Path:
    return store.artefacts(MADE.key) / "in" / "file"


DAMAGE: dict[str, tuple[Callable[[Path], object], str]] = {
    "cut": (lambda path: os.truncate(path, 7), "its in/file has 7 bytes, not 400"),
    "deleted": (lambda path: path.unlink(), "its in/file is not there"),
    "all deleted": (
        lambda path: shutil.rmtree(path.parents[1]),
        "its artefacts are not there",
    ),
}


@pytest.mark.parametrize(("damage", "said"), DAMAGE.values(), ids=DAMAGE)
def test_what_is_damaged_is_made_again_and_said(
    store: Store, damage: Callable[[Path], object], said: str
) -> None:
    assert run(store, MADE) == ["ok made abc"]
    assert run(store, MADE) == ["stored made abc"]
    damage(the_file(store))
    assert run(store, MADE) == [f"damaged made abc: {said}", "ok made abc"]
    assert run(store, MADE) == ["stored made abc"]
    assert the_file(store).read_text() == "abc " * 100
    assert [record.status for record in store.all()] == ["damaged", "ok"]


def test_altered_artefact_is_seen_before_another_job_works_on_it(store: Store) -> None:
    run(store, MADE)
    the_file(store).write_text("xyz " * 100)
    # Of the same size, so that only its content tells; nothing works on it here.
    assert run(store, MADE) == ["stored made abc"]
    assert run(store, USES) == [
        "damaged made abc: its in/file has been changed",
        *("ok made abc", "ok uses"),
    ]
    record = store.get(USES.key)
    assert record is not None and record.result == {"read": "abc "}


def test_altered_artefact_is_seen_even_if_its_record_was_taken_before(store: Store) -> None:
    run(store, MADE)
    the_file(store).write_text("xyz " * 100)
    assert run(store, MADE, USES) == [
        "stored made abc",
        "damaged made abc: its in/file has been changed",
        *("ok made abc", "ok uses"),
    ]


def test_what_a_stored_run_rests_on_is_made_again(store: Store) -> None:
    run(store, USES)
    the_file(store).unlink()
    assert run(store, USES) == [
        "stored uses",
        "damaged made abc: its in/file is not there",
        "ok made abc",
    ]


def test_read_refuses_what_was_altered(store: Store) -> None:
    run(store, MADE)
    the_file(store).write_text("xyz " * 100)
    with pytest.raises(InputError) as raised:
        store.read(MADE.key, "in/file")
    assert str(raised.value) == (
        f"{the_file(store)}: is not as it was kept\n  the same command makes it again"
    )


def test_artefacts_left_by_a_kill_before_the_record_are_replaced(store: Store) -> None:
    # As a kill between rename and commit leaves them.
    folder = store.artefacts(MADE.key)
    (folder / "half").mkdir(parents=True)
    assert run(store, MADE) == ["ok made abc"]
    assert [path.name for path in folder.iterdir()] == ["in"]


def test_two_that_see_the_same_damage_keep_one_new_record(
    store: Store, monkeypatch: pytest.MonkeyPatch
) -> None:
    run(store, MADE)
    old = store.get(MADE.key)
    assert old is not None
    store.retire(old, "damage")
    # Or both would be one record to the last second.
    monkeypatch.setattr(evaluation, "machine", lambda: "another")
    run(store, MADE)
    store.retire(old, "damage")  # by the other one, which was slower
    assert [record.status for record in store.all()] == ["damaged", "ok"]


# The size of the netlist of the example is some 250 KB; that of other files is below the limit.
LIMIT = 60_000
LIMITED = f"""
import resource, sys
from pathlib import Path
resource.setrlimit(resource.RLIMIT_FSIZE, ({LIMIT}, resource.RLIM_INFINITY))
from lydite import cli
sys.exit(cli.main(sys.argv[1:]))
"""


def test_file_cut_by_a_limit_is_no_result(store_folder: Path) -> None:
    command = ["run", str(CRC32), "--top", "crc32", "--clock", "clk", "--seeds", "1"]
    command += ["--target", "ice40-hx1k"]
    limited = subprocess.run(
        [sys.executable, "-c", LIMITED, *command], capture_output=True, text=True
    )
    assert limited.returncode == 4, limited.stdout + limited.stderr
    with Store(store_folder) as store:
        [failed] = store.all()
        place = store.artefacts(failed.key) / "boundary.json"  # the first that is too large
        assert failed.status == "failed"
        assert failed.error == (
            "yosys ended without an error, but not with a result\n"
            "  its netlist.json cannot be read\n"
            f"  {place}: cannot use: File too large\n"
            "  a limit on the size of files cut it: raise that (ulimit -f)"
        )
        sources = Sources(files={"crc32.v": CRC32}, top="crc32", parameters={})
        settings = plan.Settings(targets.find("ice40-hx1k"))
        job = plan.implementation("crc32", sources, "clk", settings).synthesis
        assert job.key == failed.key
        assert run(store, job) == [f"ok {job.label}"]


@dataclass(frozen=True)
class Silent(Made):
    """Has a file cut by a limit, and does not notice."""

    def run(self, work: Path, store: Store) -> Outcome:
        (work / "routed.config").write_bytes(bytes(LIMIT))
        return Outcome(result={"fmax_mhz": 1.0})


def test_file_as_large_as_a_limit_is_no_result(
    store: Store, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(resource, "getrlimit", lambda _: (LIMIT, LIMIT))
    job = Silent("cut")
    place = store.artefacts(job.key) / "routed.config"
    assert run(store, job) == [
        f"failed made cut: {place}: cannot use: File too large\n"
        "  a limit on the size of files cut it: raise that (ulimit -f)"
    ]
    monkeypatch.undo()
    assert run(store, job) == ["ok made cut"]


@pytest.mark.parametrize("length", [0, 1, 20, 30])
def test_netlist_cut_anywhere_is_no_result(length: int) -> None:
    whole = b'{"modules": {"top": {}}, "x": 1}'
    yosys.check_netlist(whole)
    with pytest.raises(ToolFailed) as raised:
        yosys.check_netlist(whole[:length])
    assert str(raised.value) == (
        "yosys ended without an error, but not with a result\n  its netlist.json cannot be read"
    )


def test_disk_that_takes_no_more_is_seen(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    def full(handle: int) -> None:
        raise OSError(errno.ENOSPC, os.strerror(errno.ENOSPC))

    monkeypatch.setattr(os, "fsync", full)
    with pytest.raises(OSError, match="No space left"):
        files.settle(tmp_path)


def test_no_limit_is_no_cut(tmp_path: Path) -> None:
    assert resource.getrlimit(resource.RLIMIT_FSIZE)[0] == resource.RLIM_INFINITY
    (tmp_path / "in").mkdir()
    (tmp_path / "in" / "file").write_bytes(b"")
    assert files.settle(tmp_path) == {
        "in/file": (0, "e3b0c44298fc1c149afbf4c8996fb92427ae41e4649b934ca495991b7852b855")
    }
