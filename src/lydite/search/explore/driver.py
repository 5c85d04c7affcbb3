# SPDX-License-Identifier: Apache-2.0
"""Runs an exploration: points become jobs, their records results, all in a log.

The compiler's estimate comes first. A point is co-simulated, too, unless its estimate is dominated
by that of another one, and its cycles are the same for all calls: so what none dominates is always
proven, and its cycles are measured. What fails is a result without figures. The first point, which
changes nothing, must hold, or nothing is explored; it and what is to be shown beside come first.
"""

from __future__ import annotations

import time
from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass, field

import msgspec

from lydite.hls.contract.directive_text import Placed
from lydite.runs.execute import State, Tell, Watch, Workers, execute
from lydite.runs.job import Job
from lydite.runs.kinds.candidate import Cosimulate, Estimate, Estimated, Kernel, Proven
from lydite.runs.record import Record
from lydite.runs.store import Store
from lydite.search.explore import log
from lydite.search.explore.engine import Engine, Result
from lydite.search.explore.log import EXPLORATION, Asked, Head, Told
from lydite.search.explore.objectives import Figures, dominates, values
from lydite.search.explore.space import Point, Space
from lydite.search.log import Journal
from lydite.targets import Family

# Called after each result, the engine having been told it, with the seconds so far.
Heard = Callable[[Engine, Result, float], None]


@dataclass(frozen=True, slots=True)
class Budget:
    """How much may be spent: points, those that failed among them, and seconds of a clock."""

    runs: int | None = None
    seconds: float | None = None

    def left(self, runs: int, seconds: float) -> float:
        """Give the share that is left, 0 to 1."""
        shares = [1.0]
        if self.runs is not None:
            shares.append(1 - runs / self.runs)
        if self.seconds is not None:
            shares.append(1 - seconds / self.seconds)
        return max(min(shares), 0.0)


@dataclass(frozen=True, slots=True)
class Beside:
    """Directives of somebody's own, to be shown beside what is found."""

    name: str
    clock_ns: float
    directives: tuple[Placed, ...]


@dataclass
class Explored:
    """What an exploration came to.

    Attributes
    ----------
    engine : Engine
        Told all results; the first one is of the first point.
    refused : Result, optional
        What came of the first point, where that failed and nothing was explored.
    beside : dict
        Name to what came of directives of somebody's own; their points are empty.
    records : dict
        Key to record, of all that was run or was in the store.
    seconds : float
        Of a clock, of all calls of this exploration.
    """

    engine: Engine
    refused: Result | None = None
    beside: dict[str, Result] = field(default_factory=dict)
    records: dict[str, Record] = field(default_factory=dict)
    seconds: float = 0.0


@dataclass(frozen=True, slots=True)
class Task:
    """What is explored.

    Attributes
    ----------
    family : Family
        Whose weights count.
    prove_all : bool
        Whether to co-simulate points that are dominated, too.
    """

    kernel: Kernel
    space: Space
    family: Family
    beside: tuple[Beside, ...] = ()
    prove_all: bool = False

    def estimate(self, point: Point) -> Estimate:
        """Give the job of a point."""
        space = self.space
        return Estimate(self.kernel, space.clock_ns(point), space.directives(point))


def head(task: Task, engine: Engine, *, sampler: str, seed: int) -> Head:
    """Give what stands first in the log of an exploration."""
    return Head(
        top=task.kernel.options.top,
        target=task.kernel.options.target,
        first=task.estimate(task.space.first).key,
        knobs=task.space.knobs,
        objectives=engine.objectives,
        sampler=f"{sampler}{', all proven' if task.prove_all else ''}",
        seed=seed,
    )


def explore(
    task: Task,
    engine: Engine,
    about: Head,
    budget: Budget,
    store: Store,
    *,
    parallel: int,
    workers: Workers | None = None,
    watch: Watch = lambda *_: None,
    tell: Tell = lambda *_: None,
    heard: Heard = lambda *_: None,
) -> Explored:
    """Explore until the engine finds nothing new, or the budget is spent.

    Its log is `searches/explore-NAME.jsonl` in the store: the same exploration goes on from there,
    and a second process with the same exploration waits for the first.

    Raises
    ------
    KeyboardInterrupt
        All that was told is in the log; the same call goes on.
    """
    path = store.folder / "searches" / f"explore-{about.name}.jsonl"
    with (
        store.claim(f"explore-{about.name}", give_up=lambda: False),
        Journal(path, about, EXPLORATION) as journal,
    ):
        spent = log.follow(path, engine, journal.events)
        run = _Run(task, engine, journal, budget, spent, watch, heard)
        execute(
            run.first(),
            store,
            parallel=parallel,
            workers=workers,
            watch=run.watch,
            tell=tell,
            more=run.more,
        )
        run.complete(store)
    run.found.seconds = run.seconds
    return run.found


class _Run:
    """The state of one exploration: which points wait for which jobs."""

    def __init__(
        self,
        task: Task,
        engine: Engine,
        journal: Journal[Head, log.Event],
        budget: Budget,
        spent: float,
        watch: Watch,
        heard: Heard,
    ) -> None:
        self.task = task
        self.engine = engine
        self.journal = journal
        self.budget = budget
        self.shown = watch
        self.heard = heard
        self.found = Explored(engine)
        self.spent = spent
        self.began = time.monotonic()
        self.ended: dict[str, Record | None] = {}
        # What waits for a job: points and, by name, what is beside.
        self.waiting: dict[str, list[Point | str]] = {}
        self.estimates: dict[Point | str, Estimate] = {
            one.name: Estimate(task.kernel, one.clock_ns, one.directives) for one in task.beside
        }
        self.ready: list[Job] = [
            job
            for one in (*self.estimates, *engine.pending)
            if (job := self._next(one)) is not None
        ]

    @property
    def seconds(self) -> float:
        return self.spent + time.monotonic() - self.began

    def first(self) -> tuple[Job, ...]:
        """Give the jobs to begin with: what is beside, and what was asked and not told."""
        jobs, self.ready = tuple(self.ready), []
        return jobs

    def complete(self, store: Store) -> None:
        """Add the records of what was told from the log."""
        for one in self.engine.results:
            for key in (one.estimate_key, one.proof_key):
                if key and key not in self.found.records:
                    record = store.get(key)
                    if record is not None:
                        self.found.records[key] = record

    def watch(self, job: Job, state: State, record: Record | None) -> None:
        """Take note of what ended."""
        self.shown(job, state, record)
        if state not in ("stored", "ok", "failed", "skipped"):
            return
        self.ended[job.key] = record
        if record is not None:
            self.found.records[job.key] = record
        for one in self.waiting.pop(job.key, ()):
            if (following := self._next(one)) is not None:
                self.ready.append(following)

    def more(self, room: int) -> Iterable[Job]:
        """Give the jobs that follow from what ended, and those of new points."""
        while True:
            if self.ready:
                jobs, self.ready = self.ready, []
                return jobs
            free = self._free(room)
            if free <= 0:
                return ()
            points = self.engine.ask(free)
            self.journal.add(Asked(free, points))
            if not points:
                return ()
            self.ready += [job for one in points if (job := self._next(one)) is not None]

    def _free(self, room: int) -> int:
        """Give how many points may be asked now: the first one alone, till it is known to hold."""
        if self.engine.has_ended:
            return 0
        if not self.engine.results:
            return 0 if self.engine.pending else min(room, 1)
        under_way = len(self.engine.pending)
        if self.budget.runs is not None:
            room = min(room, self.budget.runs - len(self.engine.results) - under_way)
        if self.budget.seconds is not None and self.seconds >= self.budget.seconds:
            return 0
        return room

    def _next(self, one: Point | str) -> Job | None:
        """Give the next job of a point; none where it waits for one, or all is known and told."""
        if one not in self.estimates:
            assert not isinstance(one, str), "what is beside is estimated first"
            self.estimates[one] = self.task.estimate(one)
        estimate = self.estimates[one]
        if (record := self.ended.get(estimate.key)) is None:
            return self._wait(one, estimate)
        told = msgspec.convert(record.result, Estimated) if record.status == "ok" else None
        if told is None:
            self._tell(one, self._failed(one, estimate, record))
            return None
        figures = _figures(told, None, estimate.clock_ns, self.task.family)
        result = Result(
            point=() if isinstance(one, str) else one,
            figures=figures,
            hardware=told.hardware,
            estimate_key=estimate.key,
            cpu_s=record.cpu_s,
        )
        if not self._is_worth(one, told, figures):
            self._tell(one, result)
            return None
        proof = Cosimulate(estimate, told.hardware)
        if (record := self.ended.get(proof.key)) is None:
            return self._wait(one, proof)
        if record.status != "ok":
            self._tell(one, self._failed(one, estimate, record))
            return None
        measured = msgspec.convert(record.result, Proven)
        figures = _figures(told, measured, estimate.clock_ns, self.task.family)
        more = msgspec.structs.replace(
            result,
            figures=figures,
            proven=True,
            proof_key=proof.key,
            cpu_s=result.cpu_s + record.cpu_s,
        )
        self._tell(one, more)
        return None

    def _wait(self, one: Point | str, job: Job) -> Job | None:
        """Have a point wait for a job, and give that unless it is on its way."""
        waiting = self.waiting.setdefault(job.key, [])
        waiting.append(one)
        return job if len(waiting) == 1 else None

    def _is_worth(self, one: Point | str, told: Estimated, figures: Figures) -> bool:
        """Whether a point is to be co-simulated: it may be of the front, or has to be measured."""
        least, most = told.latency_cycles
        if isinstance(one, str) or self.task.prove_all or least is None or least != most:
            return True
        own = values(figures, self.engine.objectives)
        good = (other for other in self.engine.results if other.figures is not None)
        return not any(dominates(self.engine.values(other), own) for other in good)

    def _failed(self, one: Point | str, estimate: Estimate, record: Record) -> Result:
        return Result(
            point=() if isinstance(one, str) else one,
            figures=None,
            estimate_key=estimate.key,
            proof_key="" if record.key == estimate.key else record.key,
            cpu_s=record.cpu_s,
            error=record.error,
            exit_code=record.exit_code,
        )

    def _tell(self, one: Point | str, result: Result) -> None:
        if isinstance(one, str):
            self.found.beside[one] = result
            return
        if not self.engine.results and result.figures is None:
            # It stays asked: the same call tries it again.
            self.found.refused = result
            return
        self.engine.tell(result)
        self.journal.add(Told(result, round(self.seconds, 1)))
        self.heard(self.engine, result, self.seconds)


def _figures(told: Estimated, measured: Proven | None, clock_ns: float, family: Family) -> Figures:
    area = dict(told.area)
    cycles = float(told.latency_cycles[0] or 0) if measured is None else measured.cycles_mean
    return Figures(
        cycles=cycles,
        period_ns=max(clock_ns, told.critical_ns),
        lut=area["lut"],
        ff=area["ff"],
        bram=area["bram"],
        dsp=area["dsp"],
        esc=family.equivalent_slices({**area, "lut4": area["lut"]}),
    )


def spread(front: Sequence[Result], count: int) -> tuple[Result, ...]:
    """Give so many points of a front, its ends first, the others as far apart as can be."""
    if count >= len(front):
        return tuple(front)
    if count <= 1:
        return tuple(front[:count])
    places = [round(at * (len(front) - 1) / (count - 1)) for at in range(count)]
    return tuple(front[place] for place in dict.fromkeys(places))
