# SPDX-License-Identifier: Apache-2.0
"""The command line: one file a command, with heavy imports inside its `run`.

Tables and numbers go to stdout, all else to stderr. Exit codes: 0 all is well, 1 a defect of
Lydite, 2 bad input, 3 a tool is missing, 4 a tool failed, 5 a design failed a check, 130
interrupted.
"""

from __future__ import annotations

import argparse
import logging
import os
import signal
import sys
from collections.abc import Sequence

import lydite
from lydite.base.errors import LyditeError
from lydite.cli import bench, characterise, doctor, hls, lists, run, show, store

COMMANDS = (bench, run, hls, characterise, show, lists, store, doctor)


def parser() -> argparse.ArgumentParser:
    """Give the parser of the command line."""
    made = argparse.ArgumentParser(
        prog="lydite",
        description="The touchstone for cryptographic hardware: prove a core against known "
        "answers, place and route it, and set it beside the best software on this machine.",
        epilog="lydite COMMAND --help tells more. Results are kept: a second run is free.",
    )
    made.add_argument("--version", action="version", version=f"lydite {lydite.__version__}")
    commands = made.add_subparsers(title="commands", metavar="COMMAND", required=True)
    for command in COMMANDS:
        command.add(commands)
    return made


def main(argv: Sequence[str] | None = None) -> int:
    """Run one command and give its exit code."""
    logging.basicConfig(format="%(levelname)s %(name)s: %(message)s", level=logging.WARNING)
    arguments = parser().parse_args(argv)
    # A job scheduler's way to say Ctrl-C: tools must not run on without us.
    signal.signal(signal.SIGTERM, signal.default_int_handler)
    try:
        code: int = arguments.run(arguments)
        sys.stdout.flush()
        return code
    except LyditeError as error:
        print(f"lydite: {error}", file=sys.stderr)
        return error.exit_code
    except KeyboardInterrupt:
        print(
            "\nlydite: interrupted; what was finished is kept, the same command goes on from there",
            file=sys.stderr,
        )
        return 130
    except BrokenPipeError:
        # The reader of stdout has gone, as `| head` does; nothing is wrong with the run.
        os.dup2(os.open(os.devnull, os.O_WRONLY), sys.stdout.fileno())
        return 0
