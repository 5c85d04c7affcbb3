# SPDX-License-Identifier: Apache-2.0
"""Plans are run in order, as many jobs at once as told, each once, and can be stopped."""

from __future__ import annotations

import concurrent.futures
import errno
import logging
import os
import signal
import threading
import time
from collections.abc import Callable, Iterable, Mapping
from concurrent.futures import Future
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

import pytest

from lydite.base import CheckFailed, InputError, ToolFailed, interrupts, proc
from lydite.runs import execute as runner
from lydite.runs.execute import execute
from lydite.runs.job import Job, Outcome
from lydite.runs.record import Record
from lydite.runs.store import Store

Work = Callable[[Path, Store], dict[str, Any]]


def nothing(work: Path, store: Store) -> dict[str, Any]:
    return {}


@dataclass(frozen=True)
class Fake(Job):
    """A job that does what it is told."""

    name: str
    after: tuple[Job, ...] = ()
    does: Work = field(default=nothing, compare=False)
    kind = "fake"

    @property
    def label(self) -> str:
        return f"fake {self.name}"

    @property
    def needs(self) -> tuple[Job, ...]:
        return self.after

    def inputs(self) -> Mapping[str, Any]:
        return {"name": self.name}

    def run(self, work: Path, store: Store) -> Outcome:
        return Outcome(result=self.does(work, store))


@dataclass(frozen=True)
class Alone(Fake):
    """One that nothing may run beside."""

    alone = True


@dataclass(frozen=True)
class Unkept(Fake):
    """One whose result is not kept."""

    recorded = False


class Watcher:
    """Takes all changes of state."""

    def __init__(self) -> None:
        self.states: list[tuple[str, str]] = []

    def __call__(self, job: Job, state: str, record: Record | None) -> None:
        assert isinstance(job, Fake)
        self.states.append((job.name, state))


class Counter:
    """Counts how many jobs run at one time, and that each runs once."""

    def __init__(self) -> None:
        self.lock = threading.Lock()
        self.now: set[str] = set()
        self.most = 0
        self.names: list[str] = []
        self.beside: dict[str, set[str]] = {}

    def job(self, kind: type[Fake], name: str, *after: Job) -> Fake:
        def does(work: Path, store: Store) -> dict[str, Any]:
            with self.lock:
                self.names.append(name)
                self.beside[name] = set(self.now)
                for other in self.now:
                    self.beside[other].add(name)
                self.now.add(name)
                self.most = max(self.most, len(self.now))
            time.sleep(0.05)
            with self.lock:
                self.now.remove(name)
            return {}

        return kind(name, after, does)


@pytest.fixture
def store(store_folder: Path) -> Any:
    with Store(store_folder) as opened:
        yield opened


def raises(error: BaseException) -> Work:
    def does(work: Path, store: Store) -> dict[str, Any]:
        raise error

    return does


def test_what_a_job_needs_runs_first(store: Store) -> None:
    count = Counter()
    first = count.job(Fake, "first")
    second = count.job(Fake, "second", first)
    third = count.job(Fake, "third", first, second)
    records = execute([third], store, parallel=4)
    assert count.names == ["first", "second", "third"]
    assert [record.label for record in records.values()] == [
        *("fake first", "fake second", "fake third"),
    ]
    assert records[third.key].needs == (first.key, second.key)


def test_independent_jobs_run_at_once(store: Store) -> None:
    # Each waits for the other: one after the other they would never end.
    barrier = threading.Barrier(2)

    def meet(work: Path, store: Store) -> dict[str, Any]:
        barrier.wait(timeout=60)
        return {}

    records = execute([Fake("a", (), meet), Fake("b", (), meet)], store, parallel=2)
    assert [record.status for record in records.values()] == ["ok", "ok"]


@pytest.mark.parametrize("parallel", [1, 3])
def test_no_more_run_at_once_than_told(store: Store, parallel: int) -> None:
    count = Counter()
    execute([count.job(Fake, f"{i}") for i in range(8)], store, parallel=parallel)
    assert count.most <= parallel
    assert len(count.names) == 8


def test_lone_jobs_run_last_and_alone(store: Store) -> None:
    count = Counter()
    lone = [count.job(Alone, f"lone{i}") for i in range(2)]
    others = [count.job(Fake, f"{i}") for i in range(5)]
    execute([*lone, *others], store, parallel=4)
    assert count.beside["lone0"] == count.beside["lone1"] == set()
    assert count.names[-2:] == ["lone0", "lone1"]


def test_equal_jobs_run_once(store: Store) -> None:
    count = Counter()
    one, same = count.job(Fake, "a"), count.job(Fake, "a")
    records = execute([one, same, count.job(Fake, "b", same)], store, parallel=4)
    assert sorted(count.names) == ["a", "b"]
    assert len(records) == 2


def test_second_run_is_from_the_store(store: Store) -> None:
    count = Counter()
    first = count.job(Fake, "first")
    second = count.job(Fake, "second", first)
    before = execute([second], store, parallel=1)
    watch = Watcher()
    assert execute([second], store, parallel=1, watch=watch) == before
    assert count.names == ["first", "second"]
    assert watch.states == [("second", "stored"), ("first", "stored")]


def test_states_are_told_in_order(store: Store) -> None:
    watch = Watcher()
    broken = Fake("broken", (), raises(InputError("x.v:3", "no such thing")))
    execute([Fake("late", (broken,)), Fake("well")], store, parallel=1, watch=watch)
    assert watch.states == [
        *(("broken", "waiting"), ("late", "waiting"), ("well", "waiting")),
        *(("broken", "running"), ("broken", "failed"), ("late", "skipped")),
        *(("well", "running"), ("well", "ok")),
    ]


def test_failure_takes_its_dependents_and_no_other(store: Store) -> None:
    broken = Fake("broken", (), raises(CheckFailed("1", "2", "there")))
    after = Fake("after", (broken,))
    further = Fake("further", (after,))
    well = Fake("well")
    records = execute([further, well], store, parallel=2)
    assert {record.label: record.status for record in records.values()} == {
        "fake broken": "failed",
        "fake well": "ok",
    }
    failed = records[broken.key]
    assert failed.error == "there\n  expected 1\n  got      2"
    assert failed.exit_code == 5


def test_failed_job_is_tried_again(store: Store) -> None:
    execute([Fake("a", (), raises(InputError("x", "first")))], store, parallel=1)
    records = execute([Fake("a")], store, parallel=1)
    assert [record.status for record in records.values()] == ["ok"]
    assert [record.status for record in store.all()] == ["failed", "ok"]


def test_defect_of_ours_is_recorded_and_logged(
    store: Store, caplog: pytest.LogCaptureFixture
) -> None:
    with caplog.at_level(logging.ERROR):
        records = execute(
            [Fake("a", (), raises(RuntimeError("oops"))), Fake("b")], store, parallel=1
        )
    [failed, well] = records.values()
    place = failed.error.removeprefix("defect in Lydite: RuntimeError('oops') at ")
    assert place.startswith("test_execute.py:")
    assert (failed.exit_code, well.status) == (1, "ok")
    assert "Traceback" in caplog.text


def test_full_disk_in_a_job_is_its_failure(store: Store) -> None:
    full = OSError(errno.ENOSPC, os.strerror(errno.ENOSPC))
    [failed] = execute([Fake("a", (), raises(full))], store, parallel=1).values()
    assert failed.error.endswith(
        ": cannot use: No space left on device\n"
        "  the disk is full: free some space; what was finished is kept"
    )
    assert failed.exit_code == 2


def test_library_that_cannot_be_loaded_is_told(store: Store) -> None:
    job = Fake("a", (), raises(OSError("x.so: no version")))
    [failed] = execute([job], store, parallel=1).values()
    assert failed.error.endswith(": cannot use: x.so: no version")


def test_full_disk_of_the_store_ends_the_plan(
    store: Store, monkeypatch: pytest.MonkeyPatch
) -> None:
    def full(key: str, work: Path) -> None:
        raise OSError(errno.ENOSPC, os.strerror(errno.ENOSPC))

    monkeypatch.setattr(store, "keep", full)
    with pytest.raises(InputError) as raised:
        execute([Fake("a")], store, parallel=1)
    assert str(raised.value) == (
        f"{store.folder}: cannot write: No space left on device\n"
        "  the disk is full: free some space; what was finished is kept"
    )


def test_artefacts_and_paths_of_a_failed_job_are_kept(store: Store) -> None:
    def does(work: Path, store: Store) -> dict[str, Any]:
        (work / "tool.log").write_text("said")
        raise ToolFailed(("tool",), 1, log=work / "tool.log")

    job = Fake("a", (), does)
    [failed] = execute([job], store, parallel=1).values()
    log = store.artefacts(job.key) / "tool.log"
    assert failed.error == f"tool failed with exit status 1\n  log: {log}"
    assert log.read_text() == "said"


def test_what_is_not_kept_runs_again(store: Store) -> None:
    count = Counter()
    prepare = count.job(Unkept, "prepare")
    records = execute([count.job(Fake, "a", prepare)], store, parallel=1)
    assert [record.label for record in records.values()] == ["fake a"]
    assert next(iter(records.values())).needs == ()
    execute([count.job(Fake, "b", prepare)], store, parallel=1)
    assert count.names == ["prepare", "a", "prepare", "b"]


class Stop(Watcher):
    """Interrupts the main thread when a job begins, once its tool runs."""

    def __init__(self, name: str, sign: Path) -> None:
        super().__init__()
        self.name, self.sign = name, sign

    def __call__(self, job: Job, state: str, record: Record | None) -> None:
        super().__call__(job, state, record)
        if (self.name, "running") == self.states[-1]:
            threading.Timer(0, self._interrupt).start()

    def _interrupt(self) -> None:
        while not self.sign.exists():
            time.sleep(0.01)
        os.kill(os.getpid(), signal.SIGINT)


def test_interrupt_kills_tools_and_keeps_what_was_finished(store: Store, tmp_path: Path) -> None:
    sign = tmp_path / "runs"

    def hangs(work: Path, store: Store) -> dict[str, Any]:
        proc.run(["sh", "-c", f"touch {sign}; sleep 600"])
        return {}

    first = Fake("first")
    slow = Fake("slow", (first,), hangs)
    with pytest.raises(KeyboardInterrupt):
        execute([slow], store, parallel=2, watch=Stop("slow", sign))
    assert [record.label for record in store.all()] == ["fake first"]
    assert list((store.folder / "work").iterdir()) == []
    records = execute([Fake("slow", (first,))], store, parallel=2)
    assert [record.status for record in records.values()] == ["ok", "ok"]


def test_interrupt_halts_what_computes_in_this_process(store: Store, tmp_path: Path) -> None:
    sign = tmp_path / "runs"

    def computes(work: Path, store: Store) -> dict[str, Any]:
        sign.touch()
        while True:
            interrupts.check()
            time.sleep(0.01)

    with pytest.raises(KeyboardInterrupt):
        execute([Fake("a", (), computes)], store, parallel=1, watch=Stop("a", sign))
    assert store.all() == ()
    interrupts.check()  # what comes after is not halted


def test_interrupt_stops_a_job_that_goes_on_after_a_failed_tool(
    store: Store, tmp_path: Path
) -> None:
    sign = tmp_path / "runs"
    tried: list[int] = []

    def stubborn(work: Path, store: Store) -> dict[str, Any]:
        for number in range(4):
            tried.append(number)
            proc.run(["sh", "-c", f"touch {sign}; sleep 600"])
        return {"tried": len(tried)}

    with pytest.raises(KeyboardInterrupt):
        execute([Fake("a", (), stubborn)], store, parallel=1, watch=Stop("a", sign))
    assert tried == [0, 1, 2, 3]
    assert store.all() == ()


def test_interrupt_leaves_no_lock_that_a_job_waits_for(
    store: Store, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """One that came while futures were looked at stopped their threads for ever."""
    wait, held = concurrent.futures.wait, list[Future[Record]]()

    def interrupted(futures: Iterable[Future[Record]], *argv: Any, **options: Any) -> Any:
        assert not held
        for future in futures:
            held.append(future)
            future._condition.acquire()  # as `wait` itself does
        os.kill(os.getpid(), signal.SIGINT)
        while held:
            held.pop()._condition.release()
        monkeypatch.setattr(concurrent.futures, "wait", wait)
        return wait(futures, *argv, **options)

    def hangs(work: Path, store: Store) -> dict[str, Any]:
        proc.run(["sleep", "600"])
        return {}

    monkeypatch.setattr(concurrent.futures, "wait", interrupted)
    with pytest.raises(KeyboardInterrupt):
        execute([Fake("a", (), hangs)], store, parallel=1)
    assert store.all() == ()


def test_interrupt_ends_the_wait_for_another_process(store: Store, tmp_path: Path) -> None:
    job = Fake("a")
    sign = tmp_path / "runs"
    sign.touch()
    with Store(store.folder) as other, other.claim(job.key, give_up=lambda: False) as held:
        assert held
        with pytest.raises(KeyboardInterrupt):
            execute([job], store, parallel=1, watch=Stop("a", sign))
    assert store.all() == ()


def test_what_another_process_finished_meanwhile_is_taken(store: Store) -> None:
    job = Fake("a", (), raises(AssertionError("must not run")))
    with Store(store.folder) as other:
        elsewhere = execute([Fake("a")], other, parallel=1)

        class Late(Store):
            """Does not see the record until the key is claimed."""

            asked = False

            def get(self, key: str) -> Record | None:
                if not self.asked:
                    self.asked = True
                    return None
                return super().get(key)

        with Late(store.folder) as late:
            assert execute([job], late, parallel=1) == elsewhere


def test_running_jobs_are_heard_of(store: Store, monkeypatch: pytest.MonkeyPatch) -> None:
    heard = threading.Event()
    told: list[tuple[str, str]] = []

    @dataclass(frozen=True)
    class Slow(Fake):
        def progress(self, work: Path) -> str:
            return (work / "log").read_text() if (work / "log").exists() else ""

    def wait(work: Path, store: Store) -> dict[str, Any]:
        (work / "log").write_text("half way")
        assert heard.wait(30)
        return {}

    def tell(job: Job, what: str) -> None:
        told.append((job.label, what))
        if what:
            heard.set()

    monkeypatch.setattr(runner, "_TELL_S", 0.0)
    execute([Slow("s", (), wait)], store, parallel=1, tell=tell)
    assert ("fake s", "half way") in told


def test_more_jobs_follow_from_what_came_out(store: Store) -> None:
    count = Counter()
    left = [count.job(Fake, f"{i}", count.job(Fake, f"need {i}")) for i in range(6)]
    rooms: list[int] = []

    def more(room: int) -> list[Job]:
        rooms.append(room)
        given, left[:] = left[:room], left[room:]
        return list(given)

    records = execute([count.job(Fake, "first")], store, parallel=2, more=more)
    assert len(records) == 13
    assert count.most == 2
    assert sorted(count.names)[:6] == [f"{i}" for i in range(6)]
    # The first job takes one place; one that waits for its need takes none beside it.
    assert rooms[0] == 1
    assert max(rooms) == 2
    # All that is in the store is taken at once, until there is no more.
    left = [count.job(Fake, f"{i}") for i in range(6)]
    execute([], store, parallel=2, more=more)
    assert left == []
    assert len(count.names) == 13


def test_more_jobs_that_fail_end_the_plan_in_time(store: Store) -> None:
    broken = [Fake(f"{i}", (), raises(InputError("x", "no"))) for i in range(3)]
    records = execute([], store, parallel=1, more=lambda room: [broken.pop()] if broken else [])
    assert [record.status for record in records.values()] == ["failed"] * 3


def test_what_failed_is_not_tried_again_for_jobs_that_come_later(store: Store) -> None:
    broken = Fake("broken", (), raises(InputError("x", "no")))
    later = [Fake("later", (broken,))]
    watcher = Watcher()
    execute(
        [Fake("now", (broken,))],
        store,
        parallel=2,
        watch=watcher,
        more=lambda room: [later.pop()] if room == 2 and later else [],
    )
    assert [name for name, state in watcher.states if state == "running"] == ["broken"]
    assert ("later", "skipped") in watcher.states
