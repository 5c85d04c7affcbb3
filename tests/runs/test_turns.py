# SPDX-License-Identifier: Apache-2.0
"""Turns of a loop, counted where its C runs: what they are, what they hang on, what fails."""

from __future__ import annotations

import shutil
from pathlib import Path

import pytest
from msgspec.structs import replace

from lydite.base import ToolFailed
from lydite.cores import Design, catalog
from lydite.cores.blake3 import spec
from lydite.runs.kinds.turns import FOLDER, CountTurns
from lydite.runs.store import Store

PROGRAM = "hls/blake3_turns.c"
RING, PIPE = (catalog.design("blake3", name) for name in ("hls-ring", "hls-pipe"))


def counted(design: Design, sizes: tuple[int, ...], folder: Path) -> list[dict[str, int | str]]:
    with Store(folder / "store") as store:
        (work := folder / "work").mkdir()
        outcome = CountTurns(design, PROGRAM, sizes).run(work, store)
    # What was compiled is there, and no more.
    assert {path.suffix for path in (work / FOLDER).iterdir()} == {".c", ".h"}
    found: list[dict[str, int | str]] = outcome.result["messages"]
    return found


def test_turns_are_those_that_simulation_has_shown(tmp_path: Path) -> None:
    """Cycles of `lydite reproduce blake3 --published`: of 64 kB 8,440 by turns of seven."""
    sizes = (0, 1, 65, 1025, 65536)
    ran = counted(RING, sizes, tmp_path)
    assert [one["bytes"] for one in ran] == list(sizes)
    assert ran[-1]["turns"] == (8440 + 2) // 7
    for one in ran:
        message = bytes((7 + 11 * (at % 64)) % 256 for at in range(int(one["bytes"])))
        assert one["digest"] == spec.hash_(message, 32).hex()


def test_a_loop_of_a_turn_a_cycle(tmp_path: Path) -> None:
    """Cycles of `docs/blake3.md`: of a chunk 523, of 32 KiB 1,194."""
    chunk, more = counted(PIPE, (1024, 32768), tmp_path)
    assert (int(chunk["turns"]) + 6, int(more["turns"]) + 6) == (523, 1194)


def test_what_is_counted_decides_the_key() -> None:
    sizes = (64, 128)
    one, same = (CountTurns(RING, PROGRAM, sizes) for _ in range(2))
    others = CountTurns(RING, PROGRAM, (64,)), CountTurns(PIPE, PROGRAM, sizes)
    assert one.key == same.key
    assert len({one.key, *(other.key for other in others)}) == 3


@pytest.mark.parametrize(
    ("wrong", "told"),
    [
        ("number : 0", "known answers are not"),
        ("const bool root = ;", "error: expected expression"),
    ],
)
def test_c_that_is_wrong_is_not_counted(tmp_path: Path, wrong: str, told: str) -> None:
    shutil.copytree(RING.folder / "hls", tmp_path / "hls")
    path = tmp_path / "hls" / "blake3_pipe.c"
    text = path.read_text()
    right = "number : is_block ? of : 0" if "number" in wrong else "const bool root = again"
    assert right in text
    path.write_text(text.replace(right, wrong))
    with pytest.raises(ToolFailed, match=told):
        counted(replace(RING, folder=tmp_path), (64,), tmp_path)
