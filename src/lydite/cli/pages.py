# SPDX-License-Identifier: Apache-2.0
"""What commands write beside their tables: pages, tables for papers, figures."""

from __future__ import annotations

import argparse
import sys
from collections.abc import Callable
from pathlib import Path
from typing import TYPE_CHECKING

from lydite.base.errors import InputError

if TYPE_CHECKING:
    from lydite.report.page import Page


def add_pages(command: argparse.ArgumentParser) -> None:
    """Add the options of commands that make pages, and what tells their command line again."""
    command.add_argument(
        "--html",
        type=Path,
        metavar="FILE",
        help="write a page, too: tables to be sorted, figures, the run behind each number",
    )
    command.add_argument(
        "--latex",
        type=Path,
        metavar="FILE",
        help="write the tables for a paper, too: booktabs, to be read with \\input",
    )
    command.add_argument(
        "--plots",
        type=Path,
        metavar="FOLDER",
        help="write each figure of the page, too, as a file of its own: PNG and SVG",
    )
    command.set_defaults(parser=command)


# Options that decide where results go or how soon they are there, not what they are.
_SILENT = frozenset(
    {
        "help",
        "html",
        "latex",
        "plots",
        "out",
        "json",
        "csv",
        "store",
        "jobs",
        "cluster",
        "timeout_s",
        "publish",
    }
)


def command_line(arguments: argparse.Namespace) -> list[str]:
    """Give the words of a command that makes the same figures: what differs from the defaults.

    It is that of a command with `add_pages`; the same figures have the same words, however they
    were asked for.
    """
    words = ["lydite", arguments.command]
    options: list[str] = []
    for action in arguments.parser._actions:
        value = getattr(arguments, action.dest, None)
        if action.dest in _SILENT:
            continue
        if not action.option_strings:
            words += [str(each) for each in (value if isinstance(value, list) else [value])]
        elif value == action.default:
            continue
        elif action.nargs == 0:
            options.append(action.option_strings[-1])
        else:
            given = value if isinstance(value, list) else [value]
            # One word, since a value may begin with a hyphen.
            options += [f"{action.option_strings[-1]}={each}" for each in given]
    return words + options


def check_pages(arguments: argparse.Namespace) -> None:
    """Refuse files of `add_pages` that cannot be written, before any work is done.

    Raises
    ------
    InputError
        One is a folder or a device, lies where nothing can be written, or both are the same; or
        the folder of `--plots` is a file.
    """
    from lydite.base.files import check_writable

    given = [path for path in (arguments.html, arguments.latex) if path is not None]
    for path in given:
        check_writable(path)
    if arguments.plots is not None:
        if arguments.plots.exists() and not arguments.plots.is_dir():
            raise InputError(str(arguments.plots), "is no folder", "--plots writes several files")
        check_writable(arguments.plots / "figure.svg")
    if len({path.resolve() for path in given}) < len(given):
        raise InputError(str(given[0]), "is the file of both --html and --latex")


def write_pages(arguments: argparse.Namespace, make: Callable[[], Page]) -> None:
    """Write the files of `add_pages`, if any are asked for."""
    if arguments.html is arguments.latex is arguments.plots is None:
        return
    from lydite.base.files import write_atomic

    page = make()
    if arguments.html is not None:
        from lydite.report import html

        write_atomic(arguments.html, html.render(page))
        print(f"written: {arguments.html}", file=sys.stderr)
    if arguments.latex is not None:
        from lydite.report import latex

        write_atomic(arguments.latex, latex.render(page))
        print(f"written: {arguments.latex}", file=sys.stderr)
    if arguments.plots is not None:
        from lydite.report import figures

        count = 0
        for name, data in figures.files(page):
            write_atomic(arguments.plots / name, data)
            count += 1
        told = f"{count} files" if count else "no file, since there is no figure"
        print(f"written: {arguments.plots}: {told}", file=sys.stderr)
