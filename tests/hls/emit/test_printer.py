# SPDX-License-Identifier: Apache-2.0
"""The text of each kind of item."""

from __future__ import annotations

import textwrap

import pytest

from lydite.hls.emit import check, printer
from lydite.hls.emit.structure import (
    Arm,
    Array,
    Assign,
    Case,
    Constant,
    Declare,
    Form,
    If,
    Initial,
    Instance,
    Module,
    Net,
    Note,
    Plain,
    Port,
    Priority,
    Process,
    Table,
    Write,
    pins,
    reg,
    wire,
)


def test_module_has_head_ports_and_items() -> None:
    ports = (
        Port("input", 1, "ap_clk"),
        Port("input", 8, "a"),
        Port("input", 1, "idle"),
        Port("output", 8, "b", True),
    )
    items = (Note("What it does."), Note(), Process((Write("b", "{a[7:1], 1'b0}"),)))
    made: Module[Plain] = Module("m", ("// Head.",), ports, items)
    off, on = (f"/* verilator lint_{word} UNUSEDSIGNAL */" for word in ("off", "on"))
    assert printer.text(made, check.verify([made], {})["m"]) == textwrap.dedent(f"""\
        // Head.

        `default_nettype none

        module m (
            input  wire ap_clk,
            {off} input  wire [7:0] a, {on}  // some bits have no reader
            {off} input  wire idle, {on}  // no reader
            output reg  [7:0] b
        );

          // What it does.

          always @(posedge ap_clk) begin
            b <= {{a[7:1], 1'b0}};
          end

        endmodule

        `default_nettype wire
        """)


WRITE = Write("r", "a", "t.c:3")
OTHER = Write("r", "8'd0")
INLINE = If("go", (WRITE,), (If("c", (OTHER,), form=Form.INLINE),), Form.INLINE)
BLOCK = If("go", (WRITE,), (OTHER,))


@pytest.mark.parametrize(
    ("item", "lines"),
    [
        (Constant("ST_A", 2, 1, "t.c:1"), ["localparam [1:0] ST_A = 2'd1;  // t.c:1"]),
        (wire("x", 8, "a"), ["wire [7:0] x = a;"]),
        (Declare("reg", (Net("p", 1), Net("q", 1))), ["reg p, q;"]),
        (Declare("reg", (Net("p", 4, 2),), attribute="keep"), ["(* keep *) reg [5:2] p;"]),
        (Declare("reg", (Net("p", 1, vector=True),)), ["reg [0:0] p;"]),
        (Assign("b", "a"), ["assign b = a;"]),
        (Assign("b", "\n    c ? a :\n    8'd0"), ["assign b =", "    c ? a :", "    8'd0;"]),
        (Initial("r", "8'd0"), ["initial r = 8'd0;"]),
        (Process((WRITE,), form=Form.INLINE), ["always @(posedge ap_clk) r <= a;  // t.c:3"]),
        (Process((OTHER,), clocked=False), ["always @* begin", "  r = 8'd0;", "end"]),
        (
            Process((INLINE,)),
            [
                "always @(posedge ap_clk) begin",
                "  if (go) r <= a;  // t.c:3",
                "  else if (c) r <= 8'd0;",
                "end",
            ],
        ),
        (
            Process((If("c", (Priority(((OTHER,), (BLOCK,))),)),)),
            [
                "always @(posedge ap_clk) begin",
                "  if (c) begin",
                "    r <= 8'd0;",
                "    if (go) begin",
                "      r <= a;  // t.c:3",
                "    end else begin",
                "      r <= 8'd0;",
                "    end",
                "  end",
                "end",
            ],
        ),
        (
            Process(
                (
                    Case(
                        "state_q",
                        (
                            Arm(("A",), (If("c", (OTHER,), form=Form.BELOW),), form=Form.INLINE),
                            Arm(("B", "C"), (OTHER,), "t.c:4"),
                            Arm(("D",), (OTHER,), form=Form.BELOW),
                            Arm(("E",), ()),
                        ),
                    ),
                )
            ),
            [
                "always @(posedge ap_clk) begin",
                "  case (state_q)",
                "    A: if (c)",
                "      r <= 8'd0;",
                "    B, C: begin  // t.c:4",
                "      r <= 8'd0;",
                "    end",
                "    D:",
                "      r <= 8'd0;",
                "    E: ;",
                "    default: ;",
                "  endcase",
                "end",
            ],
        ),
        (
            Instance("inner", "u", pins(a="x", b=""), (("WIDTH", "8"),)),
            ["inner #(", "    .WIDTH(8)", ") u (", "    .a(x),", "    .b()", ");"],
        ),
        (
            Array(Net("w", 8), 3, (1, 2)),
            [
                "reg [7:0] w [0:2];",
                "initial begin",
                "  w[0] = 8'd1; w[1] = 8'd2; w[2] = 8'd0;",
                "end",
            ],
        ),
        (
            Array(Net("w", 8), 3, (), 'ram_style = "block"'),
            [
                '(* ram_style = "block" *) reg [7:0] w [0:2];',
                "integer w_i;",
                "initial begin",
                "  for (w_i = 0; w_i < 3; w_i = w_i + 1)",
                "    w[w_i] = 8'd0;",
                "end",
            ],
        ),
        (Table("t", 8, (1, 255)), ["localparam [15:0] t = ~{", "  8'd1, 8'hff};"]),
    ],
)
def test_items(item: Plain, lines: list[str]) -> None:
    every = dict.fromkeys(("x", "p", "q"), (1 << 8) - 1) | {"p": 1, "q": 1}
    if isinstance(item, Declare):
        every |= {net.name: (1 << net.width) - 1 for net in item.nets}
    text = printer.text(Module("m", (), (), (item,)), every)
    found = text.split(");\n\n", 1)[1].split("\n\nendmodule")[0].splitlines()
    assert found == [f"  {line}" for line in lines]


def test_what_simulation_looks_at_needs_no_reader() -> None:
    item = Declare("wire", (Net("fill", 2),), note="for simulation", observed=True)
    text = printer.text(Module("m", (), (), (item, reg("unused_x", 1))), {})
    assert "  wire [1:0] fill;  // for simulation\n  /* verilator lint_on UNUSEDSIGNAL */\n" in text
    assert "\n  reg unused_x;\n" in text, "its name says it"
