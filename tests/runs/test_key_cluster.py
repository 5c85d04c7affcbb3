# SPDX-License-Identifier: Apache-2.0
"""The key search on workers of dask.distributed: two processes here, and one that is killed."""

from __future__ import annotations

import os
import random
import signal
import warnings
from collections.abc import Iterator
from concurrent.futures import Future
from pathlib import Path
from typing import Any

import native
import pytest

from lydite.base import CheckFailed
from lydite.base.errors import LimitReached, Told
from lydite.cli import main
from lydite.cores.des import fast, spec
from lydite.runs.clusters import key_cluster
from lydite.runs.clusters.key_cluster import Cluster
from lydite.runs.processors.key_search import Progress, Search, Wanted

pytestmark = pytest.mark.native
NUMBER = spec.number_of(bytes.fromhex("133457799bbcdff1"))
UNIT = 1 << 20


def wanted(first: int, last: int, key: int) -> Wanted:
    rng = random.Random(key)
    one, two = rng.randbytes(8), rng.randbytes(8)
    planted = spec.key_of(key)
    return Wanted(first, last, (one, fast.encrypt(planted, one), two, fast.encrypt(planted, two)))


@pytest.fixture(scope="module")
def cluster() -> Iterator[Any]:
    """Two workers of one thread."""
    native.program("gcc")
    import distributed

    with (
        warnings.catch_warnings(),
        distributed.LocalCluster(
            n_workers=2, threads_per_worker=1, processes=True, dashboard_address="127.0.0.1:0"
        ) as found,
    ):
        yield found


def test_a_killed_worker_loses_its_units_only(cluster: Any, tmp_path: Path) -> None:
    """All keys of a range, though a worker dies: units that were told before are not searched
    again, and a second search goes on behind them.
    """
    asked = wanted(NUMBER - 40 * UNIT, NUMBER + 3, NUMBER)
    search = Search(asked, tmp_path / "state.json", every=True, unit_keys=UNIT)
    workers = Cluster(cluster.scheduler_address)
    assert workers.many == 2
    pids = workers.client.run(os.getpid)
    told: list[Progress] = []

    def tell(progress: Progress) -> None:
        told.append(progress)
        if len(told) == 3:
            os.kill(min(pids.values()), signal.SIGKILL)

    assert search.run(workers, tell) == (spec.key_of(NUMBER),)
    assert [one.done for one in told] == sorted(one.done for one in told)
    assert told[-1].done == told[-1].now == 40 * UNIT + 4
    assert Search(asked, tmp_path / "state.json", every=True).load().next == NUMBER + 4


def test_command_finds_a_key_and_goes_on(
    cluster: Any, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    state = tmp_path / "state.json"
    asked = wanted(NUMBER - 2 * UNIT, NUMBER, NUMBER)
    first = Search(asked, state, unit_keys=UNIT)

    class Ended(Cluster):
        def submit(self, *arguments: Any, **options: Any) -> Future[tuple[bytes, ...]]:
            if arguments[1] > asked.first + UNIT:
                raise KeyboardInterrupt
            self.many = 1
            return super().submit(*arguments, **options)

    with pytest.raises(KeyboardInterrupt):
        first.run(Ended(cluster.scheduler_address), lambda progress: None)
    assert first.load().next >= asked.first
    argv = ["search-keys", "--cluster", cluster.scheduler_address, "--state", str(state)]
    for option, value in zip(("--pt", "--ct", "--pt2", "--ct2"), asked.pairs, strict=True):
        argv += [option, value.hex()]
    argv += ["--from", spec.key_of(asked.first).hex(), "--to", spec.key_of(asked.last).hex()]
    assert main(argv) == 0
    assert capsys.readouterr().out == "133457799bbcdff1\n"


def test_a_worker_that_lies_is_seen() -> None:
    asked = wanted(NUMBER - 9, NUMBER, NUMBER)
    for lie, what in ((NUMBER - 1, "which is no such key"), (NUMBER + 1, "out of the range")):
        said: Future[Any] = Future()
        answer: Future[tuple[bytes, ...]] = Future()
        said.set_result((spec.key_of(lie),))
        key_cluster._tell(asked, answer, said)
        with pytest.raises(CheckFailed, match=what):
            answer.result(0)


def test_what_a_worker_says_is_told() -> None:
    asked = wanted(NUMBER, NUMBER, NUMBER)
    cases: tuple[tuple[object, type[BaseException], str], ...] = (
        (("zig: failed", 4), Told, "a worker says: zig: failed"),
        (type("KilledWorker", (Exception,), {})(), LimitReached, "died with the same unit"),
        (ModuleNotFoundError("No module named 'lydite'"), Told, "install this project where"),
        (OSError("lost"), OSError, "lost"),
    )
    for what, kind, text in cases:
        said: Future[Any] = Future()
        answer: Future[tuple[bytes, ...]] = Future()
        if isinstance(what, BaseException):
            said.set_exception(what)
        else:
            said.set_result(what)
        key_cluster._tell(asked, answer, said)
        with pytest.raises(kind, match=text):
            answer.result(0)
