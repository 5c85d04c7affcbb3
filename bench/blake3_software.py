# SPDX-License-Identifier: Apache-2.0
"""Rates of the BLAKE3 software beside the package `blake3`, in pairs.

    pip install blake3
    python bench/blake3_software.py [VARIANT...]

For messages of some lengths: gigabytes a second of the best run of each, and the median over pairs
of runs, one behind the other, of the package's time over ours, so that what else the machine does
meets both. One thread in seconds of processor time, all threads in seconds.
"""

from __future__ import annotations

import ctypes
import statistics
import sys
import time
from collections.abc import Callable
from typing import Any

import msgspec

from lydite.cores import Software, catalog
from lydite.runs.processors import libraries
from lydite.runs.processors.loaded import Batch
from lydite.runs.processors.software import missing_features

PAIRS = 40
LENGTHS = (1 << 10, 1 << 14, *(1 << n for n in range(20, 27)))
# What a run hashes at least, so that the clock resolves it.
RUN_BYTES = 1 << 21


def seconds(clock: Callable[[], float], calls: int, call: Callable[[], object]) -> float:
    """Give the time of some calls."""
    began = clock()
    for _ in range(calls):
        call()
    return clock() - began


def quickest(software: Software, batch: Batch) -> Callable[[int], None]:
    """Give the function of the set of flags that is the quickest here."""
    operation = software.primitive.operation("hash")
    builds = {
        flags: libraries.load(msgspec.structs.replace(software, flags=(flags,)))
        for flags in software.flags
    }
    functions = {
        flags: ctypes.CFUNCTYPE(None, ctypes.c_void_p)(library.address(operation).value or 0)
        for flags, library in builds.items()
    }
    named = {id(library): functions[flags] for flags, library in builds.items()}
    place = ctypes.addressof(batch.c)
    return functions[libraries.quickest(builds, lambda library: named[id(library)](place))]


def show(software: Software, length: int, package: Any) -> None:
    """Print the line of a variant and a length."""
    threads = bool(software.defines.get("BLAKE3_THREADS"))
    clock = time.perf_counter if threads else time.process_time
    message = bytes(range(256)) * (length // 256)
    operation = software.primitive.operation("hash")
    batch = Batch(operation, [([message], 32)])
    function = quickest(software, batch)
    most = package.AUTO if threads else 1

    def ours() -> None:
        function(ctypes.addressof(batch.c))

    def theirs() -> None:
        package(message, max_threads=most).digest()

    calls = max(RUN_BYTES // length, 1)
    pairs = [(seconds(clock, calls, theirs), seconds(clock, calls, ours)) for _ in range(PAIRS)]
    rates = [calls * length / min(times) / 1e9 for times in zip(*pairs, strict=True)]
    ratio = statistics.median(their / our for their, our in pairs)
    print(
        f"{software.name:<20} {length:>10} bytes  package {rates[0]:6.2f} GB/s  ours"
        f" {rates[1]:6.2f} GB/s  ratio {ratio:.2f}",
        flush=True,
    )


def main() -> None:
    """Print a line for each variant, or each of those asked for, and each length."""
    try:
        import blake3
    except ModuleNotFoundError:
        sys.exit(
            "bench/blake3_software.py: package blake3 is not here; to compare: pip install blake3"
        )
    wanted = set(sys.argv[1:])
    for software in catalog.software("blake3"):
        if wanted and software.name not in wanted:
            continue
        if software.role == "single" and not missing_features(software):
            for length in LENGTHS:
                show(software, length, blake3.blake3)


if __name__ == "__main__":
    main()
