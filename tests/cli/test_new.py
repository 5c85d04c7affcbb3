# SPDX-License-Identifier: Apache-2.0
"""`lydite new core`: what it writes is a core that is right, and bad input leaves nothing."""

from __future__ import annotations

from pathlib import Path

import compiled
import pytest

from lydite.base import InputError
from lydite.cli import main
from lydite.cores import load, template
from lydite.runs.execute import execute
from lydite.runs.processors.software import MeasureSoftware
from lydite.runs.store import Store
from lydite.sim.verify import verify


def test_new_core_is_right_as_it_is(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.chdir(tmp_path)
    assert main(["new", "core", "my-sum"]) == 0
    listed = capsys.readouterr().out.split()
    found = sorted(str(p.relative_to(tmp_path)) for p in tmp_path.rglob("*") if p.is_file())
    assert sorted(listed) == found
    assert "my-sum/rtl/my_sum.v" in found
    core = load(tmp_path / "my-sum" / "core.toml")
    assert [design.label for design in core.designs] == ["my-sum/rtl", "my-sum/hls"]
    for design in core.designs:
        assert verify(compiled.design(design)).vectors == 3
    [variant] = core.software
    with Store(tmp_path / "store") as store:
        [record] = execute([MeasureSoftware(variant)], store, parallel=1).values()
    assert record.error == ""


@pytest.mark.parametrize("name", ["My", "9a", "a b", "a_b", "", "a-", "../a"])
def test_name_that_is_none_is_refused(tmp_path: Path, name: str) -> None:
    with pytest.raises(InputError) as raised:
        template.write(name, tmp_path / "core")
    assert str(raised.value).startswith(f"NAME: not a name of a core: {name!r}")
    assert list(tmp_path.iterdir()) == []


def test_folder_that_is_there_is_kept(tmp_path: Path) -> None:
    (tmp_path / "x").mkdir()
    (tmp_path / "x" / "mine").write_text("mine")
    with pytest.raises(InputError) as raised:
        template.write("x", tmp_path / "x")
    assert str(raised.value) == f"{tmp_path / 'x'}: is there already\n  name another with --folder"
    assert [path.name for path in (tmp_path / "x").iterdir()] == ["mine"]


def test_folder_that_cannot_be_made_is_told(tmp_path: Path) -> None:
    (tmp_path / "file").write_text("")
    with pytest.raises(InputError):
        template.write("x", tmp_path / "file" / "x")
