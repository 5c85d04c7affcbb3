# SPDX-License-Identifier: Apache-2.0
"""Ask Yosys which ports a module has under given parameters.

This is the first tool that sees a design, so it is also where a syntax error, a missing top module
or an unknown parameter is reported.
"""

from __future__ import annotations

import shutil
import tempfile
from pathlib import Path

from lydite.base import proc
from lydite.base.errors import InputError, ToolFailed
from lydite.sim.build import Sources
from lydite.tools import yosys
from lydite.tools.yosys import Port

VERILOG = (".v", ".sv")
TIMEOUT_S = 600.0


def copy_sources(sources: Sources, folder: Path) -> list[str]:
    """Copy a design's files into a work folder; give the names of those that tools read.

    Other files (included ones, memory contents) are copied only, so that they are found.
    """
    for name in sources.files:
        (folder / name).parent.mkdir(parents=True, exist_ok=True)
        shutil.copyfile(sources.folder / name, folder / name)
    return [name for name in sources.files if Path(name).suffix in VERILOG]


def ports(sources: Sources, *, native: bool = False) -> tuple[Port, ...]:
    """Give the ports of a design's top module in the order of the source.

    Raises
    ------
    InputError
        Yosys cannot read the sources or finds no such module or parameter; the message has its own
        file and line.
    """
    tool = yosys.find(native=native)
    with tempfile.TemporaryDirectory(prefix="lydite-") as name:
        folder = Path(name)
        readable = copy_sources(sources, folder)
        script = yosys.elaborate_script(readable, sources.top, sources.parameters)
        (folder / "ports.ys").write_text(script)
        run = proc.run(yosys.command(tool, "ports.ys"), cwd=folder, timeout_s=TIMEOUT_S)
        try:
            run.checked(pick=yosys.errors)
        except ToolFailed as error:
            if yosys.errors(run.output):
                raise InputError(str(sources.folder), f"Yosys says\n  {error.tail}") from error
            raise
        return yosys.parse_ports((folder / yosys.PORTS_FILE).read_text(), sources.top)
