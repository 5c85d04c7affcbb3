# SPDX-License-Identifier: Apache-2.0
"""Files of a design: those that it includes and loads are found, each keeps its place."""

from __future__ import annotations

from collections.abc import Mapping
from pathlib import Path

import pytest

from lydite.base import InputError
from lydite.sim import elaborate, gather
from lydite.sim.build import Sources
from lydite.tools.yosys import Port


def lay(folder: Path, texts: Mapping[str, str]) -> None:
    for name, text in texts.items():
        (folder / name).parent.mkdir(parents=True, exist_ok=True)
        (folder / name).write_text(text)


def gathered(folder: Path, *names: str, include: tuple[str, ...] = (), top: str = "top") -> Sources:
    return gather.gather(
        [folder / name for name in names],
        top=top,
        parameters={},
        includes=[folder / name for name in include],
    )


END = "assign q = 0;\nendmodule\n"
TREE = {
    # Two files of one name, each with a header of its own that has one name, too.
    "a/part.v": '`include "width.vh"\nmodule a (output [`A_WIDTH-1:0] q);\n' + END,
    "a/width.vh": "`define A_WIDTH 3\n",
    "b/part.v": '`include "width.vh"\nmodule b (output [`B_WIDTH-1:0] q);\n' + END,
    "b/width.vh": '`include "../deep/er.vh"\n',
    "deep/er.vh": "`define B_WIDTH 5\n",
    "top.v": '// `include "none.vh"\n`include "top.vh"\n'
    "module top (output [`A_WIDTH-1:0] x, output [`B_WIDTH-1:0] y, output [`W-1:0] z);\n"
    "a u_a (.q(x)); b u_b (.q(y)); assign z = 0;\nendmodule\n",
    "far/inc/top.vh": "`define W 7\n",
}


def test_files_of_one_name_keep_their_places(tmp_path: Path) -> None:
    lay(tmp_path, TREE)
    made = gathered(tmp_path, "a/part.v", "b/part.v", "top.v", include=("far/inc",))
    assert list(made.files) == [
        *("a/part.v", "b/part.v", "top.v"),
        *("a/width.vh", "b/width.vh", "deep/er.vh", "far/inc/top.vh"),
    ]
    assert made.includes == ("far/inc",)
    assert elaborate.ports(made) == tuple(
        Port(name, "output", width) for name, width in (("x", 3), ("y", 5), ("z", 7))
    )


def test_names_do_not_tell_where_the_files_lie(tmp_path: Path) -> None:
    digests = set()
    for place in ("here", "some/where else"):
        lay(tmp_path / place / "src", TREE)
        lay(tmp_path / "lib", {"top.vh": TREE["far/inc/top.vh"]})
        folder = tmp_path / place / "src"
        made = gathered(
            folder,
            "a/part.v",
            "b/part.v",
            "top.v",
            include=("../../lib", "../../../lib")[place != "here" :][:1],
        )
        assert made.includes == ("lydite_include_0",)
        digests.add(made.digest)
    assert len(digests) == 1


def test_header_that_is_named_is_found_wherever_it_lies(tmp_path: Path) -> None:
    lay(
        tmp_path,
        {
            "rtl/top.v": '`include "w.vh"\nmodule top (output [`W-1:0] q);\n' + END,
            "inc/w.vh": "`define W 9\n",
        },
    )
    made = gathered(tmp_path, "rtl/top.v", "inc/w.vh")
    assert made.includes == ("inc",)
    assert elaborate.ports(made) == (Port("q", "output", 9),)


def test_missing_header_is_told_with_the_remedy(tmp_path: Path) -> None:
    lay(tmp_path, {"top.v": '`include "w.vh"\nmodule top (output q); assign q = 0; endmodule\n'})
    with pytest.raises(InputError) as raised:
        elaborate.ports(gathered(tmp_path, "top.v"))
    assert str(raised.value) == (
        "top: Yosys says\n  ERROR: Can't open include file `w.vh'!\n"
        "  name the folder of that file with -I, or the file itself beside the Verilog"
    )


ROM = """module top #(parameter FILE = "rom.hex") (input clk, input [1:0] a, output reg [7:0] q);
  reg [7:0] words [0:3];
  initial $readmemh(FILE, words);
  always @(posedge clk) q <= words[a];
endmodule
"""


def test_data_beside_the_source_are_found(tmp_path: Path) -> None:
    lay(tmp_path, {"rtl/top.v": ROM, "rtl/rom.hex": "1\n2\n3\n4\n", "x.v": "module x; endmodule\n"})
    made = gathered(tmp_path, "rtl/top.v", "x.v")
    assert set(made.files) == {"rtl/top.v", "x.v", "rtl/rom.hex"}
    assert elaborate.module(made).clocks.ports == ("clk",)
    other = made.digest
    (tmp_path / "rtl/rom.hex").write_text("1\n2\n3\n5\n")
    assert made.digest != other


def test_missing_data_are_an_error(tmp_path: Path) -> None:
    lay(tmp_path, {"top.v": ROM})
    with pytest.raises(InputError) as raised:
        elaborate.ports(gathered(tmp_path, "top.v"))
    assert str(raised.value) == (
        "top: Yosys says\n  top.v:3: ERROR:Can not open file `rom.hex` for \\$readmemh.\n"
        "  name the file of data beside the Verilog, or lay it beside the source"
    )


def test_packages_come_before_what_uses_them(tmp_path: Path) -> None:
    lay(
        tmp_path,
        {
            "top.sv": "module top (output [two::B-1:0] q); assign q = 0; endmodule\n",
            "two.sv": "package two; localparam B = 6; endpackage // one::A\n",
            "user.sv": "import three::*; module user; endmodule\n",
            "three.sv": "package three; localparam C = four::D; endpackage\n",
            "four.sv": "package four; localparam D = 1; endpackage\n",
        },
    )
    made = gathered(tmp_path, "top.sv", "two.sv")
    assert made.verilog == ["two.sv", "top.sv"]
    assert elaborate.ports(made) == (Port("q", "output", 6),)
    nested = gathered(tmp_path, "user.sv", "three.sv", "four.sv")
    assert nested.verilog == ["four.sv", "three.sv", "user.sv"]


def test_what_yosys_does_not_read_of_systemverilog_has_a_remedy(tmp_path: Path) -> None:
    lay(tmp_path, {"c.sv": "class c; int x; endclass\nmodule top; endmodule\n"})
    with pytest.raises(InputError) as raised:
        elaborate.ports(gathered(tmp_path, "c.sv"))
    assert str(raised.value) == (
        "top: Yosys says\n  c.sv:1: ERROR: syntax error, unexpected TOK_ID\n"
        "  Yosys reads a part of SystemVerilog, without classes, modports and some more; "
        "sv2v turns the rest into Verilog: sv2v FILES > all.v"
    )


def test_macros_and_parameters_reach_the_design(tmp_path: Path) -> None:
    lay(
        tmp_path,
        {
            "t.v": '`ifdef ON\nmodule top #(parameter N = 1, parameter T = "", parameter S = 1)\n'
            '(output [N*`M-1:0] q, output [(T == "a b" ? 3 : 1)-1:0] t, output [$bits(S)-1:0] s);\n'
            "assign q = 0;\nendmodule\n`endif\n"
        },
    )
    made = gather.gather(
        [tmp_path / "t.v"],
        top="top",
        parameters=dict(map(gather.parameter, ("N=0x2", 'T="a b"', "S=5'd3"))),
        defines=dict(map(gather.define, ("ON", "M=4"))),
    )
    assert [port.width for port in elaborate.ports(made)] == [8, 3, 5]


@pytest.mark.parametrize("text", ["1X=2", "=2", "", "X=a b", 'X="a"', "X=a;b"])
def test_macros_that_no_command_line_holds_are_refused(text: str) -> None:
    with pytest.raises(InputError, match=r"^-D: "):
        gather.define(text)


@pytest.mark.parametrize("text", ["W", "W=x", "W=1.5", "=1", "W=8'hxg", 'W="a', "W=8'd1f"])
def test_values_that_are_neither_number_nor_text_are_refused(text: str) -> None:
    with pytest.raises(InputError, match=r"^--param: not NAME=VALUE: "):
        gather.parameter(text)


def test_roots_are_found(tmp_path: Path) -> None:
    lay(tmp_path, TREE)
    names = ("a/part.v", "b/part.v", "top.v")
    made = gathered(tmp_path, *names, include=("far/inc",), top="")
    assert elaborate.roots(made) == ("top",)
    assert elaborate.roots(gathered(tmp_path, "a/part.v", "b/part.v", top="")) == ("a", "b")
