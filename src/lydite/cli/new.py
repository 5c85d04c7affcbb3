# SPDX-License-Identifier: Apache-2.0
"""`lydite new`: a core to begin with."""

from __future__ import annotations

import argparse
import sys
from pathlib import Path

_HELP = "write a core to begin with: a folder that can be proven and placed as it is"


def add(commands: argparse._SubParsersAction[argparse.ArgumentParser]) -> None:
    """Add the command."""
    command = commands.add_parser("new", help=_HELP, description=_HELP + ".")
    command.add_argument("what", choices=("core",))
    command.add_argument("name", metavar="NAME", help="of the primitive: small letters, digits, -")
    command.add_argument(
        "--folder", type=Path, metavar="FOLDER", help="where it goes (default: NAME)"
    )
    command.set_defaults(run=run)


def run(arguments: argparse.Namespace) -> int:
    """Run the command."""
    from lydite.cores import template

    folder = arguments.folder or Path(arguments.name)
    for path in template.write(arguments.name, folder):
        print(path)
    print(f"prove and place it:  lydite bench {folder}", file=sys.stderr)
    return 0
