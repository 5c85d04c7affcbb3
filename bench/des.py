# SPDX-License-Identifier: Apache-2.0
"""Rates of the DES software, a thread, in seconds of processor time.

    python bench/des.py

For each variant of the key search millions of keys a second, for each of Triple DES with two keys
megabytes a second of one long message, ECB and counters. The best of some runs; other work on the
machine still takes caches and clock from them. Where John the Ripper is installed (Debian's package
`john`), its own test of LM hashes stands beside: a key of DES and one block a candidate.
"""

from __future__ import annotations

import ctypes
import re
import shutil
import subprocess
import time
from collections.abc import Callable

from lydite.cores import Software, catalog
from lydite.cores.des import spec
from lydite.runs.processors import libraries
from lydite.runs.processors.loaded import Batch
from lydite.runs.processors.software import missing_features

RUNS = 7
MESSAGE_BYTES = 1 << 20
# A second or so.
KEYS = {64: 1 << 25, 256: 1 << 27, 512: 1 << 28}


def best_s(run: Callable[[], object]) -> float:
    """Give the least processor time of some runs."""
    times = []
    for _ in range(RUNS):
        began = time.process_time()
        run()
        times.append(time.process_time() - began)
    return min(times)


def call_s(software: Software, name: str, inputs: list[bytes]) -> float:
    """Give the processor time of one call; 0 if it wraps a library that is not here."""
    library = libraries.load(software)
    if not library.available:
        return 0.0
    operation = software.primitive.operation(name)
    batch = Batch(operation, [(inputs, None)])
    function = ctypes.CFUNCTYPE(None, ctypes.c_void_p)(library.address(operation).value or 0)
    return best_s(lambda: function(ctypes.addressof(batch.c)))


def show(software: Software) -> None:
    """Print the lines of a variant."""
    if software.primitive.name == "des-search":
        count = KEYS[software.defines["VECTOR_BITS"]]
        blocks = [bytes([n]) * 8 for n in range(4)]
        seconds = call_s(software, "search", [spec.key_of(0), spec.key_of(count - 1), *blocks])
        print(f"{software.label:<28} {count / seconds / 1e6:8.0f} M keys/s", flush=True)
        return
    inputs = [bytes(range(16)), bytes(MESSAGE_BYTES)]
    for name, given in (("encrypt", inputs), ("ctr", [inputs[0], bytes(8), inputs[1]])):
        seconds = call_s(software, name, given) if name in software.operations else 0.0
        if seconds:
            rate = MESSAGE_BYTES / seconds / 1e6
            print(f"{software.label:<28} {rate:8.0f} MB/s {name}", flush=True)


def show_john() -> None:
    """Print what John the Ripper says of its own rate: of processor time, on one thread."""
    john = shutil.which("john")
    if john is None:
        return
    run = [john, "--test=3", "--format=LM"]
    ran = subprocess.run(run, env={"OMP_NUM_THREADS": "1"}, capture_output=True, text=True)
    test = re.search(r"Benchmarking: (.*)\.\.\..*\n.* (\d+)K c/s virtual", ran.stdout + ran.stderr)
    if test is None:
        raise SystemExit(f"{john} says nothing of its rate:\n{ran.stdout}{ran.stderr}")
    print(f"{'John, ' + test[1]:<28} {int(test[2]) / 1e3:8.0f} M keys/s", flush=True)


def main() -> None:
    """Print a line for each variant that this processor can run, and one for John."""
    for software in (*catalog.software("des-search"), *catalog.software("tdes-2key")):
        if software.role != "reference" and not missing_features(software):
            show(software)
    show_john()


if __name__ == "__main__":
    main()
