# SPDX-License-Identifier: Apache-2.0
"""A job on a worker of a cluster: in a folder of its own, ended with its tools when its task is.

A task ends before its job when who planned it is interrupted or gone, or the worker is closed.
"""

from __future__ import annotations

import contextlib
import fcntl
import os
import tempfile
import threading
from collections.abc import Iterator
from pathlib import Path
from typing import TYPE_CHECKING

import msgspec

import lydite
from lydite.base import files, proc
from lydite.base.errors import InputError, LyditeError
from lydite.runs.clusters.parcel import Answer, Parcel, packed
from lydite.runs.evaluation import evaluate
from lydite.runs.job import Job
from lydite.runs.store import Store

if TYPE_CHECKING:
    from distributed import Worker

_POLL_S = 0.2
_OPEN = ("init", "running", "paused", "closing_gracefully")


def work(version: str, data: bytes) -> bytes:
    """Run a job, and answer; what is wrong with the worker is in the answer, too.

    Parameters
    ----------
    version : str
        Of Lydite, where the job was planned.
    data : bytes
        A `Parcel`.
    """
    # Imported here: an optional package, and slow to load.
    from distributed import get_worker

    here = get_worker()
    try:
        if version != lydite.__version__:
            what = f"is of version {lydite.__version__}, not {version}"
            hint = "install the same version on all machines, or end that worker"
            raise InputError("Lydite", what, hint)
        parcel = msgspec.msgpack.decode(data, type=Parcel)
        with tempfile.TemporaryDirectory(prefix="lydite-", dir=here.local_directory) as scratch:
            folder = Path(scratch) / "store"
            with Store(folder) as store, _ends_with_its_task(here):
                answer = _answer(here.address, parcel, store)
    except LyditeError as error:
        answer = Answer(worker=here.address, refused=str(error), exit_code=error.exit_code)
    except OSError as error:  # of the disk; what a job cannot use is its own failure
        cannot = files.cannot_use(error.filename or here.local_directory, error)
        answer = Answer(worker=here.address, refused=str(cannot), exit_code=cannot.exit_code)
    return msgspec.msgpack.encode(answer)


def _answer(address: str, parcel: Parcel, store: Store) -> Answer:
    job = parcel.unpack(store)
    for needed in job.needs:
        if not needed.recorded:
            _prepare(needed, store)
    with store.work_folder() as folder:
        record = evaluate(job, folder, store)
        made = packed(record, folder)
    return Answer(worker=address, made=made, folder=str(store.folder))


def _prepare(job: Job, store: Store) -> None:
    """Do what prepares this machine, one worker of it after the other."""
    path = Path(tempfile.gettempdir()) / f"lydite-{os.getuid()}-{job.key[:16]}.lock"
    with path.open("w") as lock, store.work_folder() as folder:
        fcntl.flock(lock, fcntl.LOCK_EX)
        job.run(folder, store)


@contextlib.contextmanager
def _ends_with_its_task(here: Worker) -> Iterator[None]:
    """Kill the tools of this thread, one after the other, once nobody waits for its task."""
    thread, key, ended = threading.get_ident(), here.get_current_task(), threading.Event()

    def watch() -> None:
        while not ended.wait(_POLL_S):
            task = here.state.tasks.get(key)
            if task is None or task.state == "cancelled" or here.status.name not in _OPEN:
                proc.kill_all(thread)

    watcher = threading.Thread(target=watch, name="lydite-watch", daemon=True)
    watcher.start()
    try:
        yield
    finally:
        ended.set()
        watcher.join()
