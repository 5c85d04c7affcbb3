# SPDX-License-Identifier: Apache-2.0
"""Run one job in a folder, and make its record: the same here and on a worker of a cluster."""

from __future__ import annotations

import datetime
import functools
import logging
import os
import platform
import signal
import sys
import time
import traceback
from collections.abc import Mapping
from dataclasses import dataclass
from pathlib import Path

import lydite
from lydite.base import files
from lydite.base.errors import InputError, LyditeError, ToolFailed
from lydite.runs.job import Job, Outcome
from lydite.runs.record import Record
from lydite.runs.store import Store

log = logging.getLogger(__name__)


def evaluate(job: Job, work: Path, store: Store) -> Record:
    """Run a job in an empty folder, and give its record, which is not yet kept.

    What goes wrong stands in the record; what the job left is in the folder.
    """
    started, clock = _now(), time.monotonic()
    done = _attempt(job, work, store)
    return Record(
        key=job.key,
        kind=job.kind,
        label=job.label,
        status="failed" if done.error else "ok",
        inputs=dict(job.inputs()),
        result=done.outcome.result,
        error=_portable(done.error, work, store.artefacts(job.key)),
        exit_code=done.exit_code,
        needs=needs(job),
        commands=tuple(
            tuple(_portable(word, work, Path()) for word in argv) for argv in done.outcome.commands
        ),
        files=dict(done.kept),
        wall_s=round(time.monotonic() - clock, 3),
        cpu_s=round(done.outcome.cpu_s, 3),
        peak_kib=done.outcome.peak_kib,
        started_utc=started,
        machine=machine(),
        lydite=lydite.__version__,
    )


def failed(job: Job, error: LyditeError) -> Record:
    """Give the record of a job of which nothing is left but what went wrong."""
    return Record(
        key=job.key,
        kind=job.kind,
        label=job.label,
        status="failed",
        inputs=dict(job.inputs()),
        result={},
        error=str(error),
        exit_code=error.exit_code,
        needs=needs(job),
        started_utc=_now(),
        lydite=lydite.__version__,
    )


def needs(job: Job) -> tuple[str, ...]:
    """Give the keys of the records that a job rests on."""
    return tuple(needed.key for needed in job.needs if needed.recorded)


def _now() -> str:
    return datetime.datetime.now(datetime.UTC).isoformat(timespec="seconds")


def _attempt(job: Job, work: Path, store: Store) -> _Done:
    """Run a job; whatever goes wrong is told."""
    try:
        outcome = job.run(work, store)
        kept = files.settle(work)
        if job.key_of(job.inputs()) != job.key:
            what = "a file that it is made of was changed while it ran"
            raise InputError(job.label, what, "run it again")
        return _Done(outcome, kept)
    except LyditeError as failure:
        argv = [failure.argv] if isinstance(failure, ToolFailed) else []
        error, exit_code = f"{failure}{_killed(failure)}{_no_room(work)}", failure.exit_code
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


def _killed(failure: LyditeError) -> str:
    """Say what kills a tool that we did not kill: of those the record is never kept."""
    if not isinstance(failure, ToolFailed) or failure.rc != -signal.SIGKILL:
        return ""
    what = "the system kills so where memory is at its end"
    return f"\n  {what}: end other programs, give fewer --jobs, or take a larger machine"


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
