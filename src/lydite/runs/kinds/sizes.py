# SPDX-License-Identifier: Apache-2.0
"""Job of software over sizes: the time of one message of each, on one thread or on all.

In C the quickest variant and set of flags is taken, by trial; a peer in Python as people call it.
What comes out is compared with the reference in C, which is proven by known answers like all
(`processors.software`).
"""

from __future__ import annotations

import ctypes
import functools
import statistics
import sys
import time
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import msgspec

from lydite.base import code, digest
from lydite.base.errors import CheckFailed, InputError
from lydite.cores import Software, catalog
from lydite.cores.operation import Operation
from lydite.runs.evaluation import machine
from lydite.runs.job import Job, Outcome, said
from lydite.runs.processors import copies, libraries, loaded, measuring
from lydite.runs.processors.loaded import Batch, Library, Module
from lydite.runs.processors.measuring import thread_count
from lydite.runs.processors.software import cpu_features, headers, missing_features
from lydite.runs.store import Store
from lydite.tools import compiler

# A sample takes at least so long, and a size so many samples in all that time.
SAMPLE_S, SAMPLES, MAX_S = 0.01, 15, 4.0
MIN_SAMPLES = 3
# Of the trial that finds the best variant: what a second-level cache holds.
TRIAL_BYTES = 1 << 20


class Took(msgspec.Struct, frozen=True, kw_only=True, omit_defaults=True):
    """Nanoseconds of a message of so many bytes, over samples; the first of its digest.

    Attributes
    ----------
    parts_ns : mapping
        Of a GPU: medians of `to_device`, `compute` and `from_device`, each by itself.
    """

    bytes: int
    median_ns: float
    best_ns: float
    samples: int
    digest: str
    parts_ns: Mapping[str, float] = msgspec.field(default_factory=dict)


@dataclass(frozen=True, slots=True)
class _Ready:
    """A variant that can be called.

    Attributes
    ----------
    hash : callable
        Gives the output of a message.
    took : callable
        Gives the time of a message of so many bytes, whose output is given, too.
    """

    name: str
    version: str
    hash: Callable[[bytes], bytes]
    took: Callable[[bytes, bytes], Took]


def _taken(message: bytes, output: bytes, call: Callable[[], object]) -> Took:
    return _of(message, output, sample(call))


def _taken_in_parts(message: bytes, output: bytes, call: Callable[[], Mapping[str, float]]) -> Took:
    """Give the time of what tells its parts by itself, in seconds, and all of it as `total`."""
    call()  # Drivers do what is left to do at the first launch.
    found = [call() for _ in range(SAMPLES)]
    ns = {name: [1e9 * one[name] for one in found] for name in found[0]}
    total = ns.pop("total")
    parts = {name: statistics.median(values) for name, values in ns.items()}
    return _of(message, output, total, parts)


def _of(
    message: bytes,
    output: bytes,
    samples: Sequence[float],
    parts_ns: Mapping[str, float] | None = None,
) -> Took:
    return Took(
        bytes=len(message),
        median_ns=statistics.median(samples),
        best_ns=min(samples),
        samples=len(samples),
        digest=output.hex()[:16],
        parts_ns=parts_ns or {},
    )


def sample(call: Callable[[], object], least_s: float = SAMPLE_S) -> tuple[float, ...]:
    """Give the nanoseconds of a call, several times: each over as many calls as `least_s` holds."""
    rounds, found, began = 1, list[float](), time.perf_counter()
    while len(found) < SAMPLES:
        start = time.perf_counter_ns()
        for _ in range(rounds):
            call()
        took = time.perf_counter_ns() - start
        if took < 1e9 * least_s and not found:
            rounds *= 2
            continue
        found.append(took / rounds)
        if time.perf_counter() - began > MAX_S and len(found) >= MIN_SAMPLES:
            break
    return tuple(found)


def variants(primitive: str, role: str, *, threads: bool, define: str) -> tuple[Software, ...]:
    """Give the variants of a role that run here, on one thread or on all.

    Parameters
    ----------
    define : str
        What says in a variant's `defines` that it takes all threads.
    """
    return tuple(
        one
        for one in catalog.software(primitive)
        if one.role == role
        and bool(one.defines.get(define)) == threads
        and not missing_features(one)
    )


def measure(
    primitive: str,
    operation: str,
    found: Sequence[Software],
    sizes: Sequence[int],
    reference: Software | None = None,
) -> tuple[str, str, tuple[Took, ...]] | None:
    """Measure the quickest of some variants on messages of each size.

    Parameters
    ----------
    reference : Software, optional
        What they are compared with, by default the catalogue's.

    Returns
    -------
    tuple or None
        Its name, what it was built with or its version, and times; None if what it calls is not
        here.

    Raises
    ------
    CheckFailed
        An output is not that of the reference.
    """
    asked = catalog.primitive(primitive).operation(operation)
    right = _compiled([reference or reference_of(primitive)], asked)
    chosen = _peer(found[0], asked) if found[0].python else _compiled(found, asked)
    if chosen is None:
        return None
    times = []
    for size in sizes:
        message = bytes(range(251)) * (size // 251 + 1)
        message = message[:size]
        got, wanted = chosen.hash(message), right.hash(message)
        if got != wanted:
            raise CheckFailed(wanted.hex(), got.hex(), f"{chosen.name}: {size} bytes")
        times.append(chosen.took(message, got))
    return chosen.name, chosen.version, tuple(times)


def reference_of(primitive: str) -> Software:
    """Give the variant of a primitive that is there to be read."""
    [found] = [one for one in catalog.software(primitive) if one.role == "reference"]
    return found


def _compiled(found: Sequence[Software], operation: Operation) -> _Ready:
    """Give the quickest variant and set of flags."""
    chosen = operation.free.measured if operation.free else None
    trial = Batch(operation, [([bytes(TRIAL_BYTES)], chosen)])
    built: dict[str, Library] = {}
    calls: dict[int, Callable[[int], None]] = {}
    for one in found:
        for flags in one.flags:
            library = libraries.load(msgspec.structs.replace(one, flags=(flags,)))
            built[f"{one.name}, {flags}"] = library
            place = library.address(operation).value or 0
            calls[id(library)] = ctypes.CFUNCTYPE(None, ctypes.c_void_p)(place)
    at = ctypes.addressof(trial.c)
    best = libraries.quickest(built, lambda library: calls[id(library)](at))
    library, name = built[best], best.partition(", ")[0]

    def hashed(message: bytes) -> bytes:
        [outputs] = library.run(operation, [([message], chosen)])
        assert outputs is not None, "nothing is rejected"
        return outputs[0]

    def took(message: bytes, output: bytes) -> Took:
        batch = Batch(operation, [([message], chosen)])
        place, call = ctypes.addressof(batch.c), calls[id(library)]
        return _taken(message, output, lambda: call(place))

    return _Ready(name, best.partition(", ")[2], hashed, took)


def _peer(software: Software, operation: Operation) -> _Ready | None:
    module = module_of(software)
    if not module.available:
        return None
    chosen = operation.free.measured if operation.free else None

    def hashed(message: bytes) -> bytes:
        [outputs] = module.run(operation, [([message], chosen)])
        assert outputs is not None, "nothing is rejected"
        return outputs[0]

    def took(message: bytes, output: bytes) -> Took:
        if software.role == "gpu":
            return _taken_in_parts(message, output, module.prepared(message, len(output)))
        return _taken(message, output, lambda: module.run(operation, [([message], chosen)]))

    return _Ready(software.name, module.version, hashed, took)


def module_of(software: Software) -> Module:
    """Give a variant in Python, which may not be available here."""
    path = str(software.folder / software.python)
    if software.role == "gpu":
        return _gpu(path, tuple(software.defines.items()))
    return Module(path, software.defines)


@functools.cache
def _gpu(path: str, defines: tuple[tuple[str, int], ...]) -> Module:
    # Its kernels are built once.
    return Module(path, dict(defines))


@dataclass(frozen=True)
class MeasureSizes(Job):
    """Measure one message of each size on this machine; it runs when nothing else does.

    Attributes
    ----------
    variants : tuple of Software
        Those of which the quickest is taken; of a peer in Python, just it.
    """

    primitive: str
    operation: str
    variants: tuple[Software, ...]
    sizes: tuple[int, ...]
    kind = "sizes"
    alone = True

    def __post_init__(self) -> None:
        if not self.variants:
            raise InputError(self.primitive, "no variant of its software runs here")

    @property
    def label(self) -> str:
        return f"{self.primitive} over sizes: {', '.join(one.name for one in self.variants)}"

    def inputs(self) -> Mapping[str, Any]:
        reference = reference_of(self.primitive)
        gpus = [module_of(one).version for one in self.variants if one.role == "gpu"]
        return {
            **said(self, without=("variants",)),
            "variants": [copies.said(one) for one in self.variants],
            "reference": copies.said(reference),
            "files": [
                [path.name, digest.of_file(path)]
                for one in (reference, *self.variants)
                for path in (
                    *(one.folder / n for n in (*one.sources, *filter(None, [one.python]))),
                    *headers(one),
                )
            ],
            "python": sys.version,
            "method": code.of(sys.modules[__name__], libraries, measuring, loaded),
            "tools": [tool.identity for tool in compiler.all_found("c")],
            "machine": machine(),
            "features": sorted(cpu_features()),
            **({"gpus": gpus} if gpus else {}),
        }

    def run(self, work: Path, store: Store) -> Outcome:
        copies.keep([reference_of(self.primitive), *self.variants], work)
        return Outcome(
            result=result(measure(self.primitive, self.operation, self.variants, self.sizes))
        )


def result(found: tuple[str, str, tuple[Took, ...]] | None) -> dict[str, Any]:
    """Give what `measure` found, as it stands in a record."""
    if found is None:
        return {"available": False}
    name, version, times = found
    return {
        "available": True,
        "variant": name,
        "version": version,
        "threads": thread_count(),
        "sizes": msgspec.to_builtins(times),
    }
