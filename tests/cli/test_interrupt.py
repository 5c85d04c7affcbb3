# SPDX-License-Identifier: Apache-2.0
"""Ctrl-C: a word, exit code 130, nothing half done; the same command goes on from there."""

from __future__ import annotations

import os
import re
import signal
import subprocess
import sys
from pathlib import Path

from lydite.runs.store import Store


def test_ctrl_c_keeps_what_was_finished(crc32: Path, store_folder: Path) -> None:
    command = [sys.executable, "-m", "lydite", "bench", str(crc32)]
    command += ["--target", "ice40-hx1k", "--seeds", "2", "--jobs", "1"]
    process = subprocess.Popen(
        command, stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True, start_new_session=True
    )
    assert process.stderr is not None
    for line in process.stderr:
        if line.startswith("start    placement"):
            break
    os.kill(process.pid, signal.SIGINT)
    output, errors = process.communicate()
    assert process.returncode == 130
    assert output == ""
    assert errors.splitlines() == [
        "",
        "lydite: interrupted; what was finished is kept, the same command goes on from there",
    ]
    with Store(store_folder) as store:
        assert [record.kind for record in store.all()] == ["verify", "synthesis", "netlist"]
        assert {record.status for record in store.all()} == {"ok"}
    assert list((store_folder / "work").iterdir()) == []

    again = subprocess.run(command, capture_output=True, text=True, check=True)
    assert "2 hashed seeds" in again.stdout
    started = re.findall(r"^start    (\w+)", again.stderr, re.MULTILINE)
    assert started == ["placement", "placement"]
