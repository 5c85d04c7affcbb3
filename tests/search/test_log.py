# SPDX-License-Identifier: Apache-2.0
"""Logs: what was decided is decided again; what is newer, damaged or of another search is told."""

from __future__ import annotations

import errno
import os
from pathlib import Path

import msgspec
import pytest

from lydite.base import InputError
from lydite.search import contract, log
from lydite.search.log import Asked, Head, Log, Told
from lydite.search.strategy import Budget, Parameters, Strategy
from lydite.targets.arms import Arm

ARMS = tuple(Arm(name=name, about=name, place=(f"--{name}",)) for name in ("default", "b", "c"))


def head(strategy: str = "racing") -> Head:
    return Head(
        design="toy/rtl",
        target="ecp5-25k-6",
        strategy=strategy,
        seed=3,
        parameters=Parameters(),
        proof="0" * 64,
        arms=ARMS,
        tools=("yosys 1",),
        common=(),
    )


def logged(path: Path, strategy: Strategy, about: Head, runs: int, room: int = 2) -> None:
    """Run a strategy, all in a log, and end with points under way."""
    with Log(path, about) as found:
        log.follow(path, strategy, found.events)
        while len(strategy.results) < runs:
            if free := room - len(strategy.pending):
                found.add(Asked(free, strategy.ask(free), strategy.budget))
            result = contract.outcome(strategy.pending[-1])
            found.add(Told(result))
            strategy.tell(result)


@pytest.mark.parametrize("name", ["racing", "tpe", "seeds", "random", "minerva", "sweep"])
def test_a_search_goes_on_from_its_log_with_the_same_decisions(tmp_path: Path, name: str) -> None:
    about = head(name)
    whole, parts = about.make(Budget(runs=30)), about.make(Budget(runs=30))
    logged(tmp_path / "whole", whole, about, 20)
    logged(tmp_path / "parts", parts, about, 8)
    # What was under way when it was killed is still to be told.
    again = about.make(Budget(runs=30))
    found, events = log.read(tmp_path / "parts")
    assert found == about
    log.follow(tmp_path / "parts", again, events)
    assert (again.results, again.pending) == (parts.results, parts.pending)
    logged(tmp_path / "parts", about.make(Budget(runs=30)), about, 20)
    assert (tmp_path / "parts").read_bytes() == (tmp_path / "whole").read_bytes()


def test_a_line_cut_short_by_a_kill_is_left_out(tmp_path: Path) -> None:
    path, about = tmp_path / "log", head("seeds")
    logged(path, about.make(Budget()), about, 5)
    whole = path.read_bytes()
    path.write_bytes(whole[:-7])
    assert len(log.read(path)[1]) == len(whole.splitlines()) - 2
    again = about.make(Budget())
    logged(path, again, about, 5)
    assert path.read_bytes() == whole


def test_the_name_of_a_search_is_that_of_all_that_decides_it() -> None:
    assert head().name == head().name
    others = [
        head("seeds"),
        msgspec.structs.replace(head(), proof="1" * 64),
        msgspec.structs.replace(head(), seed=4),
        msgspec.structs.replace(head(), arms=ARMS[:2]),
        msgspec.structs.replace(head(), parameters=Parameters(r=3)),
    ]
    assert len({one.name for one in [head(), *others]}) == 6


def refusal(path: Path) -> str:
    with pytest.raises(InputError) as caught:
        head_, events = log.read(path)
        log.follow(path, head_.make(Budget()), events)
    return str(caught.value).replace(str(path), "LOG")


def test_logs_that_cannot_be_followed_are_refused(tmp_path: Path) -> None:
    path, about = tmp_path / "log", head("seeds")
    logged(path, about.make(Budget()), about, 3)
    good = path.read_text()
    path.write_text(good.replace('"lydite_search":1', '"lydite_search":2', 1))
    assert refusal(path) == (
        "LOG:1: a log of version 2; this Lydite reads version 1\n"
        "  read it with the Lydite that wrote it"
    )
    for text in ("", "[]\n", '{"a": 1}\n', "core\n"):
        path.write_text(text)
        assert refusal(path) == "LOG:1: not the log of a search"
    path.write_text(good.replace('"event":"told"', '"event":"sold"', 1))
    assert refusal(path).startswith("LOG:3: a damaged log: Invalid value 'sold'")
    path.write_text(good.replace('"seed":0', '"seed":7', 1))
    # Another place than the head's own seed: the first point asked.
    assert "seeds asks other points than the log has" in refusal(path)
    lines = good.splitlines(keepends=True)
    path.write_text("".join([lines[0], *lines[2:]]))
    assert refusal(path) == "LOG:2: tells what was not asked"
    path.write_text(good.replace('"strategy":"seeds"', '"strategy":"sleep"'))
    assert refusal(path).startswith("--strategy: no such strategy: 'sleep'")


def test_a_log_of_another_search_is_not_written_to(tmp_path: Path) -> None:
    path = tmp_path / "log"
    logged(path, head("seeds").make(Budget()), head("seeds"), 3)
    with pytest.raises(InputError, match="is the log of another search"):
        Log(path, head("racing"))


def test_a_full_disk_is_told(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    def full(handle: int) -> None:
        raise OSError(errno.ENOSPC, os.strerror(errno.ENOSPC))

    with Log(tmp_path / "log", head()) as found:
        monkeypatch.setattr(os, "fsync", full)
        with pytest.raises(InputError, match="No space left on device\n  the disk is full"):
            found.add(Asked(1, (), Budget()))
