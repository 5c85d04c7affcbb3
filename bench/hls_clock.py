#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""The clock that the HLS compiler predicts against the one after place and route, per example.

    python bench/hls_clock.py --target ecp5-85k --clock-ns 10 --most-lut 3000 --json clock.json

Examples are placed from the smallest by the compiler's estimate on, each in the measuring wrapper,
and every placement is kept in the store: a stopped run goes on where it was, and what is in the
store costs nothing. `predicted` is the longest chain of any state with register and set-up, routed
the median period over the seeds, the error (predicted - routed) / routed: negative is a clock that
the hardware does not reach. `chain` are the operations of the slowest path, with the time that the
model gives just these.
"""

from __future__ import annotations

import argparse
import json
import statistics
import sys
import tempfile
import tomllib
from collections.abc import Mapping
from dataclasses import asdict, dataclass
from pathlib import Path
from typing import Any

import msgspec

from lydite import hls, targets
from lydite.base import LyditeError
from lydite.base.files import write_atomic
from lydite.cli.running import Progress
from lydite.hls import feedback
from lydite.hls.compiled import Compiled
from lydite.hls.contract.options import Options
from lydite.hls.ir import delay_model
from lydite.hls.ir.delay_model import DelayModel
from lydite.hls.schedule import reanalyse
from lydite.runs import plan
from lydite.runs.execute import execute
from lydite.runs.plan import Implementation, Settings
from lydite.runs.store import Store, default_folder
from lydite.sim.build import Sources
from lydite.tools.routes import Route

EXAMPLES = Path(__file__).parents[1] / "examples" / "hls"


@dataclass(frozen=True)
class Case:
    """An example compiled for a clock: what was predicted, and the jobs that tell the truth.

    `predicted_ns` is by the model in use, `other_ns` by the table of `--model` for the same states.
    """

    example: str
    clock_ns: float
    compiled: Compiled
    predicted_ns: float
    other_ns: float | None
    estimated_lut: int
    implementation: Implementation


@dataclass(frozen=True)
class Row:
    """A case with its truth; times in ns, `error` and `routing` as shares."""

    example: str
    clock_ns: float
    predicted_ns: float
    routed_ns: float
    error: float
    other_ns: float | None
    other_error: float | None
    lut4: float
    dsp: float
    bram: float
    estimated_lut: int
    levels: int
    logic_ns: float
    routing_ns: float
    path_from: str
    path_to: str
    chain: str
    chain_ns: float


def compiled(
    name: str, clock_ns: float, settings: Settings, folder: Path, other: DelayModel | None
) -> Case:
    """Compile an example and plan its placement; its Verilog goes to a folder of its own there."""
    entry = tomllib.loads((EXAMPLES / "index.toml").read_text())[name]
    options = Options(
        sources=tuple(EXAMPLES / source for source in entry["sources"]),
        top=entry["top"],
        clock_ns=clock_ns,
        target=settings.target.name,
    )
    made = hls.compile(options)
    paths = {}
    for file in made.files:
        paths[file.name] = folder / f"{name}_{clock_ns:g}" / file.name
        write_atomic(paths[file.name], file.text)
    sources = Sources(files=paths, top=entry["top"], parameters={})
    label = f"{name} at {clock_ns:g} ns"
    implementation = plan.implementation(label, sources, "ap_clk", settings)
    report = made.report
    other_ns = None if other is None else reanalyse.critical_ns(made.schedules, other)
    lut = report.area.lut
    return Case(name, clock_ns, made, report.critical_ns, other_ns, lut, implementation)


def row(case: Case, store: Store) -> Row | None:
    """Read a case's results, or give None if a placement failed."""
    synthesis = store.get(case.implementation.synthesis.key)
    placed = [store.get(job.key) for job in case.implementation.placements]
    results = [record.result for record in placed if record is not None]
    if synthesis is None or len(results) < len(placed):
        return None
    results.sort(key=lambda result: float(result["fmax_mhz"]))
    middle = results[len(results) // 2]
    routed_ns = statistics.median(1000 / result["fmax_mhz"] for result in results)
    area = synthesis.result["area"]
    chain, chain_ns = slowest(case, middle)
    return Row(
        example=case.example,
        clock_ns=case.clock_ns,
        predicted_ns=round(case.predicted_ns, 2),
        routed_ns=round(routed_ns, 2),
        error=round((case.predicted_ns - routed_ns) / routed_ns, 3),
        other_ns=None if case.other_ns is None else round(case.other_ns, 2),
        other_error=(
            None if case.other_ns is None else round((case.other_ns - routed_ns) / routed_ns, 3)
        ),
        lut4=area["lut4"],
        dsp=area["dsp"],
        bram=area["bram"],
        estimated_lut=case.estimated_lut,
        levels=middle["path_levels"],
        logic_ns=round(middle["path_logic_ns"], 2),
        routing_ns=round(middle["path_routing_ns"], 2),
        path_from=middle["path_from"],
        path_to=middle["path_to"],
        chain=chain,
        chain_ns=chain_ns,
    )


def slowest(case: Case, result: Mapping[str, Any]) -> tuple[str, float]:
    """Give the operations of the slowest path, `-` for none and `?` for unexplained, and their ns.

    The time is the prediction of this path alone.
    """
    routes = msgspec.convert(result["routes"], list[Route])
    said = next(iter(feedback.explain(case.compiled, routes)))
    if said.chain is None:
        return "?", 0.0
    kinds = " ".join(op.kind for op in said.chain.ops) or "-"
    return kinds, round(said.predicted_ns, 2)


def summary(rows: list[Row]) -> dict[str, float]:
    """Give the medians over all rows."""
    other = [row.other_error for row in rows if row.other_error is not None]
    more = {}
    if other:
        more["other_median_error"] = round(statistics.median(other), 3)
        more["other_median_absolute_error"] = round(statistics.median(map(abs, other)), 3)
        more["other_within_20_percent"] = sum(abs(each) <= 0.2 for each in other) / len(other)
    return more | {
        "median_error": round(statistics.median(row.error for row in rows), 3),
        "median_absolute_error": round(statistics.median(abs(row.error) for row in rows), 3),
        "within_20_percent": sum(abs(row.error) <= 0.2 for row in rows) / len(rows),
        "median_routing_share": round(
            statistics.median(row.routing_ns / (row.routing_ns + row.logic_ns) for row in rows), 3
        ),
    }


def print_row(found: Row) -> None:
    """Print one line of the table."""
    share = found.routing_ns / (found.routing_ns + found.logic_ns)
    print(
        f"{found.example:18} {found.clock_ns:6g} {found.predicted_ns:10.2f} {found.routed_ns:8.2f}"
        f" {100 * found.error:+7.0f} % {found.lut4:7.0f} {found.levels:7} {100 * share:7.0f} %"
        + (f" {found.other_ns:8.2f} {100 * found.other_error:+7.0f} %" if found.other_error else "")
        + f"  {found.chain_ns:6.2f} {found.chain}",
        flush=True,
    )


def arguments() -> argparse.Namespace:
    """Read the command line."""
    parser = argparse.ArgumentParser(description="predicted against routed clocks of the examples")
    parser.add_argument("examples", nargs="*", help="names; all by default")
    parser.add_argument("--target", default="ecp5-85k")
    parser.add_argument("--clock-ns", type=float, action="append", metavar="T", default=[])
    parser.add_argument("--seeds", type=int, default=1, metavar="N")
    parser.add_argument(
        "--most-lut", type=int, default=3000, help="leave out what is estimated larger"
    )
    parser.add_argument("--model", type=Path, metavar="FILE", help="another table, to compare")
    parser.add_argument("--store", type=Path, default=None)
    parser.add_argument("--json", type=Path, metavar="FILE")
    return parser.parse_args()


def cases(args: argparse.Namespace, settings: Settings, folder: Path) -> list[Case]:
    """Compile all that was asked for, smallest first; say what was refused or left out."""
    other = delay_model.parse(args.model.read_text()) if args.model else None
    names = args.examples or list(tomllib.loads((EXAMPLES / "index.toml").read_text()))
    found = []
    for name in names:
        for clock_ns in args.clock_ns or [10.0]:
            try:
                case = compiled(name, clock_ns, settings, folder, other)
            except LyditeError as error:
                print(f"{name}: {error}", file=sys.stderr)
                continue
            if case.estimated_lut > args.most_lut:
                print(f"left out: {name}, {case.estimated_lut} LUT estimated", file=sys.stderr)
            else:
                found.append(case)
    return sorted(found, key=lambda case: (case.estimated_lut, case.example, case.clock_ns))


def main() -> int:
    """Run from the command line."""
    args = arguments()
    settings = Settings(target=targets.find(args.target), seeds=args.seeds, routes=True)
    rows: list[Row] = []
    with tempfile.TemporaryDirectory(prefix="lydite-clock-") as name:
        todo = cases(args, settings, Path(name))
        print(
            f"{'example':18} {'asked':>6} {'predicted':>10} {'routed':>8} {'error':>9}"
            f" {'LUT4':>7} {'levels':>7} {'routing':>9}"
        )
        with Store(args.store or default_folder()) as store, Progress() as progress:
            for case in todo:
                execute(case.implementation.placements, store, parallel=1, watch=progress.watch)
                found = row(case, store)
                if found is None:
                    print(f"{case.example}: no result", file=sys.stderr)
                    continue
                rows.append(found)
                print_row(found)
                if args.json:
                    text = {"target": settings.target.name, "seeds": args.seeds}
                    text |= {"summary": summary(rows), "rows": [asdict(each) for each in rows]}
                    write_atomic(args.json, json.dumps(text, indent=1) + "\n")
    if rows:
        print("; ".join(f"{name} {value:g}" for name, value in summary(rows).items()))
    return 0 if len(rows) == len(todo) else 1


if __name__ == "__main__":
    sys.exit(main())
