# SPDX-License-Identifier: Apache-2.0
"""The pages of docs/ that are to be followed, followed word by word in an empty folder."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path

import pytest

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


# What the command prints is tested in `cli/test_testbed.py`, too.
@pytest.mark.slow
def test_testbed_works_word_by_word(tmp_path: Path, follow: Callable[..., int]) -> None:
    assert follow("testbed.md", tmp_path, fails={}) == 2
