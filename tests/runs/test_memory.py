# SPDX-License-Identifier: Apache-2.0
"""Jobs of a plan fit into memory: those that do not wait, one always runs, and none is lost."""

from __future__ import annotations

import threading
import time
from collections.abc import Mapping
from dataclasses import dataclass, field
from pathlib import Path
from types import SimpleNamespace
from typing import Any, ClassVar
from unittest.mock import Mock

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from msgspec.structs import replace

from lydite.base import ToolFailed, proc
from lydite.cli.running import Progress
from lydite.runs import execute as runner
from lydite.runs.execute import execute
from lydite.runs.job import Job, Outcome
from lydite.runs.kinds.hardware import Placement
from lydite.runs.memory import MODEST_KIB, Memory
from lydite.runs.record import Record
from lydite.runs.store import Store
from lydite.tools import yosys

GIB = 1 << 20


class Machine:
    """A machine with so much memory, of which jobs take what they peak at while they run."""

    def __init__(self, total_kib: int | None) -> None:
        self.total_kib = total_kib
        self.lock = threading.Lock()
        self.used: dict[int, int] = {}
        self.order: list[str] = []
        self.worst: list[tuple[int, int]] = []

    def available_kib(self) -> int | None:
        with self.lock:
            if self.total_kib is None:
                return None
            return max(self.total_kib - sum(self.used.values()), 0)

    def used_kib(self) -> Mapping[int, int]:
        with self.lock:
            return dict(self.used)

    def run(self, job: Big) -> None:
        me = threading.get_ident()
        for part in (3, 1):  # it has a third of it at first
            with self.lock:
                self.used[me] = job.peak_kib // part
                self.worst.append((len(self.used), sum(self.used.values())))
                if part == 3:
                    self.order.append(job.label)
            time.sleep(job.lasts_s)
        with self.lock:
            del self.used[me]


@dataclass(frozen=True)
class Big(Job):
    """A job that takes so much memory."""

    name: str
    peak_kib: int
    machine: Machine = field(compare=False)
    seed: int = 0
    lasts_s: float = 0.01
    needed: tuple[Job, ...] = ()
    kind: ClassVar[str] = "big"

    @property
    def label(self) -> str:
        return f"big {self.name}, seed {self.seed:x}"

    @property
    def needs(self) -> tuple[Job, ...]:
        return self.needed

    def inputs(self) -> Mapping[str, Any]:
        return {"name": self.name, "seed": self.seed}

    def run(self, work: Path, store: Store) -> Outcome:
        self.machine.run(self)
        return Outcome(peak_kib=self.peak_kib)


@dataclass(frozen=True)
class Alone(Big):
    alone: ClassVar[bool] = True


@pytest.fixture(autouse=True)
def quick(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(runner, "_TELL_S", 0.0)


@pytest.fixture
def store(store_folder: Path) -> Any:
    with Store(store_folder) as opened:
        yield opened


def seeds(name: str, peak_kib: int, machine: Machine, many: int, first: int = 1) -> list[Job]:
    return [Big(name, peak_kib, machine, seed) for seed in range(first, first + many)]


def most(machine: Machine) -> int:
    """How many ran at once."""
    return max(count for count, _ in machine.worst)


def test_four_of_2_5_gib_on_8_gib_run_three_at_once(store: Store) -> None:
    peak = 5 * GIB // 2
    execute(seeds("a", peak, Machine(None), 1), store, parallel=1)
    machine = Machine(8 * GIB)
    records = execute(seeds("a", peak, machine, 4, 2), store, parallel=4, machine=machine)
    assert [record.status for record in records.values()] == ["ok"] * 4
    assert most(machine) == 3
    assert max(used for _, used in machine.worst) <= 8 * GIB


@pytest.mark.parametrize("total_kib", [None, 1 << 30])
def test_with_plenty_or_nothing_known_as_many_run_as_told(
    store: Store, total_kib: int | None
) -> None:
    barrier = threading.Barrier(4)
    machine = Machine(total_kib)

    class Meets(Big):
        def run(self, work: Path, store: Store) -> Outcome:
            barrier.wait(timeout=60)
            return super().run(work, store)

    jobs = [Meets("a", GIB, machine, seed) for seed in range(4)]
    told: list[str] = []
    execute(jobs, store, parallel=4, machine=machine, tell=lambda _, what: told.append(what))
    assert set(told) <= {""}


def test_one_runs_even_if_it_takes_more_than_there_is(store: Store) -> None:
    machine = Machine(GIB)
    execute(seeds("a", 3 * GIB, Machine(None), 1), store, parallel=1)
    lone = Alone("z", 3 * GIB, machine)
    execute([*seeds("a", 3 * GIB, machine, 3, 2), lone], store, parallel=4, machine=machine)
    assert (most(machine), len(machine.order)) == (1, 4)


def test_a_small_job_does_not_overtake_one_that_waits(store: Store) -> None:
    known = Machine(None)
    execute(
        [Big("large", 3 * GIB, known), Big("small", GIB // 4, known)],
        store,
        parallel=1,
    )
    machine = Machine(4 * GIB)
    names = [("large", 1), ("large", 2), ("small", 3), ("large", 4)]
    peaks = {"large": 3 * GIB, "small": GIB // 4}
    jobs = [Big(name, peaks[name], machine, seed) for name, seed in names]
    execute(jobs, store, parallel=3, machine=machine)
    assert sorted(machine.order) == sorted(f"big {name}, seed {seed}" for name, seed in names)
    assert machine.order[0] == "big large, seed 1"
    assert set(machine.order[1:3]) == {"big large, seed 2", "big small, seed 3"}


def test_who_waits_and_why_is_told(store: Store, capsys: pytest.CaptureFixture[str]) -> None:
    execute(seeds("a", 3 * GIB, Machine(None), 1), store, parallel=1)
    machine = Machine(4 * GIB)
    jobs = [Big("a", 3 * GIB, machine, seed, 0.5) for seed in (2, 3)]
    with Progress() as progress:
        execute(jobs, store, parallel=2, machine=machine, watch=progress.watch, tell=progress.tell)
    lines = [line for line in capsys.readouterr().err.splitlines() if "waiting" in line]
    assert lines == [
        "waiting  big a, seed 3: for memory: takes about 3.0 GiB, 1.0 GiB left by what runs"
    ]


class Elsewhere:
    """Workers whose memory is not ours."""

    many = 4

    def evaluate(self, job: Job, work: Path, store: Store, *, stop: threading.Event) -> Record:
        return runner.evaluate(job, work, store)


def test_jobs_of_workers_are_left_alone(store: Store) -> None:
    barrier = threading.Barrier(3)

    class Meets(Big):
        def run(self, work: Path, store: Store) -> Outcome:
            barrier.wait(timeout=60)
            return super().run(work, store)

    machine = Machine(1)
    jobs = [Meets("a", GIB, machine, seed) for seed in range(3)]
    execute(jobs, store, parallel=4, machine=machine, workers=Elsewhere())
    assert len(machine.order) == 3


def test_what_is_expected(store: Store) -> None:
    machine = Machine(None)
    memory = Memory(machine, store)
    new = Big("new", 0, machine, 7)
    assert memory.expected_kib(new) == MODEST_KIB
    records = execute(
        [*seeds("a", 100, machine, 1), *seeds("a", 300, machine, 1, 2)], store, parallel=1
    )
    for record in records.values():
        memory.learn(record)
    # The largest of its design; of a design not seen yet, the largest of its kind in this plan.
    assert memory.expected_kib(Big("a", 0, machine, 9)) == 300
    assert memory.expected_kib(new) == 300
    # What is in the store of other designs says nothing of a new one.
    later = Memory(machine, store)
    assert later.expected_kib(Big("a", 0, machine, 9)) == 300
    assert later.expected_kib(new) == MODEST_KIB


def test_a_new_placement_is_reckoned_by_its_netlist(store: Store) -> None:
    synthesis = SimpleNamespace(key="ab" * 32)
    job = Mock(spec=Placement, kind="placement", synthesis=synthesis, key="cd" * 32)
    job.label = "placement x on ecp5-25k-6, seed 1f"
    memory = Memory(Machine(None), store)
    assert memory.expected_kib(job) == MODEST_KIB  # its netlist is not there
    files = {yosys.NETLIST_FILE: (100 << 20, "")}
    made = Record(
        key=synthesis.key,
        kind="synthesis",
        label="",
        status="ok",
        inputs={},
        result={},
        files=files,
    )
    store.put(made)
    assert memory.expected_kib(job) == (320 + 14 * 100) << 10
    # Of another seed of it, which had failed, it is known what it took.
    label = "placement x on ecp5-25k-6, seed 2e"
    store.put(replace(made, key="ef", kind="placement", label=label, peak_kib=9, status="failed"))
    assert Memory(Machine(None), store).expected_kib(job) == 9


def test_the_store_is_asked_once_a_kind(store: Store, monkeypatch: pytest.MonkeyPatch) -> None:
    asked: list[str] = []
    peaks = store.peaks
    monkeypatch.setattr(store, "peaks", lambda kind: asked.append(kind) or peaks(kind))
    machine = Machine(4 * GIB)
    execute(seeds("a", 3 * GIB, machine, 8), store, parallel=8, machine=machine)
    assert asked == ["big"]


def test_a_tool_that_was_killed_says_what_to_do(store: Store) -> None:
    @dataclass(frozen=True)
    class Killed(Big):
        signal: int = 9

        def run(self, work: Path, store: Store) -> Outcome:
            run = proc.run(["sh", "-c", f"kill -{self.signal} $$"], cwd=work)
            run.checked()
            raise AssertionError("it was killed")

    machine = Machine(None)
    jobs = [Killed("a", 0, machine), Killed("b", 0, machine, signal=11)]
    [killed, other] = execute(jobs, store, parallel=1).values()
    assert killed.error == (
        "sh was killed by signal 9\n  the system kills so where memory is at its end: "
        "end other programs, give fewer --jobs, or take a larger machine"
    )
    assert killed.exit_code == ToolFailed.exit_code
    assert other.error == "sh was killed by signal 11"


@settings(max_examples=15, deadline=None)
@given(
    peaks=st.lists(st.integers(1, 12), min_size=1, max_size=8),
    total=st.integers(1, 20),
    parallel=st.integers(1, 5),
    chained=st.booleans(),
)
def test_never_more_than_there_is_unless_one_runs_alone(
    tmp_path_factory: pytest.TempPathFactory,
    peaks: list[int],
    total: int,
    parallel: int,
    *,
    chained: bool,
) -> None:
    with Store(tmp_path_factory.mktemp("store") / "store") as store:
        known = [Big(f"{peak}", peak * GIB, Machine(None), lasts_s=0) for peak in set(peaks)]
        execute(known, store, parallel=4)
        machine = Machine(total * GIB)
        jobs: list[Job] = []
        for seed, peak in enumerate(peaks, 1):
            needed = (jobs[-1],) if chained and seed % 3 == 0 else ()
            jobs.append(Big(f"{peak}", peak * GIB, machine, seed, 0.001, needed))
        records = execute(jobs, store, parallel=parallel, machine=machine)
    assert sum(record.status == "ok" for record in records.values()) == len(peaks)
    assert all(used <= total * GIB for count, used in machine.worst if count > 1)
    assert most(machine) <= parallel
