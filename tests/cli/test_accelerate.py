# SPDX-License-Identifier: Apache-2.0
"""`lydite accelerate` on the example: a core is written, and benched as a whole."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

from lydite.cli import main

CRC32 = Path(__file__).parents[2] / "examples" / "crc32" / "core.toml"
QUICK = ("--target", "ice40-hx1k", "--seeds", "1", "--no-software")


def test_accelerator_is_written_proven_and_placed(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.chdir(tmp_path)
    argv = ["accelerate", str(CRC32), "--slices", "2", *QUICK]
    assert main([*argv, "--no-bench", "--json"]) == 0
    shown = capsys.readouterr()
    assert json.loads(shown.out)["written"] == "crc32-rtl-x2/core.toml"
    assert "written: crc32-rtl-x2/core.toml" in shown.err
    assert main([*argv, "--json"]) == 0
    found = json.loads(capsys.readouterr().out)
    assert found["command"] == "accelerate"
    [table] = found["benches"]
    [row] = table["hardware"]
    assert row["design"] == "rtl-x2"
    # The folder is a core like others, and what was found of it is found again.
    assert main(["bench", "crc32-rtl-x2", *QUICK, "--json"]) == 0
    [again] = json.loads(capsys.readouterr().out)["benches"]
    assert again["hardware"] == table["hardware"]


def test_queue_is_told_and_named(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.chdir(tmp_path)
    argv = ["accelerate", str(CRC32), "--slices", "2", "--no-bench"]
    assert main([*argv, "--queue", "hash", "--queue-bytes", "128", "--json"]) == 0
    assert json.loads(capsys.readouterr().out)["written"] == "crc32-rtl-x2-hash/core.toml"
    assert (tmp_path / "crc32-rtl-x2-hash" / "job_queue.v").exists()
    assert main([*argv, "--queue-bytes", "128"]) == 2
    told = "lydite: --queue-bytes: is of a queue\n  --queue round-robin\n"
    assert capsys.readouterr().err == told


@pytest.mark.slow
def test_more_slices_than_fit_are_told(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.chdir(tmp_path)
    assert main(["accelerate", str(CRC32), "--slices", "6", *QUICK]) == 2
    assert "rtl-x6 on ice40-hx1k: the design is too large for the part" in capsys.readouterr().out
