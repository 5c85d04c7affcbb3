#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""Collect a grid of arms and seeds over designs, for strategies to be compared on.

    python bench/search_quality.py --seeds 8 --jobs 2
    python bench/search_quality.py --seeds 20 --arms default,alpha-03,static --out f.csv
    python bench/search_quality_compare.py bench/search_grid.csv

What the file has is kept and not placed again: the same command goes on where it was stopped, and
more seeds are added to a grid that came from elsewhere. Seeds come one after the other over all
designs and arms, and the file is written after each design. An arm whose placement fails is tried
with no other seed; what costs time without end is cut.
"""

from __future__ import annotations

import argparse
import re
import sys
from pathlib import Path

from lydite import cores, targets
from lydite.base.files import write_atomic
from lydite.cli.running import Progress
from lydite.runs.execute import execute
from lydite.runs.kinds.hardware import LOG_FILE
from lydite.runs.plan import Settings
from lydite.runs.record import Record
from lydite.runs.store import Store, default_folder
from lydite.search.backend import Subject
from lydite.search.grid import Cell, read, write
from lydite.search.space import Space, check_options, chosen
from lydite.targets.arms import arms

HERE = Path(__file__).parent
# Of different character: checksums of exclusive ors and of sums, S-boxes in logic and in block RAM,
# a permutation alone and behind an interface of much control, Keccak at two foldings; two families.
CASES = (
    ("examples/crc32", "ice40-hx1k"),
    ("examples/crc32", "ecp5-25k"),
    ("des/rtl", "ice40-hx8k"),
    ("des/rtl", "ecp5-25k"),
    ("adler-32/rtl", "ice40-hx8k"),
    ("adler-32/rtl", "ecp5-25k"),
    ("ascon-hash256/rtl", "ecp5-25k"),
    ("ascon-hash256/lwc", "ecp5-25k"),
    ("sha3-256/rtl-fold16", "ecp5-25k"),
    ("sha3-256/rtl-fold8", "ecp5-25k"),
    ("aes-128/rtl-forward", "ecp5-25k"),
)
_TIMEOUT_S = 300.0


def main() -> int:
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--seeds", type=int, default=4)
    parser.add_argument("--jobs", type=int, default=1)
    parser.add_argument("--designs", help="these alone, such as des/rtl, with commas between")
    parser.add_argument("--arms", help="these alone, with commas between")
    parser.add_argument("--out", type=Path, default=HERE / "search_grid.csv")
    arguments = parser.parse_args()
    known = dict.fromkeys(what for what, _ in CASES)
    names = arguments.designs.split(",") if arguments.designs else [*known]
    if unknown := [name for name in names if name not in known]:
        parser.error(f"--designs: no {', '.join(unknown)}; there are {', '.join(known)}")
    cases = [one for one in CASES if one[0] in names]
    cells = list(read(arguments.out)) if arguments.out.exists() else []
    with Store(default_folder()) as store, Progress() as progress:
        spaces = [_space(*case, arguments.arms) for case in cases]
        for seed in range(arguments.seeds):
            for space in spaces:
                found = _round(space, seed, cells, store, arguments.jobs, progress)
                if found:
                    cells += found
                    write_atomic(arguments.out, write(cells))
    print(f"written: {arguments.out}, {len(cells)} placements", file=sys.stderr)
    return 0


def _space(what: str, target: str, names: str | None) -> Space:
    [selection] = cores.select(str(HERE.parent / what) if "examples" in what else what)
    settings = Settings(target=targets.find(target), timeout_s=_TIMEOUT_S)
    known = chosen(arms(settings.target.family), names.split(",") if names else ())
    space = Space((Subject.of(selection.designs[0]),), settings, known)
    check_options(space)
    return space


def _round(
    space: Space,
    seed: int,
    known: list[Cell],
    store: Store,
    parallel: int,
    progress: Progress,
) -> list[Cell]:
    """Place a design under one seed and all arms that are not known under it, or fail."""
    name = (space.name, space.settings.target.name)
    own = [cell for cell in known if (cell.design, cell.target) == name]
    done = {cell.arm for cell in own if cell.seed == seed or cell.fmax_mhz is None}
    jobs = {arm.name: space.placement(arm, seed) for arm in space.arms if arm.name not in done}
    records = execute(
        jobs.values(), store, parallel=parallel, watch=progress.watch, tell=progress.tell
    )
    found = []
    for arm, job in jobs.items():
        record, mapped = records.get(job.key), records.get(job.synthesis.key)
        if mapped is None or mapped.status != "ok":
            continue
        found.append(_cell(name, arm, seed, record, mapped, store))
    return found


def _cell(
    name: tuple[str, str],
    arm: str,
    seed: int,
    record: Record | None,
    mapped: Record,
    store: Store,
) -> Cell:
    result = record.result if record is not None and record.status == "ok" else {}
    estimate = None
    if record is not None and result:
        log = (store.artefacts(record.key) / LOG_FILE).read_text()
        # Once after placement, once after routing.
        clocks = re.findall(r"Max frequency for clock .*?: ([\d.]+) MHz", log)
        estimate = float(clocks[0]) if len(clocks) > 1 else None
    return Cell(
        design=name[0],
        target=name[1],
        arm=arm,
        seed=seed,
        fmax_mhz=round(result["fmax_mhz"], 2) if result else None,
        # A tool that failed has not told what it took.
        cpu_s=round((record.cpu_s or record.wall_s) if record else 0.0, 2),
        synthesis_cpu_s=round(mapped.cpu_s, 2),
        estimate_mhz=estimate,
        netlist=mapped.result["netlist_sha256"][:12],
        config=result["config_sha256"][:12] if result else "",
    )


if __name__ == "__main__":
    sys.exit(main())
