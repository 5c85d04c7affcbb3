# SPDX-License-Identifier: Apache-2.0
"""What two machines find of one point: where it differs, and what is of a machine."""

from __future__ import annotations

import subprocess
from pathlib import Path

import pyosys

from lydite import targets
from lydite.runs import differences
from lydite.tools import yosys

ADDER = """
module adder (input clk, input [7:0] a, input [7:0] b, output reg [7:0] sum);
  always @(posedge clk) sum <= a + b;
endmodule
"""


def mapped(work: Path, wheel: Path) -> bytes:
    """Map an adder by the Yosys that lies in a folder, and give the netlist."""
    work.mkdir()
    (work / "adder.v").write_text(ADDER)
    script = f"read_verilog adder.v\n{targets.find('ecp5-85k').synthesis_command} -top adder\n"
    (work / "synthesis.ys").write_text(f"{script}write_json {yosys.NETLIST_FILE}\n")
    argv = [*yosys.command(yosys.find(), "synthesis.ys")]
    env = {"PYTHONPATH": str(wheel)}
    subprocess.run(argv, cwd=work, env=env, check=True, capture_output=True, timeout=300)
    return (work / yosys.NETLIST_FILE).read_bytes()


def test_netlists_of_two_machines_differ_in_the_folder_of_yosys_alone(tmp_path: Path) -> None:
    here = Path(pyosys.__file__).parent
    there = tmp_path / "with a space" / "share"
    there.mkdir(parents=True)
    (there / "pyosys").symlink_to(here)
    one, other = mapped(tmp_path / "one", here.parent), mapped(tmp_path / "other", there)
    assert one != other
    assert differences.without_places(one) == differences.without_places(other)
    assert b'"+/lattice/' in differences.without_places(one)
