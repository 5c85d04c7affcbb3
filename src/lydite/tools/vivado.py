# SPDX-License-Identifier: Apache-2.0
"""Vivado: synthesises, places and routes for AMD's parts, steered by the frequency asked for.

Always the program on PATH; nobody here has run it (docs/vivado.md). It is run in batch mode on a
script without a project. Commands: UG835; synthesis: UG901; reports: UG906.
"""

from __future__ import annotations

import functools
import os
import re
import shutil
from collections.abc import Mapping, Sequence
from fractions import Fraction
from pathlib import Path, PurePosixPath

import msgspec

from lydite.base.errors import ToolFailed, ToolNotFound
from lydite.tools import tool
from lydite.tools.tool import Tool

SCRIPT_FILE = "run.tcl"
CONSTRAINTS_FILE = "clock.xdc"
TIMING_FILE = "timing.rpt"
AREA_FILE = "utilization.rpt"
# What it writes for itself.
SCRATCH = ".Xil"
# Where it finds its licence; it decides no result.
_ENVIRONMENT = ("XILINXD_LICENSE_FILE", "LM_LICENSE_FILE", "XILINX_VIVADO")
# A text that is a word of Tcl as it is.
_PLAIN = re.compile(r"[\w./:=+@%^,-]+", re.ASCII)
# Figure to what rows of report_utilization call it: on the 7 series, on UltraScale.
_ROWS = {
    "lut": ("Slice LUTs", "CLB LUTs"),
    "ff": ("Slice Registers", "CLB Registers"),
    "slices": ("Slice", "CLB"),
    "bram_tiles": ("Block RAM Tile",),
    "dsp": ("DSPs",),
}
_SUMMARY = "Design Timing Summary"


class Timing(msgspec.Struct, frozen=True, kw_only=True):
    """What report_timing_summary says of a design, in ns; slack below 0 is missed.

    Attributes
    ----------
    wns_ns, tns_ns : float
        Worst setup slack, and the sum of all that is below 0.
    whs_ns : float, optional
        Worst hold slack; None where no path has one.
    wpws_ns : float, optional
        Worst slack of a pulse width; None where it says none.
    endpoints : int
        Ends of paths with setup.
    """

    wns_ns: float
    tns_ns: float
    whs_ns: float | None
    wpws_ns: float | None
    endpoints: int


class Area(msgspec.Struct, frozen=True, kw_only=True):
    """What report_utilization says of cells: a block RAM tile has 36 kbit, half of one 18."""

    lut: int
    ff: int
    slices: int
    bram_tiles: float
    dsp: int


def find() -> Tool:
    """Find `vivado` on PATH.

    Raises
    ------
    ToolNotFound
        It is not there, or does not tell its version.
    """
    path = shutil.which("vivado")
    if path is None:
        remedy = "source its settings64.sh; without it there are areas, and no clock"
        raise ToolNotFound("vivado", "no vivado on PATH", f"{remedy} (docs/vivado.md)")
    found = _version(path, Path(path).stat().st_mtime_ns)
    env = {name: os.environ[name] for name in _ENVIRONMENT if name in os.environ}
    return msgspec.structs.replace(found, env=env)


@functools.cache
def _version(path: str, changed_ns: int) -> Tool:
    """Ask it once, which takes it seconds, as long as it stays the same file."""
    return tool.native("vivado", path, r"(?m)^[Vv]ivado v(\S+)", flag="-version")


def is_here() -> bool:
    """Say whether there is a `vivado` on PATH."""
    return shutil.which("vivado") is not None


def command(vivado: Tool) -> tuple[str, ...]:
    """Give the command that runs SCRIPT_FILE."""
    return (*vivado.argv, "-mode", "batch", "-nojournal", "-nolog", "-source", SCRIPT_FILE)


def period_ps(freq_mhz: str) -> int:
    """Give the longest period in whole ps, which is Vivado's resolution, that has a frequency."""
    return int(Fraction(10**6) / Fraction(freq_mhz))


def constraints(period: int, *, port: str = "clk") -> str:
    """Give CONSTRAINTS_FILE: a clock at a port, its period in ps."""
    return f"create_clock -name {port} -period {period / 1000:.3f} [get_ports {port}]\n"


def script(
    sources: Sequence[str],
    top: str,
    part: str,
    *,
    core: str,
    includes: Sequence[str] = (),
    defines: Mapping[str, str] | None = None,
    synthesis: Sequence[str] = (),
    steps: Sequence[str],
) -> str:
    """Give the script that implements a module and writes TIMING_FILE and AREA_FILE.

    Parameters
    ----------
    sources : sequence of str
        Verilog files in the order of reading; `.sv` is SystemVerilog.
    part : str
        In full: `xc7a200tfbg484-1`.
    core : str
        Instance in `top` whose area is reported.
    includes, defines
        Folders to look for included files in; macros, SYNTHESIS beside them.
    synthesis : sequence of str
        Options of synth_design.
    steps : sequence of str
        What follows: opt_design, place_design, phys_opt_design, route_design, with options.
    """
    macros = {"SYNTHESIS": "", **(defines or {})}
    told = [f"{name}={value}".removesuffix("=") for name, value in macros.items()]
    folders = (f"-include_dirs {_list(includes)}",) if includes else ()
    options = (*folders, f"-verilog_define {_list(told)}", *synthesis)
    return "\n".join(
        [
            "# Written by Lydite.",
            # One thread a run: several runs at once use the processors better.
            "set_param general.maxThreads 1",
            f"create_project -in_memory -part {word(part)}",
            *(
                f"read_verilog {'-sv ' if PurePosixPath(name).suffix == '.sv' else ''}"
                f"{_list([name])}"
                for name in sources
            ),
            f"read_xdc {CONSTRAINTS_FILE}",
            f"synth_design -top {word(top)} -part {word(part)} {' '.join(options)}",
            *steps,
            f"report_timing_summary -delay_type min_max -file {TIMING_FILE}",
            f"report_utilization -cells [get_cells {word(core)}] -file {AREA_FILE}",
            "",
        ]
    )


def word(text: str) -> str:
    """Give any text as one word of Tcl, in which nothing is replaced."""
    if _PLAIN.fullmatch(text):
        return text
    return "".join(map(_escaped, text)) or "{}"


def _escaped(char: str) -> str:
    if char.isalnum() or _PLAIN.fullmatch(char):
        return char
    return {"\n": r"\n", "\r": r"\r", "\t": r"\t"}.get(char, f"\\{char}")


def _list(texts: Sequence[str]) -> str:
    """Give texts as a list of Tcl: where a command takes several, blanks part them otherwise."""
    return f"[list {' '.join(map(word, texts))}]"


def parse_timing(text: str, argv: Sequence[str]) -> Timing:
    """Read TIMING_FILE.

    Raises
    ------
    ToolFailed
        It has no summary, or no path with setup: nothing goes from register to register.
    """
    lines = text.partition(f"| {_SUMMARY}")[2].splitlines()
    heads = [number for number, line in enumerate(lines) if line.lstrip().startswith("WNS(ns)")]
    if not heads or len(lines) < heads[0] + 3:
        raise _unread(TIMING_FILE, f"it has no {_SUMMARY}", argv)
    names = re.split(r"\s{2,}", lines[heads[0]].strip())
    values = lines[heads[0] + 2].split()
    row = dict(zip(names, values, strict=False))
    if row.get("WNS(ns)") == "NA":
        tail = "no path is timed: the design has none from one register to another"
        raise ToolFailed(argv, 0, name="vivado", tail=tail)
    try:
        return Timing(
            wns_ns=float(row["WNS(ns)"]),
            tns_ns=float(row["TNS(ns)"]),
            whs_ns=_number(row.get("WHS(ns)", "NA")),
            wpws_ns=_number(row.get("WPWS(ns)", "NA")),
            endpoints=int(row["TNS Total Endpoints"]),
        )
    except (KeyError, ValueError) as error:
        raise _unread(TIMING_FILE, f"its {_SUMMARY} is another one: {error}", argv) from error


def _number(text: str) -> float | None:
    return None if text == "NA" else float(text)


def parse_area(text: str, argv: Sequence[str]) -> Area:
    """Read AREA_FILE.

    Raises
    ------
    ToolFailed
        A row is missing.
    """
    used: dict[str, str] = {}
    column = 0
    for line in text.splitlines():
        fields = [field.strip() for field in line.strip().strip("|").split("|")]
        if fields[0] == "Site Type" and "Used" in fields:
            column = fields.index("Used")
        elif column and len(fields) > column:
            # A star after a name is a footnote: counted before optimisation.
            used.setdefault(fields[0].rstrip("*"), fields[column])
    found = {}
    for name, rows in _ROWS.items():
        texts = [used[row] for row in rows if row in used]
        if not texts or not re.fullmatch(r"\d+(?:\.\d+)?", texts[0]):
            raise _unread(AREA_FILE, f"it has no row {' or '.join(rows)}", argv)
        found[name] = float(texts[0])
    whole = {name: int(count) for name, count in found.items() if name != "bram_tiles"}
    return Area(bram_tiles=found["bram_tiles"], **whole)


def _unread(name: str, what: str, argv: Sequence[str]) -> ToolFailed:
    return ToolFailed(argv, 0, name="vivado", tail=f"its {name} cannot be read: {what}")


def errors(output: str) -> str:
    """Pick Vivado's own error lines out of its output."""
    return "\n".join(re.findall(r"^ERROR: .*$", output, re.MULTILINE))


def lacking(output: str) -> str:
    """Say what of the installation a failed run lacked, a licence or a part; empty for none."""
    return "\n".join(
        re.findall(
            r"^(?:ERROR|WARNING): \[(?:Common 17-345|Coretcl 2-106|Device 21-436)\].*$",
            output,
            re.MULTILINE,
        )
    )
