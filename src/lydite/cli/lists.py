# SPDX-License-Identifier: Apache-2.0
"""`lydite list`: cores, targets, tools, runs."""

from __future__ import annotations

import argparse

from lydite.cli import common

_HELP = "list cores, targets, tools or runs"


def add(commands: argparse._SubParsersAction[argparse.ArgumentParser]) -> None:
    """Add the command."""
    command = commands.add_parser("list", help=_HELP, description=_HELP + ".")
    command.add_argument("what", choices=("cores", "targets", "tools", "runs"))
    command.add_argument("--csv", action="store_true", help="print comma-separated values")
    common.add_output(command)
    command.set_defaults(run=run)


def run(arguments: argparse.Namespace) -> int:
    """Run the command."""
    from lydite.report import listing

    if arguments.what == "runs":
        with common.open_store(arguments) as store:
            found = listing.runs(store.all())
    else:
        found = {"cores": listing.cores, "targets": listing.targets, "tools": listing.tools}[
            arguments.what
        ]()
    if arguments.json:
        common.show_json("list", rows=found.as_dicts())
    elif arguments.csv:
        print(found.csv(), end="")
    else:
        from lydite.report.draw import Fitted

        common.show(Fitted(found))
    return 0
