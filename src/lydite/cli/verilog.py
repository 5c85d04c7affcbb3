# SPDX-License-Identifier: Apache-2.0
"""What commands share that take Verilog of which there is no core.toml."""

from __future__ import annotations

import argparse
import sys
from collections.abc import Iterable
from pathlib import Path
from typing import TYPE_CHECKING

from lydite.base.errors import InputError

if TYPE_CHECKING:
    from lydite.runs.plan import Implementation, Settings

FILES = (
    "Verilog (.v) or SystemVerilog (.sv); other files are there to be included or loaded; what "
    "they include or load beside themselves is found"
)


def add(command: argparse.ArgumentParser) -> None:
    """Add the options of Verilog that stands in no core.toml."""
    group = command.add_argument_group("Verilog without a core.toml")
    group.add_argument(
        "--top",
        default="",
        metavar="MODULE",
        help="module to implement (default: the one that no other has in it)",
    )
    group.add_argument(
        "--clock",
        "--clk",
        default="",
        metavar="PORT",
        help="its clock (default: the one input that clocks its registers; if there are none, "
        "paths from inputs to outputs are measured)",
    )
    group.add_argument(
        "--param",
        action="append",
        default=[],
        metavar="NAME=VALUE",
        help="a parameter of the module: a whole number, one of Verilog's as 8'hff, or a text in "
        "quotes of its own, as --param 'FILE=\"rom.hex\"'; may be repeated",
    )
    group.add_argument(
        "-I",
        action="append",
        default=[],
        type=Path,
        dest="include",
        metavar="FOLDER",
        help="a folder with files to include; may be repeated",
    )
    group.add_argument(
        "-D",
        action="append",
        default=[],
        dest="define",
        metavar="NAME[=VALUE]",
        help="a macro; may be repeated",
    )


def refuse(arguments: argparse.Namespace) -> None:
    """Refuse these options beside a core, whose core.toml says it.

    Raises
    ------
    InputError
        It names the option.
    """
    given = {
        "--top": arguments.top,
        "--clock": arguments.clock,
        "--param": arguments.param,
        "-I": arguments.include,
        "-D": arguments.define,
    }
    for option in (option for option, value in given.items() if value):
        raise InputError(option, "is for Verilog without a core.toml", "name files instead")


def plan(
    files: Iterable[Path], arguments: argparse.Namespace, settings: Settings
) -> Implementation:
    """Plan to implement Verilog that stands in no core.toml, and say what was found.

    Raises
    ------
    InputError
        As of `plan.run`.
    """
    from lydite.runs import plan as plans
    from lydite.sim import gather

    found = plans.run(
        tuple(files),
        arguments.top,
        arguments.clock,
        dict(map(gather.parameter, arguments.param)),
        settings,
        includes=tuple(arguments.include),
        defines=dict(map(gather.define, arguments.define)),
    )
    top, clock = found.synthesis.sources.top, found.synthesis.clock
    if not arguments.top:
        print(f"module   {top}, which no other has in it", file=sys.stderr)
    if not arguments.clock:
        what = f"{clock}, which clocks all registers" if clock else "none: there are no registers"
        print(f"clock    {what}", file=sys.stderr)
    return found
