# SPDX-License-Identifier: Apache-2.0
"""Runs a search: the points of a strategy become jobs, their records results, all in a log.

Proof comes first: of the source once, of each netlist before it is placed. An arm whose synthesis,
proof or placement fails is a result without a clock; a source that fails its proof ends the search.
Arms with the same netlist share it, and with the same options of place and route the placement.
"""

from __future__ import annotations

import statistics
from collections.abc import Callable, Iterable, Mapping
from dataclasses import dataclass, field
from typing import Any, TypeVar

from lydite.base import errors
from lydite.runs.execute import Tell, Watch, Workers, execute
from lydite.runs.job import Job
from lydite.runs.kinds.hardware import Placement, Synthesis
from lydite.runs.kinds.vivado import Implement, Wrap
from lydite.runs.record import Record
from lydite.runs.store import Store
from lydite.search.backend import BackEnd
from lydite.search.log import Asked, Head, Log, Told, follow
from lydite.search.replay import is_spent
from lydite.search.strategy import Budget, Point, Result, Strategy
from lydite.targets.arms import Arm, mapping_words

# A placement is given up after so many times the median of those before it, seconds of a clock.
_RUNAWAY = 8.0
_RUNAWAY_LEAST_S = 15.0
_RUNAWAY_SEEN = 3

T = TypeVar("T")
# Called after each result, the strategy having been told it.
Heard = Callable[[Strategy, Result], None]


@dataclass
class Found:
    """What a search came to.

    Attributes
    ----------
    strategy : Strategy
        Told all results.
    netlists : dict
        Arm to its record of synthesis, or of what else its points begin with, of all that have it.
    records : dict
        Key to record, of all that was run or was in the store.
    proofs : dict
        Key to record, of the sources' proofs, as far as they were looked at again.
    """

    strategy: Strategy
    netlists: dict[str, Record] = field(default_factory=dict)
    records: dict[str, Record] = field(default_factory=dict)
    proofs: dict[str, Record] = field(default_factory=dict)

    @property
    def is_proven(self) -> bool:
        """Whether the source of some subject is, or none has a proof."""
        return not self.proofs or any(one.status == "ok" for one in self.proofs.values())

    def areas(self, space: BackEnd) -> dict[str, Mapping[str, Any]]:
        """Give the area of the core under each arm that has one."""
        best: dict[str, Result] = {}
        for one in self.strategy.results:
            known = best.setdefault(one.point.arm, one)
            if (one.fmax_mhz or 0.0) > (known.fmax_mhz or 0.0):
                best[one.point.arm] = one
        found = {}
        for arm, record in self.netlists.items():
            placed = self.records.get(best[arm].key) if arm in best else None
            is_whole = placed is not None and placed.status == "ok"
            found[arm] = space.area(record, placed if is_whole else None)
        return found


def head(space: BackEnd, strategy: Strategy, name: str) -> Head:
    """Give what stands first in the log of a search."""
    settings = space.settings
    common = (*settings.synthesis_options, *settings.place_options, f"{settings.freq_mhz:g} MHz")
    common += mapping_words(settings.map_ns, chains=settings.chains)
    return Head(
        design=space.name,
        target=settings.target.name,
        strategy=name,
        seed=strategy.seed,
        parameters=strategy.parameters,
        proof=" ".join(subject.identity for subject in space.subjects),
        arms=space.arms,
        tools=tuple(f"{tool.name} {tool.version} ({tool.origin})" for tool in space.tools),
        common=(*common, f"netlists proven: {space.proven}"),
        objective=strategy.objective.name,
        unit=space.subjects[0].unit,
    )


def search(
    space: BackEnd,
    strategy: Strategy,
    store: Store,
    *,
    parallel: int,
    workers: Workers | None = None,
    watch: Watch = lambda *_: None,
    tell: Tell = lambda *_: None,
    heard: Heard = lambda *_: None,
) -> Found:
    """Search until the strategy ends or its budget is spent.

    Its log is `searches/NAME.jsonl` in the store: the same search goes on from there, and a second
    process with the same search waits for the first.

    Raises
    ------
    KeyboardInterrupt
        All that was told is in the log; the same call goes on.
    """
    about = head(space, strategy, strategy.name)
    path = store.folder / "searches" / f"{about.name}.jsonl"
    with (
        store.claim(f"search-{about.name}", give_up=lambda: False),
        Log(path, about) as log,
    ):
        budget = strategy.budget
        follow(path, strategy, log.events)
        strategy.budget = budget
        run = _Run(space, strategy, store, log, watch, heard)
        execute(
            run.first(),
            store,
            parallel=parallel,
            workers=workers,
            watch=run.watch,
            tell=tell,
            more=run.more,
        )
        run.complete()
    return run.found


class _Run:
    """The state of one search: which points wait for which jobs."""

    def __init__(
        self,
        space: BackEnd,
        strategy: Strategy,
        store: Store,
        log: Log,
        watch: Watch,
        heard: Heard,
    ) -> None:
        self.space = space
        self.strategy = strategy
        self.store = store
        self.log = log
        self.shown = watch
        self.heard = heard
        self.found = Found(strategy)
        self.proofs = {proof.key for proof in space.proofs}
        # Jobs that have ended in this process: key to record, None where they were skipped.
        self.ended: dict[str, Record | None] = {}
        self.errors: dict[str, str] = {}
        self.mapping: dict[str, list[Point]] = {}
        self.placing: dict[str, list[tuple[Point, Placement | Implement]]] = {}
        self.ready: list[Point] = list(strategy.pending)
        # What has been paid for: synthesis and proofs by their arms, as the log has them.
        mapped = [self._synthesis(space.arm(one.point.arm)) for one in strategy.results]
        self.charged = {name for one in mapped for name in (one.key, _proof_of(one))}
        self.walls: list[float] = []

    def first(self) -> tuple[Job, ...]:
        """Give the jobs to begin with: the proofs of sources."""
        return self.space.proofs

    def complete(self) -> None:
        """Add the records of what was told from the log."""
        for one in self.strategy.results:
            synthesis = self._synthesis(self.space.arm(one.point.arm))
            for key in (synthesis.key, one.key):
                if key not in self.found.records and (record := self.store.get(key)) is not None:
                    self.found.records[key] = record
            if (mapped := self.found.records.get(synthesis.key)) and mapped.status == "ok":
                self.found.netlists.setdefault(one.point.arm, mapped)

    def _synthesis(self, arm: Arm) -> Synthesis | Wrap:
        return self.space.shared(arm)

    def watch(self, job: Job, state: str, record: Record | None) -> None:
        """Take note of what ended."""
        self.shown(job, state, record)  # type: ignore[arg-type]
        if state not in ("stored", "ok", "failed", "skipped"):
            return
        self.ended[job.key] = record
        if record is not None:
            if record.exit_code == errors.ToolNotFound.exit_code:
                # Of the point nothing is known; the next one would fare no better.
                raise errors.Told(record.error, record.exit_code)
            self.found.records[job.key] = record
            if record.status != "ok":
                self.errors[job.key] = record.error
        else:
            told = (self.errors[need.key] for need in job.needs if need.key in self.errors)
            self.errors[job.key] = next(told, "what it needs has failed")
        if record is not None and job.key in self.proofs:
            self.found.proofs[job.key] = record
        for point in self.mapping.pop(job.key, ()):
            self.ready.append(point)
        for point, placement in self.placing.pop(job.key, ()):
            self._told(point, placement)

    def more(self, room: int) -> Iterable[Job]:
        """Give the jobs of points whose netlists are there, and of new ones where there is room."""
        # Without a proof nothing is asked: which subjects there are is known then.
        if len(self.found.proofs) < len(self.proofs) or not self.found.is_proven:
            return ()
        while True:
            jobs = [job for point in _taken(self.ready) if (job := self._job(point)) is not None]
            if jobs or room <= 0 or is_spent(self.strategy, self._under_way()):
                return jobs
            free = self._free(room)
            points = self.strategy.ask(free)
            if not points:
                return ()
            self.log.add(Asked(free, points, self.strategy.budget))
            self.ready += points

    def _free(self, room: int) -> int:
        """Give how many points may be asked: no more than the budget has runs."""
        runs = self.strategy.budget.runs
        if runs is None:
            return room
        return min(room, runs - len(self.strategy.results) - len(self.strategy.pending))

    def _under_way(self) -> dict[Point, float]:
        """Give what is under way, with the processor seconds that are to be expected of it."""
        costs = [one.cpu_s for one in self.strategy.results]
        each = statistics.fmean(costs) if costs else 0.0
        return dict.fromkeys(self.strategy.pending, each)

    def _job(self, point: Point) -> Job | None:
        """Give the next job of a point; None, and a result, where all it needs has ended."""
        arm = self.space.arm(point.arm)
        proof = self.space.subject(arm).proof
        if proof is not None and self.found.proofs[proof.key].status != "ok":
            self._failed(point, proof)
            return None
        synthesis = self._synthesis(arm)
        if synthesis.key not in self.ended:
            begun = synthesis.key in self.mapping
            self.mapping.setdefault(synthesis.key, []).append(point)
            return None if begun else synthesis
        mapped = self.ended[synthesis.key]
        if mapped is None or mapped.status != "ok":
            self._failed(point, synthesis)
            return None
        self.found.netlists.setdefault(arm.name, mapped)
        placement = self.space.placement(
            arm,
            point.seed,
            freq_mhz=point.freq_mhz,
            mapped=self._first_with(mapped.result["netlist_sha256"]),
            timeout_s=self._limit_s(),
        )
        last = self._last(placement)
        broken = [need for need in last.needs if need.key in self.errors]
        if broken:
            self._failed(point, broken[0])
        elif last.key in self.ended:
            self._told(point, placement)
        else:
            begun = last.key in self.placing
            self.placing.setdefault(last.key, []).append((point, placement))
            return None if begun else last
        return None

    def _last(self, placement: Placement | Implement) -> Job:
        """Give the last job of a point: where no clock counts, the proof of its netlist."""
        if self.strategy.objective.is_placed:
            return placement
        return placement.proof or placement.synthesis

    def _first_with(self, netlist: str) -> Arm:
        """Give the first arm, of those mapped, with a netlist."""
        found = self.found.netlists
        names = (name for name in found if found[name].result["netlist_sha256"] == netlist)
        return self.space.arm(next(names))

    def _limit_s(self) -> float:
        limit = self.space.settings.timeout_s
        if len(self.walls) < _RUNAWAY_SEEN:
            return limit
        return min(limit, max(_RUNAWAY_LEAST_S, _RUNAWAY * statistics.median(self.walls)))

    def _told(self, point: Point, placement: Placement | Implement) -> None:
        """Tell what came of a placement, or of the netlist alone."""
        arm = self.space.arm(point.arm)
        last = self._last(placement)
        record = self.ended[last.key]
        own = _cost(record) if last is placement and self._charge(last.key) else 0.0
        shared = self._shared_cost(arm, placement)
        if record is None or record.status != "ok":
            error = self.errors[last.key]
            self._tell(Result(point, None, own + shared, shared, error=error, key=last.key))
            return
        mapped = self.found.netlists[arm.name]
        fmax_mhz, config, key = None, mapped.result["netlist_sha256"], mapped.key
        if last is placement:
            self.walls.append(record.wall_s)
            fmax_mhz, config = record.result["fmax_mhz"], record.result["config_sha256"]
            key = record.key
        area, subject = self.space.size(mapped), self.space.subject(arm)
        proof = self.found.proofs.get(subject.proof.key) if subject.proof else None
        self._tell(
            Result(
                point,
                fmax_mhz,
                own + shared,
                shared,
                config=config,
                key=key,
                area=area,
                per_cycle=subject.per_cycle(proof),
            )
        )

    def _failed(self, point: Point, need: Job) -> None:
        """Tell that a point has failed since what it needs has."""
        spent = _cost(self.ended[need.key]) if self._charge(need.key) else 0.0
        self._tell(Result(point, None, spent, spent, error=self.errors[need.key], key=need.key))

    def _shared_cost(self, arm: Arm, placement: Placement | Implement) -> float:
        """Give what an arm's synthesis, and the proof of what it placed, took: the first time."""
        synthesis = self._synthesis(arm)
        spent = _cost(self.ended[synthesis.key]) if self._charge(synthesis.key) else 0.0
        proof = placement.proof
        if proof is not None and self._charge(_proof_of(placement.synthesis)):
            spent += _cost(self.ended.get(proof.key) or self.store.get(proof.key))
        return spent

    def _charge(self, key: str) -> bool:
        """Whether something is to be paid for: once."""
        if key in self.charged:
            return False
        self.charged.add(key)
        return True

    def _tell(self, result: Result) -> None:
        self.log.add(Told(result))
        self.strategy.tell(result)
        self.heard(self.strategy, result)


def _taken(points: list[T]) -> list[T]:
    """Give all items of a list, which is empty then."""
    taken = points[:]
    points.clear()
    return taken


def _proof_of(synthesis: Synthesis | Wrap) -> str:
    """Name the proof of a netlist among what has been paid for."""
    return f"proof of {synthesis.key}"


def _cost(record: Record | None) -> float:
    """Give the processor seconds of a run; where its tools' are not known, those that passed."""
    return 0.0 if record is None else record.cpu_s or record.wall_s


def budget_left(budget: Budget, strategy: Strategy) -> float | None:
    """Give the share of a budget that is left, 0 to 1; None where there is none."""
    if budget.cpu_s is not None:
        return max(0.0, 1 - strategy.spent_cpu_s / budget.cpu_s)
    if budget.runs is not None:
        return max(0.0, 1 - len(strategy.results) / budget.runs)
    return None
