# SPDX-License-Identifier: Apache-2.0
"""`lydite show`: all that is known of one run."""

from __future__ import annotations

import argparse
import sys
from pathlib import Path
from typing import TYPE_CHECKING

from lydite.base.errors import InputError
from lydite.cli import common, output, running

if TYPE_CHECKING:
    from lydite.runs.record import Record
    from lydite.runs.store import Store

# `--replay` without a folder; no folder can be called so.
_PRINT = ""
_HELP = "show all that is known of one run"


def add(commands: argparse._SubParsersAction[argparse.ArgumentParser]) -> None:
    """Add the command."""
    command = commands.add_parser("show", help=_HELP, description=_HELP + ".")
    command.add_argument(
        "key", metavar="KEY", help="key of the run, or its beginning; see `lydite list runs`"
    )
    command.add_argument(
        "--replay",
        nargs="?",
        const=_PRINT,
        metavar="FOLDER",
        help="print a script for sh that makes the run again and compares; with a folder, put it "
        "there as replay.sh, with all that it needs beside",
    )
    common.add_output(command)
    command.set_defaults(run=run)


def run(arguments: argparse.Namespace) -> int:
    """Run the command."""
    with running.open_store(arguments, make=False) as store:
        found = running.find_run(store, arguments.key)
        if arguments.replay is not None:
            return _replay(store, found[-1], arguments.replay)
        folder = store.artefacts(found[-1].key)
        names = sorted(found[-1].files)
    if arguments.json:
        output.show_json("show", records=found)
    else:
        from lydite.report import text

        for record in found:
            output.show(text.record(record, str(folder), names))
    return 0


def _replay(store: Store, record: Record, place: str) -> int:
    import shlex
    import shutil

    from lydite.base.files import write_atomic
    from lydite.runs.reruns import replay

    if place == _PRINT:
        place = shlex.quote(str(store.folder.absolute()))
        print(replay.script(record, place, store.get), end="")
        return 0
    text = replay.script(record, '$(cd "$(dirname "$0")" && pwd)', store.get)
    folder = Path(place)
    for key in replay.needed(record, store.get):
        source = store.artefacts(key)
        if not source.is_dir():
            hint = "the command that made the run makes them again"
            raise InputError("--replay", f"artefacts are not there: {source}", hint)
        shutil.copytree(source, folder / source.relative_to(store.folder), dirs_exist_ok=True)
    write_atomic(folder / "replay.sh", text)
    (folder / "replay.sh").chmod(0o755)
    print(f"written: {folder / 'replay.sh'}", file=sys.stderr)
    return 0
