# SPDX-License-Identifier: Apache-2.0
"""Time the software of Dilithium in processor time, which other work on the machine stretches less.

`python bench/dilithium_software.py dilithium2` builds each variant with every compiler and set of
flags of `core.toml`, takes the same keys and messages through all of them by turns, compares what
they give, and prints microseconds of a call: the median of the rounds and the best, and calls a
second by both beside the figures of pq-crystals' code with AVX2.
"""

from __future__ import annotations

import argparse
import ctypes
import functools
import random
import statistics
import subprocess
import tempfile
import time
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import NamedTuple

from lydite.cores import Software, catalog
from lydite.cores.operation import Operation
from lydite.runs.processors.loaded import Batch, Inputs, Module
from lydite.runs.processors.software import COMMON, missing_features
from lydite.tools import compiler

# Calls a second of one thread of a Zen 5 at about 4 GHz, clang.
PQ_CRYSTALS = {"keygen": 59_000, "sign": 19_600, "verify": 54_700}
Results = list[tuple[bytes, ...] | None]
FLAGS = ("-std=c11", "-w", "-fPIC", "-shared", "-fvisibility=hidden", "-fno-sanitize=undefined")


class Build(NamedTuple):
    """A built variant, or a peer in Python: what runs calls, and tells ns of a processor."""

    name: str
    operations: tuple[str, ...]
    run: Callable[[Operation, list[Inputs]], tuple[int, Results]]


def run_c(library: ctypes.CDLL, operation: Operation, calls: list[Inputs]) -> tuple[int, Results]:
    batch = Batch(operation, calls)
    run = library[f"lydite_{operation.name}"]
    begun = time.thread_time_ns()
    run(ctypes.byref(batch.c))
    return time.thread_time_ns() - begun, batch.results()


def run_python(module: Module, operation: Operation, calls: list[Inputs]) -> tuple[int, Results]:
    begun = time.thread_time_ns()
    found = module.run(operation, calls)
    return time.thread_time_ns() - begun, found


def built(software: Software, folder: Path) -> Iterator[Build]:
    """Give a variant with each compiler and set of flags that takes it."""
    if software.python:
        path = software.folder / software.python
        module = Module(str(path), software.defines)
        if module.available:
            run = functools.partial(run_python, module)
            # The catalogue has hedged signatures, too; of a peer without them, others are here.
            text, names = path.read_text(), [one.name for one in software.primitive.operations]
            operations = tuple(name for name in names if f"\ndef {name}(" in text)
            yield Build(f"{software.name}, {module.version}", operations, run)
        else:
            print(f"{software.name} is left out: it is not installed")
        return
    defines = [f"-D{name}={value}" for name, value in software.defines.items()]
    source = software.folder / software.sources[0]
    for tool in compiler.all_found("c"):
        for number, flags in enumerate(software.flags):
            out = folder / f"{software.name}-{tool.name}-{number}.so"
            argv = [*tool.argv, *FLAGS, *flags.split(), *defines, f"-I{COMMON}", str(source)]
            argv += ["-o", str(out)]
            if subprocess.run(argv, capture_output=True, check=False).returncode == 0:
                name = f"{software.name}, {tool.name} {flags}"
                run = functools.partial(run_c, ctypes.CDLL(str(out)))
                yield Build(name, software.operations, run)


def timed(
    builds: list[Build], operation: Operation, calls: list[Inputs], rounds: int
) -> tuple[dict[str, list[float]], Results]:
    """Give microseconds of a call in each round, and what each call gave, by all the same."""
    times: dict[str, list[float]] = {one.name: [] for one in builds}
    given = None
    for _ in range(rounds):
        for one in builds:
            ns, results = one.run(operation, calls)
            times[one.name].append(ns / len(calls) / 1000)
            assert given in (None, results), f"{one.name}: {operation.name} gives something else"
            given = results
    assert given is not None and None not in given, f"{operation.name} rejects"
    return times, given


def main() -> None:
    parser = argparse.ArgumentParser(description=(__doc__ or "").partition("\n")[0])
    parser.add_argument("primitive", choices=("dilithium2", "ml-dsa-44"))
    parser.add_argument("--rounds", type=int, default=25)
    parser.add_argument("--calls", type=int, default=256, help="keys and messages of 33 bytes")
    given = parser.parse_args()
    primitive, rng = catalog.primitive(given.primitive), random.Random(1)
    values = [
        {"seed": rng.randbytes(32), "message": rng.randbytes(33), "context": b""}
        | {"random": bytes(32)}
        for _ in range(given.calls)
    ]
    with tempfile.TemporaryDirectory() as folder:
        builds: list[Build] = []
        for core in catalog.cores():
            for one in core.software:
                if one.primitive is primitive:
                    if missing := missing_features(one):
                        print(f"{one.name} is left out: no {', '.join(missing)} here")
                    else:
                        builds += built(one, Path(folder))
        for operation in primitive.operations:
            names = operation.input_names
            calls: list[Inputs] = [([value[name] for name in names], None) for value in values]
            able = [one for one in builds if operation.name in one.operations]
            times, results = timed(able, operation, calls, given.rounds)
            for value, result in zip(values, results, strict=True):
                value |= dict(zip(operation.output_names, result or (), strict=True))
            theirs = PQ_CRYSTALS[operation.name]
            print(f"\n{operation.name}: us median, best; calls/s median, best; of {theirs:,}")
            for name, all_us in times.items():
                us = (statistics.median(all_us), min(all_us))
                text = " ".join(f"{one:8.1f}" for one in us)
                rates = " ".join(f"{1e6 / one:9,.0f} {1e6 / one / theirs:5.2f}" for one in us)
                print(f"{text} {rates}  {name}")


if __name__ == "__main__":
    main()
