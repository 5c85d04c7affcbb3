# SPDX-License-Identifier: Apache-2.0
"""Which options a version of a tool knows, as its own help lists them."""

from __future__ import annotations

import re
import tempfile
from collections.abc import Mapping
from pathlib import Path

from lydite.base import proc
from lydite.tools import yosys
from lydite.tools.tool import Tool

# A first call of a YoWASP wheel compiles it.
_TIMEOUT_S = 600.0


def of_nextpnr(tool: Tool) -> Mapping[str, tuple[str, ...]]:
    """Give the options of nextpnr: `--flag` to the values that it lists, none where it lists none.

    Raises
    ------
    ToolFailed
        It does not say.
    """
    run = proc.run([*tool.argv, "--help"], env=tool.env, timeout_s=_TIMEOUT_S, name=tool.name)
    return parse_nextpnr(run.checked())


def parse_nextpnr(text: str) -> Mapping[str, tuple[str, ...]]:
    """Read what nextpnr's `--help` prints."""
    found: dict[str, tuple[str, ...]] = {}
    for block in re.split(r"\n(?=  -)", text):
        flag = re.match(r"  (?:-\w \[ )?(--[a-z0-9][a-z0-9-]*)", block)
        if flag is None:
            continue
        told = " ".join(block.split())
        listed = re.search(r"available: ([\w, ]+);", told)
        found[flag[1]] = tuple(listed[1].split(", ")) if listed else ()
    return found


def of_yosys(tool: Tool, command: str) -> frozenset[str]:
    """Give the flags of a command of Yosys, those of the command that it wraps included.

    Raises
    ------
    ToolFailed
        There is no such command.
    """
    text = _help(tool, command)
    wrapped = re.search(r"help message for (\w+)", text)
    return parse_yosys(text + (_help(tool, wrapped[1]) if wrapped else ""))


def parse_yosys(text: str) -> frozenset[str]:
    """Read the flags out of what Yosys' `help COMMAND` prints."""
    return frozenset(re.findall(r"^ {4}(-[a-z0-9_][\w-]*)", text, re.MULTILINE))


def _help(tool: Tool, command: str) -> str:
    with tempfile.TemporaryDirectory() as folder:
        script = Path(folder) / "help.ys"
        script.write_text(f"help {command}\n")
        run = proc.run(
            yosys.command(tool, script.name),
            cwd=script.parent,
            env=tool.env,
            timeout_s=_TIMEOUT_S,
            name=tool.name,
        )
    return run.checked()
