# SPDX-License-Identifier: Apache-2.0
"""Jobs that do what a cluster must bear; workers import them from here."""

from __future__ import annotations

import os
import signal
import sys
import threading
from collections.abc import Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from lydite.base import proc
from lydite.base.errors import CheckFailed
from lydite.runs.job import Job, Outcome
from lydite.runs.store import Store

# Of the tool that they are made with.
VERSION = "1.0"


@dataclass(frozen=True)
class Sum(Job):
    """Adds up what other jobs have left, and leaves it."""

    name: str
    after: tuple[Job, ...] = ()
    kind = "sum"

    @property
    def label(self) -> str:
        return f"sum {self.name}"

    @property
    def needs(self) -> tuple[Job, ...]:
        return self.after

    def inputs(self) -> Mapping[str, Any]:
        tool = {"name": "adder", "version": VERSION, "origin": "native"}
        return {"name": self.name, "tools": [tool]}

    def run(self, work: Path, store: Store) -> Outcome:
        found = [int(store.read(one.key, "inner/sum")) for one in self.needs]
        (work / "inner").mkdir()
        (work / "inner" / "sum").write_text(str(1 + sum(found)))
        return Outcome(result={"pid": os.getpid(), "sum": 1 + sum(found)})


@dataclass(frozen=True)
class Timed(Sum):
    """One that measures time."""

    alone = True


@dataclass(frozen=True)
class Wrong(Sum):
    """One that fails."""

    def run(self, work: Path, store: Store) -> Outcome:
        (work / "log").write_text("said")
        raise CheckFailed("1", "2", f"there: {work / 'log'}")


@dataclass(frozen=True)
class Deadly(Sum):
    """One with which its worker dies, unless a file is there already; it makes that file."""

    sign: Path = Path()
    always: bool = False

    def run(self, work: Path, store: Store) -> Outcome:
        if self.always or not self.sign.exists():
            self.sign.touch()
            os.kill(os.getpid(), signal.SIGKILL)
        return super().run(work, store)


@dataclass(frozen=True)
class Beside(Sum):
    """One that ends only when its worker does, the first times; each run makes a file."""

    folder: Path = Path()
    times: int = 2

    def run(self, work: Path, store: Store) -> Outcome:
        before = len(list(self.folder.iterdir()))
        (self.folder / str(before)).touch()
        if before < self.times:
            threading.Event().wait()
        return super().run(work, store)


@dataclass(frozen=True)
class Endless(Sum):
    """One whose tool runs until it is killed, and then another; its number is in a file."""

    sign: Path = Path()

    def run(self, work: Path, store: Store) -> Outcome:
        if not self.sign.exists():
            part = self.sign.with_suffix(".part")
            proc.run(["sh", "-c", f"echo $$ > {part}; mv {part} {self.sign}; exec sleep 600"])
            proc.run(["sleep", "600"])
        return super().run(work, store)


# A driver of its own, that can be killed: its store, the scheduler, and the file of `Endless`.
if __name__ == "__main__":
    from cluster_jobs import Endless, Sum

    from lydite.runs.clusters.cluster import Workers
    from lydite.runs.execute import execute
    from lydite.runs.shared import opened

    with opened(sys.argv[1]) as kept, Workers(sys.argv[2]) as workers:
        first = Sum("first")
        last = Endless("last", (first,), Path(sys.argv[3]))
        for record in execute([last], kept, parallel=2, workers=workers).values():
            print(record.label, record.status, record.wall_s, flush=True)
