#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""Area of automatic sharing against sharing nothing and sharing everything; synthesis only.

    python bench/hls_sharing.py matrix gcd --json hls_sharing.json

`nothing` has a multiplier for each product; `everything` limits each kind of operation to as many
units as the automatic schedule has operations of it in one state, or in one phase of a pipeline,
so that all others must share. Beside examples there are programs in `bench/sharing`, which have
pipelines with intervals of several cycles.
Area is LUTs (LUT4, two for a CCU2C) and what a hardware multiplier is worth when the compiler
compares it with multiplexers. The exit status is 1 if automatic sharing takes more than 1.05 of
the smaller of the others.
"""

from __future__ import annotations

import argparse
import json
import sys
import tempfile
import tomllib
from pathlib import Path
from unittest import mock

from lydite import hls
from lydite.base import proc
from lydite.hls import Compiled, Options, Placed
from lydite.hls.frontend import attach_directives
from lydite.hls.ir import delay_model
from lydite.hls.passes import allocation
from lydite.hls.schedule import module as schedule_module
from lydite.hls.schedule import modulo, multipliers
from lydite.tools import yosys

EXAMPLES = Path(__file__).parents[1] / "examples" / "hls"
MOST = 1.05
PIPELINED = Path(__file__).parent / "sharing"
DEFAULT = ("matrix", "gcd", "adler32", "adpcm", "float32_multiply", "dilithium_ntt")
DEFAULT += ("fir", "complex")


def cells(compiled: Compiled) -> dict[str, int]:
    """Synthesise for ECP5 and count the cells that matter."""
    with tempfile.TemporaryDirectory(prefix="lydite-bench-") as name:
        folder = Path(name)
        for file in compiled.files:
            (folder / file.name).write_text(file.text)
        names = " ".join(file.name for file in compiled.files)
        script = f"read_verilog {names}\nsynth_ecp5 -top {compiled.interface.top}\n"
        (folder / "s.ys").write_text(script + "tee -q -o stat.json stat -json\n")
        proc.run(yosys.command(yosys.find(), "s.ys"), cwd=folder, timeout_s=1800).checked()
        found = json.loads((folder / "stat.json").read_text())["design"]["num_cells_by_type"]
    kinds = ("LUT4", "CCU2C", "PFUMX", "MULT18X18D", "TRELLIS_FF", "DP16KD")
    return {kind: found.get(kind, 0) for kind in kinds}


def area(counts: dict[str, int]) -> int:
    """Give one number for the cells."""
    luts = counts["LUT4"] + 2 * counts["CCU2C"]
    return luts + multipliers.DSP_WORTH * counts["MULT18X18D"]


def limits(compiled: Compiled, options: Options) -> tuple[Placed, ...]:
    """Limit each kind of operation of each function to what one state of the schedule has."""
    model = delay_model.load(options.target)
    result = []
    schedules = schedule_module.schedule_module(
        compiled.module, model, options.clock_ns, modulo.schedule_loop
    ).functions
    for name, plan in schedules.items():
        most: dict[str, int] = {}
        for block, one in plan.plans.items():
            here: dict[tuple[str, int], int] = {}
            for op in block.ops:
                kind = allocation.kind_of(op)
                if kind and op in one.state:
                    at = one.state[op]
                    key = (kind, at if one.pipeline is None else at % one.pipeline.ii)
                    here[key] = here.get(key, 0) + 1
                    most[kind] = max(most.get(kind, 0), here[key])
        for kind, count in sorted(most.items()):
            line = f"allocation operation instances={kind} limit={count}"
            result.append(Placed(line, function=name))
    return tuple(result)


def measure(options: Options) -> dict[str, dict[str, int]]:
    """Give the cells of each way of sharing."""
    automatic = hls.compile(options)
    with mock.patch.object(multipliers, "is_candidate", lambda *_: False):
        nothing = hls.compile(options)
    given = {f: getattr(options, f) for f in ("sources", "top", "clock_ns", "target")}
    # The same loops are unrolled as in the others: only units differ.
    with mock.patch.object(attach_directives, "_limits_operations", lambda _: False):
        everything = hls.compile(Options(**given, directives=limits(automatic, options)))
    ways = {"automatic": automatic, "nothing": nothing, "everything": everything}
    return {name: cells(compiled) for name, compiled in ways.items()}


def program(name: str, clock_ns: float) -> Options:
    """Give an example, or one of the programs for this bench."""
    source = PIPELINED / f"{name}.c"
    if source.is_file():
        return Options(sources=(source,), top=name, clock_ns=clock_ns)
    found = tomllib.loads((EXAMPLES / "index.toml").read_text())[name]
    sources = tuple(EXAMPLES / source for source in found["sources"])
    return Options(sources=sources, top=found["top"], clock_ns=clock_ns)


def main() -> int:
    """Run from the command line."""
    parser = argparse.ArgumentParser(description="area of automatic sharing against its extremes")
    parser.add_argument("examples", nargs="*", help=f"names (default: {' '.join(DEFAULT)})")
    parser.add_argument("--clock-ns", type=float, default=10.0)
    parser.add_argument("--json", type=Path)
    args = parser.parse_args()
    rows: dict[str, object] = {}
    worst = 0.0
    print(f"{'example':18} {'automatic':>9} {'nothing':>9} {'everything':>10} {'ratio':>6}")
    for name in args.examples or DEFAULT:
        found = measure(program(name, args.clock_ns))
        areas = {way: area(counts) for way, counts in found.items()}
        ratio = areas["automatic"] / min(areas["nothing"], areas["everything"])
        worst = max(worst, ratio)
        rows[name] = {"cells": found, "area": areas, "ratio": round(ratio, 3)}
        print(
            f"{name:18} {areas['automatic']:9} {areas['nothing']:9} {areas['everything']:10} "
            f"{ratio:6.3f}",
            flush=True,
        )
    if args.json:
        args.json.write_text(json.dumps(rows, indent=1) + "\n")
    return int(worst > MOST)


if __name__ == "__main__":
    sys.exit(main())
