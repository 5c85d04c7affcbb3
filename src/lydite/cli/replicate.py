# SPDX-License-Identifier: Apache-2.0
"""`lydite replicate`: make the runs of a bundle again, and say where they differ."""

from __future__ import annotations

import argparse
import sys
import tempfile
from collections.abc import Iterable, Sequence
from pathlib import Path
from typing import TYPE_CHECKING

from lydite.base.errors import CheckFailed, InputError
from lydite.cli import common, output, running

if TYPE_CHECKING:
    from lydite.report.replica import Row
    from lydite.runs.record import Record
    from lydite.runs.reruns.bundle import Bundle

_HELP = "make the runs of a bundle again, and say of each whether it is equal"


def add(commands: argparse._SubParsersAction[argparse.ArgumentParser]) -> None:
    """Add the command."""
    command = commands.add_parser(
        "replicate",
        help=_HELP,
        description="Make the runs of a bundle again, and say of each whether it is equal or "
        "where it differs. A bundle is somebody's code: what it would run is said, and run only "
        f"after a yes. Exits with {CheckFailed.exit_code} if something differs.",
    )
    command.add_argument("file", type=Path, metavar="FILE", help="made by `lydite bundle`")
    command.add_argument(
        "--published", action="store_true", help="show the results that are in it; run nothing"
    )
    command.add_argument(
        "--yes", action="store_true", help="run it, without being asked: you trust who made it"
    )
    command.add_argument(
        "--only",
        action="append",
        default=[],
        metavar="KEY",
        help="only this run, by the beginning of its key; may be repeated",
    )
    command.add_argument("--csv", action="store_true", help="print comma-separated values")
    common.add_execution(command)
    common.add_output(command)
    command.set_defaults(run=run)


def run(arguments: argparse.Namespace) -> int:
    """Run the command."""
    from lydite.runs.reruns import bundle

    common.check_execution(arguments)
    found = bundle.read(arguments.file)
    records = _chosen(found, arguments.only)
    print(f"bundle {found.digest}, of Lydite {found.contents.lydite}", file=sys.stderr)
    if arguments.published:
        return _show_published(arguments, found, records)
    return _replicate(arguments, found, records)


def _chosen(found: Bundle, only: Sequence[str]) -> tuple[Record, ...]:
    records = found.contents.records
    for given in only:
        if not any(record.key.startswith(given.lower()) for record in records):
            raise InputError("--only", f"no run of the bundle has the key {given!r}")
    wanted = tuple(given.lower() for given in only) or ("",)
    return tuple(record for record in records if record.key.startswith(wanted))


def _show_published(arguments: argparse.Namespace, found: Bundle, records: Sequence[Record]) -> int:
    from lydite.report import replica, text

    tables = replica.published(records)
    if arguments.json:
        output.show_json("replicate", bundle=found.digest, records=records)
    elif arguments.csv:
        print(tables[-1].csv(), end="")
    else:
        output.show(text.tables(tables, ()))
        tools = [f"{one.tool} {one.published}" for one in replica.tools(records)]
        machines = sorted({record.machine for record in records})
        print(f"\ntools: {'; '.join(tools)}\nmachines: {'; '.join(machines)}")
    return 0


def _replicate(arguments: argparse.Namespace, found: Bundle, records: Sequence[Record]) -> int:
    from lydite.report import replica as tables
    from lydite.report import text
    from lydite.runs.reruns import replica

    versions = tables.tools(records)
    other = tables.tool_table(versions)
    if other.rows and not (arguments.json or arguments.csv):
        output.show(text.tables((other,), ()))
        print()
    # Artefacts lie in a folder of their own while they are worked on, and never in the store.
    with tempfile.TemporaryDirectory(prefix="lydite-bundle-") as name:
        folder, jobs, reasons = Path(name), {}, {}
        for record in records:
            try:
                jobs[record.key] = replica.replica(found, record, folder, arguments.timeout_s)
            except InputError as error:
                reasons[record.key] = error.what
        with running.open_store(arguments) as store:
            new = [job for job in jobs.values() if store.get(job.key) is None]
            if new:
                _agree(arguments, found, [job.record for job in new])
                found.unpack(folder)
            done = running.execute(jobs.values(), store, arguments)
    rows = [
        tables.row(record, done.get(job.key) if job else None, reasons.get(record.key, ""))
        for record in records
        for job in (jobs.get(record.key),)
    ]
    if arguments.json:
        output.show_json("replicate", bundle=found.digest, tools=versions, rows=rows)
    else:
        made = tables.table(rows, {record.key: record for record in records})
        if arguments.csv:
            print(made.csv(), end="")
        else:
            output.show(text.tables((made,), ()))
            print(f"\n{tables.summary(rows)}")
    return max(running.exit_code(done), _differing(rows))


def _differing(rows: Iterable[Row]) -> int:
    return CheckFailed.exit_code if any(one.verdict == "differs" for one in rows) else 0


def _agree(arguments: argparse.Namespace, found: Bundle, records: Sequence[Record]) -> None:
    """Say what would be run, and ask.

    Raises
    ------
    InputError
        The answer is no, or there is nobody to be asked.
    """
    from lydite.runs.reruns import replica

    print(
        f"{arguments.file} has code that would be run here, with all your rights:", file=sys.stderr
    )
    for line in replica.would_run(records):
        print(f"  {line}", file=sys.stderr)
    if arguments.yes:
        return
    hint = "--yes runs it, --published shows its results; `unzip` lets you read it first"
    if not sys.stdin.isatty():
        raise InputError(str(arguments.file), "nothing is run without a yes", hint)
    print("Run it? [y/N] ", end="", file=sys.stderr, flush=True)
    if sys.stdin.readline().strip().lower() not in ("y", "yes"):
        raise InputError(str(arguments.file), "not run", hint)
