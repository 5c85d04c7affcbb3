# SPDX-License-Identifier: Apache-2.0
"""Verilator proves the code that Yosys places: macros, comments, and files that are loaded."""

from __future__ import annotations

import re
from collections.abc import Callable
from pathlib import Path

import pytest

from lydite import cores
from lydite.base import CheckFailed, proc
from lydite.sim.verify import verify
from lydite.tools import verilator, yosys

Replace = Callable[[Path, str, str], None]
RIGHT = "assign m_axis_tdata  = ~crc_q[7:0];"


def prove(folder: Path) -> None:
    [selection] = cores.select(str(folder / "core.toml"))
    verify(selection.designs[0])


def test_code_for_the_simulator_alone_proves_nothing(crc32: Path, replace: Replace) -> None:
    text = f"`ifdef SYNTHESIS\nassign m_axis_tdata = 8'd0;\n`else\n{RIGHT}\n`endif"
    replace(crc32 / "crc32.v", RIGHT, text)
    with pytest.raises(CheckFailed, match="known answers"):
        prove(crc32)


def by_yosys(folder: Path, *files: str) -> str:
    """Give what Yosys reads, as RTLIL."""
    tool = yosys.find()
    commands = [f"read_verilog {'-sv ' * name.endswith('.sv')}{name}" for name in files]
    (folder / "read.ys").write_text("\n".join([*commands, "tee -q -o read.txt dump", ""]))
    argv = yosys.command(tool, "read.ys")
    assert proc.run(argv, cwd=folder, timeout_s=60, name="yosys").rc == 0
    return (folder / "read.txt").read_text()


@pytest.mark.parametrize("suffix", ["v", "sv"])
def test_macros_are_those_of_yosys(tmp_path: Path, suffix: str) -> None:
    simulator = verilator.find()
    (tmp_path / "none.v").write_text("")
    dump = [*simulator.argv, "-E", "--dump-defines", "none.v"]
    run = proc.run(dump, cwd=tmp_path, env=simulator.env, timeout_s=60, name="verilator")
    known = set(re.findall(r"^`define (\w+)", run.output, re.MULTILINE))
    assert "VERILATOR" in known
    names = sorted(known | {"YOSYS", "SYNTHESIS", "FORMAL", "SIMULATION", "BLACKBOX", "__ICARUS__"})
    lines = [f"`ifdef {name}\nwire has_{name};\n`endif" for name in names]
    file = f"all.{suffix}"
    (tmp_path / file).write_text("\n".join(["module top;", *lines, "endmodule", ""]))
    command = verilator.translate_command(simulator, [file], "top", {}, prefix="V", folder="obj")
    macros = [word for word in command if word.startswith(("-D", "-U"))]
    argv = [*simulator.argv, "-E", *macros, file]
    seen = proc.run(argv, cwd=tmp_path, env=simulator.env, timeout_s=60, name="verilator").output
    by_verilator = set(re.findall(r"has_(\w+)", seen))
    assert by_verilator == set(re.findall(r"has_(\w+)", by_yosys(tmp_path, file)))
    assert by_verilator == set(yosys.MACROS)


# What opens, what closes, and whether Yosys reads what stands between.
COMMENTS = {
    "// synopsys translate_off": True,
    "//synthesis  translate_off": True,
    "//\tsynthesis\ttranslate_off \t": True,
    "wire w; // synthesis translate_off": True,
    "/* synthesis translate_off */": True,
    "/*synopsys translate_off*/": True,
    "// synthesis translate_off here": False,
    "// Synthesis Translate_Off": False,
    "// not synthesis translate_off": False,
    "/// synthesis translate_off": False,
    "// pragma translate_off": False,
    "// synthesis translate_offs": False,
}


def test_what_translate_off_takes_out_is_what_yosys_does_not_read(tmp_path: Path) -> None:
    text = "".join(
        f"module m{number};\n{opens}\nwire inside;\n// synopsys translate_on\nwire after;\n"
        "endmodule\n"
        for number, opens in enumerate(COMMENTS)
    )
    (tmp_path / "all.v").write_text(text)
    cut = yosys.as_read(text)
    (tmp_path / "cut.v").write_text(cut)
    assert cut.count("\n") == text.count("\n")
    of_yosys = re.findall(r"wire \\(\w+)|module \\(\w+)", by_yosys(tmp_path, "all.v"))
    assert re.findall(r"wire \\(\w+)|module \\(\w+)", by_yosys(tmp_path, "cut.v")) == of_yosys
    kept = [body.count("wire inside") == 0 for body in cut.split("endmodule")[:-1]]
    assert kept == list(COMMENTS.values())


def test_directives_between_stay_as_for_yosys(tmp_path: Path) -> None:
    text = (
        "module top;\n// synthesis translate_off\n`define A \\\n  wire a;\n`ifdef NONE\nwire b;\n"
        "`endif\n/* synthesis translate_on */ wire c;\n`A\nendmodule\n"
    )
    (tmp_path / "all.v").write_text(text)
    assert yosys.as_read(text) == (
        "module top;\n\n`define A \\\n  wire a;\n`ifdef NONE\n\n`endif\n wire c;\n`A\nendmodule\n"
    )
    assert re.findall(r"wire \\(\w+)", by_yosys(tmp_path, "all.v")) == ["c", "a"]


def test_file_that_is_loaded_is_the_designs(
    crc32: Path, tmp_path: Path, replace: Replace, monkeypatch: pytest.MonkeyPatch
) -> None:
    # The folder that the process happens to be in has another file of that name.
    (tmp_path / "other").mkdir()
    (tmp_path / "other" / "mask.hex").write_text("00\n")
    monkeypatch.chdir(tmp_path / "other")
    (crc32 / "mask.hex").write_text("ff\n")
    replace(
        crc32 / "crc32.v",
        RIGHT,
        'reg [7:0] mask [0:0];\ninitial $readmemh("mask.hex", mask);\n'
        "assign m_axis_tdata = mask[0] ^ crc_q[7:0];",
    )
    replace(crc32 / "core.toml", 'sources = ["crc32.v"]', 'sources = ["crc32.v", "mask.hex"]')
    prove(crc32)
