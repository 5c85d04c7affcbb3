# SPDX-License-Identifier: Apache-2.0
"""Do what a page of docs/ says: write its files, run its commands, compare what they print.

LYDITE_UPDATE_PAGES=1 puts what they print into the page instead.
"""

from __future__ import annotations

import os
import re
import subprocess
import sys
from collections.abc import Callable
from pathlib import Path

import pytest

DOCS = Path(__file__).parents[2] / "docs"
_BLOCK = re.compile(
    r"(?:^`(?P<file>[^`\n]+)`:\n\n)?^```(?P<kind>\w+)\n(?P<text>.*?)^```$", re.M | re.S
)
# The key of a run and the digest of a source change with every byte of what decides them.
_DIGEST = re.compile(r"\b(?:[0-9a-f]{2}/[0-9a-f]{64}|[0-9a-f]{12,16})\b")
# Where the reader has a store of his own.
_STORE = "/home/you/.local/share/lydite"


def _steps(page: str) -> list[tuple[str, str, str]]:
    """Give (file or empty, kind of block, text) in the order of a page."""
    text = (DOCS / page).read_text()
    return [(m["file"] or "", m["kind"], m["text"]) for m in _BLOCK.finditer(text)]


def _follow(page: str, folder: Path, *, fails: dict[str, int], exact: bool = False) -> int:
    """Do all of a page in an empty folder and give the number of its commands.

    Parameters
    ----------
    fails : mapping
        Words of a command's output (both streams) to the exit code that it then must have; all
        other commands must exit with 0.
    exact : bool
        Whether keys and digests, too, must be those of the page: they are where they do not depend
        on the machine.
    """
    programs, work = folder / "bin", folder / "work"
    programs.mkdir()
    work.mkdir()
    (programs / "lydite").write_text(f'#!/bin/sh\nexec "{sys.executable}" -m lydite "$@"\n')
    (programs / "lydite").chmod(0o755)
    env = {**os.environ, "LYDITE_STORE": str(folder / "store")}
    env["PATH"] = f"{programs}:{env['PATH']}"
    printed = ""
    commands = 0
    for file, kind, text in _steps(page):
        if kind == "console":
            for line in text.splitlines():
                assert line.startswith("$ "), line
                run = subprocess.run(
                    line[2:], shell=True, cwd=work, env=env, capture_output=True, text=True
                )
                both = run.stdout + run.stderr
                code = next((code for words, code in fails.items() if words in both), 0)
                assert run.returncode == code, f"{line}\n{both}"
                printed = (run.stdout or run.stderr).replace(str(folder / "store"), _STORE)
                commands += 1
        elif kind == "text" and os.environ.get("LYDITE_UPDATE_PAGES"):
            path = DOCS / page
            new = "\n".join(line.rstrip() for line in printed.strip("\n").splitlines())
            path.write_text(path.read_text().replace(f"```text\n{text}```", f"```text\n{new}\n```"))
        elif kind == "text":
            shown = [printed.strip(), text.strip()]
            found, told = shown if exact else [_DIGEST.sub("KEY", each) for each in shown]
            assert found == told
        elif file:
            (work / file).parent.mkdir(exist_ok=True)
            (work / file).write_text(text)
    return commands


@pytest.fixture
def steps() -> Callable[[str], list[tuple[str, str, str]]]:
    """Give the blocks of a page."""
    return _steps


@pytest.fixture
def follow() -> Callable[..., int]:
    """Do a page in a folder."""
    return _follow
