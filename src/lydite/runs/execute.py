# SPDX-License-Identifier: Apache-2.0
"""Run the jobs of a plan that the store does not have, as many at once as there are processors.

Every record is kept as soon as its job ends, so that a killed plan goes on where it was. A failed
job takes those that need it with it, and no other. Jobs that measure time run last, one by one.
A job that is expected to take more memory than others leave waits for one of them to end, and jobs
after it wait with it; one always runs.
"""

from __future__ import annotations

import concurrent.futures
import threading
import time
from collections.abc import Callable, Iterable, Mapping
from concurrent.futures import Future, ThreadPoolExecutor
from pathlib import Path
from types import MappingProxyType
from typing import Literal, Protocol

from lydite.base import files, interrupts, memory, proc
from lydite.runs.evaluation import evaluate
from lydite.runs.job import Job
from lydite.runs.memory import Machine, Memory
from lydite.runs.record import Record
from lydite.runs.store import Store

State = Literal["stored", "damaged", "waiting", "running", "ok", "failed", "skipped"]
# Called in the main thread whenever a job changes its state; the record is there from `ok` on.
Watch = Callable[[Job, State, Record | None], None]
# Called in the main thread about once a second for each job that runs: what is known of how far it
# has come; and for one that could run but for its memory: why it waits.
Tell = Callable[[Job, str], None]
# Called in the main thread whenever jobs may have ended, with how many more could run at once now:
# gives jobs that follow from what came out. None, while nothing runs, is the end.
More = Callable[[int], Iterable[Job]]
_TELL_S = 1.0
# How often the main thread looks up from waiting, for an interrupt to come through.
_POLL_S = 0.2


class Interrupted(Exception):
    """The plan was interrupted while this job waited for another process."""


class Workers(Protocol):
    """Processes, here or on other machines, that run jobs in place of this one."""

    @property
    def many(self) -> int:
        """How many jobs they run at once as they are now, at least 1."""

    def evaluate(self, job: Job, work: Path, store: Store, *, stop: threading.Event) -> Record:
        """Have a job run by one of them; its files come into the folder.

        Raises
        ------
        Interrupted
            The event was set before they had done.
        LyditeError
            They are no more, or do not suit: nothing is known of the job.
        """


def execute(
    jobs: Iterable[Job],
    store: Store,
    *,
    parallel: int,
    workers: Workers | None = None,
    watch: Watch = lambda *_: None,
    tell: Tell = lambda *_: None,
    more: More = lambda _: (),
    machine: Machine = memory.Machine(),  # noqa: B008 - it has no state
) -> Mapping[str, Record]:
    """Run jobs and all that they need.

    Parameters
    ----------
    parallel : int
        Jobs to run at once, at least 1.
    workers : Workers, optional
        Who runs them; those that must run `here` are run by this process all the same.
    watch : callable
        Is told of each change of state.
    tell : callable
        Is told how far each running job has come, and what a job waits for that has no memory.
    more : callable
        Gives further jobs while the plan runs.
    machine : Machine
        Whose memory the jobs share that run in this process.

    Returns
    -------
    mapping
        Key to record, for every recorded job that ended, failed ones too.
    """
    store.sweep()
    known = Memory(machine, store)
    return _Run(jobs, store, parallel, workers, watch, tell, more, known).go()


class _Run:
    """The state of one `execute`: which jobs wait, run, have ended."""

    def __init__(
        self,
        jobs: Iterable[Job],
        store: Store,
        most: int,
        workers: Workers | None,
        watch: Watch,
        tell: Tell,
        more: More,
        known: Memory,
    ) -> None:
        self.store = store
        self.most = most
        self.workers = workers
        self.watch = watch
        self.tell = tell
        self.more = more
        self.memory = known
        self.short: tuple[Job, str] | None = None
        self.asked: tuple[str, ...] = ()
        self.why = ""
        self.looked = 0.0
        self.told = 0.0
        self.threads: dict[str, int] = {}
        self.works: dict[str, Path] = {}
        self.records: dict[str, Record] = {}
        self.ended: dict[str, bool] = {}
        self.waiting: dict[str, Job] = {}
        self.stop = threading.Event()
        for job in jobs:
            self._enter(job)

    @property
    def parallel(self) -> int:
        """How many jobs may run at once now: workers come and go."""
        return self.most if self.workers is None else min(self.most, self.workers.many)

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
            if state != "stored":
                self.memory.learn(record)
        self.watch(job, state, record)

    def go(self) -> Mapping[str, Record]:
        running: dict[Future[Record], Job] = {}
        with ThreadPoolExecutor(max_workers=self.most) as pool:
            try:
                while self._step(pool, running):
                    pass
            except BaseException:
                # An interrupt, or a defect of ours: no tool may run on, nor the next one of a job.
                self.stop.set()
                pending = set(running)
                with interrupts.halted():
                    while pending:
                        proc.kill_all()
                        _, pending = concurrent.futures.wait(pending, timeout=_POLL_S)
                raise
        return MappingProxyType(self.records)

    def _step(self, pool: ThreadPoolExecutor, running: dict[Future[Record], Job]) -> bool:
        """Start what can be started, wait a moment for what runs, and say if there is more."""
        # An interrupt in the midst of this could leave a lock behind that a thread waits for.
        with proc.interrupts_later():
            if not self._refill(len(running)) and not running:
                return False
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
        return True

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
        if self.short is not None:
            self.tell(*self.short)

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
        self.short = None
        if any(job.alone for job in active):
            return []
        ready = [job for job in self.waiting.values() if self._is_ready(job)]
        together = [job for job in ready if not job.alone]
        if together or active:
            return self._fitting(together[: self.parallel - len(active)], active)
        return ready[:1]

    def _fitting(self, jobs: Iterable[Job], active: Iterable[Job]) -> list[Job]:
        """Give those jobs for which there is memory; none that runs here overtakes another."""
        beside = {job.key: job for job in active if self._is_here(job)}
        found = []
        for job in jobs:
            if self._is_here(job):
                if self.short is None and (why := self._lacks(job, beside)):
                    self.short = job, why
                if self.short is not None:
                    continue
                beside[job.key] = job
            found.append(job)
        return found

    def _lacks(self, job: Job, beside: Mapping[str, Job]) -> str:
        """Say why a job must wait; what was just found of the same jobs is taken as it was."""
        asked = (job.key, *beside)
        if asked == self.asked and time.monotonic() - self.looked < _TELL_S and self.why:
            return self.why
        self.asked, self.looked = asked, time.monotonic()
        running = {key: (one, self.threads.get(key, 0)) for key, one in beside.items()}
        self.why = self.memory.lacks(job, running)
        return self.why

    def _is_here(self, job: Job) -> bool:
        """Whether this process runs a job, and not a worker."""
        return self.workers is None or job.here or not job.recorded

    def _run(self, job: Job) -> Record:
        """Run one job in a worker thread; its failure is a record."""
        self.threads[job.key] = threading.get_ident()
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
        with self.store.work_folder() as work:
            self.works[job.key] = work
            if self.workers is None or self._is_here(job):
                record = evaluate(job, work, self.store)
            else:
                record = self.workers.evaluate(job, work, self.store, stop=self.stop)
            if job.recorded and not self.stop.is_set():
                self.store.keep(job.key, work)
                self.store.put(record)
        return record
