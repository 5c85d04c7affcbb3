#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""Time of the HLS compiler on the examples, apart from co-simulation; medians of several runs.

    python bench/hls_time.py --runs 5 --json hls_time.json

Each example is compiled in this process, after one run that warms the caches of the C compiler; the
time of a new process, mostly of imports, stands in a line of its own. `random_1000` and
`random_3000` are programs of that many lines by the fuzzer's generator; they are not co-simulated.
"""

from __future__ import annotations

import argparse
import importlib
import json
import statistics
import subprocess
import sys
import tempfile
import time
import tomllib
from pathlib import Path

from lydite import hls
from lydite.base import LyditeError
from lydite.hls.contract.options import Options
from lydite.sim import cosim

ROOT = Path(__file__).parents[1]
EXAMPLES = ROOT / "examples" / "hls"
FUZZ = ROOT / "tests" / "hls_fuzz"
RANDOM_LINES = (1000, 3000)
RANDOM_SEED = 1


def measure(options: Options, runs: int, *, simulate: bool) -> dict[str, object]:
    """Give the median time of compiling one program, and of each pass of the last run."""
    hls.compile(options)
    times = []
    for _ in range(runs):
        start = time.perf_counter()
        compiled = hls.compile(options)
        times.append(time.perf_counter() - start)
    row: dict[str, object] = {
        "median_s": round(statistics.median(times), 3),
        "least_s": round(min(times), 3),
        "most_s": round(max(times), 3),
        "verilog_lines": compiled.verilog.count("\n"),
        "passes_s": {name: round(value, 4) for name, value in compiled.report.seconds},
    }
    if simulate:
        with tempfile.TemporaryDirectory(prefix="lydite-bench-") as folder:
            result = cosim.run(options, compiled, Path(folder))
        result.check()
        row |= {f"{name}_s": round(value, 3) for name, value in result.seconds}
        row |= {"calls": result.calls, "cycles": result.cycles}
        row["latency"] = [result.latency_min, round(result.latency_mean, 1), result.latency_max]
    return row


def random_program(lines: int, folder: Path) -> Path:
    """Write the shortest of the generator's programs with at least that many lines."""
    sys.path.insert(0, str(FUZZ))
    generate = importlib.import_module("generate")
    extra, text = 0, ""
    while text.count("\n") < lines:
        text = generate.program(RANDOM_SEED, extra=extra)
        extra += 1
    path = folder / f"random_{lines}.c"
    path.write_text(text)
    return path


def start_up() -> float:
    """Give the time of a process that only imports the compiler."""
    argv = [sys.executable, "-c", "import lydite.hls"]
    times = []
    for _ in range(5):
        start = time.perf_counter()
        subprocess.run(argv, check=True)
        times.append(time.perf_counter() - start)
    return statistics.median(times)


def main() -> int:
    """Run from the command line."""
    parser = argparse.ArgumentParser(description="time of the HLS compiler on the examples")
    parser.add_argument("examples", nargs="*", help="names; all by default")
    parser.add_argument("--runs", type=int, default=5)
    parser.add_argument("--clock-ns", type=float, default=10.0)
    parser.add_argument("--cosim", action="store_true", help="co-simulate each, too")
    parser.add_argument("--json", type=Path)
    args = parser.parse_args()
    index = tomllib.loads((EXAMPLES / "index.toml").read_text())
    rows: dict[str, object] = {"start_up_s": round(start_up(), 3)}
    print(f"{'example':18} {'C lines':>8} {'median s':>9} {'least':>7} {'Verilog':>8}")
    folder = Path(tempfile.mkdtemp(prefix="lydite-bench-"))
    for name in args.examples or [*index, *(f"random_{lines}" for lines in RANDOM_LINES)]:
        if name.startswith("random_"):
            sources = (random_program(int(name.removeprefix("random_")), folder),)
            options = Options(sources=sources, top="top", clock_ns=args.clock_ns, std="c23")
        else:
            sources = tuple(EXAMPLES / source for source in index[name]["sources"])
            options = Options(sources=sources, top=index[name]["top"], clock_ns=args.clock_ns)
        lines = sum(path.read_text().count("\n") for path in sources)
        try:
            row = measure(options, args.runs, simulate=args.cosim and name in index)
        except LyditeError as error:
            rows[name] = {"error": str(error)}
            print(f"{name:18} {lines:8} {str(error).splitlines()[0]}")
            continue
        rows[name] = {"c_lines": lines, **row}
        latency = row.get("latency", "")
        print(
            f"{name:18} {lines:8} {row['median_s']:9} {row['least_s']:7} {row['verilog_lines']:8} "
            f"{latency}"
        )
    if args.json:
        args.json.write_text(json.dumps(rows, indent=1) + "\n")
    return 0


if __name__ == "__main__":
    sys.exit(main())
