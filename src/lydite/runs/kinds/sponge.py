# SPDX-License-Identifier: Apache-2.0
"""The speed test of the sponge action (`cores.keccak.speed`), on processors and in simulation.

On processors the runs that count are cut into parts, which threads take; each is one call of the
operation `speed` of the catalogue's software. Which variant is the best of this machine is measured
before, since it depends on how many runs there are for each thread. What is simulated must give the
checksum of the software.
"""

from __future__ import annotations

import functools
import statistics
import sys
import time
from collections.abc import Callable, Mapping, Sequence
from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import msgspec

from lydite.base import code, digest
from lydite.base.errors import InputError
from lydite.cores import Design, Software, catalog
from lydite.cores.keccak import speed
from lydite.cores.operation import Operation
from lydite.runs.evaluation import machine
from lydite.runs.generated import export
from lydite.runs.job import Job, Outcome, said
from lydite.runs.kinds.hardware import DESIGN_FREE
from lydite.runs.processors import copies, libraries
from lydite.runs.processors.loaded import Library
from lydite.runs.processors.software import cpu_features, missing_features
from lydite.runs.store import Store
from lydite.sim import build, elaborate, framing, stream
from lydite.sim.verify import open_model
from lydite.tools import compiler, verilator

PRIMITIVE = "sponge-speed"
ACTION = "sponge-action"
# Of the document's table.
RUNS, ROUNDS = speed.MAX_RUNS, 100_000
MAX_ROUNDS = (1 << 32) - 1
MAX_SLICES = 64
# What simulation does in a few minutes.
MAX_CYCLES = 400_000_000
# Permutations of a part: a tenth of a second or so of a thread.
_PART = 1 << 20
# Of the trials that find the best variant.
_TRIAL_ROUNDS = 5_000
# What tests on processors are repeated for, in seconds: the shortest take 20 ms.
_AT_LEAST_S = 2.0
_LANES = 8
# Cycles beside those of permutations, at most.
_PATIENCE = 1_000_000


@dataclass(frozen=True, slots=True)
class SpeedTest:
    """A speed test: of `runs` runs those for which `nb_elmts > run % freq`, each of so many
    permutations.

    Raises
    ------
    InputError
        A value is out of its range; the message names the option.
    """

    nb_elmts: int
    freq: int
    runs: int = RUNS
    rounds: int = ROUNDS

    def __post_init__(self) -> None:
        most = {"runs": RUNS, "rounds": MAX_ROUNDS}
        for name in ("nb_elmts", "freq", "runs", "rounds"):
            value, limit = getattr(self, name), most.get(name, speed.MAX_RUNS)
            if not 1 <= value <= limit:
                option = f"--{name.replace('_', '-')}"
                raise InputError(option, f"must be 1 to {limit}, not {value}")

    @property
    def numbers(self) -> list[int]:
        """The runs that count."""
        return speed.runs_of(0, self.runs, self.nb_elmts, self.freq)

    @property
    def permutations(self) -> int:
        """All of them."""
        return len(self.numbers) * self.rounds

    def fields(self, first: int, runs: int) -> tuple[bytes, ...]:
        """Give the inputs of the operation for a part of the runs."""
        values = (first, runs, self.nb_elmts, self.freq, self.rounds)
        return tuple(map(speed.word, values))

    def parts(self, threads: int) -> list[tuple[tuple[bytes, ...], int]]:
        """Give calls for the threads, with the permutations of each."""
        numbers = self.numbers
        size = max(min(_PART // self.rounds, len(numbers) // (4 * threads)) // _LANES, 1) * _LANES
        size = min(size, max(-(-len(numbers) // threads), 1))
        groups = [numbers[at : at + size] for at in range(0, len(numbers), size)]
        return [
            (self.fields(group[0], group[-1] - group[0] + 1), len(group) * self.rounds)
            for group in groups
        ]


class Measured(msgspec.Struct, frozen=True, kw_only=True):
    """What a test on processors gave; `checksum` in hexadecimal, as the document has it.

    Of several runs `seconds` is the median.
    """

    checksum: str
    calls: int
    permutations: int
    threads: int
    variant: str
    seconds: float
    runs: int


class Simulated(msgspec.Struct, frozen=True, kw_only=True):
    """What a simulated one gave: cycles from the first beat in to the last one out."""

    checksum: str
    calls: int
    permutations: int
    cycles: int


@functools.cache
def _operation() -> Operation:
    primitive = catalog.primitive(PRIMITIVE)
    return primitive.operation("speed")


def _text(checksum: bytes) -> str:
    return checksum[::-1].hex()


def _call(library: Library, inputs: tuple[bytes, ...]) -> int:
    operation = _operation()
    [outputs] = library.run(operation, [(inputs, None)])
    assert outputs is not None, "the values are in their ranges"
    return int.from_bytes(outputs[0], "little")


def best(
    calls: int, variants: Sequence[Software] | None = None, *, every_build: bool = False
) -> tuple[Software, Library]:
    """Give the variant that is the quickest here with so many calls for a thread, by trial.

    Parameters
    ----------
    variants : sequence of Software, optional
        By default all of the catalogue.
    every_build : bool
        Try each compiler and set of flags, which takes minutes where none was built before; else
        the first ones.
    """
    trial = SpeedTest(min(calls, 2 * _LANES), speed.MAX_RUNS, rounds=_TRIAL_ROUNDS)
    inputs = trial.fields(0, trial.nb_elmts)
    usable = {
        one.name: one
        for one in variants or catalog.software(PRIMITIVE)
        if one.role != "reference" and not missing_features(one)
    }
    found = {
        f"{name} {at}": library
        for name, one in usable.items()
        for at, library in enumerate(
            libraries.load_every(one) if every_build else [libraries.load(one)]
        )
    }
    name = libraries.quickest(found, lambda library: _call(library, inputs))
    return usable[name.partition(" ")[0]], found[name]


def on_cpu(
    test: SpeedTest,
    threads: int,
    tell: Callable[[int, float], None] = lambda *_: None,
    variants: Sequence[Software] | None = None,
    *,
    at_least_s: float = 0.0,
) -> Measured:
    """Run a test on so many threads.

    Parameters
    ----------
    tell : callable
        Is told how many permutations of a run are done, in how many seconds.
    variants : sequence of Software, optional
        Those of which the quickest is taken, by default all of the catalogue.
    at_least_s : float
        Run the test again until so many seconds have passed, on the best of all builds; the time is
        then the median of the runs.
    """
    calls = len(test.numbers)
    software, library = best(max(calls // threads, 1), variants, every_build=at_least_s > 0)
    times: list[float] = []
    while not times or sum(times) < at_least_s:
        checksum, done, took = _on_threads(library, test, threads, tell)
        times.append(took)
    return Measured(
        checksum=f"{checksum:016x}",
        calls=calls,
        permutations=done,
        threads=threads,
        variant=software.name,
        seconds=statistics.median(times),
        runs=len(times),
    )


def _on_threads(
    library: Library, test: SpeedTest, threads: int, tell: Callable[[int, float], None]
) -> tuple[int, int, float]:
    """Give the checksum, how many permutations that were, and the seconds."""
    checksum, done = 0, 0
    began = time.perf_counter()
    with ThreadPoolExecutor(threads) as pool:
        parts = test.parts(threads)
        running = [(pool.submit(_call, library, inputs), count) for inputs, count in parts]
        try:
            for future, count in running:
                checksum ^= future.result()
                done += count
                tell(done, time.perf_counter() - began)
        finally:
            pool.shutdown(cancel_futures=True)
    return checksum, done, time.perf_counter() - began


def engines(slices: int) -> Design:
    """Give the design in Verilog with so many engines.

    Raises
    ------
    InputError
        There are none of so many.
    """
    if not 1 <= slices <= MAX_SLICES:
        raise InputError("--slices", f"must be 1 to {MAX_SLICES}, not {slices}")
    design = catalog.design(PRIMITIVE, "rtl")
    name = "rtl" if slices == 1 else f"rtl-x{slices}"
    return msgspec.structs.replace(design, name=name, parameters={"SLICES": slices})


def action(slices: int, *, from_c: bool = False) -> Design:
    """Give the action with all its modes in Verilog, or in C to be compiled, with so many engines.

    Raises
    ------
    InputError
        There are none of so many.
    """
    name = engines(slices).name
    if not from_c:
        design = catalog.design(ACTION, "rtl")
        return msgspec.structs.replace(design, name=name, parameters={"SLICES": slices})
    design = catalog.design(ACTION, "hls-stream")
    assert design.hls is not None, "it is C"
    defines = {**design.hls.defines, "SLICES": slices}
    name = name.replace("rtl", design.name)
    return msgspec.structs.replace(
        design, name=name, hls=msgspec.structs.replace(design.hls, defines=defines)
    )


def simulate(
    design: Design, test: SpeedTest, variants: Sequence[Software] | None = None
) -> Simulated:
    """Run a test on a design in simulation, which must give the checksum of the software.

    Raises
    ------
    InputError
        It takes too many cycles.
    CheckFailed
        The checksum is another one, or a rule of the streams is broken.
    """
    calls = len(test.numbers)
    slices = design.parameters.get("SLICES", 1)
    cycles = 24 * test.rounds * -(-calls // slices) + 64 * calls
    if cycles > MAX_CYCLES:
        what = f"{cycles} cycles are too many to simulate"
        raise InputError("--rounds", what, f"at most {MAX_CYCLES}: less rounds, or more slices")
    inputs = test.fields(0, test.runs)
    _, library = best(calls, variants)
    outputs = (_call(library, inputs).to_bytes(speed.CHECKSUM_BYTES, "little"),)
    operation = design.primitive.operation("speed")
    job = framing.Job(operation=operation, inputs=inputs, outputs=outputs, where="the test")
    with open_model(design) as model:
        given = framing.call(design, job)
        [took] = model.run([given], label="the speed test", patience=2 * cycles + _PATIENCE)
    return Simulated(
        checksum=_text(outputs[0]),
        calls=calls,
        permutations=test.permutations,
        cycles=took.last_out + 1 - took.first_in,
    )


def _software_files() -> list[tuple[str, str]]:
    folders = (catalog.FOLDER / "keccak" / "sw", catalog.FOLDER / "common" / "sw")
    paths = sorted(path for folder in folders for path in folder.glob("*.[ch]"))
    return [(path.name, digest.of_file(path)) for path in paths]


@dataclass(frozen=True)
class SpeedOnCpu(Job):
    """A speed test on threads of this machine; it runs when nothing else does."""

    test: SpeedTest
    threads: int
    kind = "sponge-cpu"
    alone = True

    @property
    def label(self) -> str:
        return f"sponge {self.test.nb_elmts} of {self.test.freq}, {self.threads} threads"

    def inputs(self) -> Mapping[str, Any]:
        return {
            **said(self, without=()),
            "files": _software_files(),
            "variants": [copies.said(one) for one in catalog.software(PRIMITIVE)],
            "method": code.of(sys.modules[__name__], libraries),
            "tools": [tool.identity for tool in compiler.all_found("c")],
            "machine": machine(),
            "features": sorted(cpu_features()),
        }

    def run(self, work: Path, store: Store) -> Outcome:
        copies.keep(catalog.software(PRIMITIVE), work)
        return Outcome(
            result=msgspec.to_builtins(on_cpu(self.test, self.threads, at_least_s=_AT_LEAST_S))
        )


@dataclass(frozen=True)
class SpeedSimulated(Job):
    """A speed test of a design in simulation."""

    design: Design
    test: SpeedTest
    kind = "sponge-sim"

    @property
    def label(self) -> str:
        return f"simulate {self.design.label}, {self.test.nb_elmts} x {self.test.rounds}"

    def inputs(self) -> Mapping[str, Any]:
        return {
            **said(self, without=("design",)),
            "variants": [copies.said(one) for one in catalog.software(PRIMITIVE)],
            "sources": build.sources_of(self.design).digest,
            "design": said(self.design, without=DESIGN_FREE),
            "harness": build.digest_of_harness(stream.HARNESS),
            "method": code.of(sys.modules[__name__], framing, stream, elaborate),
            "tools": [verilator.find().identity],
        }

    def run(self, work: Path, store: Store) -> Outcome:
        export.write_design(self.design, build.sources_of(self.design), work)
        copies.keep(catalog.software(PRIMITIVE), work)
        return Outcome(result=msgspec.to_builtins(simulate(self.design, self.test)))
