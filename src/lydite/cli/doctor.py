# SPDX-License-Identifier: Apache-2.0
"""`lydite doctor`: which tools are here, which are missing, and what to do about it."""

from __future__ import annotations

import argparse

from lydite.base.errors import ToolNotFound
from lydite.cli import common, output

_HELP = "say which tools were found, which are missing, and the remedy"


def add(commands: argparse._SubParsersAction[argparse.ArgumentParser]) -> None:
    """Add the command."""
    command = commands.add_parser("doctor", help=_HELP, description=_HELP + ".")
    common.add_output(command)
    command.set_defaults(run=run)


def run(arguments: argparse.Namespace) -> int:
    """Run the command."""
    from lydite.report import listing
    from lydite.runs import shared

    found = listing.tools()
    place = listing.places(shared.place(arguments.store))
    if arguments.json:
        output.show_json("doctor", tools=found.as_dicts(), machine=place.as_dicts())
    else:
        from lydite.report.draw import Fitted

        output.show(Fitted(found))
        output.show(Fitted(place))
    missing = [row for row in found.rows if row[1] == listing.MISSING]
    return ToolNotFound.exit_code if missing else 0
