# SPDX-License-Identifier: Apache-2.0
"""Jobs that time the search for a DES key: a core in the testbed, and this machine's processor.

Each searches a range whose last key is the one that is wanted, so that all of it is searched and
the answer shows it. Keys are counted; the key of a range is planted by a seed.
"""

from __future__ import annotations

import random
import statistics
import time
from collections.abc import Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import msgspec

from lydite.base import code
from lydite.base.errors import CheckFailed, InputError
from lydite.base.seeds import hashed
from lydite.cores import Design, Software
from lydite.cores.des import fast, spec
from lydite.runs.generated import export
from lydite.runs.job import Job, Outcome, said
from lydite.runs.kinds.hardware import WAVE_FILE, Verify
from lydite.runs.kinds.testbed import surroundings
from lydite.runs.processors import copies, key_search, libraries
from lydite.runs.processors.key_search import Search, Threads, Wanted
from lydite.runs.processors.software import MeasureSoftware
from lydite.runs.store import Store
from lydite.sim import build, framing
from lydite.sim.testbed import measure
from lydite.sim.testbed.measure import Setting

OPERATION = "search"
# Some minutes of simulation.
MAX_SIMULATED_KEYS = 1 << 21
_KEYS = 1 << 56
_RUNS = 3


def planted(keys: int, seed: int = 1) -> Wanted:
    """Give a range of so many keys, of which the last one is the one that is right.

    Raises
    ------
    InputError
        There are not so many keys, or none are asked for.
    """
    if not 1 <= keys <= _KEYS:
        raise InputError("keys", f"must be 1 to {_KEYS}, not {keys}")
    source = random.Random(hashed(f"range of {keys} keys", seed))
    first = source.randrange(_KEYS - keys + 1)
    last = first + keys - 1
    plaintexts = source.randbytes(8), source.randbytes(8)
    pairs = [(text, fast.encrypt(spec.key_of(last), text)) for text in plaintexts]
    return Wanted(first, last, (*pairs[0], *pairs[1]))


def _told(wanted: Wanted) -> list[str]:
    return [str(wanted.first), str(wanted.last), *(block.hex() for block in wanted.pairs)]


def wanted_of(inputs: Mapping[str, Any]) -> Wanted:
    """Read what `_told` wrote."""
    first, last, *blocks = inputs["wanted"]
    pairs = [bytes.fromhex(block) for block in blocks]
    return Wanted(int(first), int(last), (pairs[0], pairs[1], pairs[2], pairs[3]))


@dataclass(frozen=True)
class MeasureSearch(Job):
    """Search so many keys on a core in the testbed, end to end; the design is proven first."""

    proof: Verify
    keys: int
    setting: Setting
    kind = "key-search"

    @property
    def label(self) -> str:
        return f"search {self.proof.design.label} {self.keys} keys"

    @property
    def needs(self) -> tuple[Job, ...]:
        return (self.proof,)

    def inputs(self) -> Mapping[str, Any]:
        return {
            **surroundings(self.proof.design, OPERATION, self.setting),
            **said(self, without=("proof", "setting")),
            "wanted": _told(planted(self.keys)),
        }

    def run(self, work: Path, store: Store) -> Outcome:
        design = self.proof.design
        if self.keys > MAX_SIMULATED_KEYS:
            what = f"{self.keys} keys are too many to simulate"
            raise InputError(self.label, what, f"at most {MAX_SIMULATED_KEYS}")
        export.write_design(design, build.sources_of(design), work)
        wanted = planted(self.keys)
        return Outcome(result=measured(design, wanted, self.setting, work / WAVE_FILE))


def measured(
    design: Design, wanted: Wanted, setting: Setting, wave: Path | None = None
) -> dict[str, Any]:
    """Search a range on a core in the testbed."""
    keys = wanted.last - wanted.first + 1
    job = framing.Job(
        operation=design.primitive.operation(OPERATION),
        inputs=(spec.key_of(wanted.first), spec.key_of(wanted.last), *wanted.pairs),
        outputs=(spec.key_of(wanted.last),),
        where=f"{keys} keys",
    )
    size = sum(map(len, job.inputs))
    found = measure.measure_jobs(
        design, OPERATION, [job], setting, size=size, silent_cycles=keys, wave=wave
    )
    return {**msgspec.to_builtins(found), "keys": keys}


@dataclass(frozen=True)
class MeasureSearchRate(Job):
    """Measure the keys a second of a variant on so many threads; the median of three runs.

    Its seconds are those of the processors, for as long as they work on it: `elapsed_keys_per_s` is
    lower where something else runs beside.
    """

    software: Software
    threads: int
    keys: int
    kind = "search-rate"
    alone = True

    @property
    def label(self) -> str:
        many = "s" if self.threads > 1 else ""
        return f"search {self.software.label} {self.threads} thread{many}"

    def inputs(self) -> Mapping[str, Any]:
        return {
            **MeasureSoftware(self.software).inputs(),
            **said(self, without=("software",)),
            "wanted": _told(planted(self.keys)),
            "method": [code.of_imports(key_search), code.of(libraries), code.of(type(self))],
        }

    def run(self, work: Path, store: Store) -> Outcome:
        copies.keep([self.software], work)
        wanted = planted(self.keys)
        return Outcome(result=rate(self.software, wanted, self.threads, work))


def rate(software: Software, wanted: Wanted, threads: int, work: Path) -> dict[str, Any]:
    """Search a range some times; the last key must be found."""
    library = libraries.load(software)
    many = wanted.last - wanted.first + 1
    unit = max(1, min(key_search.UNIT_KEYS, many // (4 * threads)))
    rates: list[float] = []
    walls: list[float] = []
    for number in range(_RUNS):
        search = Search(wanted, work / f"state{number}.json", unit_keys=unit)
        began, wall = time.process_time(), time.monotonic()
        keys = search.run(Threads(library, threads), lambda progress: None)
        # Seconds of the processors, each thread's: what else runs here has no part in them.
        rates.append(threads * many / (time.process_time() - began))
        walls.append(many / (time.monotonic() - wall))
        if keys != (spec.key_of(wanted.last),):
            raise CheckFailed(f"{spec.key_of(wanted.last).hex()}", f"{keys}", software.label)
    return {
        "keys": many,
        "threads": threads,
        "keys_per_s": statistics.median(rates),
        "samples": sorted(rates),
        "elapsed_keys_per_s": statistics.median(walls),
    }
