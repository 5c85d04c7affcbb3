#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""Where plain C loses cycles: what each program of `examples/hls` would save if a limit fell.

    python bench/hls_losses.py
    python bench/hls_losses.py adler32 keccak --clock-ns 8

Each program is compiled with `--effort area`, as it is written, and co-simulated. The calls that
its `main` makes go through the interpreter, too, which counts how often each block runs; every
block is scheduled anew without one limit after the other, and cycles are counted again: with any
number of ports to each memory; with a clock that no chain of operations exceeds, too. Of what
there is, states of blocks that only jump are counted apart, and what calls cost: their states, and
the cycles in which a function is started and has ended. These are shares of the cycles of one
schedule, not of what a compiler could reach: loops stay as they are, and nothing overlaps.
"""

from __future__ import annotations

import argparse
import tempfile
import tomllib
from collections.abc import Callable
from dataclasses import dataclass, replace
from pathlib import Path

from lydite import hls
from lydite.hls import Compiled, Machine, Options
from lydite.hls.ir.graph import called
from lydite.hls.ir.memory_ports import Ports
from lydite.hls.schedule.list_scheduler import list_schedule
from lydite.hls.schedule.problem import Problem
from lydite.sim import cosim
from lydite.sim.cosim import native

FOLDER = Path(__file__).parents[1] / "examples" / "hls"
_MANY = 1 << 30
_LONG_NS = 1e6


@dataclass(frozen=True)
class Losses:
    """Cycles of all calls together: of all, and of each kind of those that are lost."""

    total: int
    ports: int
    clock: int
    jumps: int
    calls: int


def measured(program: str, clock_ns: float) -> Losses:
    """Compile a program, interpret its calls, and count."""
    entry = tomllib.loads((FOLDER / "index.toml").read_text())[program]
    sources = tuple(FOLDER / source for source in entry["sources"])
    options = Options(sources=sources, top=entry["top"], clock_ns=clock_ns)
    compiled = hls.compile(options)
    machine = Machine(compiled.module)
    with tempfile.TemporaryDirectory(prefix="lydite-losses-") as folder:
        recording = native.record(options, compiled.interface, Path(folder))
        replay = cosim.run(options, compiled, Path(folder))
        replay.check()
    for call in recording.calls():
        machine.call(
            call.scalars,
            {
                arg.port: call.before[arg.name]
                for arg in compiled.interface.arrays
                if not arg.unused
            },
            {
                arg.port: call.streams[arg.name]
                for arg in compiled.interface.streams
                if arg.direction == "in"
            },
        )
    as_is = _cycles(compiled, machine, lambda problem: problem)
    ported = _cycles(compiled, machine, _any_ports)
    timeless = _cycles(compiled, machine, lambda p: replace(_any_ports(p), clock_ns=_LONG_NS))
    jumps, calls = 0, replay.cycles - as_is
    for name, schedule in compiled.schedules.items():
        for count, block in zip(machine.counts[name], schedule.function.blocks, strict=True):
            states = schedule.plans[block].states
            work = [op for op in block.ops if op.kind != "phi"]
            jumps += count * states if not work else 0
            calls += count * sum(called(op) is not None for op in work)
    return Losses(replay.cycles, as_is - ported, ported - timeless, jumps, calls)


def _any_ports(problem: Problem) -> Problem:
    ports = {
        memory: Ports(_MANY, _MANY, _MANY, one.latency) for memory, one in problem.ports.items()
    }
    return replace(problem, ports=ports)


def _cycles(compiled: Compiled, machine: Machine, change: Callable[[Problem], Problem]) -> int:
    """Count the cycles of what was interpreted, all blocks scheduled for a changed problem."""
    total = 0
    for name, schedule in compiled.schedules.items():
        for count, block in zip(machine.counts[name], schedule.function.blocks, strict=True):
            plan = schedule.plans[block]
            if count and plan.states:
                total += count * list_schedule(change(schedule.problems[block])).states
    return total


def main() -> None:
    """Print the table."""
    known = tomllib.loads((FOLDER / "index.toml").read_text())
    parser = argparse.ArgumentParser(description=(__doc__ or "").partition("\n")[0])
    parser.add_argument("programs", nargs="*", choices=[*known, []], metavar="PROGRAM")
    parser.add_argument("--clock-ns", type=float, default=10.0)
    given = parser.parse_args()
    print("| program | cycles | ports | clock | jumps | calls |")
    print("|---|--:|--:|--:|--:|--:|")
    shares: list[list[float]] = []
    for program in given.programs or known:
        found = measured(program, given.clock_ns)
        kinds = (found.ports, found.clock, found.jumps, found.calls)
        shares.append([100 * one / found.total for one in kinds])
        cells = " | ".join(f"{share:.1f} %" for share in shares[-1])
        print(f"| `{program}` | {found.total:,} | {cells} |", flush=True)
    means = " | ".join(f"{sum(column) / len(shares):.1f} %" for column in zip(*shares, strict=True))
    print(f"| mean | | {means} |")


if __name__ == "__main__":
    main()
