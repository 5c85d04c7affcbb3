# SPDX-License-Identifier: Apache-2.0
"""Workers of dask.distributed, here or on other machines: how they are reached, and given jobs.

Each worker runs a job as this process would, in a folder of its own; this process alone writes into
the store. So a worker that dies loses what it had under way, which another one does again.
"""

from __future__ import annotations

import asyncio
import contextlib
import logging
import threading
import time
import uuid
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING, Any, Self

import msgspec

import lydite
from lydite.base.errors import InputError, LimitReached, LyditeError, Told, ToolNotFound
from lydite.runs.clusters import parcel, worker
from lydite.runs.clusters.parcel import Answer
from lydite.runs.evaluation import failed
from lydite.runs.execute import Interrupted
from lydite.runs.job import Job
from lydite.runs.record import Record
from lydite.runs.store import Store

if TYPE_CHECKING:
    from distributed import Client
    from distributed import Future as Task

log = logging.getLogger(__name__)

LOCAL = "local"
# More at once than any scheduler was seen to have threads.
MOST = 1024
_CONNECT_S = 10
# Of local workers: Ctrl-C at a terminal is for all its processes, but it is we who end them.
_QUIETLY = (
    "import logging, signal\n"
    "signal.signal(signal.SIGINT, signal.SIG_IGN)\n"
    "logging.getLogger('distributed').setLevel(logging.CRITICAL)\n"
)
_POLL_S = 0.2
# How often the scheduler is asked for its workers, and how long a job waits for one to come.
_ASK_S = 2.0
_PATIENCE_S = 300.0


def connect(address: str, processes: int = 1) -> Client:
    """Reach the workers of a scheduler; `hang_up` lets go of them.

    Parameters
    ----------
    address : str
        That of the scheduler, as tcp://host:8786, or `local` for processes that end with this one.
    processes : int
        How many, of one thread each, where they are local.

    Raises
    ------
    ToolNotFound
        The package `distributed` is not there.
    InputError
        There is no such scheduler, or it has no workers.
    """
    client = _client(address, processes)
    if not client.nthreads():
        hang_up(client)
        hint = f"start some: dask worker {address}"
        raise InputError("--cluster", f"{address} has no workers", hint)
    return client


def hang_up(client: Client) -> None:
    """Let go of a scheduler; workers that are local are ended."""
    local = client.cluster
    client.close()
    if local is not None:
        local.close()


def _client(address: str, processes: int) -> Client:
    try:
        # Imported here: optional packages, and slow to load.
        from dask import config
        from distributed import Client, LocalCluster
    except ModuleNotFoundError as error:
        remedy = "install the extra `cluster`: pip install 'lydite[cluster]'"
        raise ToolNotFound("distributed", "this package is not there", remedy) from error
    # It tells of each worker that comes and goes, and of tasks that take their netlist along.
    for name in ("distributed", "distributed.client"):
        logging.getLogger(name).setLevel(logging.CRITICAL)
    config.set({"distributed.admin.large-graph-warning-threshold": "1GB"})
    if address == LOCAL:
        # Without an address it takes a port of all the world, and warns where that is taken.
        cluster = LocalCluster(
            n_workers=processes,
            threads_per_worker=1,
            processes=True,
            dashboard_address="127.0.0.1:0",
            preload=[_QUIETLY],
        )
        try:
            return Client(cluster)
        except BaseException:
            cluster.close()
            raise
    try:
        asyncio.run(_answers(address))
        return Client(address, timeout=_CONNECT_S)
    except (TimeoutError, OSError, ValueError, TypeError) as error:
        hint = "start one with `dask scheduler`, which says its address"
        raise InputError("--cluster", f"no scheduler at {address!r}", hint) from error


async def _answers(address: str) -> None:
    """Try to reach a scheduler.

    A client that cannot leaves a thread, and closes itself whenever it is collected, which stops
    whoever does that for seconds: the thread of the next client, for one, which then is too late.
    """
    # Imported here: an optional package, and slow to load.
    from distributed.comm import connect

    comm = await connect(address, timeout=_CONNECT_S)
    await comm.close()


@dataclass(frozen=True)
class _Killed:
    """So many workers died while they had a job; the last had no other task."""

    count: int
    alone: bool


class Workers:
    """Workers to which `runs.execute` gives its jobs; a context manager. As `connect`."""

    def __init__(self, address: str, processes: int = 1) -> None:
        self.address = address
        self.client = connect(address, processes)
        self._lock = threading.Lock()
        self._suspects = threading.Lock()
        self._asked = 0.0
        self._threads = 0
        self._seen = time.monotonic()

    def __enter__(self) -> Self:
        return self

    def __exit__(self, *error: object) -> None:
        hang_up(self.client)

    @property
    def many(self) -> int:
        """How many jobs they run at once as they are now, at least 1.

        Raises
        ------
        LimitReached
            The scheduler has gone, or has had no worker for long.
        """
        with self._lock:
            now = time.monotonic()
            if now - self._asked >= _ASK_S:
                with self._gone_if_lost():
                    self._threads = sum(self.client.nthreads().values())
                self._asked = now
                if self._threads:
                    self._seen = now
            if now - self._seen > _PATIENCE_S:
                what = f"{self.address} has had no workers for {_PATIENCE_S / 60:.0f} minutes"
                hint = f"start some: dask worker {self.address}; the same command goes on"
                raise LimitReached("--cluster", what, hint)
            return max(self._threads, 1)

    def evaluate(self, job: Job, work: Path, store: Store, *, stop: threading.Event) -> Record:
        """Have a job run by one of them; its files come into the folder.

        A job has failed with which workers die, again and again, and the last had nothing else.

        Raises
        ------
        Interrupted
            The event was set before they had done.
        LimitReached
            The scheduler has gone.
        Told
            A worker is not as this process, or cannot work.
        CheckFailed
            What came back is not what was sent.
        """
        data = parcel.pack(job, store)
        found = self._ask(job, data, stop)
        if isinstance(found, _Killed):
            # The scheduler blames all that a dead worker had: one of these jobs after the other,
            # and again where the worker had one beside it that was asked for meanwhile.
            count = found.count
            with self._suspects:
                again = self._ask(job, data, stop)
                while isinstance(again, _Killed) and not again.alone:
                    count += again.count
                    again = self._ask(job, data, stop)
            if isinstance(again, _Killed):
                what = f"each worker that ran it died, {count + again.count} in a row"
                hint = "see why they die: of memory, as a rule; the same command tries it again"
                return failed(job, LimitReached(job.label, what, hint))
            found = again
        if found.made is None:
            text = f"--cluster: worker {found.worker} refuses: {found.refused}"
            raise Told(text, found.exit_code)
        found.made.unpack(work, f"worker {found.worker}")
        record = found.made.record
        if record.key != job.key:
            raise Told(f"--cluster: worker {found.worker} answered for another job", 1)
        error = record.error.replace(found.folder, str(store.folder))
        return msgspec.structs.replace(record, error=error)

    def _ask(self, job: Job, data: bytes, stop: threading.Event) -> Answer | _Killed:
        """Have a job run, and give what a worker answered."""
        key = f"lydite-{job.kind}-{uuid.uuid4().hex}"
        with self._gone_if_lost():
            task = self.client.submit(worker.work, lydite.__version__, data, key=key, pure=False)
        try:
            ended = threading.Event()
            task.add_done_callback(lambda _: ended.set())
            while not ended.wait(_POLL_S):
                if stop.is_set():
                    raise Interrupted
                if self.client.status != "running":
                    raise self._lost()
            return self._found(task)
        finally:
            # Of one that is still under way this ends the tools, too.
            with contextlib.suppress(Exception):
                task.cancel()

    def _found(self, task: Task) -> Answer | _Killed:
        if task.status == "error":
            error: Any = task.exception()
            if type(error).__name__ == "KilledWorker":
                count, last = error.allowed_failures + 1, error.last_worker.address
                with self._gone_if_lost():
                    return _Killed(count, self._had(last) <= {task.key})
            if isinstance(error, ImportError | AttributeError):
                what = f"--cluster: a worker says: {error}"
                raise Told(f"{what}\n  install this version of Lydite where workers run", 3)
            assert isinstance(error, BaseException)
            raise error
        if task.status != "finished":
            raise self._lost()
        with self._gone_if_lost():
            return msgspec.msgpack.decode(task.result(), type=Answer)

    def _had(self, address: str) -> set[str]:
        """Give the tasks that a worker had when it died, of whomever."""
        events: Sequence[tuple[float, Mapping[str, Any]]] = self.client.get_events(address)
        ends = [event for _, event in events if event.get("action") == "remove-worker"]
        return set(ends[-1]["processing-tasks"]) if ends else set()

    @contextlib.contextmanager
    def _gone_if_lost(self) -> Iterator[None]:
        """Tell what `distributed` raises where it has lost the scheduler."""
        try:
            yield
        except LyditeError:
            raise
        except Exception as error:
            if isinstance(error, OSError) or self.client.status != "running":
                raise self._lost() from error
            raise

    def _lost(self) -> LimitReached:
        return LimitReached(
            "--cluster",
            f"the scheduler {self.address} has gone",
            "what was finished is in the store: start it again, and the same command goes on",
        )
