# SPDX-License-Identifier: Apache-2.0
"""`make.py`: the environment is made where it is not there, not the one wanted, or broken."""

from __future__ import annotations

import importlib.util
import sys
from pathlib import Path
from typing import Any

import pytest

_PATH = Path(__file__).parents[1] / "make.py"


@pytest.fixture
def make(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Any:
    """Give the module, whose environment is a folder of the test's and whole; it runs nothing."""
    spec = importlib.util.spec_from_file_location("make", _PATH)
    assert spec is not None and spec.loader is not None
    module: Any = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(module)
    module.ran = []

    def run(argv: list[str], **_: object) -> int:
        module.ran.append(argv)
        module.VENV.mkdir(exist_ok=True)
        return 0

    monkeypatch.setattr(module.subprocess, "call", run)
    monkeypatch.setattr(module.subprocess, "check_call", run)
    module.VENV = tmp_path / ".venv"
    module.PYTHON = module.VENV / "bin" / "python"
    module.STAMP = module.VENV / "stamp"
    module.PYTHON.parent.mkdir(parents=True)
    module.PYTHON.symlink_to(sys.executable)
    module.STAMP.write_text(module.wanted())
    return module


def test_a_whole_environment_is_left_alone(make: Any) -> None:
    make.set_up()
    assert make.ran == []


def test_one_of_other_requirements_is_made_anew(make: Any) -> None:
    make.STAMP.write_text("of before")
    make.set_up()
    assert make.ran[0] == [sys.executable, "-m", "venv", str(make.VENV)]
    assert make.STAMP.read_text() == make.wanted()


def test_one_whose_python_is_gone_is_made_anew(make: Any, tmp_path: Path) -> None:
    """As where Python was upgraded, or was there for a check alone: a link that leads nowhere."""
    make.PYTHON.unlink()
    make.PYTHON.symlink_to(tmp_path / "gone")
    make.set_up()
    assert make.ran[0] == [sys.executable, "-m", "venv", str(make.VENV)]
