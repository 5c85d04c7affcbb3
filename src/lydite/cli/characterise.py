# SPDX-License-Identifier: Apache-2.0
"""`lydite characterise`: operator delays and areas of a family, from its own tools."""

from __future__ import annotations

import argparse
import sys
from collections.abc import Mapping
from pathlib import Path
from typing import TYPE_CHECKING

from lydite.base.errors import InputError
from lydite.cli import common, output, running

if TYPE_CHECKING:
    from lydite.runs.kinds.hardware import Placement
    from lydite.runs.operators import Point
    from lydite.runs.plan import Implementation

_HELP = "measure a family's operator delays for the HLS compiler"
_WIDTHS = "2,4,8,16,32,64"


def add(commands: argparse._SubParsersAction[argparse.ArgumentParser]) -> None:
    """Add the command."""
    command = commands.add_parser(
        "characterise",
        help=_HELP,
        description=_HELP + ": every operator at every width is placed and routed between "
        "registers under every seed, and the table is printed or written. Results are kept: "
        "the same command goes on where it was stopped.",
    )
    command.add_argument(
        "--widths",
        default=_WIDTHS,
        metavar="W,W",
        help="bits of the operands, rising (default: %(default)s)",
    )
    command.add_argument(
        "--out", type=Path, metavar="FILE", help="where to write the table (default: print it)"
    )
    common.add_implementation(command)
    common.add_output(command)
    command.set_defaults(run=run)


def run(arguments: argparse.Namespace) -> int:
    """Run the command."""
    from lydite.base.files import write_atomic
    from lydite.report import delays, text
    from lydite.report.failures import failures
    from lydite.runs import characterise

    planned = characterise.planned(_widths(arguments.widths), common.settings(arguments))
    with running.open_store(arguments) as store:
        records = dict(running.execute(_placements(planned), store, arguments))
        for _ in range(characterise.MORE_SEEDS):
            planned = characterise.again(planned, records)
            new = [job for job in _placements(planned) if job.key not in records]
            records |= running.execute(new, store, arguments)
    failed = failures(records)
    if failed and not arguments.json:
        output.show(text.failures(failed))
    found = characterise.table(planned, records)
    if found is None:
        print("lydite: no table: some points have no result", file=sys.stderr)
        if arguments.json:
            output.show_json("characterise", table=None, failures=failed)
        return running.exit_code(records) or 1
    if arguments.json:
        output.show_json("characterise", table=found, failures=failed)
    elif arguments.out is None:
        print(delays.toml(found), end="")
    if arguments.out is not None:
        write_atomic(arguments.out, delays.toml(found))
        print(f"written: {arguments.out}", file=sys.stderr)
    return 0


def _placements(planned: Mapping[Point, Implementation]) -> list[Placement]:
    return [job for each in planned.values() for job in each.placements]


def _widths(text: str) -> tuple[int, ...]:
    try:
        return tuple(int(word) for word in text.split(","))
    except ValueError:
        raise InputError("--widths", f"not whole numbers: {text!r}", f"as {_WIDTHS}") from None
