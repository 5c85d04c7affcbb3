# SPDX-License-Identifier: Apache-2.0
"""What all tests share: `--slow`, folders of their own for results and models, the example core."""

from __future__ import annotations

import collections
import fnmatch
import gc
import itertools
import os
import random
import shutil
import signal
import tomllib
from collections.abc import Callable, Iterator, Mapping
from pathlib import Path
from typing import Any

import pytest
from hypothesis import HealthCheck, settings

from lydite.runs.processors import measuring
from lydite.sim import build, random_messages

ROOT = Path(__file__).resolve().parent.parent
CRC32 = ROOT / "examples" / "crc32"

# No times decide: the machine may be busy. `ci` repeats byte for byte; `dev` looks further.
_COMMON = {"deadline": None, "database": None, "suppress_health_check": [HealthCheck.too_slow]}
settings.register_profile("ci", derandomize=True, max_examples=100, **_COMMON)
settings.register_profile("dev", max_examples=2000, **_COMMON)
settings.load_profile(os.environ.get("HYPOTHESIS_PROFILE", "ci"))

# A shell that starts the tests in the background has them ignore SIGINT, and their children with
# them; some tests interrupt their children.
signal.signal(signal.SIGINT, signal.default_int_handler)

# Whose models run for long.
LONG = ("test_blake3", "test_blake3_waits", "test_build", "test_verify")

SKIPS = Path(__file__).with_name("skips.toml")
_deselected: list[str] = []
_skipped: collections.Counter[str] = collections.Counter()
_complaints: list[str] = []
_numbers = itertools.count()


def pytest_addoption(parser: pytest.Parser) -> None:
    parser.addoption("--slow", action="store_true", help="run the slow tests, too")
    what = "run the tests in another order: none hangs on one before it"
    parser.addoption("--shuffle", type=int, metavar="SEED", help=what)


def pytest_collection_modifyitems(config: pytest.Config, items: list[pytest.Item]) -> None:
    """Leave out slow tests, unless they were asked for; shuffle the others, if that was."""
    seed = config.getoption("--shuffle")
    if seed is not None:
        random.Random(seed).shuffle(items)
    if config.getoption("--slow"):
        return
    slow = [item for item in items if item.get_closest_marker("slow")]
    if slow:
        _deselected.extend(item.nodeid for item in slow)
        config.hook.pytest_deselected(items=slow)
        items[:] = [item for item in items if not item.get_closest_marker("slow")]


def pytest_collection_finish() -> None:
    """Keep the collector of Python from looking at ten thousand tests again and again."""
    gc.collect()
    gc.freeze()


def pytest_runtest_logreport(report: pytest.TestReport) -> None:
    if report.skipped and isinstance(report.longrepr, tuple):
        _skipped[report.longrepr[2].removeprefix("Skipped: ")] += 1


def pytest_sessionfinish(session: pytest.Session) -> None:
    """Fail a run of all tests that skips others than `skips.toml` has."""
    config = session.config
    if hasattr(config, "workeroutput"):
        config.workeroutput["deselected"] = _deselected
    chosen = config.option.keyword or config.option.markexpr or config.args != ["tests"]
    if chosen or config.option.maxfail or config.option.collectonly or _is_worker(config):
        return
    _complaints.extend(complaints(_skipped))
    if _complaints and session.exitstatus == pytest.ExitCode.OK:
        session.exitstatus = pytest.ExitCode.TESTS_FAILED


def complaints(skipped: Mapping[str, int]) -> list[str]:
    """Say which tests were skipped that `skips.toml` does not know of: reason to how many."""
    expected = tomllib.loads(SKIPS.read_text())
    return [
        f"{count} tests were skipped, not {expected['counted'].get(reason, 0)}: {reason}"
        for reason, count in sorted(skipped.items())
        if count != expected["counted"].get(reason)
        and not any(fnmatch.fnmatchcase(reason, pattern) for pattern in expected["any"])
    ]


@pytest.hookimpl(optionalhook=True)
def pytest_testnodedown(node: Any) -> None:
    """Take over what a process of pytest-xdist left out; each leaves out the same."""
    _deselected[:] = getattr(node, "workeroutput", {}).get("deselected", _deselected)


def _is_worker(config: pytest.Config) -> bool:
    return hasattr(config, "workerinput")


def pytest_terminal_summary(terminalreporter: pytest.TerminalReporter) -> None:
    if _deselected:
        terminalreporter.write_line(f"{len(_deselected)} slow tests were left out: --slow has them")
    for complaint in _complaints:
        terminalreporter.write_line(f"ERROR {complaint} ({SKIPS.name})", red=True)


@pytest.fixture(scope="session", autouse=True)
def _cache(tmp_path_factory: pytest.TempPathFactory) -> Iterator[None]:
    """Build every model once in a session; LYDITE_TEST_CACHE keeps them for the next."""
    with pytest.MonkeyPatch.context() as patch:
        base = tmp_path_factory.getbasetemp()
        # Processes that share the tests have folders of their own in that of the session.
        session = base.parent if "PYTEST_XDIST_WORKER" in os.environ else base
        kept = os.environ.get("LYDITE_TEST_CACHE")
        patch.setenv("LYDITE_CACHE", kept or str(session / "cache"))
        yield


@pytest.fixture(scope="session")
def _stores(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """Give the folder of all stores."""
    return tmp_path_factory.mktemp("stores", numbered=False)


@pytest.fixture(autouse=True)
def store_folder(_stores: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """Give the folder of this test's own store, which is the default one; it is not there yet.

    Not in `tmp_path`: to make one takes the longer the more there are, and few tests have a store.
    """
    folder = _stores / str(next(_numbers))
    monkeypatch.setenv("LYDITE_STORE", str(folder))
    # Tables are as wide as a page, whatever terminal the tests run in.
    monkeypatch.delenv("COLUMNS", raising=False)
    return folder


@pytest.fixture(autouse=True)
def _fewer_random_messages(request: pytest.FixtureRequest, monkeypatch: pytest.MonkeyPatch) -> None:
    """Have proofs try the least number of random messages, but with --slow, and where they are
    what is tested: what breaks a core in one word of 65,536 is not what other tests are about.
    """
    if not (request.config.getoption("--slow") or request.node.get_closest_marker("all_messages")):
        monkeypatch.setattr(random_messages, "_WORDS", 0)


@pytest.fixture(autouse=True)
def _short_measurements(request: pytest.FixtureRequest, monkeypatch: pytest.MonkeyPatch) -> None:
    """Have times of software taken from a few short samples: no test asks how long they are."""
    if not request.config.getoption("--slow"):
        monkeypatch.setattr(measuring, "SAMPLES", 3)
        monkeypatch.setattr(measuring, "SAMPLE_NS", 1_000_000)


@pytest.fixture(autouse=True)
def _quick_builds(request: pytest.FixtureRequest, monkeypatch: pytest.MonkeyPatch) -> None:
    """Do not have a compiler work longer on a model than it then runs."""
    long = any(map(request.node.get_closest_marker, ("slow", "all_messages")))
    if not long and request.path.stem not in LONG:
        monkeypatch.setitem(build.EFFORT, "quick", build.EFFORT["once"])


@pytest.fixture
def crc32(tmp_path: Path) -> Path:
    """Give the folder of a copy of the example core, to be broken."""
    folder = tmp_path / "crc32"
    shutil.copytree(CRC32, folder, ignore=shutil.ignore_patterns("__pycache__"))
    return folder


@pytest.fixture(scope="session")
def replace() -> Callable[..., None]:
    """Give a function that replaces the one occurrence of a text in a file."""

    def _replace(path: Path, old: str, new: str) -> None:
        text = path.read_text()
        assert text.count(old) == 1, f"{old!r} stands {text.count(old)} times in {path}"
        path.write_text(text.replace(old, new))

    return _replace


@pytest.fixture
def fake(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Callable[[str, str], Path]:
    """Give a function that puts a program, a shell script, first on PATH."""
    folder = tmp_path / "bin"
    folder.mkdir()
    monkeypatch.setenv("PATH", f"{folder}{os.pathsep}{os.environ['PATH']}")

    def _fake(name: str, script: str) -> Path:
        path = folder / name
        path.write_text(f"#!/bin/sh\n{script}\n")
        path.chmod(0o755)
        return path

    return _fake
