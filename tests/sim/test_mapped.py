# SPDX-License-Identifier: Apache-2.0
"""The models of all cells do what Yosys means by them: behaviour against its own mapping."""

from __future__ import annotations

import ctypes
import importlib.util
import sys
from pathlib import Path
from typing import Any

import pytest

from lydite import targets
from lydite.base import InputError, proc
from lydite.runs.kinds import wrapper
from lydite.sim import elaborate, mapped
from lydite.sim.build import Sources, build_model
from lydite.sim.cells import Instance
from lydite.targets.models import models
from lydite.tools import verilator, yosys

_spec = importlib.util.spec_from_file_location(
    "cell_units", Path(__file__).with_name("cell_units.py")
)
assert _spec is not None and _spec.loader is not None
cell_units: Any = importlib.util.module_from_spec(_spec)
sys.modules["cell_units"] = cell_units
_spec.loader.exec_module(cell_units)

CYCLES = 3000
# Yosys 0.70 gives the first pre-addend to pin A of MULTPREADD18X18, whose sum is of B and C. Of a
# product it puts the register into DSP48E1 and leaves those of copies of its sign behind that: a
# cycle late.
MISCOMPILED = {"nexus": {"add_multiply"}, "xc7": {"product_extended"}}
# All the kinds of cells that a family's units must come to.
NEXUS = ["CCU2", "DP16K", "DPR16X4", "MULT18X18", "MULTADDSUB18X18", "PDPSC16K", "WIDEFN9"]
XC7 = ["CARRY4", "DSP48E1", "FDPE_1", "LUT6", "RAMB18E1", "RAMB36E1", "RAM128X1D", "RAM128X1S"]
XC7 += ["RAM256X1S", "RAM32M", "RAM64M", "RAM64X1D", "RAM64X1S", "SRL16E", "SRLC32E"]
XCU = ["CARRY4", "DSP48E2", "FDPE_1", "LUT6", "RAMB18E2", "RAMB36E2", "RAM128X1D", "RAM128X1S"]
XCU += ["RAM256X1D", "RAM32M16", "RAM64M8", "RAM64X1D", "RAM64X1S", "SRL16E", "SRLC32E"]
HARNESS = """
#include "model.h"
#include "ports.h"
#include "verilated.h"
void vl_fatal(const char *, int, const char *, const char *) { throw 1; }
void vl_stop(const char *, int, const char *) { throw 1; }
void vl_finish(const char *, int, const char *) { throw 1; }
// Marks the bits in which the two differ in some cycle.
extern "C" void compare(unsigned long cycles, uint8_t *bad) {
  VerilatedContext context;
  context.randReset(2);
  context.randSeed(7);
  LYDITE_MODEL model(&context);
  Random random(1);
  uint8_t in[IN_BITS / 8 + 9], wrong[OUT_BITS / 8 + 9] = {0};
  for (unsigned long cycle = 0; cycle < cycles; ++cycle) {
    random.fill(in, IN_BITS / 8 + 1);
    // Long runs of addresses that are near each other: words are met again.
    if (cycle & 1) for (size_t k = 0; k < sizeof in; ++k) in[k] &= random.next() & random.next();
    put(model.i, in, (IN_BITS + 7) / 8, IN_BITS);
    for (int clk = 0; clk < 2; ++clk) {
      model.clk = clk;
      model.eval();
      get(wrong, model.differs, (OUT_BITS + 7) / 8);
      if (cycle < 300) continue;
      for (size_t k = 0; k < OUT_BITS / 8 + 1; ++k) bad[k] |= wrong[k];
    }
  }
}
"""


def placed(folder: Path, text: str, target: targets.Target, top: str = "top") -> mapped.Mapped:
    """Map a module as a synthesis does and cut it out of the netlist."""
    (folder / "top.v").write_text(text)
    sources = Sources(files={"top.v": folder / "top.v"}, top=top, parameters={})
    ports = elaborate.ports(sources)
    (folder / "wrapper.v").write_text(wrapper.verilog(top, ports, "clk", {}, where="test"))
    files = ["top.v", "wrapper.v"]
    for path in wrapper.RTL:
        (folder / path.name).write_bytes(path.read_bytes())
        files.append(path.name)
    (folder / "run.ys").write_text(yosys.synthesis_script(files, wrapper.TOP, target))
    tool = yosys.find()
    run = proc.run(yosys.command(tool, "run.ys"), cwd=folder, timeout_s=600, name="yosys")
    run.checked(pick=yosys.errors)
    return mapped.mapped(
        (folder / yosys.NETLIST_FILE).read_text(),
        (folder / yosys.BOUNDARY_FILE).read_text(),
        wrapper.TOP,
        top,
        ports,
        models(target.family.cell_models),
    )


@pytest.mark.parametrize(
    ("name", "cells"),
    [
        ("ecp5-85k", ["CCU2C", "DP16KD", "L6MUX21", "MULT18X18D", "PFUMX", "TRELLIS_DPR16X4"]),
        pytest.param(
            "ice40-up5k",
            ["SB_CARRY", "SB_DFFNESR", "SB_MAC16", "SB_RAM40_4K", "SB_RAM40_4KNR"],
            marks=pytest.mark.slow,
        ),
        pytest.param("nexus-lifcl-40", NEXUS, marks=pytest.mark.slow),
        pytest.param("xc7-a200t", XC7, marks=pytest.mark.slow),
        pytest.param("xcu-ku060", XCU, marks=pytest.mark.slow),
    ],
)
def test_models_do_what_yosys_means_by_the_cells(
    tmp_path: Path, name: str, cells: list[str]
) -> None:
    family = targets.find(name).family.name
    wrong = differing(tmp_path, name, cell_units.units(family), cells)
    assert wrong == MISCOMPILED.get(family, set())


@pytest.mark.parametrize(
    ("name", "cells"),
    [
        ("xc7-a200t", ["CARRY4", "FDCE", "FDPE_1", "FDRE", "FDSE", "LUT6", "RAM32M", "SRLC32E"]),
        pytest.param(
            "xcu-ku060",
            ["CARRY4", "FDCE", "FDPE_1", "FDRE", "FDSE", "LUT6", "RAM32M16", "SRLC32E"],
            marks=pytest.mark.slow,
        ),
    ],
)
def test_models_of_logic_that_xilinx_has(tmp_path: Path, name: str, cells: list[str]) -> None:
    assert differing(tmp_path, name, cell_units.small(), cells) == set()


def test_what_follows_from_a_multiplier_is_a_stage_of_its_own(tmp_path: Path) -> None:
    """All tables as one would be a circle, in which a simulator runs until nothing changes."""
    text = """module top (input clk, input [17:0] a, b, c, output reg [17:0] o);
      wire [35:0] first = a * b, second = first[35:18] * c;
      always @(posedge clk) o <= second[35:18] ^ first[17:0] ^ a;
    endmodule
    """
    core = placed(tmp_path, text, targets.find("ecp5-25k"))
    assert core.cells["MULT18X18D"] == 2
    assert [n for n in range(9) if f"s{n} = lydite_settle{n}(" in core.text] == [0, 1, 2]
    (tmp_path / "core.sv").write_text(core.text)
    tool = verilator.find()
    sources = [str(tmp_path / "core.sv"), *map(str, core.models)]
    command = verilator.lint_command(tool, sources, "top", {})
    run = proc.run(command, cwd=tmp_path, env=tool.env, timeout_s=600, name="verilator")
    assert "%Warning" in run.output and "UNOPTFLAT" not in run.output


def test_multipliers_in_a_circle_are_refused() -> None:
    one = Instance("MULT18X18D", {}, {"A0": (7,)}, (8,), {"P0": 1}, (7,))
    again = Instance("MULT18X18D", {}, {"A0": (8,)}, (7,), {"P0": 1}, (8,))
    with pytest.raises(InputError, match="a circle of logic without a flip-flop"):
        mapped._stages([], [one, again])


def differing(tmp_path: Path, name: str, found: list[Any], cells: list[str]) -> set[str]:
    """Give the names of the units that the mapped netlist, of such cells, does not do."""
    target = targets.find(name)
    core = placed(tmp_path, cell_units.module(found, "top"), target)
    assert set(cells) <= core.cells.keys(), sorted(core.cells)
    (tmp_path / "core.sv").write_text(core.text.replace("module \\top ", "module mapped "))
    ins = sum(unit.inputs for unit in found)
    outs = sum(unit.outputs for unit in found)
    (tmp_path / "pair.v").write_text(
        f"module pair (input clk, input [{ins - 1}:0] i, output [{outs - 1}:0] differs);\n"
        f"wire [{outs - 1}:0] a, b;\ntop u_a (.clk(clk), .i(i), .o(a));\n"
        "mapped u_b (.clk(clk), .i(i), .o(b));\nassign differs = a ^ b;\nendmodule\n"
    )
    (tmp_path / mapped.TABLES_FILE).write_text(core.tables)
    files = {file: tmp_path / file for file in ("top.v", "core.sv", "core.cpp", "pair.v")}
    files |= {path.name: path for path in core.models}
    (tmp_path / "harness.cpp").write_text(HARNESS)
    library = build_model(
        Sources(files=files, top="pair", parameters={}),
        tmp_path / "harness.cpp",
        defines={"IN_BITS": str(ins), "OUT_BITS": str(outs)},
        effort="once",
    )
    marks = (ctypes.c_uint8 * (outs // 8 + 1))()
    ctypes.CDLL(str(library)).compare(ctypes.c_ulong(CYCLES), marks)
    bad = int.from_bytes(bytes(marks), "little")
    wrong = set()
    for unit in found:
        if bad & ((1 << unit.outputs) - 1):
            wrong.add(unit.name)
        bad >>= unit.outputs
    return wrong
