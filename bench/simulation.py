# SPDX-License-Identifier: Apache-2.0
"""How fast cores are simulated: cycles a second through the harness, and what a build takes.

    python bench/simulation.py [PRIMITIVE/DESIGN] [--runs N]

One long message without stalls, checks of the protocol on. Builds are made anew.
"""

from __future__ import annotations

import argparse
import os
import statistics
import tempfile
import time

from lydite.cores import select
from lydite.sim import build, framing, verify

# How many are simulated, about.
_CYCLES = 4_000_000


def main() -> None:
    """Measure both efforts and print."""
    parser = argparse.ArgumentParser(description="Cycles a second of simulated cores.")
    parser.add_argument("design", nargs="?", default="sha3-256/rtl")
    parser.add_argument("--runs", type=int, default=5)
    arguments = parser.parse_args()
    design = select(arguments.design)[0].designs[0]
    operation = design.primitive.operation(design.operations[0])
    bounds = design.claim(operation.name, "cycles_per_block")
    if bounds is None or not operation.has_blocks:
        parser.error(f"{design.label} claims no cycles a block of a payload of any length")
    blocks = int(_CYCLES / bounds[0])
    inputs = tuple(map(bytes, operation.lengths(blocks * operation.block_bytes)))
    outputs = tuple(map(bytes, operation.output_lengths(list(map(len, inputs)))))
    job = framing.Job(operation=operation, inputs=inputs, outputs=outputs)
    with tempfile.TemporaryDirectory() as cache:
        os.environ["LYDITE_CACHE"] = cache
        # The runtime of Verilator is compiled once for ever: not part of a build.
        verify.open_model(select("sha3-512/rtl")[0].designs[0]).close()
        for effort in build.EFFORT:
            start = time.monotonic()
            with verify.open_model(design, effort=effort) as model:
                built_s = time.monotonic() - start
                rates = []
                for _ in range(arguments.runs):
                    before, start = model.cycles, time.monotonic()
                    model.cycles_of([framing.call(design, job)])
                    rates.append((model.cycles - before) / (time.monotonic() - start))
            print(
                f"{design.label}, effort {effort}: built in {built_s:.1f} s, "
                f"{statistics.median(rates) / 1e6:.1f} M cycles/s (median of {arguments.runs})"
            )


if __name__ == "__main__":
    main()
