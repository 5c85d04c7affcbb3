# SPDX-License-Identifier: Apache-2.0
"""Programs of YoWASP are compiled beside the cache, and put into it whole."""

from __future__ import annotations

import mmap
from pathlib import Path

import pytest

from lydite.runs.kinds.hardware import Prepare
from lydite.runs.store import Store
from lydite.tools import packer, yowasp
from lydite.tools.tool import Tool


@pytest.fixture
def cache(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    folder = tmp_path / "cache"
    monkeypatch.setenv("YOWASP_CACHE_DIR", str(folder))
    return folder


def test_tool_is_compiled_once_and_starts_at_once_then(cache: Path, tmp_path: Path) -> None:
    tool = packer.find("icepack")
    assert not yowasp.is_compiled(tool)
    with Store(tmp_path / "store") as store, store.work_folder() as work:
        job = Prepare(tool)
        assert job.announced
        outcome = job.run(work, store)
        assert "Preparing to run" in (work / "prepare.log").read_text()
        assert outcome.commands
        assert yowasp.is_compiled(tool)
        assert not job.announced
        assert not job.run(work, store).commands
    [compiled] = cache.rglob("icepack.wasm/*")
    assert compiled.is_file()
    # Nothing else is left there.
    assert [path.name for path in compiled.parent.parent.iterdir()] == ["icepack.wasm"]


def test_process_that_has_it_mapped_is_not_harmed(cache: Path, tmp_path: Path) -> None:
    tool = packer.find("icepack")
    for text in (b"first" * 1000, b"second"):
        made = tmp_path / "made" / yowasp._place(tool)
        made.parent.mkdir(parents=True, exist_ok=True)
        made.write_bytes(text)
        assert yowasp.install(tool, tmp_path / "made")
        if text.startswith(b"first"):
            [compiled] = cache.rglob("icepack.wasm/*")
            with compiled.open("rb") as file:
                mapped = mmap.mmap(file.fileno(), 0, access=mmap.ACCESS_READ)
    assert mapped[:] == b"first" * 1000
    assert compiled.read_bytes() == b"second"


def test_tool_that_compiled_nothing_is_told(cache: Path, tmp_path: Path) -> None:
    assert not yowasp.install(packer.find("icepack"), tmp_path)
    assert not cache.exists()


def test_native_tool_needs_no_compiling() -> None:
    tool = Tool(name="nextpnr-ecp5", argv=("nextpnr-ecp5",), version="1", origin="native")
    assert yowasp.is_compiled(tool)
