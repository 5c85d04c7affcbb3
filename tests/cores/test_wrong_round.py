# SPDX-License-Identifier: Apache-2.0
"""Known answers of another round of the SHA-3 contest are refused: candidates were changed between
the second round and the final one.
"""

from __future__ import annotations

from pathlib import Path

import msgspec
import pytest
from contest import CANDIDATES, FINAL, function_of

from lydite.base import CheckFailed
from lydite.cores import Primitive, catalog
from lydite.cores.primitive import KatFile
from lydite.sim.verify import verify

OTHER = FINAL | {final: second for second, final in FINAL.items()}
# Records of the final round of a candidate that the catalogue has not.
FOLDER = Path(__file__).parent / "wrong_round"
RECORDS = 9
CHANGED = [one for one in CANDIDATES if one.name in OTHER or (FOLDER / f"{one.name}.txt").exists()]
ALL = pytest.mark.parametrize("primitive", CHANGED, ids=lambda one: one.name)


def with_wrong_answers(primitive: Primitive) -> Primitive:
    """Give a candidate with the known answers of the other round."""
    if primitive.name in OTHER:
        files = catalog.primitive(OTHER[primitive.name]).kat_files
    else:
        path = FOLDER / f"{primitive.name}.txt"
        files = (KatFile(file=str(path), format="contest", records=RECORDS),)
    return msgspec.structs.replace(primitive, kat_files=files)


def test_all_that_is_named_is_a_candidate() -> None:
    assert {one.name for one in CHANGED} == {*OTHER, *(path.stem for path in FOLDER.glob("*.txt"))}


@ALL
def test_specification_refuses_every_record(primitive: Primitive) -> None:
    """Where there are many, a dozen of them."""
    vectors = with_wrong_answers(primitive).vectors()
    for which in ("spec", "fast"):
        function = function_of(primitive, which)
        if function is None:
            continue
        for one in vectors[:: max(1, len(vectors) // 12)]:
            assert function(one.fields["message"]) != one.fields["digest"], one.where


@pytest.mark.slow
@ALL
def test_verification_refuses_them(primitive: Primitive) -> None:
    design = catalog.design(primitive.name, "rtl")
    with pytest.raises(CheckFailed, match="message 0"):
        verify(msgspec.structs.replace(design, primitive=with_wrong_answers(primitive)))
