# SPDX-License-Identifier: Apache-2.0
"""The measuring wrapper, the same for every core: registers on all ports, three pads.

All inputs but the clock come from a chain of registers behind the pad `scan`; all outputs go to
registers that are folded into the pad `fold`. So the clock that is found is the core's, pads and
packages have no part in it, and any core fits any package. The core is kept as a module of its own
while it is mapped, and its area is counted without the wrapper's.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from pathlib import Path

from lydite.base.errors import InputError
from lydite.cores.catalog import FOLDER
from lydite.tools import yosys
from lydite.tools.yosys import Port

TOP = "lydite_measure"
# What the names of the core's cells begin with, in the flat netlist.
CORE = "u_core."
RTL: tuple[Path, ...] = tuple(
    FOLDER / "common" / "rtl" / name for name in ("measure_in.v", "measure_out.v")
)


def verilog(
    top: str,
    ports: Sequence[Port],
    clock: str,
    parameters: Mapping[str, int | str],
    *,
    where: str,
) -> str:
    """Give the wrapper of a core in Verilog-2005.

    Parameters
    ----------
    clock : str
        Name of the clock port; empty for a core without one, whose path from inputs to outputs is
        then what is measured.
    where : str
        The design, for errors.

    Raises
    ------
    InputError
        The core has no such clock, no outputs, or an inout port; or a name of the wrapper's.
    """
    inputs = [port for port in ports if port.direction == "input" and port.name != clock]
    outputs = [port for port in ports if port.direction == "output"]
    if clock and not any(port.name == clock and port.direction == "input" for port in ports):
        known = ", ".join(port.name for port in ports if port.direction == "input") or "none"
        raise InputError(where, f"no input {clock!r} to be the clock", f"its inputs are: {known}")
    if top in (TOP, *(path.stem for path in RTL)):
        raise InputError(where, f"{top} is a module of the measuring wrapper", "rename the core's")
    for port in ports:
        if port.name == clock and port.width != 1:
            raise InputError(where, f"the clock {clock!r} has {port.width} bits", "a clock has one")
        if port.direction == "inout":
            raise InputError(where, f"port {port.name} is an inout", "wrap it in a core without")
    if not outputs:
        raise InputError(where, "the module has no outputs", "nothing of it would remain")
    in_width = sum(port.width for port in inputs)
    out_width = sum(port.width for port in outputs)
    settings = yosys.assignments(parameters)
    connections = [f".{_name(clock)}(clk)"] if clock else []
    connections += _slices(inputs, "core_in") + _slices(outputs, "core_out")
    lines = [
        "`default_nettype none",
        f"module {TOP} (input wire clk, input wire scan, output wire fold);",
        f"  wire [{out_width - 1}:0] core_out;",
    ]
    if inputs:
        lines += [
            f"  wire [{in_width - 1}:0] core_in;",
            f"  measure_in #(.WIDTH({in_width})) u_in"
            " (.clk(clk), .scan_i(scan), .data_o(core_in));",
        ]
    lines += [
        # The attribute keeps the core apart for counting; see tools.yosys.synthesis_script.
        f"  (* keep_hierarchy *) {_name(top)} {f'#({settings}) ' if settings else ''}"
        f"{yosys.CORE} (",
        ",\n".join(f"    {connection}" for connection in connections),
        "  );",
        f"  measure_out #(.WIDTH({out_width})) u_out"
        " (.clk(clk), .data_i(core_out), .fold_o(fold));",
        "endmodule",
        "`default_nettype wire",
        "",
    ]
    return "\n".join(lines)


def _slices(ports: Sequence[Port], bus: str) -> list[str]:
    connections = []
    low = 0
    for port in ports:
        connections.append(f".{_name(port.name)}({bus}[{low + port.width - 1}:{low}])")
        low += port.width
    return connections


def _name(name: str) -> str:
    """Give a name as Verilog writes any: escaped, so that it may be a keyword, too."""
    return f"\\{name} "
