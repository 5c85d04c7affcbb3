# SPDX-License-Identifier: Apache-2.0
"""The pages of docs/ that are to be followed, followed word by word in an empty folder."""

from __future__ import annotations

import shlex
from collections.abc import Callable
from pathlib import Path

import pytest

from lydite.cli import parser

EXAMPLE = Path(__file__).parents[2] / "examples" / "crc32"
CORE_FILES = ("crc32.v", "kat/crc32.json", "spec.py", "core.toml")


def test_first_core_shows_the_files_of_the_example(
    steps: Callable[[str], list[tuple[str, str, str]]],
) -> None:
    shown = {file: text for file, _, text in steps("first-core.md") if file}
    assert shown == {name: (EXAMPLE / name).read_text() for name in CORE_FILES}


def test_first_core_works_word_by_word(tmp_path: Path, follow: Callable[..., int]) -> None:
    # With the key that it shows: a reader's is the same.
    assert follow("first-core.md", tmp_path, fails={"Failed": 5}, exact=True) == 6


def test_first_kernel_works_word_by_word(tmp_path: Path, follow: Callable[..., int]) -> None:
    assert follow("first-kernel.md", tmp_path, fails={"recursion": 2}) == 8


def test_commands_of_the_page_on_clusters_are_commands(
    steps: Callable[[str], list[tuple[str, str, str]]],
) -> None:
    """The machines are not here to follow it: but each option must be one, of both programs."""
    from distributed.cli import dask_scheduler, dask_ssh, dask_worker

    known = {
        name: {option for one in module.main.params for option in (*one.opts, *one.secondary_opts)}
        for name, module in (
            *(("scheduler", dask_scheduler), ("worker", dask_worker), ("ssh", dask_ssh)),
        )
    }
    ours = 0
    for _, kind, text in steps("cluster.md"):
        for line in text.replace("\\\n", "").splitlines() if kind in ("console", "sh") else ():
            words = shlex.split(line.removeprefix("$ ").removeprefix("exec "), comments=True)
            if words[:1] == ["lydite"]:
                ours += 1
                assert parser().parse_args(words[1:]).cluster.startswith("tcp://")
            elif words[:1] == ["dask"]:
                assert {word for word in words if word.startswith("--")} <= known[words[1]], line
    assert ours == 3


# What the command prints is tested in `cli/test_testbed.py`, too.
@pytest.mark.slow
def test_testbed_works_word_by_word(tmp_path: Path, follow: Callable[..., int]) -> None:
    assert follow("testbed.md", tmp_path, fails={}) == 2
