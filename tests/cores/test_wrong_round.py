# SPDX-License-Identifier: Apache-2.0
"""Known answers of another round of the SHA-3 contest are refused: candidates were changed in
between, and ours are those of the second round.
"""

from __future__ import annotations

from pathlib import Path

import msgspec
import pytest
from contest import CANDIDATES, function_of

from lydite.base import CheckFailed
from lydite.cores import Primitive, catalog, kat
from lydite.cores.primitive import KatFile
from lydite.sim.verify import verify

FOLDER = Path(__file__).parent / "wrong_round"
RECORDS = 9
CHANGED = [one for one in CANDIDATES if (FOLDER / f"{one.name}.txt").exists()]
ALL = pytest.mark.parametrize("primitive", CHANGED, ids=lambda one: one.name)


def test_all_files_are_of_a_candidate() -> None:
    assert {one.name for one in CHANGED} == {path.stem for path in FOLDER.glob("*.txt")}


@ALL
def test_specification_refuses_every_record(primitive: Primitive) -> None:
    path = FOLDER / f"{primitive.name}.txt"
    read = kat.vectors(path, "contest", primitive.operations, RECORDS, 0)
    for which in ("spec", "fast"):
        function = function_of(primitive, which)
        if function is None:
            continue
        for one in read.vectors:
            assert function(one.fields["message"]) != one.fields["digest"], one.where


@pytest.mark.slow
@ALL
def test_verification_refuses_them(primitive: Primitive) -> None:
    path = FOLDER / f"{primitive.name}.txt"
    entry = KatFile(file=str(path), format="contest", records=RECORDS)
    wrong = msgspec.structs.replace(primitive, kat_files=(entry,))
    design = catalog.design(primitive.name, "rtl")
    with pytest.raises(CheckFailed, match="message 0"):
        verify(msgspec.structs.replace(design, primitive=wrong))
