# SPDX-License-Identifier: Apache-2.0
"""Jobs on workers of dask.distributed: two processes here, which are killed and left alone."""

from __future__ import annotations

import os
import re
import signal
import subprocess
import sys
import threading
import time
import warnings
from collections.abc import Callable, Iterator
from pathlib import Path
from types import SimpleNamespace
from typing import Any

import cluster_jobs
import msgspec
import pytest
from cluster_jobs import Beside, Deadly, Endless, Sum, Timed, Wrong
from processes import alive

import lydite
from lydite import targets
from lydite.base import CheckFailed, InputError, files
from lydite.base.errors import LimitReached, Told, ToolNotFound
from lydite.cores import catalog
from lydite.runs import plan
from lydite.runs.clusters import cluster, parcel
from lydite.runs.clusters.cluster import Workers
from lydite.runs.execute import execute
from lydite.runs.job import Job
from lydite.runs.record import Record
from lydite.runs.store import Store

EXAMPLE = Path(__file__).parents[2] / "examples" / "crc32"


@pytest.fixture(scope="module")
def scheduler() -> Iterator[Any]:
    """Two workers of one thread, and a scheduler that gives up a task with the first that dies."""
    import distributed

    with (
        warnings.catch_warnings(),
        distributed.LocalCluster(
            n_workers=2,
            threads_per_worker=1,
            processes=True,
            dashboard_address="127.0.0.1:0",
            scheduler_kwargs={"allowed_failures": 0},
        ) as found,
    ):
        yield found


@pytest.fixture
def workers(scheduler: Any) -> Iterator[Workers]:
    with Workers(scheduler.scheduler_address) as found:
        yield found


@pytest.fixture
def store(store_folder: Path) -> Iterator[Store]:
    with Store(store_folder) as opened:
        yield opened


def wait(until: Callable[[], bool], seconds: float = 60.0) -> None:
    end = time.monotonic() + seconds
    while not until():
        assert time.monotonic() < end
        time.sleep(0.05)


def test_jobs_run_on_workers_and_all_is_in_the_one_store(workers: Workers, store: Store) -> None:
    one, two = Sum("one"), Sum("two")
    both = Sum("both", (one, two))
    timed, wrong = Timed("timed", (both,)), Wrong("wrong", (one,))
    told: list[tuple[str, str]] = []

    def watch(job: Job, state: str, record: Record | None) -> None:
        told.append((job.label, state))

    jobs = [timed, wrong, Sum("after", (wrong,))]
    assert workers.many == 2
    records = execute(jobs, store, parallel=8, workers=workers, watch=watch)
    assert records[both.key].result["sum"] == 3
    assert store.read(timed.key, "inner/sum") == b"4"
    here = {record.label for record in records.values() if record.result.get("pid") == os.getpid()}
    assert here == {"sum timed"}  # times are of one machine
    failed = records[wrong.key]
    log = store.artefacts(wrong.key) / "log"
    assert failed.error == f"there: {log}\n  expected 1\n  got      2"
    assert (failed.exit_code, log.read_text()) == (5, "said")
    assert told[-1][1] == "ok" and ("sum after", "skipped") in told
    assert [store.damage(record, deep=True) for record in records.values()] == [""] * 5
    assert list((store.folder / "work").iterdir()) == []
    # A second time all is there, wherever it was made.
    again = execute(jobs[:1], store, parallel=1)
    assert again == {key: record for key, record in records.items() if record.status == "ok"}


def test_a_job_whose_worker_is_killed_runs_on_another(
    workers: Workers, store: Store, tmp_path: Path
) -> None:
    """And one with which each worker dies has failed, and no other."""
    once = Deadly("once", sign=tmp_path / "once")
    always = Deadly("always", sign=tmp_path / "always", always=True)
    jobs = [once, always, *(Sum(f"{i}", (Sum("first"),)) for i in range(4))]
    records = execute(jobs, store, parallel=8, workers=workers)
    assert (tmp_path / "once").exists() and records[once.key].status == "ok"
    failed = records[always.key]
    assert (failed.status, failed.exit_code, failed.files) == ("failed", 4, {})
    # Three, where the other one that kills was beside it.
    assert re.sub("[23]", "N", failed.error) == (
        "sum always: each worker that ran it died, N in a row\n"
        "  see why they die: of memory, as a rule; the same command tries it again"
    )
    others = [record.status for record in records.values() if record is not failed]
    assert others == ["ok"] * 6
    wait(lambda: workers.client.nthreads() and len(workers.client.nthreads()) == 2)


def test_who_dies_by_another_is_not_to_blame(store: Store, tmp_path: Path) -> None:
    """However often: only a job that was alone on a worker that died is."""
    import distributed

    runs = tmp_path / "runs"
    runs.mkdir()
    beside = Beside("beside", folder=runs)
    killers = [Deadly(f"{i}", sign=tmp_path / f"{i}") for i in range(beside.times)]
    records: dict[str, Record] = {}

    def evaluate(job: Job) -> None:
        with store.work_folder() as folder:
            records[job.label] = workers.evaluate(job, folder, store, stop=threading.Event())

    with (
        warnings.catch_warnings(),
        distributed.LocalCluster(
            n_workers=1,
            threads_per_worker=2,
            processes=True,
            dashboard_address="127.0.0.1:0",
            scheduler_kwargs={"allowed_failures": 0},
        ) as local,
        Workers(local.scheduler_address) as workers,
    ):
        asked = [threading.Thread(target=evaluate, args=(beside,), daemon=True)]
        asked[0].start()
        for i, killer in enumerate(killers):
            wait((runs / f"{i}").exists)
            asked.append(threading.Thread(target=evaluate, args=(killer,), daemon=True))
            asked[-1].start()
        for one in asked:
            one.join(timeout=60)
    assert {label: record.error for label, record in records.items()} == {
        "sum beside": "",
        "sum 0": "",
        "sum 1": "",
    }


def test_interrupt_ends_tools_on_workers_and_keeps_what_was_finished(
    workers: Workers, store: Store, tmp_path: Path
) -> None:
    first, sign = Sum("first"), tmp_path / "sign"
    slow = Endless("slow", (first,), sign)

    def interrupt() -> None:
        wait(sign.exists)
        os.kill(os.getpid(), signal.SIGINT)

    threading.Thread(target=interrupt).start()
    with pytest.raises(KeyboardInterrupt):
        execute([slow], store, parallel=2, workers=workers)
    wait(lambda: not alive(int(sign.read_text())))
    assert [record.label for record in store.all()] == ["sum first"]
    records = execute([slow], store, parallel=2, workers=workers)
    assert sorted(record.result["sum"] for record in records.values()) == [1, 2]


def test_a_worker_that_is_not_the_same_is_refused_by_name(
    workers: Workers, store: Store, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(cluster_jobs, "VERSION", "2.0")
    with pytest.raises(Told) as raised:
        execute([Sum("new")], store, parallel=1, workers=workers)
    place, _, what = str(raised.value).partition(" refuses: ")
    assert place.startswith("--cluster: worker tcp://127.0.0.1:")
    assert what == (
        "sum new: would not be the same: adder is 1.0 (native), not 2.0 (native)\n"
        "  install the same versions on all machines, or end that worker"
    )
    monkeypatch.setattr(lydite, "__version__", "9.9")
    with pytest.raises(Told, match=r"refuses: Lydite: is of version .*, not 9\.9\n") as raised:
        execute([Sum("newer")], store, parallel=1, workers=workers)
    assert raised.value.exit_code == 2
    assert store.all() == ()


def test_a_scheduler_that_goes_is_told_and_the_same_goes_on(tmp_path: Path, store: Store) -> None:
    import distributed

    first, sign = Sum("first"), tmp_path / "sign"
    slow = Endless("slow", (first,), sign)
    with warnings.catch_warnings():
        local = distributed.LocalCluster(
            n_workers=1, threads_per_worker=1, processes=True, dashboard_address="127.0.0.1:0"
        )
    address = local.scheduler_address

    def end() -> None:
        wait(sign.exists)
        local.close()

    ends = threading.Thread(target=end)
    with Workers(address) as workers:
        ends.start()
        with pytest.raises(LimitReached) as raised:
            execute([slow], store, parallel=2, workers=workers)
    ends.join()
    assert str(raised.value) == (
        f"--cluster: the scheduler {address} has gone\n"
        "  what was finished is in the store: start it again, and the same command goes on"
    )
    wait(lambda: not alive(int(sign.read_text())))
    assert [record.label for record in store.all()] == ["sum first"]
    records = execute([slow], store, parallel=2)
    assert sorted(record.result["sum"] for record in records.values()) == [1, 2]


@pytest.mark.slow
def test_scheduler_and_driver_may_be_killed(tmp_path: Path, place: Path | str) -> None:
    """By SIGKILL, as processes of their own, as the page on clusters starts them."""
    bin_folder, sign = Path(sys.executable).parent, tmp_path / "sign"
    support = str(Path(cluster_jobs.__file__).parent)
    environment = {**os.environ, "PYTHONPATH": support}
    started: list[subprocess.Popen[bytes]] = []

    def start(*argv: str) -> subprocess.Popen[bytes]:
        started.append(
            subprocess.Popen(argv, env=environment, cwd=tmp_path, stdout=subprocess.PIPE)
        )
        return started[-1]

    def serve() -> tuple[str, subprocess.Popen[bytes]]:
        file = tmp_path / "scheduler.json"
        file.unlink(missing_ok=True)
        dask = str(bin_folder / "dask")
        options = ("--scheduler-file", str(file))
        one = start(dask, "scheduler", *options, "--port", "0", "--no-dashboard")
        wait(lambda: file.exists() and file.read_text().strip().endswith("}"))
        start(dask, "worker", *options, "--nthreads", "1", "--no-dashboard")
        address = str(msgspec.json.decode(file.read_bytes())["address"])
        reach(address)
        return address, one

    def drive(address: str) -> subprocess.Popen[bytes]:
        return start(sys.executable, "-m", "cluster_jobs", str(place), address, str(sign))

    try:
        address, one = serve()
        driver = drive(address)
        wait(sign.exists)
        driver.kill()
        wait(lambda: not alive(int(sign.read_text())))
        sign.unlink()
        driver = drive(address)
        wait(sign.exists)
        one.kill()
        said, _ = driver.communicate(timeout=60)
        assert (driver.returncode, said) == (1, b"")
        wait(lambda: not alive(int(sign.read_text())))
        address, _ = serve()
        driver = drive(address)
        said, _ = driver.communicate(timeout=60)
        assert said.decode().split()[:3] == ["sum", "first", "ok"]
        assert b"sum last ok" in said
    finally:
        for process in started:
            process.kill()
            process.communicate()


@pytest.mark.slow
def test_ctrl_c_at_a_terminal_reaches_local_workers_without_a_word(tmp_path: Path) -> None:
    environment = {**os.environ, "PYTHONPATH": str(Path(cluster_jobs.__file__).parent)}
    sign = tmp_path / "sign"
    driver = subprocess.Popen(
        [sys.executable, "-m", "cluster_jobs", str(tmp_path / "store"), "local", str(sign)],
        env=environment,
        start_new_session=True,
        stderr=subprocess.PIPE,
        text=True,
    )
    wait(sign.exists)
    os.killpg(driver.pid, signal.SIGINT)
    _, said = driver.communicate(timeout=60)
    assert "Dask Worker" not in said and "distributed." not in said
    assert said.rstrip().endswith("KeyboardInterrupt")
    wait(lambda: not alive(int(sign.read_text())))
    with Store(tmp_path / "store") as store:
        assert [record.label for record in store.all()] == ["sum first"]


def reach(address: str) -> None:
    """Wait until a scheduler has a worker."""
    end = time.monotonic() + 60
    while True:
        try:
            with Workers(address):
                return
        except InputError:
            assert time.monotonic() < end
            time.sleep(0.2)


@pytest.mark.parametrize("core", [str(EXAMPLE), "ascon-hash256/hls"])
def test_jobs_of_a_bench_are_the_same_where_they_arrive(
    core: str, store: Store, tmp_path: Path
) -> None:
    """Their keys are made there, of what is there: files of ours, of a user, of the store."""
    settings = plan.Settings(targets.find("ice40-hx1k"), seeds=1)
    made = tmp_path / "made"
    jobs: dict[str, Job] = {}

    def add(job: Job) -> None:
        for needed in (*job.needs, *job.reads):
            add(needed)
        if not job.here and job.recorded and job.key not in jobs:
            jobs[job.key] = job
            (store.artefacts(job.key) / "verilog").mkdir(parents=True)
            text = "module top(input clk, input a, output b); assign b = a; endmodule"
            (store.artefacts(job.key) / "verilog" / "top.v").write_text(text)
            found = files.contents(store.artefacts(job.key))
            record = Record(
                **{"key": job.key, "kind": job.kind, "label": "", "status": "ok"},
                **{"inputs": {}, "result": {}, "files": found},
            )
            store.put(record)

    [selection] = catalog.select(core)
    for compilation in plan.compilations([selection], settings):
        add(compilation)
        verilog = {"top.v": store.artefacts(compilation.key) / "verilog" / "top.v"}
        design = msgspec.structs.replace(compilation.design, made=verilog)
        selection = msgspec.structs.replace(selection, designs=(design,))
    for job in plan.bench(selection, settings).jobs:
        add(job)
    assert {job.kind for job in jobs.values()} >= {"verify", "synthesis", "netlist", "placement"}
    with Store(made) as elsewhere:
        for job in jobs.values():
            sent = msgspec.msgpack.decode(parcel.pack(job, store), type=parcel.Parcel)
            found = sent.unpack(elsewhere)
            assert (found.key, found.label) == (job.key, job.label)


def test_what_was_changed_on_its_way_is_seen(store: Store, tmp_path: Path) -> None:
    [record] = execute([Sum("one")], store, parallel=1).values()
    sent = parcel.packed(record, store.artefacts(record.key))
    sent.unpack(tmp_path, "worker a")
    assert (tmp_path / "inner" / "sum").read_bytes() == b"1"
    other = msgspec.structs.replace(sent, files={"inner/sum": parcel.zlib.compress(b"2")})
    with pytest.raises(CheckFailed, match="as sent\n  got      others: inner/sum"):
        other.unpack(tmp_path, "worker a")
    named = msgspec.structs.replace(record, files={"../sum": record.files["inner/sum"]})
    with pytest.raises(InputError, match=r"name leads elsewhere: '\.\./sum'"):
        parcel.Packed(named, {"../sum": sent.files["inner/sum"]}).unpack(tmp_path, "worker a")


def test_bad_addresses_are_refused(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(cluster, "_CONNECT_S", 1)
    threads = threading.active_count()
    for address in ("tcp://127.0.0.1:1", "nonsense", "odd://127.0.0.1:1"):
        with pytest.raises(InputError) as raised:
            cluster.connect(address)
        assert str(raised.value) == (
            f"--cluster: no scheduler at {address!r}\n"
            "  start one with `dask scheduler`, which says its address"
        )
    # No client is left behind, which would stop what collects it for as long as it may wait.
    assert threading.active_count() == threads


def test_a_scheduler_without_workers_is_refused(monkeypatch: pytest.MonkeyPatch) -> None:
    client = SimpleNamespace(cluster=None, nthreads=dict, close=lambda: None)
    monkeypatch.setattr(cluster, "_client", lambda address, processes: client)
    with pytest.raises(InputError, match="has no workers\n  start some: dask worker tcp://a:1"):
        cluster.connect("tcp://a:1")


def test_the_package_may_be_missing(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setitem(__import__("sys").modules, "distributed", None)
    with pytest.raises(ToolNotFound, match=r"pip install 'lydite\[cluster\]'"):
        cluster.connect("tcp://a:1")
