# SPDX-License-Identifier: Apache-2.0
"""Scripts for Yosys, and what is read out of what it writes. Texts are Yosys 0.70's, cut."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

from lydite import targets
from lydite.base import ToolNotFound, proc
from lydite.tools import yosys
from lydite.tools.tool import Tool
from lydite.tools.yosys import Port

# A module with parameters has a name of its own, and is told by its attribute.
ELABORATED = {
    "creator": "Yosys 0.70",
    "modules": {
        "$paramod\\top\\W=s32'00000000000000000000000000000100": {
            "attributes": {"hdlname": "top", "top": "1"},
            "ports": {
                "clk": {"direction": "input", "bits": [2]},
                "a.b": {"direction": "input", "bits": [3, 4, 5, 6]},
                "q": {"direction": "output", "bits": ["0", 7]},
                "pad": {"direction": "inout", "bits": [8]},
            },
            "cells": {},
            "netnames": {},
        },
    },
}

# `top` has two instances of `lane`, each with three LUTs; the wrapper has cells of its own.
STAT = r"""
{
   "creator": "Yosys 0.70 (git sha1 28ba3cb92)",
   "invocation": "stat -json ",
   "modules": {
      "\\lydite_measure": {
         "num_cells":         51,
         "num_cells_by_type": {"$scopeinfo": 2, "LUT4": 11, "TRELLIS_FF": 38, "top": 1}
      },
      "\\top": {
         "num_cells":         7,
         "num_cells_by_type": {"LUT4": 4, "TRELLIS_FF": 1, "$paramod\\lane\\W=s32'0": 2}
      },
      "$paramod\\lane\\W=s32'0": {
         "num_cells":         3,
         "num_cells_by_type": {"LUT4": 3}
      }
   },
      "design": {
         "num_cells":         175,
         "num_cells_by_type": {"LUT4": 21}
      }
}
"""

SYNTAX_ERROR = """
-- Running command `script ports.ys' --

1. Executing Verilog-2005 frontend: bad.v
Parsing Verilog input from `bad.v' to AST representation.
bad.v:3: ERROR: syntax error, unexpected TOK_ENDMODULE
"""
LOOP = """
5. Executing CHECK pass (checking for obvious problems).
Checking module top...
Warning: Wire top.\\unused is used but has no driver.
Found and reported 1 problems.

7. Executing CHECK pass (checking for obvious problems).
Checking module top...
Warning: found logic loop in module top:
    cell $and$loop.v:3$2 ($and) source: loop.v:3.10-3.15
      A[0] --> Y[0]
    cell $xor$loop.v:2$1 ($xor) source: loop.v:2.10-2.15
      B[0] --> Y[0]
ERROR: Found 1 problems in 'check -assert'.
Found and reported 1 problems.
"""


def test_ports_stand_in_the_order_of_the_source() -> None:
    ports, clocks = yosys.parse_elaborated(json.dumps(ELABORATED))
    assert ports == (
        Port("clk", "input", 1),
        Port("a.b", "input", 4),
        Port("q", "output", 2),
        Port("pad", "inout", 1),
    )
    assert clocks.domains == ()


def test_roots_are_what_no_other_module_has_in_it() -> None:
    cells = {"u": {"type": "inner"}}
    text = json.dumps({"modules": {"inner": {"cells": {}}, "a": {"cells": cells}}})
    assert yosys.parse_roots(text) == ("a",)


def test_cells_are_counted_as_often_as_their_module_stands_there() -> None:
    cells = yosys.parse_cells(STAT, exclude="lydite_measure")
    assert cells == {"LUT4": 4 + 2 * 3, "TRELLIS_FF": 1}


def test_elaboration_without_parameters_names_the_module() -> None:
    assert yosys.elaborate_script(["a b.v", "c.sv"], "top", {}) == (
        'read_verilog -ppdump "a b.v"\n'
        'read_verilog -ppdump -sv "c.sv"\n'
        "hierarchy -check -top top\n"
        "proc\n"
        "flatten\n"
        "opt -fast\n"
        "write_json elaborated.json\n"
    )


def test_elaboration_keeps_the_sign_of_parameters() -> None:
    script = yosys.elaborate_script(["a.v"], "top", {"W": -3, "D": 4})
    assert script == (
        'read_verilog -ppdump "a.v"\n'
        "read_verilog <<lydite_end\n"
        "module lydite_elaborate; top #(.D(4), .W(-3)) u (); endmodule\n"
        "lydite_end\n"
        "hierarchy -check -top lydite_elaborate\n"
        "delete lydite_elaborate\n"
        "hierarchy -auto-top\n"
        "proc\n"
        "flatten\n"
        "opt -fast\n"
        "write_json elaborated.json\n"
    )


def test_synthesis_gives_options_to_the_familys_command() -> None:
    target = targets.find("ice40-hx8k")
    script = yosys.synthesis_script(["a.v"], "top", target, options=("-dff",))
    assert "\nsynth_ice40 -device hx -dff -top top\n" in script
    assert script.endswith("write_json netlist.json\n")


# A row of Keccak's theta and chi: a mapper that wants speed alone copies the parities.
PARITIES = """
module top (input clk, input [39:0] a_i, output reg [39:0] q_o);
  reg [39:0] a_q;
  wire [39:0] b;
  genvar i;
  generate
    for (i = 0; i < 40; i = i + 1) begin : g_bit
      assign b[i] = a_q[i] ^ (^(a_q >> 5 * ((i + 3) % 8) & 40'h1f)) ^
          (^(a_q >> 5 * ((i + 5) % 8) & 40'h1f));
    end
  endgenerate
  always @(posedge clk) begin
    a_q <= a_i;
    q_o <= b ^ (~{b[6:0], b[39:7]} & {b[22:0], b[39:23]});
  end
endmodule
"""


def test_mapping_saves_area_where_it_is_fast_enough(tmp_path: Path) -> None:
    (tmp_path / "a.v").write_text(PARITIES)
    luts = []
    for map_ns in (None, 8.0):
        script = yosys.synthesis_script(["a.v"], "top", targets.find("ecp5-25k"), map_ns=map_ns)
        (tmp_path / "s.ys").write_text(script)
        proc.run(yosys.command(yosys.find(), "s.ys"), cwd=tmp_path).checked()
        stat = json.loads((tmp_path / yosys.STAT_FILE).read_text())
        luts.append(stat["design"]["num_cells_by_type"]["LUT4"])
    assert luts[1] < luts[0]


SUMS = """
module top (input clk, input signed [7:0] a, input [31:0] b, c, d, e, f, output reg [31:0] q, r);
  always @(posedge clk) begin
    q <= a + b - c + d + e;
    r <= f - {{24{a[7]}}, a};
  end
endmodule
"""


def test_sums_are_chains_where_that_is_asked_for(tmp_path: Path) -> None:
    """Five additions are five chains and no tables, not trees of tables with a chain at the end."""
    (tmp_path / "a.v").write_text(SUMS)
    counts = []
    for chains in (False, True):
        script = yosys.synthesis_script(["a.v"], "top", targets.find("ecp5-25k"), chains=chains)
        (tmp_path / "s.ys").write_text(script)
        proc.run(yosys.command(yosys.find(), "s.ys"), cwd=tmp_path).checked()
        cells = json.loads((tmp_path / yosys.STAT_FILE).read_text())["design"]["num_cells_by_type"]
        counts.append((cells.get("LUT4", 0), cells["CCU2C"]))
    assert counts[0][0] > 2 * 32
    assert counts[1][0] <= 8
    assert 5 * 16 <= counts[1][1] <= 5 * 17


def test_chains_leave_modules_apart_where_that_is_asked_for(tmp_path: Path) -> None:
    inner = SUMS.replace("module top", "module inner")
    outer = (
        "module top (input clk, input signed [7:0] a, input [31:0] b, c, d, e, f, "
        "output [31:0] q, r); inner u_inner (.*); endmodule"
    )
    (tmp_path / "a.v").write_text(f"{inner}{outer}\n")
    script = yosys.synthesis_script(
        ["a.v"], "top", targets.find("ecp5-25k"), chains=True, options=["-noflatten"]
    )
    (tmp_path / "s.ys").write_text(script.replace("read_verilog ", "read_verilog -sv "))
    proc.run(yosys.command(yosys.find(), "s.ys"), cwd=tmp_path).checked()
    modules = json.loads((tmp_path / yosys.STAT_FILE).read_text())["modules"]
    assert sorted(name.lstrip("\\") for name in modules) == ["inner", "top"]


# Signs, widths and constants of operands, all combinations of which Verilog has rules for.
OPERANDS = """
module top (input signed [2:0] a, input signed [4:0] b, input [1:0] c, output [6:0] o, p, q, r, s);
  assign o = a + b;
  assign p = a - c;
  assign q = {c, 2'd1} - b;
  wire signed [3:0] short = b - a;
  assign r = short + a;
  assign s = -b;
endmodule
"""


def test_chains_are_the_same_sums(tmp_path: Path) -> None:
    (tmp_path / "a.v").write_text(OPERANDS)
    script = ["read_verilog a.v", "proc", "rename top gold", "design -stash gold"]
    script += ["read_verilog a.v", "proc", *yosys.CHAINS, "select -assert-none t:$add t:$sub"]
    script += ["rename top gate", "design -stash gate"]
    script += ["design -copy-from gold gold", "design -copy-from gate gate"]
    script += ["miter -equiv -flatten gold gate miter", "sat -verify -prove trigger 0 miter", ""]
    (tmp_path / "s.ys").write_text("\n".join(script))
    proc.run(yosys.command(yosys.find(), "s.ys"), cwd=tmp_path).checked()


def test_error_of_syntax_has_file_and_line() -> None:
    assert yosys.errors(SYNTAX_ERROR) == "bad.v:3: ERROR: syntax error, unexpected TOK_ENDMODULE"


def test_error_without_a_space_is_an_error() -> None:
    line = "a.v:9: ERROR:Can't find object for defparam `X`!"
    assert yosys.errors(f"Parsing.\n{line}\nGenerating.") == line


def test_loop_is_shown_with_its_cells() -> None:
    assert yosys.errors(LOOP) == (
        "Warning: found logic loop in module top:\n"
        "    cell $and$loop.v:3$2 ($and) source: loop.v:3.10-3.15\n"
        "      A[0] --> Y[0]\n"
        "    cell $xor$loop.v:2$1 ($xor) source: loop.v:2.10-2.15\n"
        "      B[0] --> Y[0]\n"
        "ERROR: Found 1 problems in 'check -assert'."
    )


def test_many_findings_are_cut() -> None:
    findings = [f"Warning: Wire top.\\x{i} is used but has no driver." for i in range(20)]
    output = ["1. Executing CHECK pass", *findings, "ERROR: Found 20 problems in 'check -assert'."]
    shown = yosys.errors("\n".join(output)).splitlines()
    assert shown == [*findings[:8], "... and 12 more lines", output[-1]]


def test_output_without_errors_has_none() -> None:
    assert yosys.errors("Warning: nothing. This is no ERROR.") == ""


def test_command_of_the_wheel_runs_a_script() -> None:
    wheel = yosys.find()
    assert (wheel.version, wheel.origin) == ("0.70", "wheel pyosys")
    assert yosys.command(wheel, "a.ys") == (*wheel.argv, "a.ys")
    native = Tool(name="yosys", argv=("/usr/bin/yosys",), version="0.70", origin="native")
    assert yosys.command(native, "a.ys") == ("/usr/bin/yosys", "-s", "a.ys")


def test_missing_wheel_is_told_with_the_remedy(monkeypatch: pytest.MonkeyPatch) -> None:
    from lydite.tools import tool

    def missing(package: str) -> str:
        raise tool.importlib.metadata.PackageNotFoundError(package)

    monkeypatch.setattr(tool.importlib.metadata, "version", missing)
    with pytest.raises(ToolNotFound) as raised:
        yosys.find()
    assert str(raised.value) == (
        "yosys: the Python package pyosys is not installed\n  pip install pyosys"
    )
