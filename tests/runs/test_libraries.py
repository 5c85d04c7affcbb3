# SPDX-License-Identifier: Apache-2.0
"""Software as libraries: made anew when what they are compiled of changes; the quickest."""

from __future__ import annotations

import shutil
from pathlib import Path
from typing import Any

import msgspec
import pytest

from lydite.base.errors import ToolFailed
from lydite.cores import catalog
from lydite.runs.processors import libraries


def test_a_header_that_no_list_names_makes_a_library_anew(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(libraries, "cache_folder", lambda: tmp_path / "cache")
    made = tmp_path / "cache" / "software"
    [found] = [one for one in catalog.software("crc-32") if one.role == "reference"]
    shutil.copytree(catalog.FOLDER / "common", tmp_path / "common")
    folder = tmp_path / "checksum"
    shutil.copytree(found.folder, folder)
    software = msgspec.structs.replace(found, folder=folder, flags=("-O1",))
    [header] = [path for path in libraries.headers(software) if path.name == "checksum.h"]
    libraries.load(software)
    libraries.load(software)
    assert len(list(made.glob("*.so"))) == 1
    header.write_text(header.read_text() + "// changed\n")
    libraries.load(software)
    assert len(list(made.glob("*.so"))) == 2
    # Each set of flags that a compiler takes; a set that none does is no loss.
    both = msgspec.structs.replace(software, flags=("-O1", "-O2", "-fno-such-flag"))
    compilers = len(libraries.compiler.all_found("c"))
    assert len(libraries.load_every(both)) == 2 * compilers
    with pytest.raises(ToolFailed, match="no-such-flag"):
        libraries.load_every(msgspec.structs.replace(software, flags=("-fno-such-flag",)))


def test_the_quickest_is_by_its_best_trial(monkeypatch: pytest.MonkeyPatch) -> None:
    clock = [0]
    monkeypatch.setattr(libraries.time, "perf_counter", lambda: clock[0])
    takes = {"even": iter((3, 3, 3)), "best": iter((9, 2, 9))}

    def call(name: Any) -> None:
        clock[0] += next(takes[name])

    candidates: Any = {name: name for name in takes}
    assert libraries.quickest(candidates, call) == "best"
