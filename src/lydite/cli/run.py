# SPDX-License-Identifier: Apache-2.0
"""`lydite run`: place and route any Verilog."""

from __future__ import annotations

import argparse
from pathlib import Path

from lydite.base.errors import InputError
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
        help="Verilog (.v) or SystemVerilog (.sv); other files are there to be included",
    )
    command.add_argument("--top", required=True, metavar="MODULE", help="module to implement")
    command.add_argument(
        "--clock",
        "--clk",
        default="",
        metavar="PORT",
        help="its clock; without one, its path from inputs to outputs is measured",
    )
    command.add_argument(
        "--param",
        action="append",
        default=[],
        metavar="NAME=VALUE",
        help="a parameter of the module, a whole number; may be repeated",
    )
    common.add_implementation(command)
    common.add_output(command)
    command.set_defaults(run=run)


def run(arguments: argparse.Namespace) -> int:
    """Run the command."""
    from lydite.report import bench
    from lydite.runs import plan

    implementation = plan.run(
        tuple(arguments.files),
        arguments.top,
        arguments.clock,
        _parameters(arguments.param),
        common.settings(arguments),
    )
    with common.open_store(arguments) as store:
        records = common.execute(implementation.placements, store, arguments)
    placed = bench.implemented(implementation, records)
    failures = bench.failures(records)
    if arguments.json:
        common.show_json("run", module=arguments.top, implemented=placed, failures=failures)
    else:
        from lydite.report import text

        if placed is not None:
            proof = "not proven: no known answers were given"
            common.show(text.implementation(arguments.top, placed, proof=proof))
        if failures:
            common.show(text.failures(failures))
    return common.exit_code(records)


def _parameters(given: list[str]) -> dict[str, int]:
    parameters = {}
    for text in given:
        name, equals, value = text.partition("=")
        try:
            parameters[name] = int(value, 0)
        except ValueError:
            equals = ""
        if not (equals and name.isidentifier()):
            raise InputError("--param", f"not NAME=VALUE with a whole number: {text!r}")
    return parameters
