# SPDX-License-Identifier: Apache-2.0
"""The measuring wrapper: every input from a register, every output to one."""

from __future__ import annotations

import pytest

from lydite.base import InputError
from lydite.runs.kinds import wrapper
from lydite.tools.yosys import Port

CLK = Port("clk", "input", 1)
PORTS = (Port("q", "output", 8), Port("a", "input", 4), CLK, Port("b", "input", 1))


def test_ports_are_joined_in_the_order_of_the_source() -> None:
    text = wrapper.verilog("top", PORTS, "clk", {"W": -3, "D": 2}, where="x")
    assert text == (
        "`default_nettype none\n"
        "module lydite_measure (input wire clk, input wire scan, output wire fold);\n"
        "  wire [7:0] core_out;\n"
        "  wire [4:0] core_in;\n"
        "  measure_in #(.WIDTH(5)) u_in (.clk(clk), .scan_i(scan), .data_o(core_in));\n"
        "  (* keep_hierarchy *) \\top  #(.D(2), .W(-3)) u_core (\n"
        "    .\\clk (clk),\n"
        "    .\\a (core_in[3:0]),\n"
        "    .\\b (core_in[4:4]),\n"
        "    .\\q (core_out[7:0])\n"
        "  );\n"
        "  measure_out #(.WIDTH(8)) u_out (.clk(clk), .data_i(core_out), .fold_o(fold));\n"
        "endmodule\n"
        "`default_nettype wire\n"
    )


def test_core_without_a_clock_or_inputs_is_wrapped() -> None:
    text = wrapper.verilog("top", (Port("q", "output", 1),), "", {}, where="x")
    assert "core_in" not in text
    assert "  (* keep_hierarchy *) \\top  u_core (\n    .\\q (core_out[0:0])\n  );\n" in text


@pytest.mark.parametrize(
    ("ports", "clock", "message"),
    [
        (PORTS, "ck", "x: no input 'ck' to be the clock\n  its inputs are: a, clk, b"),
        (PORTS, "q", "x: no input 'q' to be the clock\n  its inputs are: a, clk, b"),
        (
            (Port("q", "output", 1),),
            "clk",
            "x: no input 'clk' to be the clock\n  its inputs are: none",
        ),
        (
            (*PORTS, Port("pad", "inout", 1)),
            "clk",
            "x: port pad is an inout\n  wrap it in a core without",
        ),
        ((CLK,), "clk", "x: the module has no outputs\n  nothing of it would remain"),
        (
            (Port("clk", "input", 2), Port("q", "output", 1)),
            "clk",
            "x: the clock 'clk' has 2 bits\n  a clock has one",
        ),
    ],
)
def test_what_cannot_be_wrapped_is_refused(
    ports: tuple[Port, ...], clock: str, message: str
) -> None:
    with pytest.raises(InputError) as raised:
        wrapper.verilog("top", ports, clock, {}, where="x")
    assert str(raised.value) == message


@pytest.mark.parametrize("top", ["lydite_measure", "measure_in", "measure_out"])
def test_core_with_a_name_of_the_wrappers_is_refused(top: str) -> None:
    with pytest.raises(InputError) as raised:
        wrapper.verilog(top, PORTS, "clk", {}, where="x")
    assert str(raised.value) == (
        f"x: {top} is a module of the measuring wrapper\n  rename the core's"
    )
