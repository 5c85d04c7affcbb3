# SPDX-License-Identifier: Apache-2.0
"""How fast cores are simulated: cycles a second through the harness, and what a build takes.

    python bench/simulation.py [PRIMITIVE/DESIGN] [--runs N] [--testbed | --netlist]

One long message without stalls, checks of the protocol on. Builds are made anew. With `--testbed`
5 MB go through the whole testbed, both clocks at 100 MHz, every output compared; its cycles are
told by the seconds of the processor, too, which count where other programs run beside it. With
`--netlist` the first known answers go through the mapped netlist that the store has of the design
(`lydite bench` leaves it there), told by seconds of the processor.
"""

from __future__ import annotations

import argparse
import os
import statistics
import tempfile
import time
from pathlib import Path

from lydite import targets
from lydite.cores import Design, select
from lydite.runs.kinds import netlist
from lydite.runs.store import Store, default_folder
from lydite.sim import build, framing, verify
from lydite.sim.suites import Oracle
from lydite.sim.testbed import measure, wrapper
from lydite.sim.testbed.model import TestbedModel
from lydite.targets import links

# How many are simulated, about.
_CYCLES = 4_000_000
_TESTBED_BYTES = 5_000_000
_TESTBED_MHZ = 100.0
# Known answers through a netlist.
_ANSWERS = 4


def through_testbed(design: Design, runs: int) -> None:
    """Measure one job of a design's first operation in the testbed and print."""
    operation = design.primitive.operation(design.operations[0])
    inputs = tuple(map(bytes, operation.lengths(_TESTBED_BYTES)))
    with Oracle(design.primitive, [operation.name], fast=True) as oracle:
        jobs = oracle.accepted(operation, [(inputs, None)])
    calls = [[framing.call(design, job) for job in jobs]]
    link = links.find("axi-hp64")
    setting = measure.Setting(core_mhz=_TESTBED_MHZ, dma_mhz=_TESTBED_MHZ, link=link)
    wrapped = wrapper.wrap(design, link.word_bytes)
    took = []
    with TestbedModel(wrapped) as testbed:
        for _ in range(runs):
            began, wall = time.process_time(), time.monotonic()
            ran = testbed.run(
                *(calls, setting.clocks, link),
                accesses=measure.host(wrapped, calls),
                label="speed",
            )
            took.append((time.process_time() - began, time.monotonic() - wall))
    cpu_s, wall_s = (statistics.median(one) for one in zip(*took, strict=True))
    print(
        f"{design.label}, testbed, {_TESTBED_BYTES} bytes: {cpu_s:.2f} s of the processor, "
        f"{wall_s:.2f} s by the clock, {ran.core_cycles / cpu_s / 1e6:.1f} M cycles of the core a "
        f"second of the processor (median of {runs})"
    )


def through_netlist(design: Design, runs: int) -> None:
    """Measure known answers on the newest netlist that the store has of a design and print."""
    operations = {name: design.primitive.operation(name) for name in design.operations}
    vectors = [one for one in design.primitive.vectors() if one.operation in operations]
    jobs = [framing.job_of(operations[one.operation], one) for one in vectors[:_ANSWERS]]
    calls = [framing.call(design, job) for job in jobs]
    label = f"synthesis {design.label} on "
    with tempfile.TemporaryDirectory() as name, Store(default_folder()) as store:
        made = [one for one in store.all() if one.status == "ok" and one.label.startswith(label)]
        if not made:
            raise SystemExit(f"the store has no netlist: lydite bench {design.label}")
        for file in netlist.FILES:
            (Path(name) / file).write_bytes(store.read(made[-1].key, file))
        target = targets.find(made[-1].label.removeprefix(label))
        core, ports = netlist.cut(design, Path(name), target.family.cell_models)
        with netlist.opened(design, core, ports, Path(name)) as model:
            rates = []
            for _ in range(runs):
                before, start = model.cycles, time.process_time()
                model.run(calls, stalls=verify.STALL_MODES[0], seed=1, label="speed")
                rates.append((model.cycles - before) / (time.process_time() - start))
    print(
        f"{design.label}, netlist on {target.name}: {statistics.median(rates):,.0f} cycles a "
        f"second of the processor (median of {runs})"
    )


def main() -> None:
    """Measure both efforts and print."""
    parser = argparse.ArgumentParser(description="Cycles a second of simulated cores.")
    parser.add_argument("design", nargs="?", default="sha3-256/rtl")
    parser.add_argument("--runs", type=int, default=5)
    through = parser.add_mutually_exclusive_group()
    through.add_argument("--testbed", action="store_true", help="through the whole testbed")
    through.add_argument("--netlist", action="store_true", help="through the mapped netlist")
    arguments = parser.parse_args()
    design = select(arguments.design)[0].designs[0]
    if arguments.testbed:
        through_testbed(design, arguments.runs)
        return
    if arguments.netlist:
        through_netlist(design, arguments.runs)
        return
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
