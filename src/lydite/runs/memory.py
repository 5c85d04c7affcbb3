# SPDX-License-Identifier: Apache-2.0
"""Whether there is memory for one more job beside those that run.

A job is expected to take what the largest one of its design and target took; where none is known,
a placement what its netlist says, another job the most that one of its kind took in this plan, or
a modest figure. What runs will still grow to that; the rest of what is available is for more.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Mapping
from typing import Protocol

from lydite.runs.job import Job
from lydite.runs.kinds.hardware import Placement
from lydite.runs.record import Record
from lydite.runs.store import Store
from lydite.tools import yosys

# Of a job of which nothing is known.
MODEST_KIB = 512 << 10
# Of a placement: no less than 33 of 34 designs took, of 44 to 44,900 LUT on ECP5 and iCE40, in 760
# runs, and at most 1.9 times as much; the other took 395 MiB, not 335 (wheels of YoWASP).
_PLACEMENT_KIB = 320 << 10
_TIMES_NETLIST = 14
_MIB, _GIB = 1 << 10, 1 << 20
# What tells jobs of one design and target apart.
_POINT = re.compile(r", (seed [0-9a-f]+|[0-9.]+ MHz)\b.*")


class Machine(Protocol):
    """The memory of a machine; see `base.memory.Machine`."""

    def available_kib(self) -> int | None:
        """Give how much more can be taken; None where that is not known."""

    def used_kib(self) -> Mapping[int, int]:
        """Give what programs have now, by the threads that wait for them."""


class Memory:
    """What the jobs of a plan are expected to take, beside what there is."""

    def __init__(self, machine: Machine, store: Store) -> None:
        self._machine = machine
        self._store = store
        # Of each kind the largest peaks by what its jobs are called without seed and frequency.
        self._peaks: dict[str, dict[str, int]] = {}
        self._seen: dict[str, int] = {}
        self._reckoned: dict[str, int] = {}

    def lacks(self, job: Job, beside: Mapping[str, tuple[Job, int]]) -> str:
        """Say why a job must wait; nothing if it fits, or no other runs.

        Parameters
        ----------
        beside : mapping
            Jobs that run here by their keys, with the number of the thread; 0 before it is known.
        """
        if not beside:
            return ""
        # First what they have: what they take meanwhile must not be counted as if it were there.
        used = self._machine.used_kib()
        grow = sum(
            max(self.expected_kib(one) - used.get(thread, 0), 0) for one, thread in beside.values()
        )
        available = self._machine.available_kib()
        needed = self.expected_kib(job)
        if available is None or needed <= available - grow:
            return ""
        left = max(available - grow, 0)
        return f"for memory: takes about {_told(needed)}, {_told(left)} left by what runs"

    def expected_kib(self, job: Job) -> int:
        """Give how much a job is expected to take at most, in KiB."""
        known = self._known(job.kind).get(_like(job.label), 0)
        return known or self._reckon(job) or self._seen.get(job.kind, MODEST_KIB)

    def learn(self, record: Record) -> None:
        """Take in what a job took that has ended, well or not."""
        if record.peak_kib:
            _take(self._known(record.kind), [(record.label, record.peak_kib)])
            self._seen[record.kind] = max(self._seen.get(record.kind, 0), record.peak_kib)

    def _known(self, kind: str) -> dict[str, int]:
        """Give the largest peaks of a kind; the store is asked once."""
        if kind not in self._peaks:
            self._peaks[kind] = {}
            _take(self._peaks[kind], self._store.peaks(kind))
        return self._peaks[kind]

    def _reckon(self, job: Job) -> int:
        """Give what a placement takes by the size of its netlist; 0 where that is not known."""
        if not isinstance(job, Placement):
            return 0
        if job.key not in self._reckoned:
            made = self._store.get(job.synthesis.key)
            size, _ = made.files.get(yosys.NETLIST_FILE, (0, "")) if made else (0, "")
            if not size:
                return 0
            self._reckoned[job.key] = _PLACEMENT_KIB + _TIMES_NETLIST * size // 1024
        return self._reckoned[job.key]


def _take(peaks: dict[str, int], found: Iterable[tuple[str, int]]) -> None:
    for label, peak_kib in found:
        like = _like(label)
        peaks[like] = max(peaks.get(like, 0), peak_kib)


def _like(label: str) -> str:
    return _POINT.sub("", label)


def _told(kib: int) -> str:
    return f"{kib / _GIB:.1f} GiB" if kib >= _GIB else f"{kib // _MIB} MiB"
