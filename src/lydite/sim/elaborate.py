# SPDX-License-Identifier: Apache-2.0
"""Ask Yosys which ports a module has under given parameters, and what its registers are clocked by.

This is the first tool that sees a design, so it is also where a syntax error, a missing top module
or an unknown parameter is reported. Answers are kept in the user's cache folder.
"""

from __future__ import annotations

import tempfile
from pathlib import Path

import msgspec

from lydite.base import digest, files, proc
from lydite.base.errors import InputError, ToolFailed
from lydite.sim import reads
from lydite.sim.build import Sources, cache_folder
from lydite.tools import clocks, yosys
from lydite.tools.clocks import Clocks
from lydite.tools.yosys import Port

TIMEOUT_S = 600.0
_SYSTEMVERILOG = (
    "Yosys reads a part of SystemVerilog, without classes, modports and some more; "
    "sv2v turns the rest into Verilog: sv2v FILES > all.v"
)


class Module(msgspec.Struct, frozen=True):
    """A module under given parameters: ports in the order of the source, and clocks."""

    ports: tuple[Port, ...]
    clocks: Clocks


def module(sources: Sources, *, native: bool = False) -> Module:
    """Give ports and clocks of a design's top module.

    Raises
    ------
    InputError
        Yosys cannot read the sources or finds no such module or parameter; the message has its own
        file and line. Or they include a file that none of them names as it stands.
    """
    script = yosys.elaborate_script(
        sources.verilog,
        sources.top,
        sources.parameters,
        includes=sources.includes,
        defines=sources.defines,
    )
    kept = _kept(sources, script, native=native)
    if kept.exists():
        try:
            return msgspec.json.decode(kept.read_bytes(), type=Module)
        except msgspec.DecodeError:
            pass  # cut short: it is made again
    text = _run(sources, script, "ports.ys", yosys.ELABORATED_FILE, native=native)
    found = Module(*yosys.parse_elaborated(text))
    files.write_atomic(kept, msgspec.json.encode(found))
    return found


def ports(sources: Sources, *, native: bool = False) -> tuple[Port, ...]:
    """Give the ports of a design's top module; see `module`."""
    return module(sources, native=native).ports


def roots(sources: Sources, *, native: bool = False) -> tuple[str, ...]:
    """Give the modules of which no other module has an instance.

    Raises
    ------
    InputError
        Yosys cannot read the sources.
    """
    script = yosys.modules_script(
        sources.verilog, includes=sources.includes, defines=sources.defines
    )
    text = _run(sources, script, "modules.ys", yosys.MODULES_FILE, native=native)
    return yosys.parse_roots(text)


def _kept(sources: Sources, script: str, *, native: bool) -> Path:
    """Give the file that keeps an answer."""
    key = digest.of_value(
        {
            "sources": sources.digest,
            "script": script,
            "tool": yosys.find(native=native).identity,
            "readers": [digest.of_file(Path(str(m.__file__))) for m in (clocks, yosys)],
        }
    )
    return cache_folder() / "elaborated" / f"{key}.json"


def _run(sources: Sources, script: str, name: str, result: str, *, native: bool) -> str:
    """Run a script and give the text of the file that it writes."""
    tool = yosys.find(native=native)
    with tempfile.TemporaryDirectory(prefix="lydite-") as temporary:
        folder = Path(temporary)
        sources.copy_to(folder)
        (folder / name).write_text(script)
        argv = yosys.command(tool, name)
        run = proc.run(argv, cwd=folder, timeout_s=TIMEOUT_S, name=tool.name)
        try:
            run.checked(pick=yosys.errors)
        except ToolFailed as error:
            if yosys.errors(run.output):
                where = sources.top or ", ".join(sources.verilog)
                raise InputError(
                    where, f"Yosys says\n  {error.tail}", _remedy(sources, error.tail)
                ) from error
            raise
        reads.check(yosys.files_read(run.output), sources.outside, folder=folder, where=sources.top)
        written = folder / result
        return written.read_text() if written.exists() else ""


def _remedy(sources: Sources, said: str) -> str:
    """Say what to do about some of Yosys' errors."""
    if "include file" in said:
        return "name the folder of that file with -I, or the file itself beside the Verilog"
    if "$readmem" in said:
        return "name the file of data beside the Verilog, or lay it beside the source"
    systemverilog = any(name.endswith(".sv") for name in sources.verilog)
    return _SYSTEMVERILOG if systemverilog and "syntax error" in said else ""
