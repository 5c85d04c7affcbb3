# SPDX-License-Identifier: Apache-2.0
"""`lydite run`: place and route any Verilog."""

from __future__ import annotations

import argparse
import sys
from pathlib import Path

from lydite.cli import common

_HELP = "place and route any Verilog, without a core.toml"


def add(commands: argparse._SubParsersAction[argparse.ArgumentParser]) -> None:
    """Add the command."""
    command = commands.add_parser(
        "run",
        help=_HELP,
        description=_HELP + ": the module is put between registers, so that pads do not decide.",
    )
    command.add_argument(
        "files",
        nargs="+",
        type=Path,
        metavar="FILE",
        help="Verilog (.v) or SystemVerilog (.sv); other files are there to be included or loaded; "
        "what they include or load beside themselves is found",
    )
    command.add_argument(
        "--top",
        default="",
        metavar="MODULE",
        help="module to implement (default: the one that no other has in it)",
    )
    command.add_argument(
        "--clock",
        "--clk",
        default="",
        metavar="PORT",
        help="its clock (default: the one input that clocks its registers; if there are none, "
        "paths from inputs to outputs are measured)",
    )
    command.add_argument(
        "--param",
        action="append",
        default=[],
        metavar="NAME=VALUE",
        help="a parameter of the module: a whole number, one of Verilog's as 8'hff, or a text in "
        "quotes of its own, as --param 'FILE=\"rom.hex\"'; may be repeated",
    )
    command.add_argument(
        "-I",
        action="append",
        default=[],
        type=Path,
        dest="include",
        metavar="FOLDER",
        help="a folder with files to include; may be repeated",
    )
    command.add_argument(
        "-D",
        action="append",
        default=[],
        dest="define",
        metavar="NAME[=VALUE]",
        help="a macro; may be repeated",
    )
    common.add_implementation(command)
    common.add_output(command)
    command.set_defaults(run=run)


def run(arguments: argparse.Namespace) -> int:
    """Run the command."""
    from lydite.report import areas, bench
    from lydite.runs import plan
    from lydite.sim import gather

    implementation = plan.run(
        tuple(arguments.files),
        arguments.top,
        arguments.clock,
        dict(map(gather.parameter, arguments.param)),
        common.settings(arguments, clock=False),
        includes=tuple(arguments.include),
        defines=dict(map(gather.define, arguments.define)),
    )
    synthesis = implementation.synthesis
    top = synthesis.sources.top
    _tell(arguments, top, synthesis.clock)
    with common.open_store(arguments) as store:
        records = common.execute(implementation.ends, store, arguments)
    placed = bench.implemented(implementation, records)
    mapped = None if implementation.placements else areas.area(synthesis, records)
    failures = bench.failures(records)
    if arguments.json:
        found = {"implemented": placed, "area": mapped, "failures": failures}
        common.show_json("run", module=top, clock=synthesis.clock, **found)
    else:
        from lydite.report import text

        proof = "not proven: no known answers were given"
        if placed is not None:
            common.show(text.implementation(top, placed, proof=proof))
        if mapped is not None:
            common.show(text.area(top, mapped, proof=proof))
        if failures:
            common.show(text.failures(failures))
    return common.exit_code(records)


def _tell(arguments: argparse.Namespace, top: str, clock: str) -> None:
    """Say what was found where it was not given."""
    if not arguments.top:
        print(f"module   {top}, which no other has in it", file=sys.stderr)
    if not arguments.clock:
        what = f"{clock}, which clocks all registers" if clock else "none: there are no registers"
        print(f"clock    {what}", file=sys.stderr)
