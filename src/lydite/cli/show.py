# SPDX-License-Identifier: Apache-2.0
"""`lydite show`: all that is known of one run."""

from __future__ import annotations

import argparse

from lydite.base.errors import InputError
from lydite.cli import common

_HELP = "show all that is known of one run"


def add(commands: argparse._SubParsersAction[argparse.ArgumentParser]) -> None:
    """Add the command."""
    command = commands.add_parser("show", help=_HELP, description=_HELP + ".")
    command.add_argument(
        "key", metavar="KEY", help="key of the run, or its beginning; see `lydite list runs`"
    )
    common.add_output(command)
    command.set_defaults(run=run)


def run(arguments: argparse.Namespace) -> int:
    """Run the command."""
    with common.open_store(arguments) as store:
        found = store.find(arguments.key.lower())
        keys = {record.key for record in found}
        if not found:
            raise InputError("KEY", f"no run with key {arguments.key!r}", "see `lydite list runs`")
        if len(keys) > 1:
            some = ", ".join(sorted(key[:12] for key in keys)[:6])
            raise InputError("KEY", f"{arguments.key!r} begins {len(keys)} keys", f"such as {some}")
        folder = store.artefacts(found[-1].key)
        names = sorted(path.name for path in folder.iterdir()) if folder.exists() else []
    if arguments.json:
        common.show_json("show", records=found)
    else:
        from lydite.report import text

        for record in found:
            common.show(text.record(record, str(folder), names))
    return 0
