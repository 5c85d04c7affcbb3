# SPDX-License-Identifier: Apache-2.0
"""`lydite bundle`: pack runs, with all that they rest on, into one file."""

from __future__ import annotations

import argparse
import sys
from pathlib import Path

from lydite.base.errors import InputError
from lydite.cli import common, output, running

_HELP = "pack runs with their sources and results into one file, to be made again elsewhere"


def add(commands: argparse._SubParsersAction[argparse.ArgumentParser]) -> None:
    """Add the command."""
    command = commands.add_parser(
        "bundle",
        help=_HELP,
        description="Pack runs, and all that they rest on, into one file: sources, options, "
        "seeds, versions of tools, results. `lydite replicate` makes them again. The same runs "
        "are the same bytes.",
    )
    command.add_argument(
        "keys", nargs="*", metavar="KEY", help="key of a run, or its beginning; see `list runs`"
    )
    common.add_filters(command, "instead of keys")
    command.add_argument(
        "-o",
        "--out",
        type=Path,
        metavar="FILE",
        default=Path("bundle.zip"),
        help="file to be written (default: %(default)s)",
    )
    common.add_output(command)
    command.set_defaults(run=run)


def run(arguments: argparse.Namespace) -> int:
    """Run the command."""
    from lydite.base.files import check_writable
    from lydite.report import listing
    from lydite.runs.reruns import bundle, replay

    wanted = common.wanted(arguments, status="ok")
    if bool(arguments.keys) == (wanted != listing.Wanted(status="ok")):
        what = "keys and filters exclude each other" if arguments.keys else "no runs are named"
        hint = "as `lydite bundle 82ace31ad2f3`, or `lydite bundle --label 'crc32/*'`"
        raise InputError("KEY", what, hint)
    check_writable(arguments.out)
    with running.open_store(arguments, make=False) as store:
        if arguments.keys:
            keys = [running.find_run(store, key)[-1].key for key in arguments.keys]
        else:
            keys = [record.key for record in listing.select(store.all(), wanted)]
            if not keys:
                raise InputError("bundle", "no run is of that kind", "see `lydite list runs`")
        made = bundle.write(store, keys, arguments.out)
    records = made.contents.records
    reasons = ((record, replay.why_not(record, made.get)) for record in records)
    silent = [(record, why) for record, why in reasons if why]
    if arguments.json:
        size = arguments.out.stat().st_size
        keys = [record.key for record in records]
        found = {"file": arguments.out, "digest": made.digest, "bytes": size, "keys": keys}
        output.show_json("bundle", **found)
        return 0
    print(f"{len(made.contents.keys)} runs, {len(records)} with all that they rest on")
    for record, why in silent:
        print(f"its result alone: {record.label}: {why}")
    print(f"digest {made.digest}")
    print(f"written: {arguments.out}", file=sys.stderr)
    return 0
