# SPDX-License-Identifier: Apache-2.0
"""`lydite list`: cores, known answers, targets, links, boards, studies, tools, runs."""

from __future__ import annotations

import argparse

from lydite.base.errors import InputError
from lydite.cli import common, output, running

_WHAT = ("cores", "kat", "targets", "links", "boards", "studies", "tools", "runs")
_HELP = "list cores, known answers (kat), targets, links, boards, studies, tools or runs"


def add(commands: argparse._SubParsersAction[argparse.ArgumentParser]) -> None:
    """Add the command."""
    command = commands.add_parser("list", help=_HELP, description=_HELP + ".")
    command.add_argument("what", choices=_WHAT)
    command.add_argument("--csv", action="store_true", help="print comma-separated values")
    only = common.add_filters(command, "of runs")
    only.add_argument("--status", default="", choices=("ok", "failed", "damaged"))
    common.add_output(command)
    command.set_defaults(run=run)


def run(arguments: argparse.Namespace) -> int:
    """Run the command."""
    from lydite.report import listing

    wanted = common.wanted(arguments, status=arguments.status)
    if arguments.what == "runs":
        with running.open_store(arguments, make=False) as store:
            found = listing.runs(listing.select(store.all(), wanted))
    elif wanted != listing.Wanted():
        raise InputError(
            arguments.what, "filters are of runs", "as `lydite list runs --kind verify`"
        )
    elif arguments.what == "studies":
        from lydite import studies

        found = studies.listing()
    else:
        found = getattr(listing, arguments.what)()
    if arguments.json:
        output.show_json("list", rows=found.as_dicts())
    elif arguments.csv:
        print(found.csv(), end="")
    else:
        from lydite.report.draw import Fitted

        output.show(Fitted(found))
    return 0
