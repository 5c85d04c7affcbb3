# SPDX-License-Identifier: Apache-2.0
"""`lydite run`: place and route any Verilog."""

from __future__ import annotations

import argparse
from pathlib import Path

from lydite.cli import common, output, running, verilog

_HELP = "place and route any Verilog, without a core.toml"


def add(commands: argparse._SubParsersAction[argparse.ArgumentParser]) -> None:
    """Add the command."""
    command = commands.add_parser(
        "run",
        help=_HELP,
        description=_HELP + ": the module is put between registers, so that pads do not decide.",
    )
    command.add_argument("files", nargs="+", type=Path, metavar="FILE", help=verilog.FILES)
    verilog.add(command)
    common.add_implementation(command)
    common.add_output(command)
    command.set_defaults(run=run)


def run(arguments: argparse.Namespace) -> int:
    """Run the command."""
    from lydite.report import areas
    from lydite.report.failures import failures
    from lydite.report.implemented import implemented

    settings = common.settings(arguments, clock=False)
    implementation = verilog.plan(arguments.files, arguments, settings)
    synthesis = implementation.synthesis
    top = synthesis.sources.top
    with running.open_store(arguments) as store:
        records = running.execute(implementation.ends, store, arguments)
    placed = implemented(implementation, records)
    mapped = None if implementation.placements else areas.area(synthesis, records)
    failed = failures(records)
    if arguments.json:
        found = {"implemented": placed, "area": mapped, "failures": failed}
        output.show_json("run", module=top, clock=synthesis.clock, **found)
    else:
        from lydite.report import text

        proof = "not proven: no known answers were given"
        if placed is not None:
            output.show(text.implementation(top, placed, proof=proof))
        if mapped is not None:
            output.show(text.area(top, mapped, proof=proof))
        if failed:
            output.show(text.failures(failed))
    return running.exit_code(records)
