# SPDX-License-Identifier: Apache-2.0
"""Yosys: reads Verilog, tells its ports, maps it to a family's cells.

The pinned `pyosys` wheel by default, run in a process of its own; a `yosys` on PATH when asked.
Scripts are written for both, so they hold only commands, no Python and no Tcl.
"""

from __future__ import annotations

import json
import re
import sys
from collections.abc import Mapping, Sequence
from pathlib import PurePosixPath
from typing import Any

import msgspec

from lydite.base.errors import InputError, ToolFailed
from lydite.targets import Target
from lydite.tools import clocks, tool
from lydite.tools.clocks import Clocks
from lydite.tools.tool import Tool

# Runs a script file in the wheel's Yosys. `-I` would lose an editable install; none is needed here.
_RUNNER = (
    tool.DIE_WITH_PARENT
    + "from pyosys import libyosys as y; y.run_pass('script ' + sys.argv[1], y.Design())"
)
ELABORATED_FILE = "elaborated.json"
MODULES_FILE = "modules.json"
NETLIST_FILE = "netlist.json"
BOUNDARY_FILE = "boundary.json"
STAT_FILE = "stat.json"
# The core's instance in the module `top` of a synthesis.
CORE = "u_core"
# All that Yosys' preprocessor defines by itself.
MACROS = ("YOSYS", "SYNTHESIS")
_ELABORATE = "lydite_elaborate"
# Puts sums into Yosys' cell of a carry chain before it can join them to trees; behind `proc`.
CHAINS = r"""
design -push
read_verilog -icells <<lydite_end
(* techmap_celltype = "$add $sub" *)
module lydite_sum #(parameter A_SIGNED = 0, B_SIGNED = 0, A_WIDTH = 1, B_WIDTH = 1, Y_WIDTH = 1) (
  input [A_WIDTH-1:0] A, input [B_WIDTH-1:0] B, output [Y_WIDTH-1:0] Y);
  parameter _TECHMAP_CELLTYPE_ = "";
  localparam SUBTRACTS = _TECHMAP_CELLTYPE_ == "$sub";
  localparam SIGNED = A_SIGNED && B_SIGNED;
  wire [Y_WIDTH-1:0] x, co;
  \$alu #(.A_SIGNED(SIGNED), .B_SIGNED(SIGNED), .A_WIDTH(A_WIDTH), .B_WIDTH(B_WIDTH),
    .Y_WIDTH(Y_WIDTH)) sum (.A(A), .B(B), .BI(SUBTRACTS), .CI(SUBTRACTS), .Y(Y), .X(x), .CO(co));
endmodule
lydite_end
design -stash lydite_chains
design -pop
opt -nodffe -nosdff
wreduce
peepopt
opt_clean
techmap -map %lydite_chains t:$add t:$sub
opt_clean
""".strip().splitlines()
_SHOWN_LINES = 8


class Port(msgspec.Struct, frozen=True):
    """A port of a module: name, direction (`input`, `output`, `inout`), width in bits."""

    name: str
    direction: str
    width: int


def find(*, native: bool = False) -> Tool:
    """Find Yosys: the wheel, or with `native` the program on PATH."""
    if native:
        return tool.native("yosys", "yosys", r"Yosys (\S+)")
    version = tool.wheel_version("pyosys", "yosys")
    return Tool(
        name="yosys", argv=(sys.executable, "-c", _RUNNER), version=version, origin="wheel pyosys"
    )


def command(yosys: Tool, script: str) -> tuple[str, ...]:
    """Give the command that runs a script file."""
    return (*yosys.argv, script) if yosys.origin != "native" else (*yosys.argv, "-s", script)


def elaborate_script(
    sources: Sequence[str],
    top: str,
    parameters: Mapping[str, int | str],
    *,
    includes: Sequence[str] = (),
    defines: Mapping[str, str] | None = None,
) -> str:
    """Give the script that writes a module under given parameters to ELABORATED_FILE.

    It is flat and in Yosys' own cells; what has no part in its outputs is gone. What it prints
    tells the files that were read; see `files_read`.
    """
    read = _read(sources, includes, defines, defer=has_text(parameters))
    lines = [line.replace("read_verilog ", "read_verilog -ppdump ", 1) for line in read]
    if parameters:
        # Yosys' own `-chparam` loses the sign, and with it what `W - 4 < 0` means.
        settings = assignments(parameters)
        lines += ["read_verilog <<lydite_end"]
        lines += [f"module {_ELABORATE}; {top} #({settings}) u (); endmodule", "lydite_end"]
    return "\n".join(
        [
            *lines,
            f"hierarchy -check -top {_ELABORATE if parameters else top}",
            # The one module that is left above all others is the one that was asked for.
            *((f"delete {_ELABORATE}", "hierarchy -auto-top") if parameters else ()),
            *("proc", "flatten", "opt -fast", f"write_json {ELABORATED_FILE}"),
            "",
        ]
    )


def modules_script(
    sources: Sequence[str],
    *,
    includes: Sequence[str] = (),
    defines: Mapping[str, str] | None = None,
) -> str:
    """Give the script that writes all modules, with default parameters, to MODULES_FILE."""
    lines = _read(sources, includes, defines)
    return "\n".join([*lines, "proc", f"write_json {MODULES_FILE}", ""])


def synthesis_script(
    sources: Sequence[str],
    top: str,
    target: Target,
    *,
    options: Sequence[str] = (),
    map_ns: float | None = None,
    chains: bool = False,
    includes: Sequence[str] = (),
    defines: Mapping[str, str] | None = None,
    defer: bool = False,
) -> str:
    """Give the script that maps a design, wrapped by a module `top`, to a target.

    The wrapper's instances that carry `keep_hierarchy` are mapped on their own and counted apart
    (STAT_FILE), and dissolved only then, in the netlist for place and route (NETLIST_FILE). Where
    the core's ports are in it stands in BOUNDARY_FILE; the core is the instance CORE.

    Parameters
    ----------
    options : sequence of str
        More flags of the family's `synth_*` command.
    map_ns : float, optional
        Delay between registers that is fast enough, as ABC counts it: without placement. What is
        faster is traded for area. By default nothing is: look-up tables are copied for speed.
    chains : bool
        Whether each addition gets a carry chain of its own. By default Yosys joins sums of three
        words and more to trees of carry-save adders, two look-up tables a bit and operand.
    defer : bool
        Whether modules are read only once their parameters are known; see `has_text`.
    """
    aim = [] if map_ns is None else [f"scratchpad -set abc9.D {1000 * map_ns:.0f}"]
    synth = " ".join((target.synthesis_command, *options, f"-top {top}"))
    return "\n".join(
        [
            *_read(sources, includes, defines, defer=defer),
            f"hierarchy -check -top {top}",
            # The tools after this one take a loop of gates for a path, and time it wrongly.
            "proc",
            *("design -push-copy", "flatten", "check -assert", "design -pop"),
            *aim,
            *(CHAINS if chains else ()),
            synth,
            f"tee -q -o {STAT_FILE} stat -json",
            "setattr -unset keep_hierarchy */t:*",
            "setattr -mod -unset keep_hierarchy *",
            "flatten",
            *target.family.synthesis.repair.strip().splitlines(),
            *_boundary(top),
            "opt_clean -purge",
            f"write_json {NETLIST_FILE}",
            "",
        ]
    )


def board_script(
    sources: Sequence[str],
    inner: str,
    outer: Sequence[str],
    top: str,
    target: Target,
    *,
    includes: Sequence[str] = (),
    defines: Mapping[str, str] | None = None,
    defer: bool = False,
) -> str:
    """Give the script that maps a design with cells of the family in it to NETLIST_FILE, flat.

    Parameters
    ----------
    inner : str
        Module without such cells, which is checked for loops of gates.
    outer : sequence of str
        Files around it; `top` is in one of them.
    """
    return "\n".join(
        [
            *_read(sources, includes, defines, defer=defer),
            f"hierarchy -check -top {inner}",
            "proc",
            *("design -push-copy", "flatten", "check -assert", "design -pop"),
            *_read(outer, (), None),
            f"{target.synthesis_command} -top {top}",
            *target.family.synthesis.repair.strip().splitlines(),
            "opt_clean -purge",
            f"write_json {NETLIST_FILE}",
            "",
        ]
    )


def _boundary(top: str) -> list[str]:
    """Give the commands that write the nets of the core's ports, and the cells around it.

    The names of these nets go next; their places at the pins of the wrapper's cells stay.
    """
    return [
        f"select -set core {top}/c:{CORE}.*",
        f"select -set around {top}/c:* @core %d",
        f"select -set below {top}/w:{CORE}.*.*",
        f"select -set ports {top}/w:{CORE}.* @below %d",
        "select @around @ports",
        f"write_json -selected {BOUNDARY_FILE}",
        "select -clear",
    ]


def assignments(parameters: Mapping[str, int | str]) -> str:
    """Give parameters as an instance in Verilog sets them, by name."""
    return ", ".join(f".{name}({literal(value)})" for name, value in sorted(parameters.items()))


def has_text(parameters: Mapping[str, int | str]) -> bool:
    """Say whether a parameter is a text: then the value that it has by itself may name no file."""
    return any(literal(value).startswith('"') for value in parameters.values())


def literal(value: int | str) -> str:
    """Give a parameter's value as Verilog writes it: a number with a size stays one."""
    sized = isinstance(value, int) or re.fullmatch(r"-?\d+'[sS]?[bBdDhHoO][\da-fA-F]+", value)
    return str(value) if sized else f'"{value}"'


def _read(
    sources: Sequence[str],
    includes: Sequence[str],
    defines: Mapping[str, str] | None,
    *,
    defer: bool = False,
) -> list[str]:
    # In quotes Yosys would take an option for a file.
    told = [f"-I{folder}" for folder in includes]
    told += [f"-D{name}={value}".removesuffix("=") for name, value in (defines or {}).items()]
    told += ["-defer"] * defer
    options = "".join(f"{option} " for option in told)
    return [
        f'read_verilog {options}{"-sv " if PurePosixPath(source).suffix == ".sv" else ""}"{source}"'
        for source in sources
    ]


def files_read(output: str) -> list[str]:
    """Give the files that Verilog was read from, out of what `elaborate_script` prints.

    Raises
    ------
    InputError
        A memory is loaded from a file whose name is put together.
    """
    for match in re.finditer(r"\$readmem[hb]\s*\(\s*([^,]*?)\s*,", output):
        if not re.fullmatch(r'"[^"]*"|[A-Za-z_][\w$]*', match[1]):
            what = f"the name of its file is put together: {match[1]}"
            raise InputError("$readmem", what, "give it as one text")
    return re.findall(r'^`file_push "(.*)"$', output, re.MULTILINE)


_OFF, _ON = (
    re.compile(
        rf"//[ \t]*(?:synopsys|synthesis)[ \t]+{what}[ \t]*$|"
        rf"/\*[ \t]*(?:synopsys|synthesis)[ \t]+{what}[ \t]*\*/",
        re.MULTILINE,
    )
    for what in ("translate_off", "translate_on")
)
_DIRECTIVE = re.compile(r"[ \t]*`(?:define|undef|ifdef|ifndef|elsif|else|endif)\b")


def as_read(text: str) -> str:
    """Give a Verilog file without what Yosys does not read: between translate_off and _on.

    Other tools read it. Lines keep their numbers; those of the preprocessor stay, as for Yosys.
    """
    kept = []
    at = 0
    while off := _comment(_OFF, text, at):
        on = _comment(_ON, text, off.end())
        end = on.end() if on else len(text)
        kept.append(text[at : off.start()])
        continued = False
        for line in text[off.start() : end].splitlines(keepends=True):
            stays = continued or _DIRECTIVE.match(line) is not None
            continued = stays and line.rstrip("\r\n").endswith("\\")
            kept.append(line if stays else "\n" * line.endswith("\n"))
        at = end
    return "".join([*kept, text[at:]])


def _comment(pattern: re.Pattern[str], text: str, at: int) -> re.Match[str] | None:
    """Find such a comment that does not itself stand in a comment of its line."""
    for match in pattern.finditer(text, at):
        before = text[text.rfind("\n", 0, match.start()) + 1 : match.start()]
        if "//" not in before and not before.endswith("/"):
            return match
    return None


def _modules(text: str, file: str) -> dict[str, Any]:
    try:
        modules: dict[str, Any] = json.loads(text)["modules"]
    except (ValueError, LookupError) as error:
        # Yosys does not notice a full disk.
        tail = f"its {file} cannot be read"
        raise ToolFailed(("yosys",), 0, name="yosys", tail=tail) from error
    return modules


def check_netlist(data: bytes) -> None:
    """Check that a netlist is whole.

    Raises
    ------
    ToolFailed
        It is not.
    """
    try:
        msgspec.json.decode(data, type=msgspec.Raw)
    except msgspec.DecodeError as error:
        tail = f"its {NETLIST_FILE} cannot be read"
        raise ToolFailed(("yosys",), 0, name="yosys", tail=tail) from error


def parse_elaborated(text: str) -> tuple[tuple[Port, ...], Clocks]:
    """Read ports, in the order of the source, and clocks of the module in ELABORATED_FILE.

    Raises
    ------
    ToolFailed
        The file is not whole, or has no module: Yosys drops an empty one.
    """
    modules = _modules(text, ELABORATED_FILE)
    module = next((body for body in modules.values() if "top" in body["attributes"]), None)
    if module is None:
        raise ToolFailed(("yosys",), 0, name="yosys", tail="the module is empty")
    ports = tuple(
        Port(name, port["direction"], len(port["bits"])) for name, port in module["ports"].items()
    )
    return ports, clocks.find(module)


def parse_roots(text: str) -> tuple[str, ...]:
    """Read from MODULES_FILE which modules no other has an instance of, by name.

    Raises
    ------
    ToolFailed
        The file is not whole.
    """
    modules = _modules(text, MODULES_FILE)
    inner = {cell["type"] for body in modules.values() for cell in body["cells"].values()}
    return tuple(sorted(modules.keys() - inner))


def parse_cells(text: str, *, exclude: str) -> dict[str, int]:
    """Read from STAT_FILE how many cells of each type all modules but `exclude` hold.

    Cells that are modules of the design themselves are not counted: their content is, as often as
    there are such cells.

    Raises
    ------
    ToolFailed
        The file is not whole.
    """
    modules = {
        name.lstrip("\\"): body["num_cells_by_type"]
        for name, body in _modules(text, STAT_FILE).items()
    }
    counts: dict[str, int] = {}

    def add(cells: Mapping[str, int], times: int) -> None:
        for cell, count in cells.items():
            inner = modules.get(cell.lstrip("\\"))
            if inner is not None:
                add(inner, times * count)
            elif cells is not modules[exclude]:
                counts[cell] = counts.get(cell, 0) + times * count

    add(modules[exclude], 1)
    return dict(sorted(counts.items()))


def errors(output: str) -> str:
    """Pick Yosys' own error lines, with file and line where it gave them, out of its output."""
    lines = output.splitlines()
    picked = [line for line in lines if re.search(r"\bERROR:", line)]
    if any("'check -assert'" in line for line in picked):
        # What it found stands above, as warnings, with cells and sources on the lines after.
        begin = max(i for i, line in enumerate(lines) if "Executing CHECK pass" in line)
        found = [line for line in lines[begin:] if re.match(r"Warning:|    ", line)]
        more = [f"... and {len(found) - _SHOWN_LINES} more lines"] * (len(found) > _SHOWN_LINES)
        picked = [*found[:_SHOWN_LINES], *more, *picked]
    return "\n".join(picked)
