# SPDX-License-Identifier: Apache-2.0
"""The script of a record runs as it stands, finds the same again, and tells what differs."""

from __future__ import annotations

import json
import os
import shutil
import subprocess
from pathlib import Path

import msgspec
import pytest

from lydite import cli
from lydite.runs import software
from lydite.runs.record import Record
from lydite.runs.store import Store
from lydite.tools import compiler

CRC32 = Path(__file__).resolve().parents[2] / "examples" / "crc32"
SOFTWARE = """
[[software]]
name = "plain"
title = "a bit at a time"
role = "single"
primitives = ["crc32"]
sources = ["sw/crc32.c"]
flags = ["-O1"]
"""
CODE = """
#include "lydite_sw.h"
#include "inner.h"

const char *lydite_impl(void) { return "plain"; }
size_t lydite_lanes(void) { return 1; }
const char *lydite_cpu_flags(void) { return ""; }
int lydite_available(void) { return 1; }

void lydite_hash(const struct lydite_batch *batch) {
  const size_t in_bytes = batch->in_bytes[0];
  for (size_t m = 0; m < batch->count; ++m) {
    uint32_t crc = 0xffffffff;
    for (size_t i = 0; i < in_bytes; ++i) crc = step(crc ^ batch->in[0][m * in_bytes + i]);
    for (size_t i = 0; i < 4; ++i) batch->out[0][m * 4 + i] = (uint8_t)(~crc >> 8 * i);
  }
}
"""
HEADER = """
static uint32_t step(uint32_t crc) {
  for (int bit = 0; bit < 8; ++bit) crc = crc >> 1 ^ (crc & 1 ? 0xedb88320 : 0);
  return crc;
}
"""


@pytest.fixture(scope="module")
def measured(tmp_path_factory: pytest.TempPathFactory) -> tuple[Path, dict[str, Record]]:
    """Give a store with a run of each kind, whose sources are gone, and its records by kind."""
    base = tmp_path_factory.mktemp("replay")
    shutil.copytree(CRC32, base / "core", ignore=shutil.ignore_patterns("__pycache__"))
    core = base / "core" / "core.toml"
    core.write_text(core.read_text() + SOFTWARE)
    (base / "core" / "sw").mkdir()
    (base / "core" / "sw" / "crc32.c").write_text(CODE)
    (base / "core" / "sw" / "inner.h").write_text(HEADER)
    command = ["bench", str(core), "--target", "ice40-hx1k", "--seeds", "1"]
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(software, "_compilers", lambda: (compiler.find("c"),))
        assert cli.main([*command, "--store", str(base / "store")]) == 0
    shutil.rmtree(base / "core")
    with Store(base / "store", make=False) as store:
        return base / "store", {record.kind: record for record in store.all()}


def sh(script: str, folder: Path, **env: str) -> subprocess.CompletedProcess[str]:
    """Run a script as a user's shell would, in an empty folder."""
    folder.mkdir(exist_ok=True)
    return subprocess.run(
        ["sh", "-c", script],
        cwd=folder,
        env={**os.environ, **env},
        capture_output=True,
        text=True,
    )


SAID = {
    "verify": "equal: 4 known answers, ",
    "synthesis": "equal: netlist.json, stat.json",
    "netlist": "equal: 4 known answers, ",
    "placement": "equal: routed.config, report.json",
    "software": "equal: its answers; a call of 16384 bytes took ",
}


@pytest.mark.parametrize(("kind", "said"), SAID.items())
def test_run_is_made_again(
    measured: tuple[Path, dict[str, Record]],
    tmp_path: Path,
    capsys: pytest.CaptureFixture[str],
    kind: str,
    said: str,
) -> None:
    folder, records = measured
    key = records[kind].key
    assert cli.main(["show", key[:12], "--replay", "--store", str(folder)]) == 0
    script = capsys.readouterr().out
    run = sh(script, tmp_path / "here")
    assert run.returncode == 0, run.stdout + run.stderr
    assert run.stdout.startswith(said)
    assert list((tmp_path / "here").iterdir()) == []


def test_folder_of_a_replay_stands_by_itself(
    measured: tuple[Path, dict[str, Record]], tmp_path: Path
) -> None:
    folder, records = measured
    away = tmp_path / "a folder"
    key = records["synthesis"].key
    assert cli.main(["show", key, "--replay", str(away), "--store", str(folder)]) == 0
    moved = away.rename(tmp_path / "another folder")
    run = subprocess.run([moved / "replay.sh"], capture_output=True, text=True, cwd="/")
    assert run.stdout == "equal: netlist.json, stat.json\n", run.stderr
    # Another source gives another netlist.
    [source] = moved.rglob("crc32.v")
    source.write_text(source.read_text().replace("edb88320", "edb88321"))
    run = subprocess.run([moved / "replay.sh"], capture_output=True, text=True, cwd="/")
    assert run.returncode == 5
    assert run.stdout.startswith("differs: netlist.json\n  expected ")


def test_bundle_is_made_again_field_by_field(
    measured: tuple[Path, dict[str, Record]], tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    folder, records = measured
    theirs = tmp_path / "theirs"
    shutil.copytree(folder, theirs)
    placed = records["placement"]
    # Somebody publishes another clock than the one that was found.
    wished = msgspec.structs.replace(placed, result={**placed.result, "fmax_mhz": 999.5})
    with Store(theirs) as store:
        store.retire(placed, "a wish")
        store.put(wished)
    path = str(tmp_path / "a.zip")
    keys = [placed.key, records["software"].key]
    assert cli.main(["bundle", *keys, "-o", path, "--store", str(theirs)]) == 0
    only = [f"--only={key}" for key in (*keys, records["synthesis"].key)]
    capsys.readouterr()
    assert cli.main(["replicate", path, "--yes", *only, "--json"]) == 5
    rows = {row["kind"]: row for row in json.loads(capsys.readouterr().out)["rows"]}
    found = placed.result["fmax_mhz"]
    differs = [{"field": "fmax_mhz", "before": 999.5, "now": found}]
    assert rows["placement"]["differences"] == differs
    assert rows["synthesis"]["verdict"] == "equal"
    # Times are of a machine: they are told, and held against nobody.
    assert rows["software"]["verdict"] == "measured here"
    assert "its answers; a call of 16384 bytes took" in rows["software"]["told"]


def test_proof_that_failed_fails_again(
    crc32: Path, store_folder: Path, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    path = crc32 / "crc32.v"
    path.write_text(path.read_text().replace("edb88320", "edb88321"))
    assert cli.main(["bench", str(crc32), "--no-software", "--seeds", "1"]) == 5
    with Store(store_folder) as store:
        [record] = store.all()
    capsys.readouterr()
    assert cli.main(["show", record.key, "--replay"]) == 0
    script = capsys.readouterr().out
    run = sh(script, tmp_path / "here")
    assert run.returncode == 0, run.stdout + run.stderr
    assert run.stdout.startswith("equal: it fails as it did:\ncrc32, known answers, stalls none")
    # With the right polynomial it no longer does.
    kept = store_folder / "artefacts" / record.key[:2] / record.key / "crc32.v"
    kept.write_text(CRC32.joinpath("crc32.v").read_text())
    run = sh(script, tmp_path / "here")
    assert run.returncode == 5
    assert run.stdout.startswith("differs: the run\n")


def test_command_of_a_record_can_be_given_to_a_shell(
    measured: tuple[Path, dict[str, Record]], capsys: pytest.CaptureFixture[str]
) -> None:
    folder, records = measured
    assert cli.main(["show", records["placement"].key, "--store", str(folder)]) == 0
    shown = " ".join(capsys.readouterr().out.split())
    assert "python -c 'import sys, ctypes; " in shown
    assert f"replay lydite show {records['placement'].key[:12]} --replay | sh" in shown
