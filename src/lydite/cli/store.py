# SPDX-License-Identifier: Apache-2.0
"""`lydite store`: look whether a store is whole, remove what nothing names, remove runs."""

from __future__ import annotations

import argparse

from lydite.base.errors import CheckFailed, InputError
from lydite.cli import common, output, running

_HELP = "look after the store of runs"


def add(commands: argparse._SubParsersAction[argparse.ArgumentParser]) -> None:
    """Add the command."""
    command = commands.add_parser("store", help=_HELP, description=_HELP + ".")
    what = command.add_subparsers(title="what to do", metavar="WHAT", required=True)
    check = what.add_parser(
        "check",
        help="compare all artefacts with what was kept",
        description="Compare the digest of every artefact with what was kept, and say what "
        "nothing names. What is damaged is made again by the command that made it. Exits with "
        f"{CheckFailed.exit_code} if something is damaged.",
    )
    check.set_defaults(run=_check)
    collect = what.add_parser(
        "gc",
        help="remove what no record names",
        description="Remove artefacts that no record names, work of dead processes, locks that "
        "nobody holds. Records stay, and so does all that they name.",
    )
    collect.add_argument(
        "--failed", action="store_true", help="also the artefacts of runs that failed"
    )
    collect.add_argument(
        "-n", "--dry-run", action="store_true", help="say what would go, and leave it"
    )
    collect.set_defaults(run=_collect)
    remove = what.add_parser(
        "rm",
        help="remove runs",
        description="Remove runs, records and artefacts. Runs that others rest on stay, unless "
        "those go, too.",
    )
    remove.add_argument("keys", nargs="+", metavar="KEY", help="key of a run, or its beginning")
    remove.add_argument("--dependents", action="store_true", help="remove what rests on them, too")
    remove.set_defaults(run=_remove)
    for each in (check, collect, remove):
        common.add_output(each)


def _check(arguments: argparse.Namespace) -> int:
    from lydite.runs import upkeep

    with running.open_store(arguments, make=False) as store:
        damaged = upkeep.check(store)
        left = upkeep.left(store)
        count = len(store.all())
    if arguments.json:
        output.show_json("store", records=count, damaged=damaged, left=left)
    else:
        for each in damaged:
            print(f"damaged  {each.key[:12]}  {each.label}: {each.what}")
        for entry in left:
            print(f"left     {entry.path}: {entry.why}")
        ends = f"{len(damaged)} damaged" if damaged else "all as it was kept"
        print(f"{count} records: {ends}" + ("; gc removes what is left" if left else ""))
    return CheckFailed.exit_code if damaged else 0


def _collect(arguments: argparse.Namespace) -> int:
    from lydite.runs import upkeep

    with running.open_store(arguments, make=False) as store:
        does = upkeep.left if arguments.dry_run else upkeep.collect
        found = does(store, failed=arguments.failed)
    if arguments.json:
        output.show_json("store", dry_run=arguments.dry_run, removed=found)
        return 0
    for entry in found:
        print(f"{entry.path}: {entry.why}")
    total = sum(entry.size_bytes for entry in found) / 1e6
    verb = "would be removed" if arguments.dry_run else "removed"
    print(f"{len(found)} {verb}, {total:.1f} MB")
    return 0


def _remove(arguments: argparse.Namespace) -> int:
    from lydite.runs import upkeep

    with running.open_store(arguments, make=False) as store:
        keys = [running.find_run(store, key)[-1].key for key in arguments.keys]
        resting = upkeep.dependents(store, keys)
        if resting and not arguments.dependents:
            some = ", ".join(f"{record.key[:12]} ({record.label})" for record in resting[:3])
            more = f" and {len(resting) - 3} more" if len(resting) > 3 else ""
            hint = "--dependents removes them, too"
            raise InputError("KEY", f"others rest on it: {some}{more}", hint)
        going = [*(record.key for record in reversed(resting)), *keys]
        for key in going:
            store.remove(key)
    if arguments.json:
        output.show_json("store", removed=going)
    else:
        print(f"removed: {', '.join(key[:12] for key in going)}")
    return 0
