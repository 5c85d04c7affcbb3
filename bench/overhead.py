# SPDX-License-Identifier: Apache-2.0
"""What Lydite costs over calling the tools by hand.

    python bench/overhead.py [PRIMITIVE/DESIGN] [--target T] [--runs N]

Implements one design with one seed through `lydite run` into an empty store, then runs the very
commands that the records name, in the same order, in a folder with the same files, and compares
the wall times. Both give the same configuration, byte for byte, or the script says so and fails.
"""

from __future__ import annotations

import argparse
import hashlib
import json
import statistics
import subprocess
import sys
import tempfile
import time
from pathlib import Path

from lydite.cores import select
from lydite.runs.store import Store


def by_lydite(design: str, target: str, store: Path) -> float:
    """Implement a design through the command line and give the seconds."""
    chosen = select(design)[0].designs[0]
    files = [str(chosen.folder / name) for name in chosen.sources]
    parameters = [f"--param={name}={value}" for name, value in chosen.parameters.items()]
    argv = [sys.executable, "-m", "lydite", "run", *files, "--top", chosen.top]
    argv += ["--clock", chosen.clock, *parameters, "--target", target]
    argv += ["--seeds", "1", "--jobs", "1", "--json", "--store", str(store)]
    start = time.monotonic()
    output = subprocess.run(argv, check=True, stdout=subprocess.PIPE, stderr=subprocess.DEVNULL)
    seconds = time.monotonic() - start
    assert not json.loads(output.stdout)["failures"]
    return seconds


def by_hand(store: Path, folder: Path) -> float:
    """Run the commands of the records of a store again and give the seconds."""
    with Store(store) as opened:
        records = {record.kind: record for record in opened.all()}
        synthesis, placement = records["synthesis"], records["placement"]
        sources = opened.artefacts(synthesis.key)
    commands = [*synthesis.commands, *placement.commands]
    made = {"netlist.json", "stat.json", "synthesis.log"}
    for path in sources.rglob("*"):
        if path.is_file() and path.name not in made:
            copy = folder / path.relative_to(sources)
            copy.parent.mkdir(parents=True, exist_ok=True)
            copy.write_bytes(path.read_bytes())
    for name in ("pads.constraints",):
        (folder / name).write_text(placement.inputs["constraints"])
    start = time.monotonic()
    for argv in commands:
        words = [sys.executable if word == "python" else word for word in argv]
        subprocess.run(words, cwd=folder, check=True, capture_output=True)
    seconds = time.monotonic() - start
    digest = hashlib.sha256((folder / "routed.config").read_bytes()).hexdigest()
    if digest != placement.result["config_sha256"]:
        sys.exit("the results differ: this compares nothing")
    return seconds


def main() -> None:
    """Compare and print."""
    parser = argparse.ArgumentParser(description="Lydite against the tools by hand.")
    parser.add_argument("design", nargs="?", default="sha3-256/rtl")
    parser.add_argument("--target", default="ecp5-85k")
    parser.add_argument("--runs", type=int, default=3)
    arguments = parser.parse_args()
    pairs = []
    for number in range(arguments.runs):
        with tempfile.TemporaryDirectory(dir=Path.home()) as name:
            store, folder = Path(name) / "store", Path(name) / "hand"
            folder.mkdir()
            through = by_lydite(arguments.design, arguments.target, store)
            pairs.append((through, by_hand(store, folder)))
            print(f"run {number + 1}: Lydite {pairs[-1][0]:.2f} s, by hand {pairs[-1][1]:.2f} s")
    more = statistics.median(a - b for a, b in pairs)
    share = statistics.median(a / b - 1 for a, b in pairs)
    print(f"median overhead: {more:.2f} s, {100 * share:.1f} %")


if __name__ == "__main__":
    main()
