# SPDX-License-Identifier: Apache-2.0
"""A run of all tests that skips what it should not is a failed run."""

from __future__ import annotations

import subprocess
import sys
import tomllib
from collections.abc import Callable
from pathlib import Path

import pytest
import sw

CONFTEST = Path(__file__).with_name("conftest.py")
KNOWN = tomllib.loads(CONFTEST.with_name("skips.toml").read_text())
PLUGIN = """
import importlib.util, sys
spec = importlib.util.spec_from_file_location("theirs", {path!r})
theirs = importlib.util.module_from_spec(spec)
spec.loader.exec_module(theirs)
for name in dir(theirs):
    if name.startswith("pytest_"):
        globals()[name] = getattr(theirs, name)
"""


@pytest.fixture
def run(tmp_path: Path) -> Callable[..., subprocess.CompletedProcess[str]]:
    """Give a function that runs tests, with the rules of ours, in a folder of their own."""
    (tmp_path / "tests").mkdir()
    (tmp_path / "pytest.ini").write_text("[pytest]\ntestpaths = tests\n")
    (tmp_path / "tests" / "conftest.py").write_text(PLUGIN.format(path=str(CONFTEST)))

    def _run(reason: str, *options: str) -> subprocess.CompletedProcess[str]:
        text = f"import pytest\n\ndef test_it():\n    pytest.skip({reason!r})\n"
        (tmp_path / "tests" / "test_it.py").write_text(text)
        argv = [sys.executable, "-m", "pytest", "-q", "-p", "no:cacheprovider", *options]
        return subprocess.run(argv, cwd=tmp_path, capture_output=True, text=True)

    return _run


@pytest.mark.parametrize("workers", [(), ("-n", "1")])
def test_an_unknown_skip_fails_the_run(
    run: Callable[..., subprocess.CompletedProcess[str]], workers: tuple[str, ...]
) -> None:
    done = run("because", *workers)
    assert "ERROR 1 tests were skipped, not 0: because (skips.toml)" in done.stdout
    assert done.returncode == 1


def test_another_number_of_skips_fails_the_run(
    run: Callable[..., subprocess.CompletedProcess[str]],
) -> None:
    [reason, *_] = KNOWN["counted"]
    done = run(reason)
    assert f"1 tests were skipped, not {KNOWN['counted'][reason]}: {reason}" in done.stdout
    assert done.returncode == 1


def test_what_a_machine_may_lack_fails_nothing(
    run: Callable[..., subprocess.CompletedProcess[str]],
) -> None:
    assert run("this machine has no avx512f").returncode == 0


def test_a_part_of_the_tests_is_not_counted(
    run: Callable[..., subprocess.CompletedProcess[str]],
) -> None:
    assert run("because", "-k", "it").returncode == 0


@pytest.mark.parametrize("build", [sw.shared, sw.sanitized])
def test_the_counted_reason_comes_first(
    build: Callable[..., object], tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """How many tests a machine skips for want of gcc is the same whatever its processor has."""
    monkeypatch.setenv("PATH", str(tmp_path))
    arguments = ("gcc", tmp_path / "f.c") if build is sw.shared else (tmp_path / "f.c", "")
    with pytest.raises(pytest.skip.Exception, match="needs gcc on PATH"):
        build(*arguments, tmp_path, cpu={"a feature that no processor has"})
