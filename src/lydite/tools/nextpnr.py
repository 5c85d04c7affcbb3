# SPDX-License-Identifier: Apache-2.0
"""nextpnr: places and routes a netlist and tells the clock that it can have.

The pinned YoWASP wheels by default, whose results repeat byte for byte on every machine; a
`nextpnr-*` on PATH when asked, whose results differ and are named so.
"""

from __future__ import annotations

import json
import re
import sys
from collections.abc import Sequence
from typing import Any

import msgspec

from lydite.base.errors import ToolFailed
from lydite.targets import Target
from lydite.tools import tool
from lydite.tools.tool import Tool

REPORT_FILE = "report.json"
CONFIG_FILE = "routed.config"
CONSTRAINTS_FILE = "pads.constraints"


class PathEnd(msgspec.Struct, frozen=True):
    """A cell and port at which a critical path begins or ends."""

    cell: str
    port: str


class Timing(msgspec.Struct, frozen=True, kw_only=True):
    """What a place and route report says of one clock.

    Attributes
    ----------
    fmax_mhz : float
        Highest frequency in MHz that the critical path allows.
    source, sink : PathEnd
        First and last cell of the critical path.
    logic_ns, routing_ns : float
        Its delay in cells (with clock-to-output and setup) and in wires.
    levels : int
        Cells between source and sink.
    cells : tuple of str
        All cells on it, source first.
    """

    fmax_mhz: float
    source: PathEnd
    sink: PathEnd
    logic_ns: float
    routing_ns: float
    levels: int
    cells: tuple[str, ...] = ()


class Report(msgspec.Struct, frozen=True, kw_only=True):
    """A place and route report: the slowest clock, and resource name to (used, available)."""

    clock: str
    timing: Timing
    utilization: dict[str, tuple[int, int]]


def find(family_tool: str, *, native: bool = False) -> Tool:
    """Find `nextpnr-FAMILY`: the wheel, or with `native` the program on PATH."""
    name = f"nextpnr-{family_tool}"
    if native:
        return tool.native(name, name, r"Version (?:nextpnr-)?([^\s)]+)")
    package = f"yowasp-{name}"
    module = package.replace("-", "_")
    runner = (
        f"{tool.DIE_WITH_PARENT}import {module} as m; "
        f"sys.exit(m.run_nextpnr_{family_tool.replace('-', '_')}(sys.argv[1:]))"
    )
    return Tool(
        name=name,
        argv=(sys.executable, "-c", runner),
        version=tool.wheel_version(package, name),
        origin=f"wheel {package}",
    )


def command(
    nextpnr: Tool,
    target: Target,
    netlist: str,
    *,
    seed: int,
    freq_mhz: float,
    options: Sequence[str],
) -> tuple[str, ...]:
    """Give the command that places and routes a netlist on a target.

    Parameters
    ----------
    seed : int
        From `base.seeds.hashed`: nextpnr seeds its generator directly.
    freq_mhz : float
        Frequency asked for. It does not steer nextpnr (docs/design.md, "Numbers"); a design that
        misses it is a result, not an error.
    """
    placement = target.family.placed()
    constraints = placement.constraints_flag
    return (
        *nextpnr.argv,
        *target.placement_flags,
        *("--json", netlist, "--seed", str(seed), "--freq", f"{freq_mhz:g}"),
        *("--timing-allow-fail", "--report", REPORT_FILE),
        *(placement.config_flag, CONFIG_FILE),
        *((constraints, CONSTRAINTS_FILE) if constraints else ()),
        *options,
    )


def parse_report(text: str, nextpnr: Tool) -> Report:
    """Read a report.

    Raises
    ------
    ToolFailed
        The report has no clock: the design has no path from register to register. Or it is not
        whole: the tool was killed, or the disk is full.
    """
    try:
        return _parse_report(json.loads(text), nextpnr)
    except (ValueError, LookupError, StopIteration) as error:
        raise ToolFailed(
            nextpnr.argv, 0, name=nextpnr.name, tail="its report cannot be read"
        ) from error


def _parse_report(raw: dict[str, Any], nextpnr: Tool) -> Report:
    utilization = {
        name: (entry["used"], entry["available"]) for name, entry in raw["utilization"].items()
    }
    if not raw["fmax"]:
        tail = "no clock found: the design has no path from one register to another"
        raise ToolFailed(nextpnr.argv, 0, name=nextpnr.name, tail=tail)
    clock, fmax = min(raw["fmax"].items(), key=lambda item: float(item[1]["achieved"]))
    path = next(
        entry["path"]
        for entry in raw["critical_paths"]
        # Each end is `posedge CLOCK`, `negedge CLOCK` or `<async>`.
        if {entry[end].partition(" ")[2] for end in ("from", "to")} == {clock}
    )
    ends = [hop for hop in path if hop["type"] != "routing"]
    routing_ns = sum(hop["delay"] for hop in path if hop["type"] == "routing")
    return Report(
        clock=clock,
        timing=Timing(
            fmax_mhz=float(fmax["achieved"]),
            source=PathEnd(path[0]["from"]["cell"], path[0]["from"]["port"]),
            sink=PathEnd(path[-1]["to"]["cell"], path[-1]["to"]["port"]),
            logic_ns=sum(hop["delay"] for hop in ends),
            routing_ns=routing_ns,
            levels=sum(hop["type"] == "logic" for hop in path),
            cells=tuple(dict.fromkeys(hop["to"]["cell"] for hop in path)),
        ),
        utilization=utilization,
    )


def errors(output: str) -> str:
    """Pick nextpnr's own error lines out of its output."""
    return "\n".join(re.findall(r"^(?:ERROR|terminate|Assertion).*$", output, re.MULTILINE))


def too_large(output: str) -> bool:
    """Say whether a failed run says that the design does not fit the part."""
    return bool(
        re.search(
            r"^ERROR: .*(?:[Uu]nable to (?:find|place)|[Nn]o (?:more )?B[Ee][Ll]s|failed to place)",
            output,
            re.MULTILINE,
        )
    )
