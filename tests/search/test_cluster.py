# SPDX-License-Identifier: Apache-2.0
"""A search whose jobs run on two workers of dask.distributed, one of which is killed."""

from __future__ import annotations

import os
import signal
import threading
import time
import warnings
from collections.abc import Callable
from typing import Any

import pytest

from lydite.runs.clusters.cluster import Workers
from lydite.runs.record import Record
from lydite.runs.store import Store
from lydite.search import driver, log, strategies
from lydite.search.space import Space
from lydite.search.strategy import Budget, Result
from lydite.targets.arms import Arm

pytestmark = pytest.mark.slow

ARMS = (Arm(name="default", about=""), Arm(name="heavy", about="", place=("--tmg-ripup",)))


def kill_a_busy_one(cluster: Any, workers: Workers, killed: list[int]) -> None:
    """Kill the first worker that is seen to have a job."""
    end = time.monotonic() + 60
    while not killed and time.monotonic() < end:
        tasks = workers.client.processing()
        for nanny in cluster.workers.values():
            if tasks.get(nanny.worker_address):
                killed.append(nanny.pid)
                os.kill(nanny.pid, signal.SIGKILL)
                return
        time.sleep(0.05)


def test_a_search_goes_on_without_a_worker_that_is_killed(
    store: Store, make_space: Callable[..., Space]
) -> None:
    # An optional package, and slow to load.
    import distributed

    where = make_space(*ARMS)
    strategy = strategies.make("racing", where.arms, budget=Budget(runs=6))
    heard: list[Result] = []
    killed: list[int] = []
    killers: list[threading.Thread] = []

    with (
        warnings.catch_warnings(),
        distributed.LocalCluster(
            n_workers=2,
            threads_per_worker=1,
            processes=True,
            dashboard_address="127.0.0.1:0",
            scheduler_kwargs={"allowed_failures": 0},
        ) as cluster,
        Workers(cluster.scheduler_address) as workers,
    ):

        def watch(job: object, state: str, record: Record | None) -> None:
            # Once something was told, and more is under way.
            if heard and state == "running" and not killers:
                killers.append(
                    threading.Thread(target=kill_a_busy_one, args=(cluster, workers, killed))
                )
                killers[0].start()

        found = driver.search(
            where,
            strategy,
            store,
            parallel=2,
            workers=workers,
            watch=watch,
            heard=lambda _, result: heard.append(result),
        )
        killers[0].join()
    assert len(killed) == 1
    assert len(heard) == 6 and not any(one.has_failed for one in heard)
    placed = {one.key for one in heard}
    kinds = [record.kind for record in store.all() if record.key in placed]
    assert kinds == ["placement"] * len(placed)
    # All of it is in the log, and the same search on this machine alone has nothing to do.
    name = driver.head(where, strategy, strategy.name).name
    _, events = log.read(store.folder / "searches" / f"{name}.jsonl")
    assert sum(isinstance(event, log.Told) for event in events) == 6
    again = strategies.make("racing", where.arms, budget=Budget(runs=6))
    driver.search(where, again, store, parallel=1, heard=lambda *_: pytest.fail("told again"))
    assert again.results == found.strategy.results
