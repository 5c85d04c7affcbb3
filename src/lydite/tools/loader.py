# SPDX-License-Identifier: Apache-2.0
"""openFPGALoader: puts a bitstream into a board. It is no wheel: a program on PATH is taken."""

from __future__ import annotations

import re
import shutil
from collections.abc import Sequence
from pathlib import Path

from lydite.base import proc
from lydite.base.errors import ToolNotFound
from lydite.tools import tool
from lydite.tools.tool import Tool

NAME = "openFPGALoader"
_REMEDY = (
    "install it (Debian: apt-get install openfpgaloader; see trabucayre.github.io/openFPGALoader);"
    " or write the bitstream with --mhz and --out, program the board by other means, and run "
    "messages with --mhz, --port and --no-program"
)
# Into flash, at the slowest.
_TIMEOUT_S = 300.0


def find() -> Tool:
    """Find openFPGALoader on PATH.

    Raises
    ------
    ToolNotFound
        It is not there; the message has the remedy.
    """
    if shutil.which(NAME) is None:
        raise ToolNotFound(NAME, f"no {NAME} on PATH", _REMEDY)
    return tool.native(NAME, NAME, r"v?(\d+\.\S+)", flag="--Version")


def load(loader: Tool, arguments: Sequence[str], bitstream: Path) -> None:
    """Put a bitstream into the board.

    Raises
    ------
    ToolFailed
        No such board is plugged in, or it does not take it; the message has the tool's words.
    """
    run = proc.run(
        (*loader.argv, *arguments, str(bitstream)), timeout_s=_TIMEOUT_S, name=loader.name
    )
    run.checked(pick=_errors)


def _errors(output: str) -> str:
    lines = re.sub(r"\x1b\[[\d;]*m", "", output).replace("\r", "\n").splitlines()
    return "\n".join(line for line in lines if re.search(r"error|fail|unable", line, re.IGNORECASE))
