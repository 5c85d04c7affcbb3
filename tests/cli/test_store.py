# SPDX-License-Identifier: Apache-2.0
"""`lydite store` says what is damaged and removes nothing that is named; runs can be chosen."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest

from lydite.base import files
from lydite.cli import main
from lydite.runs.record import Record
from lydite.runs.store import Store

Capture = pytest.CaptureFixture[str]
A, B, C, D = ("a" * 64, "b" * 64, "c" * 64, "d" * 64)


def put(store: Store, key: str, kind: str, label: str, **values: Any) -> None:
    """Put a record with one artefact."""
    with store.work_folder() as work:
        (work / "file").write_text(label)
        kept = files.contents(work)
        store.keep(key, work)
    fields = {"status": "ok", "inputs": {}, "result": {}, "files": kept, **values}
    store.put(Record(key=key, kind=kind, label=f"{kind} {label}", **fields))


@pytest.fixture
def filled(store_folder: Path) -> Path:
    """Give a store with a chain of three runs and one that failed."""
    with Store(store_folder) as store:
        put(store, A, "test", "core/a", started_utc="2026-11-20T10:00:00+00:00")
        on = "core/a on ecp5-25k-6"
        put(store, B, "test", on, needs=(A,), started_utc="2026-11-21T10:00:00+00:00")
        more = f"{on}, seed 1"
        put(store, C, "other", more, needs=(B,), started_utc="2026-11-22T10:00:00+00:00")
        failed = {
            "status": "failed",
            "error": "no\nway",
            "started_utc": "2026-11-22T11:00:00+00:00",
        }
        put(store, D, "other", "core/b on ecp5-85k-6", **failed)
    return store_folder


def artefact(folder: Path, key: str) -> Path:
    return folder / "artefacts" / key[:2] / key / "file"


def said(capsys: Capture, *command: str, code: int = 0) -> list[str]:
    assert main([*command]) == code
    return capsys.readouterr().out.splitlines()


def test_whole_store_is_said_to_be(filled: Path, capsys: Capture) -> None:
    assert said(capsys, "store", "check") == ["4 records: all as it was kept"]


def test_damage_is_found_by_contents(filled: Path, capsys: Capture) -> None:
    artefact(filled, A).write_text("core/x")
    artefact(filled, C).unlink()
    assert said(capsys, "store", "check", code=5) == [
        f"damaged  {A[:12]}  test core/a: its file has been changed",
        f"damaged  {C[:12]}  other core/a on ecp5-25k-6, seed 1: its file is not there",
        "4 records: 2 damaged",
    ]
    assert main(["store", "check", "--json"]) == 5
    shown = json.loads(capsys.readouterr().out)
    assert [entry["key"] for entry in shown["damaged"]] == [A, C]


def test_what_nothing_names_is_removed_and_nothing_else(filled: Path, capsys: Capture) -> None:
    orphan = filled / "artefacts" / "ee" / ("e" * 64)
    orphan.mkdir(parents=True)
    (orphan / "x").write_bytes(bytes(1_500_000))
    (filled / "work" / "tmpdead").mkdir()
    lines = [
        f"{orphan}: named by no record",
        f"{filled / 'work' / 'tmpdead'}: of a process that has died",
    ]
    assert said(capsys, "store", "check") == [
        *(f"left     {line}" for line in lines),
        "4 records: all as it was kept; gc removes what is left",
    ]
    assert said(capsys, "store", "gc", "-n") == [*lines, "2 would be removed, 1.5 MB"]
    assert orphan.exists()
    assert said(capsys, "store", "gc") == [*lines, "2 removed, 1.5 MB"]
    assert not orphan.exists()
    assert said(capsys, "store", "gc") == ["0 removed, 0.0 MB"]
    assert said(capsys, "store", "check") == ["4 records: all as it was kept"]
    assert [path.name for path in (filled / "locks").iterdir()] == ["work"]


def test_artefacts_of_failures_are_removed_when_asked(filled: Path, capsys: Capture) -> None:
    assert said(capsys, "store", "gc", "--failed")[-1] == "1 removed, 0.0 MB"
    assert not artefact(filled, D).exists()
    assert len(said(capsys, "list", "runs", "--csv")) == 1 + 4


def test_moments_of_runs_are_drawn_without_their_zone(filled: Path, capsys: Capture) -> None:
    rows = [line.split() for line in said(capsys, "list", "runs")]
    moments = {row[0]: row[-1] for row in rows if row and row[0] in (A[:12], B[:12])}
    assert moments == {A[:12]: "2026-11-20T10:00:00", B[:12]: "2026-11-21T10:00:00"}


def test_what_another_process_works_on_stays(filled: Path, capsys: Capture) -> None:
    key = "e" * 64
    with Store(filled) as store, store.claim(key, give_up=lambda: False):
        store.artefacts(key).mkdir(parents=True)
        assert said(capsys, "store", "gc") == ["0 removed, 0.0 MB"]
        assert store.artefacts(key).exists()


def test_run_that_others_rest_on_stays(filled: Path, capsys: Capture) -> None:
    assert main(["store", "rm", "aa"]) == 2
    assert capsys.readouterr().err == (
        f"lydite: KEY: others rest on it: {B[:12]} (test core/a on ecp5-25k-6), "
        f"{C[:12]} (other core/a on ecp5-25k-6, seed 1)\n  --dependents removes them, too\n"
    )
    assert said(capsys, "store", "rm", "cc") == [f"removed: {C[:12]}"]
    removed = said(capsys, "store", "rm", "aa", "--dependents")
    assert removed == [f"removed: {B[:12]}, {A[:12]}"]
    assert not artefact(filled, A).exists()
    assert [line[:4] for line in said(capsys, "list", "runs", "--csv")[1:]] == ["dddd"]


@pytest.mark.parametrize(
    ("options", "keys"),
    [
        ("", "abcd"),
        ("--kind other", "cd"),
        ("--status failed", "d"),
        ("--target ecp5", "bcd"),
        ("--target ecp5-25k", "bc"),
        ("--label core/b", "d"),
        ("--label core/a", "abc"),
        ("--label core/?", "a"),
        ("--since 2026-11-22", "cd"),
        ("--since 2026-11-22T10:30", "d"),
        ("--since 2026-11-22T10:30+01:00", "cd"),
        ("--limit 1", "d"),
        ("--target ecp5 --limit 2", "cd"),
    ],
)
def test_runs_are_chosen(filled: Path, capsys: Capture, options: str, keys: str) -> None:
    lines = said(capsys, "list", "runs", "--csv", *options.split())[1:]
    assert "".join(line[0] for line in lines) == keys


@pytest.mark.parametrize(
    ("command", "message"),
    [
        (
            "list runs --since monday",
            "--since: no date: 'monday'\n  as 2026-11-22 or 2026-11-22T09:30",
        ),
        ("list runs --limit -1", "--limit: must be at least 1, not -1"),
        (
            "list cores --limit 1",
            "cores: filters are of runs\n  as `lydite list runs --kind verify`",
        ),
        ("show beef", "KEY: no run with key 'beef'\n  see `lydite list runs`"),
        ("show aa --replay", "--replay: no script for a run of the kind test: "
            "this Lydite does not know it"),
    ],
)  # fmt: skip
def test_bad_choice_is_told(filled: Path, capsys: Capture, command: str, message: str) -> None:
    assert main(command.split()) == 2
    assert capsys.readouterr().err == f"lydite: {message}\n"
