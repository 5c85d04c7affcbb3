# SPDX-License-Identifier: Apache-2.0
"""What tests of the search share: the example core, proven and mapped once."""

from __future__ import annotations

import shutil
from collections.abc import Callable, Iterator
from pathlib import Path

import pytest

from lydite import cores, targets
from lydite.runs.execute import execute
from lydite.runs.plan import Settings
from lydite.runs.store import Store
from lydite.search.backend import Subject
from lydite.search.space import Space
from lydite.targets.arms import Arm

CRC32 = Path(__file__).parents[2] / "examples" / "crc32"


def space(*arms: Arm) -> Space:
    """Give the example on a small part, under arms."""
    [selection] = cores.select(str(CRC32))
    settings = Settings(target=targets.find("ice40-hx1k"))
    subjects = (Subject.of(selection.designs[0]),)
    return Space(subjects, settings, arms or (Arm(name="default", about=""),))


@pytest.fixture(scope="session")
def prepared(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """Give the folder of a store with the proofs of the example, its synthesis, a placement."""
    folder = tmp_path_factory.mktemp("prepared") / "store"
    where = space()
    with Store(folder) as store:
        records = execute([where.placement(where.arms[0], 0)], store, parallel=1)
        assert {record.status for record in records.values()} == {"ok"}
    return folder


@pytest.fixture
def store(prepared: Path, store_folder: Path) -> Iterator[Store]:
    """Give a store of this test's own, which has these, and is the default one."""
    shutil.copytree(prepared, store_folder)
    with Store(store_folder) as opened:
        yield opened


@pytest.fixture
def make_space() -> Callable[..., Space]:
    """Give `space`."""
    return space
