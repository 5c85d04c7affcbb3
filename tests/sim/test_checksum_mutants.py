# SPDX-License-Identifier: Apache-2.0
"""Broken checksums and engines (tests/cores/checksum_mutants.toml, sponge_mutants.toml) are seen to
be broken: a test of the tests.
"""

from __future__ import annotations

import shutil
import tomllib
from pathlib import Path
from typing import Any

import msgspec
import pytest

from lydite.base import CheckFailed
from lydite.cores import catalog
from lydite.sim.verify import verify

MUTANTS: list[dict[str, Any]] = [
    mutant
    for name in ("checksum", "sponge")
    for mutant in tomllib.loads(
        (Path(__file__).parent.parent / "cores" / f"{name}_mutants.toml").read_text()
    )["mutant"]
]
# One of each kind: a wrong function, a handshake, a state that is left.
FAST = ("zeros_of_one_byte_stay", "checksum_changes_while_it_waits", "a_plane_is_not_cleared")


def marked(mutant: dict[str, Any]) -> Any:
    marks = () if mutant["name"] in FAST else pytest.mark.slow
    return pytest.param(mutant, id=mutant["name"], marks=marks)


def test_fast_mutants_are_in_the_file() -> None:
    names = [mutant["name"] for mutant in MUTANTS]
    assert set(FAST) < set(names)
    assert len(names) == len(set(names))


@pytest.mark.parametrize("mutant", [marked(mutant) for mutant in MUTANTS])
def test_broken_core_is_seen(mutant: dict[str, Any], tmp_path: Path) -> None:
    [selection] = catalog.select(mutant["design"])
    [design] = selection.designs
    for name in design.sources:
        (tmp_path / name).parent.mkdir(parents=True, exist_ok=True)
        shutil.copyfile(design.folder / name, tmp_path / name)
    path = tmp_path / mutant["file"]
    text = path.read_text()
    assert text.count(mutant["find"]) == 1, "the text to be replaced stands there once"
    path.write_text(text.replace(mutant["find"], mutant["replace"]))
    with pytest.raises(CheckFailed):
        verify(msgspec.structs.replace(design, folder=tmp_path))
