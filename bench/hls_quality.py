#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""Cycles, area and clock of kernels with directives: how near the compiler comes to RTL.

    python bench/hls_quality.py --no-place              # cycles only
    python bench/hls_quality.py --only aes128 --seeds 3 --json quality.json

Kernels are in `examples/quality`; its index.toml says of each what a unit of work is, the cycles
that were wanted, the bound that data flow and ports set, and a reason for each cycle above it.
Cycles are measured by co-simulation against the native program, never taken from the schedule. Each
kernel is placed in the measuring wrapper, from the smallest by the compiler's estimate on, and
every placement is kept in the store. A kernel that is a streaming core is also proven against the
primitive's known answers, and set beside the RTL design of the same interface, placed under the
same seeds. The exit status is 1 if a kernel is wrong, its cycles are not those that index.toml
explains, or a placement failed.
"""

from __future__ import annotations

import argparse
import dataclasses
import itertools
import json
import sys
import tempfile
from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path

from lydite import cores, hls, targets
from lydite.base import CheckFailed, InputError, LyditeError
from lydite.base.files import write_atomic
from lydite.base.schema import Data, load
from lydite.base.units import digits
from lydite.cli.output import show
from lydite.cli.running import Progress
from lydite.cores import Design
from lydite.hls.compiled import Compiled
from lydite.hls.contract.directive_text import load as load_directives
from lydite.hls.contract.options import Options
from lydite.report.bench_tables import seeds_text
from lydite.report.implemented import Implemented, implemented
from lydite.report.text import table
from lydite.runs import plan
from lydite.runs.execute import execute
from lydite.runs.generated import export
from lydite.runs.job import Job
from lydite.runs.plan import Implementation, Settings
from lydite.runs.store import Store, default_folder
from lydite.sim import cosim

# Share of the clock period that mapping may take by its own count, in which nets are short; the RTL
# design beside a kernel gets the same.
MAP_SHARE = 0.4
FOLDER = Path(__file__).parents[1] / "examples" / "quality"


class Above(Data, frozen=True):
    """Cycles above the bound, and why they are there."""

    cycles: float
    why: str


class Kernel(Data, frozen=True):
    """An entry of index.toml.

    Attributes
    ----------
    source, top : str
        C file beside index.toml, and its function.
    unit : str
        What the work is counted in: "a block of 16 bytes".
    unit_bytes : int
        Bytes that one unit takes in, or gives.
    goal, bound : float
        Cycles a unit: wanted, and what data flow and ports allow at least.
    above : tuple
        Why it takes more than `bound`.
    units : tuple of int
        Units of each call that `main` makes, in order: if two differ, cycles a unit are the slope;
        one number is that of each call.
    directives : str
        File of directives beside index.toml, if they are not in the source.
    design : str
        The RTL design of the same streams, which makes it a core: `sha3-256/rtl`.
    """

    source: str
    top: str
    unit: str
    unit_bytes: int
    goal: float
    bound: float
    above: tuple[Above, ...] = ()
    units: tuple[int, ...] = (1,)
    clock_ns: float = 10.0
    directives: str = ""
    design: str = ""

    @property
    def explained(self) -> float:
        """Cycles a unit that the entry accounts for."""
        return self.bound + sum(item.cycles for item in self.above)


@dataclass(frozen=True)
class Cycles:
    """What co-simulation measured: cycles a unit in the long run, and of one unit alone."""

    unit: float
    alone: float


@dataclass(frozen=True)
class Case:
    """A kernel that was compiled, is right, and waits to be placed; `beside` is the RTL's."""

    name: str
    kernel: Kernel
    cycles: Cycles
    estimated_lut: int
    compile_s: float
    jobs: tuple[Job, ...] = ()
    implementation: Implementation | None = None
    beside: Implementation | None = None


@dataclass(frozen=True)
class Row:
    """A line of the table; `ratio` is throughput per LUT4 over that of the RTL design."""

    name: str
    unit: str
    unit_bytes: int
    goal: float
    bound: float
    cycles: float
    latency: float
    mb_per_s: float | None
    mb_per_s_per_klut: float | None
    ratio: float | None
    placed: Implemented | None


def kernels(folder: Path = FOLDER) -> dict[str, Kernel]:
    """Read index.toml."""
    return load(folder / "index.toml", dict[str, Kernel], "an index of kernels")


def options(kernel: Kernel, target: str, folder: Path = FOLDER) -> Options:
    """Give what compiles a kernel."""
    given = load_directives(folder / kernel.directives) if kernel.directives else ()
    return Options(
        sources=(folder / kernel.source,),
        top=kernel.top,
        clock_ns=kernel.clock_ns,
        target=target,
        directives=tuple(given),
    )


def cycles_of(name: str, units: tuple[int, ...], latencies: Sequence[int]) -> Cycles:
    """Find cycles a unit from calls with known numbers of units.

    Calls of equal work count with the slowest. With different work, cycles a unit are what one unit
    more costs, and must be the same everywhere.
    """
    calls = units * len(latencies) if len(units) == 1 else units
    if len(calls) != len(latencies):
        raise InputError(name, f"units of {len(calls)} calls, main makes {len(latencies)}")
    slowest: dict[int, int] = {}
    for count, latency in zip(calls, latencies, strict=True):
        slowest[count] = max(slowest.get(count, 0), latency)
    points = sorted(slowest.items())
    if len(points) == 1:
        each = points[0][1] / points[0][0]
        return Cycles(each, each)
    slopes = {(y - x) / (b - a) for (a, x), (b, y) in itertools.pairwise(points)}
    if len(slopes) > 1:
        raise CheckFailed("equal cycles for each unit more", f"{sorted(slopes)}", name)
    [slope] = slopes
    count, latency = points[0]
    return Cycles(slope, latency - (count - 1) * slope)


def prepare(
    name: str, kernel: Kernel, settings: Settings, folder: Path, *, place: bool = True
) -> Case:
    """Compile a kernel, co-simulate it, measure its cycles, and plan to place it."""
    settings = dataclasses.replace(settings, map_ns=MAP_SHARE * kernel.clock_ns)
    chosen = options(kernel, settings.target.name)
    compiled = hls.compile(chosen)
    for warning in compiled.warnings:
        print(f"{name}: warning: {warning}", file=sys.stderr)
    result = cosim.run(chosen, compiled, folder / "cosim")
    result.check()
    if result.native_rc:
        raise CheckFailed("known answers", f"main returned {result.native_rc}", name)
    seconds = sum(took for _, took in compiled.report.seconds)
    case = Case(name, kernel, Cycles(0, 0), compiled.report.area.lut, seconds)
    if kernel.design:
        return _core(case, compiled, settings, folder, place=place)
    if result.interval_max is not None:  # a pipelined function: calls overlap
        cycles = Cycles(result.interval_max, result.latency_max)
    else:
        cycles = cycles_of(name, kernel.units, result.latencies)
    case = dataclasses.replace(case, cycles=cycles)
    if not place:
        return case
    paths = []
    for file in compiled.files:
        paths.append(folder / file.name)
        write_atomic(paths[-1], file.text)
    made = plan.run(tuple(paths), kernel.top, "ap_clk", {}, settings)
    return dataclasses.replace(case, jobs=made.placements, implementation=made)


def _core(case: Case, compiled: Compiled, settings: Settings, folder: Path, *, place: bool) -> Case:
    """Make a streaming core of it, which the known answers prove, and plan it and its RTL."""
    primitive = case.kernel.design.partition("/")[0]
    path = export.write(compiled, primitive, folder / "core")
    [design] = cores.load(path).designs
    case = dataclasses.replace(case, cycles=_claimed(design))
    if not place:
        return case
    [own] = plan.bench(cores.select(str(path))[0], settings, software=False).hardware
    [rtl] = plan.bench(cores.select(case.kernel.design)[0], settings, software=False).hardware
    placements = (*own.implementation.placements, *rtl.implementation.placements)
    return dataclasses.replace(
        case,
        jobs=(own.proof, rtl.proof, *placements),
        implementation=own.implementation,
        beside=rtl.implementation,
    )


def _claimed(design: Design) -> Cycles:
    """Give what a core of one operation claims: its proof holds that against what is measured."""
    [operation] = design.operations
    block, latency = (
        design.claim(operation, name) for name in ("cycles_per_block", "latency_cycles")
    )
    assert block is not None and latency is not None, f"{design.label} claims both"
    return Cycles(float(block[1]), float(latency[1]))


def rows_of(case: Case, store: Store | None) -> list[Row]:
    """Give the line of a kernel, and that of the RTL design beside it."""
    kernel, cycles = case.kernel, case.cycles
    empty = Row(
        case.name,
        kernel.unit,
        kernel.unit_bytes,
        kernel.goal,
        kernel.bound,
        cycles.unit,
        cycles.alone,
        *(None, None, None, None),
    )
    own = _with_figures(empty, kernel, _placed(case.implementation, store))
    if not kernel.design:
        return [own]
    [design] = cores.select(kernel.design)[0].designs
    taken = _claimed(design)
    other = dataclasses.replace(
        empty,
        name=f"  {kernel.design}",
        goal=taken.unit,
        cycles=taken.unit,
        latency=taken.alone,
    )
    other = _with_figures(other, kernel, _placed(case.beside, store))
    if own.mb_per_s_per_klut and other.mb_per_s_per_klut:
        ratio = own.mb_per_s_per_klut / other.mb_per_s_per_klut
        own = dataclasses.replace(own, ratio=ratio)
    return [own, other]


def _placed(implementation: Implementation | None, store: Store | None) -> Implemented | None:
    if implementation is None or store is None:
        return None
    keys = [implementation.synthesis.key, *(job.key for job in implementation.placements)]
    found = {key: record for key in keys if (record := store.get(key)) is not None}
    return implemented(implementation, found)


def _with_figures(row: Row, kernel: Kernel, placed: Implemented | None) -> Row:
    if placed is None:
        return row
    rate = kernel.unit_bytes * placed.usable_median_mhz / row.cycles
    return dataclasses.replace(
        row,
        placed=placed,
        mb_per_s=rate,
        mb_per_s_per_klut=1000 * rate / max(placed.area["lut4"], 1),
    )


def print_table(rows: Sequence[Row]) -> None:
    """Print what has been found."""
    shown = []
    for row in rows:
        cells = [row.name, f"{row.unit_bytes}", f"{row.goal:g}", f"{row.bound:g}"]
        cells += [f"{row.cycles:g}", f"{row.latency:g}"]
        if row.placed is not None:
            units = ("lut4", "ff", "dsp", "bram")
            cells += [f"{row.placed.area[unit]:g}" for unit in units]
            cells += [f"{row.placed.usable_median_mhz:.1f}"]
            cells += [digits(row.mb_per_s or 0, 4), digits(row.mb_per_s_per_klut or 0, 4)]
        cells += ["-"] * (13 - len(cells))
        shown.append([*cells, "-" if row.ratio is None else f"{row.ratio:.2f}"])
    columns = [
        "kernel",
        ">bytes\na unit",
        ">cycles\nwanted",
        ">\nbound",
        ">\nreached",
        ">one\nalone",
    ]
    columns += [">\nLUT4", ">\nFF", ">\nDSP", ">\nBRAM", ">MHz\nmedian"]
    columns += [">\nMB/s", ">MB/s\na kLUT", ">ratio\nto RTL"]
    first = next((row.placed for row in rows if row.placed), None)
    title = f"{first.device}, {seeds_text(first)}" if first else "cycles by co-simulation"
    show(table(title, columns, shown))


def markdown(rows: Sequence[Row], found: Sequence[Case]) -> str:
    """Give the table and the reasons as docs/hls-quality.md has them."""
    names = ["kernel", "bytes a unit", "wanted", "bound", "reached", "one alone", "LUT4", "FF"]
    names += ["DSP", "BRAM", "MHz", "MB/s", "MB/s a kLUT", "to RTL"]
    lines = [f"| {' | '.join(names)} |", "|---" + "|--:" * (len(names) - 1) + "|"]
    for row in rows:
        cells = [f"`{row.name.strip()}`", f"{row.unit_bytes}", f"{row.goal:g}", f"{row.bound:g}"]
        cells += [f"{row.cycles:g}", f"{row.latency:g}"]
        if row.placed is not None:
            cells += [f"{row.placed.area[unit]:,.0f}" for unit in ("lut4", "ff", "dsp", "bram")]
            cells += [f"{row.placed.usable_median_mhz:.1f}"]
            cells += [digits(row.mb_per_s or 0, 4), digits(row.mb_per_s_per_klut or 0, 4)]
        cells += ["-"] * (len(names) - 1 - len(cells))
        cells += ["-" if row.ratio is None else f"{row.ratio:.2f}"]
        lines.append(f"| {' | '.join(cells)} |")
    lines.append("")
    for case in found:
        for item in case.kernel.above:
            cycles = f"{item.cycles:g} cycle{'s' * (item.cycles != 1)}"
            lines.append(f"- `{case.name}`, {cycles}: {' '.join(item.why.split())}")
    return "\n".join(lines) + "\n"


def complaints(case: Case) -> list[str]:
    """Say what index.toml does not account for."""
    if case.cycles.unit == case.kernel.explained:
        return []
    got, told = case.cycles.unit, case.kernel.explained
    return [f"{case.name}: {got:g} cycles a unit, index.toml explains {told:g}"]


def arguments() -> argparse.Namespace:
    """Read the command line."""
    parser = argparse.ArgumentParser(description="cycles, area and clock of kernels")
    parser.add_argument("--only", action="append", default=[], metavar="NAME")
    parser.add_argument("--target", default="ecp5-85k")
    parser.add_argument("--seeds", type=int, default=1, metavar="N")
    parser.add_argument("--most-lut", type=int, help="do not place what is estimated larger")
    parser.add_argument("--no-place", action="store_true", help="cycles only")
    parser.add_argument("--timeout-s", type=float, default=3600.0, help="of one placement")
    parser.add_argument("--store", type=Path, default=None)
    parser.add_argument("--json", type=Path, metavar="FILE")
    parser.add_argument("--markdown", type=Path, metavar="FILE", help="the table as docs have it")
    return parser.parse_args()


def cases(args: argparse.Namespace, settings: Settings, folder: Path) -> tuple[list[Case], int]:
    """Prepare all that was asked for, smallest first; say what fails, and how many did."""
    known = kernels()
    for name in args.only:
        if name not in known:
            raise InputError("--only", f"no kernel {name}", f"there are: {', '.join(known)}")
    found, failed = [], 0
    for name in args.only or known:
        try:
            case = prepare(name, known[name], settings, folder / name, place=not args.no_place)
        except LyditeError as error:
            print(f"{name}: {error}", file=sys.stderr)
            failed += 1
            continue
        print(f"{name}: right, {case.cycles.unit:g} cycles a unit", file=sys.stderr, flush=True)
        said = complaints(case)
        failed += len(said)
        print("".join(f"{line}\n" for line in said), end="", file=sys.stderr)
        found.append(case)
    return sorted(found, key=lambda case: (case.estimated_lut, case.name)), failed


def save(path: Path, settings: Settings, found: Sequence[Case], rows: Sequence[Row]) -> None:
    """Write all figures, with what the compiler took and estimated."""
    more = {
        case.name: {
            "estimated_lut": case.estimated_lut,
            "compile_s": round(case.compile_s, 2),
            "above": [{"cycles": item.cycles, "why": item.why} for item in case.kernel.above],
        }
        for case in found
    }
    lines = []
    for row in rows:
        placed = row.placed
        line = {f.name: getattr(row, f.name) for f in dataclasses.fields(row) if f.name != "placed"}
        if placed is not None:
            names = ("usable_median_mhz", "fmax_median_mhz", "fmax_best_mhz", "fmax_worst_mhz")
            line |= {name: getattr(placed, name) for name in (*names, "area", "seeds", "keys")}
        lines.append(line | more.get(row.name, {}))
    text = {"target": settings.target.name, "seeds": settings.seeds, "rows": lines}
    write_atomic(path, json.dumps(text, indent=1) + "\n")


def main() -> int:
    """Run from the command line."""
    args = arguments()
    settings = Settings(
        target=targets.find(args.target), seeds=args.seeds, timeout_s=args.timeout_s
    )
    with tempfile.TemporaryDirectory(prefix="lydite-quality-") as name:
        try:
            found, failed = cases(args, settings, Path(name))
        except LyditeError as error:
            print(error, file=sys.stderr)
            return 2
        rows: list[Row] = []
        if args.no_place:
            rows = [row for case in found for row in rows_of(case, None)]
        else:
            with Store(args.store or default_folder()) as store, Progress() as progress:
                for case in found:
                    small = args.most_lut is None or case.estimated_lut <= args.most_lut
                    if small:
                        records = execute(case.jobs, store, parallel=1, watch=progress.watch)
                        failed += sum(record.status != "ok" for record in records.values())
                    rows += rows_of(case, store if small else None)
                    if args.json:
                        save(args.json, settings, found, rows)
        print_table(rows)
        if args.json:
            save(args.json, settings, found, rows)
        if args.markdown:
            write_atomic(args.markdown, markdown(rows, found))
    return int(failed > 0)


if __name__ == "__main__":
    sys.exit(main())
