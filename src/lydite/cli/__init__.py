# SPDX-License-Identifier: Apache-2.0
"""The command line: one file a command, with heavy imports inside its `run`.

Tables and numbers go to stdout, all else to stderr. Exit codes are those of `base.errors`.
"""

from __future__ import annotations

import argparse
import contextlib
import logging
import os
import signal
import sys
from collections.abc import Sequence

import lydite
from lydite.base.errors import EXIT_CODES, LyditeError
from lydite.cli import (
    accelerate,
    bench,
    board,
    bundle,
    characterise,
    completion,
    doctor,
    explore,
    frequency,
    hls,
    lists,
    new,
    output,
    replicate,
    reproduce,
    run,
    run_action,
    search,
    search_keys,
    show,
    store,
    testbed,
)

COMMANDS = (
    *(bench, search, testbed, frequency, board, accelerate, reproduce, run, hls, explore, new),
    *(search_keys, run_action, characterise, show, lists, bundle, replicate, store),
    *(doctor, completion),
)


def parser() -> argparse.ArgumentParser:
    """Give the parser of the command line."""
    made = argparse.ArgumentParser(
        prog="lydite",
        description="The touchstone for cryptographic hardware: prove a core against known\n"
        "answers, place and route it, and set it beside the best software on this machine.",
        epilog="lydite COMMAND --help tells more. Results are kept: a second run is free.\n\n"
        "exit codes:\n" + "\n".join(f"  {code:<6}{what}" for code, what in EXIT_CODES.items()),
        formatter_class=argparse.RawDescriptionHelpFormatter,
    )
    made.add_argument("--version", action="version", version=f"lydite {lydite.__version__}")
    commands = made.add_subparsers(
        title="commands", dest="command", metavar="COMMAND", required=True
    )
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
        # What a command opened for longer than one of its steps is closed, whatever comes.
        with contextlib.ExitStack() as arguments.closing:
            code: int = arguments.run(arguments)
        sys.stdout.flush()
        return code
    except LyditeError as error:
        print(f"lydite: {error}", file=sys.stderr)
        if getattr(arguments, "json", False):
            output.show_error(arguments.command, error)
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
