# SPDX-License-Identifier: Apache-2.0
"""`lydite hls --refine`: rounds of compiling and placing, the best of which is written."""

from __future__ import annotations

import argparse
import sys
from collections.abc import Callable, Mapping
from pathlib import Path
from typing import TYPE_CHECKING, Any

from lydite.cli import output, running

if TYPE_CHECKING:
    from lydite.hls import Compiled, Options
    from lydite.report.implemented import Implemented
    from lydite.report.refine import Row
    from lydite.runs.plan import Implementation, Settings
    from lydite.runs.record import Record
    from lydite.runs.refine import Round
    from lydite.sim.cosim import Result

LEARNT = "learnt.toml"


class Refined:
    """The best round, and what there is to say of all of them."""

    def __init__(self, rounds: list[Round]) -> None:
        from lydite.report import refine as report
        from lydite.runs import refine

        self.best = refine.best(rounds)
        self.rows: tuple[Row, ...] = report.rows(rounds, self.best)

    @property
    def compiled(self) -> Compiled:
        """What is to be written."""
        return self.best.compiled

    @property
    def result(self) -> Result | None:
        """Its co-simulation."""
        return self.best.result


def run(
    arguments: argparse.Namespace,
    options: Options,
    settings: Settings,
    prove: Callable[[Options, Compiled], Result | None],
) -> Refined:
    """Run the rounds, with progress on stderr."""
    from lydite.report import refine as report
    from lydite.runs import refine

    found: list[Round] = []
    with running.open_store(arguments) as store:

        def place(implementation: Implementation) -> Mapping[str, Record]:
            return running.execute(implementation.placements, store, arguments)

        rounds = refine.rounds(options, settings, arguments.refine, prove=prove, place=place)
        for item in rounds:
            found.append(item)
            print(report.line(item), file=sys.stderr, flush=True)
            if item.result is not None:
                item.result.check()
    return Refined(found)


def write_learnt(refined: Refined, folder: Path) -> list[Path]:
    """Write what gives the best round's hardware again; nothing for the first round."""
    from lydite.base.files import write_atomic

    known = refined.best.options.learnt
    if known is None:
        return []
    write_atomic(folder / LEARNT, known.text())
    return [folder / LEARNT]


def implemented(
    refined: Refined, found: dict[str, Any], arguments: argparse.Namespace, code: int
) -> tuple[int, Implemented | None]:
    """Show the rounds and the best one's figures; give the exit code with them."""
    from lydite.report import refine as report
    from lydite.report import text
    from lydite.report.failures import failures
    from lydite.report.implemented import implemented

    best = refined.best
    placed = implemented(best.implementation, best.records)
    failed = failures(best.records)
    if not best.met:
        wanted = f"{best.options.clock_ns:g} ns"
        print(f"warning: no round meets {wanted}; the fastest one is written", file=sys.stderr)
    found |= {"rounds": refined.rows, "implemented": placed, "failures": failed}
    if not arguments.json:
        output.show(report.table(refined.rows, best.options.clock_ns))
        if placed is not None:
            proof = "not co-simulated" if best.result is None else "co-simulated against the C"
            output.show(text.implementation(arguments.top, placed, proof=proof))
        if failed:
            output.show(text.failures(failed))
    return code or running.exit_code(best.records), placed
