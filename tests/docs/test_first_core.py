# SPDX-License-Identifier: Apache-2.0
"""docs/first-core.md, done word by word in an empty folder."""

from __future__ import annotations

import os
import re
import subprocess
import sys
from pathlib import Path

ROOT = Path(__file__).parents[2]
PAGE = ROOT / "docs" / "first-core.md"
EXAMPLE = ROOT / "examples" / "crc32"
FILES = ("crc32.v", "kat/crc32.json", "spec.py", "core.toml")
BLOCK = re.compile(
    r"(?:^`(?P<file>[^`\n]+)`:\n\n)?^```(?P<kind>\w+)\n(?P<text>.*?)^```$", re.M | re.S
)
# The key of a run changes with every byte of what decides it; the page shows one of them.
KEY = re.compile(r"\b[0-9a-f]{12}\b")


def steps() -> list[tuple[str, str, str]]:
    """Give (file or empty, kind of block, text) in the order of the page."""
    page = PAGE.read_text()
    return [(m["file"] or "", m["kind"], m["text"]) for m in BLOCK.finditer(page)]


def test_the_page_shows_the_files_of_the_example() -> None:
    shown = {file: text for file, _, text in steps() if file}
    assert shown == {name: (EXAMPLE / name).read_text() for name in FILES}


def test_every_command_of_the_page_prints_what_the_page_says(tmp_path: Path) -> None:
    bin_folder = tmp_path / "bin"
    bin_folder.mkdir()
    (bin_folder / "lydite").write_text(f'#!/bin/sh\nexec "{sys.executable}" -m lydite "$@"\n')
    (bin_folder / "lydite").chmod(0o755)
    work = tmp_path / "crc32"
    work.mkdir()
    env = {**os.environ, "LYDITE_STORE": str(tmp_path / "store")}
    env["PATH"] = f"{bin_folder}:{env['PATH']}"
    printed = ""
    commands = 0
    for file, kind, text in steps():
        if kind == "console":
            for line in text.splitlines():
                assert line.startswith("$ "), line
                run = subprocess.run(
                    line[2:], shell=True, cwd=work, env=env, capture_output=True, text=True
                )
                assert run.returncode == (5 if "Failed" in run.stdout else 0), run.stderr
                printed = run.stdout
                commands += 1
        elif kind == "text":
            assert KEY.sub("KEY", printed.strip()) == KEY.sub("KEY", text.strip())
        else:
            (work / file).parent.mkdir(exist_ok=True)
            (work / file).write_text(text)
    assert commands == 6
