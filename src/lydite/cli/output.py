# SPDX-License-Identifier: Apache-2.0
"""What commands print: tables, JSON, errors."""

from __future__ import annotations

import io
import os
import sys
from pathlib import Path
from typing import TYPE_CHECKING, Any

from lydite.base.errors import LyditeError

if TYPE_CHECKING:
    from rich.console import RenderableType

# Version of the form of all JSON that commands print: raised when a field goes or means another
# thing, not when one is added. docs/commands.md has the history.
JSON_SCHEMA = 2
# Width of tables where no terminal tells its own.
_WIDTH = 120


def show(renderable: RenderableType) -> None:
    """Print a table to stdout, as wide as the terminal, `COLUMNS`, or a page of a document."""
    from rich.console import Console

    if sys.stdout.isatty():
        Console(highlight=False).print(renderable, crop=False)
    else:
        print("\n".join(lines(renderable)))


def lines(renderable: RenderableType) -> list[str]:
    """Give the lines of a table, as wide as `COLUMNS` says or a page of a document is."""
    from rich.console import Console

    given = os.environ.get("COLUMNS", "")
    text = io.StringIO()
    width = int(given) if given.isdecimal() and int(given) > 0 else _WIDTH
    Console(file=text, width=width, highlight=False).print(renderable, crop=False)
    # Tables are padded to a rectangle; in a file the padding is only noise.
    return [line.rstrip() for line in text.getvalue().splitlines()]


def show_json(command: str, **found: Any) -> None:
    """Print what a command found as one JSON object to stdout, with the version of its form."""
    import msgspec

    value = {"schema": JSON_SCHEMA, "command": command, **found}
    print(msgspec.json.format(msgspec.json.encode(value, enc_hook=_portable), indent=2).decode())


def _portable(value: object) -> str:
    """Give what JSON has no form for: paths."""
    if isinstance(value, Path):
        return str(value)
    raise NotImplementedError(f"no form in JSON for {type(value).__name__}")


def show_error(command: str, error: LyditeError) -> None:
    """Print an error as JSON to stdout: under --json a refusal is an answer, too."""
    parts = {name: value for name, value in vars(error).items() if isinstance(value, str)}
    kind = type(error).__name__
    found = {"kind": kind, "exit_code": error.exit_code, "message": str(error), **parts}
    show_json(command, error=found)
