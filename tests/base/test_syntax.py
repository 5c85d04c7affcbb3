# SPDX-License-Identifier: Apache-2.0
"""Threads may parse at the same time: Python 3.11's own parser then fails now and then."""

from __future__ import annotations

import gc
import sys
import threading
import time
from collections.abc import Iterator
from pathlib import Path

import pytest

from lydite import runs
from lydite.base import syntax


class Yields:
    """Garbage that lets another thread run when it is collected."""

    def __init__(self) -> None:
        self.itself = self

    def __del__(self) -> None:
        time.sleep(0)


@pytest.fixture
def _eager() -> Iterator[None]:
    interval, thresholds = sys.getswitchinterval(), gc.get_threshold()
    sys.setswitchinterval(1e-6)
    gc.set_threshold(50)
    yield
    sys.setswitchinterval(interval)
    gc.set_threshold(*thresholds)


@pytest.mark.usefixtures("_eager")
def test_threads_parse_at_the_same_time() -> None:
    texts = [path.read_text() for path in sorted(Path(str(runs.__file__)).parent.glob("*.py"))[:6]]
    failed: list[BaseException] = []

    def parse() -> None:
        for text in texts:
            for _ in range(30):
                Yields()
            try:
                syntax.module(text)
            except SystemError as error:
                failed.append(error)

    threads = [threading.Thread(target=parse) for _ in range(4)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    assert failed == []


def test_text_of_a_class_is_its_own() -> None:
    assert syntax.text_of(Yields).startswith("class Yields:")


def test_text_of_a_class_is_looked_for_once(monkeypatch: pytest.MonkeyPatch) -> None:
    first = syntax.text_of(Yields)
    monkeypatch.delattr("inspect.getsource")
    assert syntax.text_of(Yields) is first
