# SPDX-License-Identifier: Apache-2.0
"""How commands run jobs: the store, where jobs run, progress."""

from __future__ import annotations

import argparse
import os
import sys
import time
from collections.abc import Callable, Iterable, Mapping
from typing import TYPE_CHECKING, Any, TypedDict

from lydite.base.errors import InputError

if TYPE_CHECKING:
    from lydite.runs.clusters.cluster import Workers
    from lydite.runs.execute import State
    from lydite.runs.job import Job
    from lydite.runs.record import Record
    from lydite.runs.store import Store

    # Key to record of all that has ended, and how to say something, to what is run next.
    Then = Callable[[Mapping[str, Record], Callable[[str], None]], Iterable[Job]]

# Seconds after which a running job is heard of where there is no terminal.
_QUIET_S = 60.0


def open_store(arguments: argparse.Namespace, *, make: bool = True) -> Store:
    """Open the store that the options name; one that is not there is made only to be written."""
    from lydite.runs import shared

    store = shared.opened(arguments.store, make=make)
    if store.made:
        print(f"lydite: new store: {store.place}", file=sys.stderr)
    return store


def find_run(store: Store, given: str) -> tuple[Record, ...]:
    """Give the records of the one key that begins as given, oldest first.

    Raises
    ------
    InputError
        There is none, or more than one.
    """
    found = store.find(given.lower())
    keys = sorted({record.key for record in found})
    if not found:
        raise InputError("KEY", f"no run with key {given!r}", "see `lydite list runs`")
    if len(keys) > 1:
        some = ", ".join(key[:12] for key in keys[:6])
        raise InputError("KEY", f"{given!r} begins {len(keys)} keys", f"such as {some}")
    return found


def execute(
    jobs: Iterable[Job],
    store: Store,
    arguments: argparse.Namespace,
    *,
    then: Then = lambda *_: (),
) -> Mapping[str, Record]:
    """Run a plan with progress on stderr.

    Parameters
    ----------
    then : callable
        Gives what is run next whenever all has ended.
    """
    from lydite.runs.execute import execute

    records: dict[str, Record] = {}
    left: set[str] = set()

    def watch(job: Job, state: State, record: Record | None) -> None:
        progress.watch(job, state, record)
        if state == "waiting":
            left.add(job.key)
        elif state != "running":
            left.discard(job.key)
        if record is not None and job.recorded and state != "damaged":
            records[job.key] = record

    def more(room: int) -> Iterable[Job]:
        return () if left else then(records, progress.say)

    with Progress() as progress:
        return execute(jobs, store, watch=watch, tell=progress.tell, more=more, **placed(arguments))


class Placed(TypedDict):
    """Where jobs are run, as arguments of `runs.execute`."""

    parallel: int
    workers: Workers | None


def placed(arguments: argparse.Namespace) -> Placed:
    """Read where the jobs of a command are run; its workers are reached once.

    Without `--cluster` that is this process: a local cluster takes seconds to start, and gives a
    single machine nothing, since each tool is a process of its own.

    Raises
    ------
    LyditeError
        As `runs.clusters.cluster.connect`.
    """
    here = len(os.sched_getaffinity(0))
    if arguments.cluster is None:
        return Placed(parallel=arguments.jobs or here, workers=None)
    from lydite.runs.clusters import cluster

    if arguments.workers is None:
        workers = cluster.Workers(arguments.cluster, arguments.jobs or here)
        arguments.workers = arguments.closing.enter_context(workers)
    return Placed(parallel=arguments.jobs or cluster.MOST, workers=arguments.workers)


def at_once(arguments: argparse.Namespace) -> int:
    """Give how many jobs run at once now."""
    where = placed(arguments)
    workers = where["workers"]
    return where["parallel"] if workers is None else min(where["parallel"], workers.many)


def exit_code(records: Mapping[str, Record]) -> int:
    """Give the exit code of a plan: that of its gravest failure, 0 if there is none."""
    return max((record.exit_code for record in records.values()), default=0)


class Progress:
    """What happens, on stderr: a line for each job that ends and, for each that runs, one that
    moves on a terminal, else one a minute.
    """

    def __init__(self) -> None:
        self._total = 0
        self._ended = 0
        self._started: dict[str, float] = {}
        self._told: dict[str, float] = {}
        self._lines: dict[str, Any] = {}
        self._bar: Any = None

    def __enter__(self) -> Progress:
        if sys.stderr.isatty():
            from rich.console import Console
            from rich.progress import Progress, SpinnerColumn, TextColumn, TimeElapsedColumn

            self._bar = Progress(
                SpinnerColumn(),
                TextColumn("{task.description}"),
                TimeElapsedColumn(),
                console=Console(stderr=True, highlight=False),
                transient=True,
            )
            self._bar.start()
        return self

    def __exit__(self, *error: object) -> None:
        if self._bar is not None:
            self._bar.stop()

    @property
    def is_live(self) -> bool:
        """Whether there is a terminal, whose lines move."""
        return self._bar is not None

    def watch(self, job: Job, state: str, record: Record | None) -> None:
        """Show a change of state; what came from the store goes without a word."""
        if state == "stored":
            return
        if state == "damaged" and record is not None:
            self.say(f"damaged  {job.label}: {record.error}; it is made again")
        elif state == "waiting":
            self._total += job.recorded
        elif state == "running":
            self._started[job.key] = self._told[job.key] = time.monotonic()
            if self._bar is not None:
                if job.key in self._lines:  # it has waited for memory
                    self._bar.remove_task(self._lines.pop(job.key))
                self._lines[job.key] = self._bar.add_task(job.label, total=None)
            elif job.announced:
                self.say(f"start    {job.label}")
        else:
            self._ended += job.recorded
            if job.key in self._lines:
                self._bar.remove_task(self._lines.pop(job.key))
            began = self._started.get(job.key)
            took = "" if began is None else f", {time.monotonic() - began:.1f} s"
            if job.recorded or state == "failed":
                self.say(f"{state:8} {job.label} ({self._ended} of {self._total}{took})")

    def tell(self, job: Job, what: str) -> None:
        """Show how far a running job has come, or why one waits that could run."""
        if self._bar is not None and job.key not in self._lines:
            self._lines[job.key] = self._bar.add_task(job.label, total=None)
        if job.key in self._lines:
            described = f"{job.label}: {what}" if what else job.label
            self._bar.update(self._lines[job.key], description=described)
            return
        now = time.monotonic()
        if job.key not in self._started:
            if now - self._told.get(job.key, -_QUIET_S) >= _QUIET_S:
                self._told[job.key] = now
                self.say(f"waiting  {job.label}: {what}")
        elif now - self._told[job.key] >= _QUIET_S:
            self._told[job.key] = now
            minutes = (now - self._started[job.key]) / 60
            self.say(f"running  {job.label}, {minutes:.0f} min{': ' if what else ''}{what}")

    def say(self, text: str) -> None:
        """Print a line beside those that move."""
        if self._bar is not None:
            self._bar.console.print(text, markup=False)
        else:
            print(text, file=sys.stderr, flush=True)
