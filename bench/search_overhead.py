#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""What a search costs beside the tools that it runs.

    python bench/search_overhead.py [PRIMITIVE/DESIGN] [--target T] [--runs N]

Runs `lydite search` from an empty store, one tool at a time, and tells the processor seconds of the
tools, which are processes of their own, from Lydite's. These are of two kinds: reading what tools
wrote and proving netlists, which is part of a run, and deciding, keeping and starting, which is the
driver's. The driver's are told by the same search once more without its log on the full store: it
decides and keeps everything again, and starts no tool.
"""

from __future__ import annotations

import argparse
import multiprocessing
import os
import resource
import shutil
import sys
import tempfile
from collections.abc import Sequence
from multiprocessing.connection import Connection
from pathlib import Path

from lydite.cli import main as lydite


def _search(argv: Sequence[str], told: Connection) -> None:
    """Search, and tell the processor seconds of this process and of its children."""
    with Path(os.devnull).open("w", encoding="utf-8") as nowhere:
        sys.stdout = sys.stderr = nowhere
        exit_code = lydite(argv)
    of = [resource.getrusage(who) for who in (resource.RUSAGE_SELF, resource.RUSAGE_CHILDREN)]
    told.send((exit_code, *(one.ru_utime + one.ru_stime for one in of)))


def spent(argv: Sequence[str]) -> tuple[float, float]:
    """Run a command of Lydite in a process of its own; give its seconds and its children's."""
    # Begun anew: what this process has imported is not to be had for nothing.
    context = multiprocessing.get_context("spawn")
    here, there = context.Pipe()
    process = context.Process(target=_search, args=(argv, there))
    process.start()
    there.close()
    exit_code, own, tools = here.recv()
    process.join()
    if exit_code:
        sys.exit(f"lydite {' '.join(argv)}: exit code {exit_code}")
    return own, tools


def main() -> None:
    """Measure and print."""
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("design", nargs="?", default="des/rtl")
    parser.add_argument("--target", default="ice40-hx8k")
    parser.add_argument("--runs", type=int, default=40)
    arguments = parser.parse_args()
    with tempfile.TemporaryDirectory() as name:
        argv = ["search", arguments.design, "--target", arguments.target, "--jobs", "1"]
        argv += ["--budget", f"{arguments.runs}runs", "--store", name]
        own, tools = spent(argv)
        shutil.rmtree(Path(name) / "searches")
        driver, _ = spent(argv)
    print(f"{arguments.design} on {arguments.target}, {arguments.runs} runs")
    read = own - driver
    print(f"  tools    {tools:8.1f} CPU s")
    print(f"  driver   {driver:8.1f} CPU s, {driver / tools:.1%} of the tools'")
    print(f"  reading  {read:8.1f} CPU s, {read / tools:.1%}: what tools wrote, and proofs")


if __name__ == "__main__":
    main()
