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
