# SPDX-License-Identifier: Apache-2.0
"""Run the jobs of a plan that the store does not have, as many at once as there are processors.

Every record is kept as soon as its job ends, so that a killed plan goes on where it was. A failed
job takes those that need it with it, and no other. Jobs that measure time run last, one by one.
"""

from __future__ import annotations

import concurrent.futures
import datetime
import functools
import logging
import os
import platform
import sys
import threading
import time
import traceback
from collections.abc import Callable, Iterable, Mapping
from concurrent.futures import Future, ThreadPoolExecutor
from dataclasses import dataclass
from pathlib import Path
from types import MappingProxyType
from typing import Literal

import lydite
from lydite.base import files, proc
from lydite.base.errors import InputError, LyditeError, ToolFailed
from lydite.runs.job import Job, Outcome
from lydite.runs.record import Record
from lydite.runs.store import Store

log = logging.getLogger(__name__)

State = Literal["stored", "damaged", "waiting", "running", "ok", "failed", "skipped"]
# Called in the main thread whenever a job changes its state; the record is there from `ok` on.
Watch = Callable[[Job, State, Record | None], None]
# Called in the main thread about once a second for each job that runs: what is known of how far it
# has come.
Tell = Callable[[Job, str], None]
# Called in the main thread whenever jobs may have ended, with how many more could run at once now:
# gives jobs that follow from what came out. None, while nothing runs, is the end.
More = Callable[[int], Iterable[Job]]
_TELL_S = 1.0
# How often the main thread looks up from waiting, for an interrupt to come through.
_POLL_S = 0.2


class Interrupted(Exception):
    """The plan was interrupted while this job waited for another process."""


def execute(
    jobs: Iterable[Job],
    store: Store,
    *,
    parallel: int,
    watch: Watch = lambda *_: None,
    tell: Tell = lambda *_: None,
    more: More = lambda _: (),
) -> Mapping[str, Record]:
    """Run jobs and all that they need.

    Parameters
    ----------
    parallel : int
        Jobs to run at once, at least 1.
    watch : callable
        Is told of each change of state.
    tell : callable
        Is told how far each running job has come.
    more : callable
        Gives further jobs while the plan runs.

    Returns
    -------
    mapping
        Key to record, for every recorded job that ended, failed ones too.
    """
    store.sweep()
    return _Run(jobs, store, parallel, watch, tell, more).go()


class _Run:
    """The state of one `execute`: which jobs wait, run, have ended."""

    def __init__(
        self,
        jobs: Iterable[Job],
        store: Store,
        parallel: int,
        watch: Watch,
        tell: Tell,
        more: More,
    ) -> None:
        self.store = store
        self.parallel = parallel
        self.watch = watch
        self.tell = tell
        self.more = more
        self.told = 0.0
        self.works: dict[str, Path] = {}
        self.records: dict[str, Record] = {}
        self.ended: dict[str, bool] = {}
        self.waiting: dict[str, Job] = {}
        self.stop = threading.Event()
        for job in jobs:
            self._enter(job)

    def _enter(self, job: Job, *, is_input: bool = False) -> None:
        """Put a job and, first, what it needs on the list, unless the store has its record.

        What another job works on is compared with what was kept; of all else only the sizes are.
        """
        if job.key in self.waiting or self.ended.get(job.key) is False:
            return  # what has failed is not tried again by the same command
        if job.key in self.ended and not is_input:
            return
        deep = is_input or job.planned_from
        record = self._stored(job, deep=deep) if job.recorded else None
        if record is not None:
            if job.key not in self.ended:
                self._end(job, "stored", record)
            # Readers want the records that this one rests on, too; they need not be made again.
            for needed in job.needs:
                if needed.recorded and self.store.get(needed.key) is not None:
                    self._enter(needed)
            return
        self.ended.pop(job.key, None)
        for needed in job.needs:
            self._enter(needed, is_input=True)
        self.waiting[job.key] = job
        self.watch(job, "waiting", None)

    def _stored(self, job: Job, *, deep: bool) -> Record | None:
        """Give the record that the store has of a job, if it is still true and whole."""
        record = self.store.get(job.key)
        if record is None:
            return None
        damage = self.store.damage(record, deep=deep)
        if not damage and not job.holds(record):
            damage = "a library of the system that it was measured with has changed"
        # Where nothing can be made again, figures still can be read.
        if damage and self.store.can_write:
            self.watch(job, "damaged", self.store.retire(record, damage))
            return None
        return record

    def _end(self, job: Job, state: State, record: Record | None) -> None:
        self.ended[job.key] = state in ("stored", "ok")
        if record is not None and job.recorded:
            self.records[job.key] = record
        self.watch(job, state, record)

    def go(self) -> Mapping[str, Record]:
        running: dict[Future[Record], Job] = {}
        with ThreadPoolExecutor(max_workers=self.parallel) as pool:
            try:
                while self._refill(len(running)) or running:
                    for job in self._startable(running.values()):
                        del self.waiting[job.key]
                        self.watch(job, "running", None)
                        running[pool.submit(self._run, job)] = job
                    done, _ = concurrent.futures.wait(
                        running,
                        timeout=_POLL_S,
                        return_when=concurrent.futures.FIRST_COMPLETED,
                    )
                    self._tell(running.values())
                    for future in done:
                        job, record = running.pop(future), future.result()
                        self._end(job, "ok" if record.status == "ok" else "failed", record)
            except BaseException:
                # An interrupt, or a defect of ours: no tool may run on, nor the next one of a job.
                self.stop.set()
                pending = set(running)
                while pending:
                    proc.kill_all()
                    _, pending = concurrent.futures.wait(pending, timeout=_POLL_S)
                raise
        return MappingProxyType(self.records)

    def _refill(self, running: int) -> bool:
        """Take more jobs, as long as what came from the store has room left, and say if any wait.

        Jobs that wait for others are of a point that has one which runs, or can.
        """
        while True:
            self._skip_hopeless()
            ready = sum(self._is_ready(job) for job in self.waiting.values())
            jobs = tuple(self.more(max(self.parallel - running - ready, 0)))
            if not jobs:
                return bool(self.waiting)
            for job in jobs:
                self._enter(job)

    def _tell(self, running: Iterable[Job]) -> None:
        """Say how far the running jobs have come, unless that was just said."""
        if time.monotonic() - self.told < _TELL_S:
            return
        self.told = time.monotonic()
        for job in running:
            if (work := self.works.get(job.key)) is not None:
                self.tell(job, job.progress(work))

    def _skip_hopeless(self) -> None:
        for job in list(self.waiting.values()):
            if any(self.ended.get(needed.key) is False for needed in job.needs):
                del self.waiting[job.key]
                self._end(job, "skipped", None)

    def _is_ready(self, job: Job) -> bool:
        return all(self.ended.get(needed.key, False) for needed in job.needs)

    def _startable(self, running: Iterable[Job]) -> list[Job]:
        """Give the jobs to start now: ready ones while there is room; a lone one if all is idle."""
        active = list(running)
        if any(job.alone for job in active):
            return []
        ready = [job for job in self.waiting.values() if self._is_ready(job)]
        together = [job for job in ready if not job.alone]
        if together or active:
            return together[: self.parallel - len(active)]
        return ready[:1]

    def _run(self, job: Job) -> Record:
        """Run one job in a worker thread; its failure is a record."""
        with self.store.claim(job.key, give_up=self.stop.is_set) as held:
            if not held:
                raise Interrupted
            # Another process may have finished it while this one waited.
            record = self.store.get(job.key) if job.recorded else None
            if record is None:
                try:
                    record = self._evaluate(job)
                except OSError as error:  # of the store; those of the job are its own failure
                    raise files.cannot_write(self.store.folder, error) from error
            return record

    def _evaluate(self, job: Job) -> Record:
        started = datetime.datetime.now(datetime.UTC).isoformat(timespec="seconds")
        clock = time.monotonic()
        with self.store.work_folder() as work:
            self.works[job.key] = work
            done = self._attempt(job, work)
            record = Record(
                key=job.key,
                kind=job.kind,
                label=job.label,
                status="failed" if done.error else "ok",
                inputs=dict(job.inputs()),
                result=done.outcome.result,
                error=_portable(done.error, work, self.store.artefacts(job.key)),
                exit_code=done.exit_code,
                needs=tuple(needed.key for needed in job.needs if needed.recorded),
                commands=tuple(
                    tuple(_portable(word, work, Path()) for word in argv)
                    for argv in done.outcome.commands
                ),
                files=dict(done.kept),
                wall_s=round(time.monotonic() - clock, 3),
                cpu_s=round(done.outcome.cpu_s, 3),
                peak_kib=done.outcome.peak_kib,
                started_utc=started,
                machine=machine(),
                lydite=lydite.__version__,
            )
            if job.recorded and not self.stop.is_set():
                self.store.keep(job.key, work)
                self.store.put(record)
        return record

    def _attempt(self, job: Job, work: Path) -> _Done:
        """Run a job; whatever goes wrong is told."""
        try:
            outcome = job.run(work, self.store)
            kept = files.settle(work)
            if job.key_of(job.inputs()) != job.key:
                what = "a file that it is made of was changed while it ran"
                raise InputError(job.label, what, "run it again")
            return _Done(outcome, kept)
        except LyditeError as failure:
            argv = [failure.argv] if isinstance(failure, ToolFailed) else []
            error, exit_code = f"{failure}{_no_room(work)}", failure.exit_code
            return _Done(Outcome(commands=argv), files.contents(work), error, exit_code)
        except OSError as failure:
            # A full disk, a folder without rights, a source that has gone meanwhile.
            cannot = files.cannot_use(failure.filename or str(work), failure)
            return _Done(Outcome(), files.contents(work), str(cannot), cannot.exit_code)
        except Exception as failure:
            # The border of a worker: a defect of ours in one job must not take the others.
            log.exception("%s", job.label)
            where = traceback.extract_tb(failure.__traceback__)[-1]
            place = f"{Path(where.filename).name}:{where.lineno}"
            error = f"defect in Lydite: {failure!r} at {place}"
            return _Done(Outcome(), files.contents(work), error, 1)


@dataclass(frozen=True)
class _Done:
    """What came out of a job, the files that it left, and why it failed, if it did."""

    outcome: Outcome
    kept: Mapping[str, tuple[int, str]]
    error: str = ""
    exit_code: int = 0


def _no_room(work: Path) -> str:
    """Say what else is wrong where a tool failed, and does not know: a limit, or a full disk."""
    try:
        files.settle(work)
    except OSError as cause:
        return f"\n  {files.cannot_use(cause.filename or str(work), cause)}"
    return ""


def _portable(text: str, work: Path, place: Path) -> str:
    """Replace the work folder, which is gone afterwards, by where its files are kept, and the
    interpreter by its common name.
    """
    return text.replace(str(work), str(place)).replace(sys.executable, "python")


@functools.cache
def machine() -> str:
    """Name this machine's processor and how many of it may be used."""
    model = platform.processor() or platform.machine()
    info = Path("/proc/cpuinfo")
    if info.exists():
        for line in info.read_text().splitlines():
            if line.startswith("model name"):
                model = line.partition(":")[2].strip()
                break
    return f"{model}, {len(os.sched_getaffinity(0))} processors"
