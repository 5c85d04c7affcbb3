# SPDX-License-Identifier: Apache-2.0
"""Ask Yosys which ports a module has under given parameters.

This is the first tool that sees a design, so it is also where a syntax error, a missing top module
or an unknown parameter is reported.
"""

from __future__ import annotations

import tempfile
from pathlib import Path

from lydite.base import proc
from lydite.base.errors import InputError, ToolFailed
from lydite.sim.build import Sources
from lydite.tools import yosys
from lydite.tools.yosys import Port

TIMEOUT_S = 600.0


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
        sources.copy_to(folder)
        script = yosys.elaborate_script(
            sources.verilog,
            sources.top,
            sources.parameters,
            includes=sources.includes,
            defines=sources.defines,
        )
        (folder / "ports.ys").write_text(script)
        argv = yosys.command(tool, "ports.ys")
        run = proc.run(argv, cwd=folder, timeout_s=TIMEOUT_S, name=tool.name)
        try:
            run.checked(pick=yosys.errors)
        except ToolFailed as error:
            if yosys.errors(run.output):
                raise InputError(sources.top, f"Yosys says\n  {error.tail}") from error
            raise
        return yosys.parse_ports((folder / yosys.PORTS_FILE).read_text(), sources.top)
