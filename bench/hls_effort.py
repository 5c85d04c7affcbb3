#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""Cycles and area of plain C for each effort of the compiler: what it makes of no directives.

    python bench/hls_effort.py --json effort.json
    python bench/hls_effort.py adler32 gcd --effort speed --markdown effort.md

Each program of `examples/hls` is compiled with `--effort area`, and with those asked for, and
co-simulated against the native run. Cycles are those of all calls that its `main` makes, as
co-simulation counted them. Area is the compiler's estimate, in look-up tables: the greater of LUTs
and flip-flops, 80 for a multiplier and 200 for a block RAM; nothing is synthesised. With `--json`
what was measured is kept in that file, and is not measured again as long as the Verilog is the
same. The exit status is 1 if a program is wrong, or if over all that were measured the geometric
means of `balanced` are above the goal: half of the cycles, 1.15 of area by time.
"""

from __future__ import annotations

import argparse
import json
import statistics
import sys
import tempfile
import time
import tomllib
from collections.abc import Sequence
from dataclasses import asdict, dataclass
from pathlib import Path

from lydite import hls
from lydite.base import LyditeError, digest
from lydite.base.files import write_atomic
from lydite.hls import Options, effort
from lydite.hls.contract.effort import EFFORTS, Effort
from lydite.sim import cosim

FOLDER = Path(__file__).parents[1] / "examples" / "hls"
# At most these shares of the cycles, and of area by time, by the geometric mean.
GOAL_CYCLES, GOAL_PRODUCT = 0.5, 1.15


@dataclass(frozen=True)
class Row:
    """A program compiled with an effort, measured.

    Attributes
    ----------
    cycles, calls : int
        Of all calls of the top function together; how many these are.
    lut, ff, dsp, bram : int
        The compiler's estimate.
    area : float
        In look-up tables.
    compile_s : float
        CPU seconds of compiling, those of the C compiler apart.
    verilog : str
        Digest of the Verilog.
    """

    program: str
    effort: Effort
    cycles: int
    calls: int
    lut: int
    ff: int
    dsp: int
    bram: int
    area: float
    compile_s: float
    verilog: str


def measure(program: str, how: Effort, known: Sequence[Row]) -> Row:
    """Compile and co-simulate a program, unless its Verilog is one that was measured.

    Raises
    ------
    CheckFailed
        The hardware differs from the C.
    """
    entry = tomllib.loads((FOLDER / "index.toml").read_text())[program]
    options = Options(
        sources=tuple(FOLDER / source for source in entry["sources"]),
        top=entry["top"],
        effort=how,
    )
    start = time.process_time()
    compiled = hls.compile(options)
    seconds = time.process_time() - start
    # The first line names the source and the effort.
    texts = [[file.name, file.text.partition("\n")[2]] for file in compiled.files]
    made = digest.of_value(texts)
    area = compiled.report.area
    before = [row for row in known if (row.program, row.verilog) == (program, made)]
    if before:
        cycles, calls = before[0].cycles, before[0].calls
    else:
        with tempfile.TemporaryDirectory(prefix="lydite-effort-") as folder:
            result = cosim.run(options, compiled, Path(folder))
        result.check()
        cycles, calls = result.cycles, result.calls
    return Row(
        program=program,
        effort=how,
        cycles=cycles,
        calls=calls,
        lut=area.lut,
        ff=area.ff,
        dsp=area.dsp,
        bram=area.bram,
        area=effort.worth(area),
        compile_s=round(seconds, 2),
        verilog=made,
    )


def means(rows: Sequence[Row], how: Effort) -> tuple[float, float]:
    """Give the geometric means of cycles, and of area by time, as shares of those of `area`."""
    plain = {row.program: row for row in rows if row.effort == "area"}
    here = [row for row in rows if row.effort == how]
    cycles = [row.cycles / plain[row.program].cycles for row in here]
    products = [
        row.cycles * row.area / (plain[row.program].cycles * plain[row.program].area)
        for row in here
    ]
    return statistics.geometric_mean(cycles), statistics.geometric_mean(products)


def markdown(rows: Sequence[Row], efforts: Sequence[Effort]) -> str:
    """Give the table of the documentation."""
    heads = [f"{how}: cycles | area | cycles x | area-time x" for how in efforts]
    lines = [f"| program | area: cycles | area | {' | '.join(heads)} |"]
    lines.append("|---" + "|--:" * (2 + 4 * len(efforts)) + "|")
    found = {(row.program, row.effort): row for row in rows}
    for program in dict.fromkeys(row.program for row in rows):
        plain = found[program, "area"]
        cells = [f"`{program}`", f"{plain.cycles:,}", f"{plain.area:,.0f}"]
        for how in efforts:
            row = found[program, how]
            share = row.cycles / plain.cycles
            cells += [f"{row.cycles:,}", f"{row.area:,.0f}", f"{share:.3f}"]
            cells.append(f"{share * row.area / plain.area:.3f}")
        lines.append(f"| {' | '.join(cells)} |")
    cells = ["geometric mean", "", ""]
    for how in efforts:
        cycles, product = means(rows, how)
        cells += ["", "", f"{cycles:.3f}", f"{product:.3f}"]
    lines.append(f"| {' | '.join(cells)} |")
    return "\n".join(lines)


def main() -> int:
    """Run from the command line."""
    parser = argparse.ArgumentParser(description=(__doc__ or "").split("\n\n")[0])
    parser.add_argument("programs", nargs="*", help="names; all by default")
    parser.add_argument("--effort", action="append", choices=EFFORTS[1:], default=[])
    parser.add_argument("--json", type=Path, metavar="FILE", help="measurements, kept as they come")
    parser.add_argument("--markdown", type=Path, metavar="FILE", help="the table")
    arguments = parser.parse_args()
    efforts: list[Effort] = arguments.effort or list(EFFORTS[1:])
    kept = arguments.json
    known = [Row(**item) for item in json.loads(kept.read_text())] if kept and kept.exists() else []
    rows: list[Row] = []
    wrong = False
    for program in arguments.programs or tomllib.loads((FOLDER / "index.toml").read_text()):
        for how in ("area", *efforts):
            try:
                row = measure(program, how, [*known, *rows])
            except LyditeError as error:
                print(f"{program} with {how}: {error}", file=sys.stderr)
                wrong = True
                break
            rows.append(row)
            print(
                f"{program:18} {how:9} {row.cycles:9} cycles {row.area:8.0f} area"
                f" {row.compile_s:7.2f} s",
                flush=True,
            )
            if kept:
                others = [old for old in known if (old.program, old.effort) != (program, how)]
                known = [*others, row]
                write_atomic(kept, json.dumps([asdict(each) for each in known], indent=1) + "\n")
    complete = {row.program for row in rows if row.effort == efforts[-1]}
    rows = [row for row in rows if row.program in complete]
    if arguments.markdown and rows:
        write_atomic(arguments.markdown, markdown(rows, efforts) + "\n")
    missed = False
    for how in efforts if rows else ():
        cycles, product = means(rows, how)
        print(f"{how}: {cycles:.3f} of the cycles, {product:.3f} of area by time")
        good = cycles <= GOAL_CYCLES and product <= GOAL_PRODUCT
        missed |= how == "balanced" and not good
    return 1 if wrong or missed else 0


if __name__ == "__main__":
    sys.exit(main())
