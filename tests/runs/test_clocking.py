# SPDX-License-Identifier: Apache-2.0
"""Clocks of modules: found where they are not named, and everything told that is on another."""

from __future__ import annotations

from pathlib import Path

import pytest

from lydite.base import InputError
from lydite.runs.kinds import clocking
from lydite.sim import elaborate
from lydite.sim.build import Sources
from lydite.tools.clocks import Clocks

MODULES = """
module plain (input [3:0] d, input ck, rst_n, output reg [3:0] q);
  always @(posedge ck or negedge rst_n) if (!rst_n) q <= 4'd0; else q <= d;
endmodule
module inside (input [3:0] d, input ck, output [3:0] q);
  wire back = ~ck, forth = ~back;
  plain u_plain (.ck(forth), .rst_n(d[0]), .d(d), .q(q));
endmodule
module comb (input [3:0] a, output [3:0] q);
  assign q = a + 4'd1;
endmodule
module falls (input ck, d, output reg q);
  always @(negedge ck) q <= d;
endmodule
module inverted (input ck, d, output q);
  falls u_falls (.ck(~ck), .d(d), .q(q));
endmodule
module two (input ck, other, d, output reg q, r);
  always @(posedge ck) q <= d;
  always @(posedge other) r <= d;
endmodule
module divided (input ck, d, output reg q);
  reg half = 1'b0;
  always @(posedge ck) half <= !half;
  always @(posedge half) q <= d;
endmodule
module gated (input ck, en, d, output reg q);
  wire g = ck & en;
  always @(posedge g) q <= d;
endmodule
module memory (input ck, other, input [7:0] d, input [5:0] at, output reg [7:0] q);
  reg [7:0] words [0:63];
  always @(posedge other) words[at] <= d;
  always @(posedge ck) q <= words[at];
endmodule
module unused (input ck, other, d, output reg q);
  reg lost;
  always @(posedge other) lost <= d;
  always @(posedge ck) q <= d;
endmodule
module read (input ck, d, output reg q, output w);
  assign w = ck & d;
  always @(posedge ck) q <= d;
endmodule
"""


@pytest.fixture(scope="module")
def folder(tmp_path_factory: pytest.TempPathFactory) -> Path:
    path = tmp_path_factory.mktemp("clocks")
    (path / "m.v").write_text(MODULES.lstrip())
    return path


def found(folder: Path, top: str) -> Clocks:
    sources = Sources(files={"m.v": folder / "m.v"}, top=top, parameters={})
    return elaborate.module(sources).clocks


@pytest.mark.parametrize(
    ("top", "clock", "told"),
    [
        ("plain", "ck", ()),
        ("inside", "ck", ()),
        ("comb", "", ()),
        ("inverted", "ck", ()),
        ("unused", "ck", ()),
        ("falls", "ck", ("falling edge of ck, 1 bit: q (m.v:12)",)),
        (
            "divided",
            "ck",
            ("rising edge of the register half (m.v:23), 1 bit: q (m.v:24)",),
        ),
        ("read", "ck", ("read as data: ck (m.v:41)",)),
    ],
)
def test_one_clock_is_found_and_what_it_does_not_move_is_told(
    folder: Path, top: str, clock: str, told: tuple[str, ...]
) -> None:
    clocks = found(folder, top)
    assert clocking.choose(clocks, top) == clock
    assert clocking.others(clocks, clock) == told
    clocking.check(clocks, clock, top, mixed=True)
    if told:
        with pytest.raises(InputError, match="not everything is on the rising edge of ck:"):
            clocking.check(clocks, clock, top, mixed=False)
    else:
        clocking.check(clocks, clock, top, mixed=False)


@pytest.mark.parametrize(
    ("top", "message"),
    [
        (
            "two",
            "it has 2 clocks, ck, other:\n  rising edge of ck, 1 bit: q (m.v:18)\n"
            "  rising edge of other, 1 bit: r (m.v:19)",
        ),
        (
            "memory",
            "it has 2 clocks, ck, other:\n  rising edge of ck, 8 bits: q (m.v:33)\n"
            "  rising edge of other, 8 bits: words (m.v:32)",
        ),
        (
            "gated",
            "no input clocks its registers:\n"
            "  rising edge of the logic of g (m.v:27), 1 bit: q (m.v:28)",
        ),
    ],
)
def test_a_clock_that_cannot_be_found_is_told(folder: Path, top: str, message: str) -> None:
    with pytest.raises(InputError) as raised:
        clocking.choose(found(folder, top), top)
    assert str(raised.value).startswith(f"{top}: {message}\n")


def test_parameters_decide_the_clocks(tmp_path: Path) -> None:
    path = tmp_path / "edge.v"
    path.write_text(
        "module edge_of #(parameter FALL = 0) (input ck, d, output reg q);\n"
        "generate if (FALL) always @(negedge ck) q <= d; else always @(posedge ck) q <= d;\n"
        "endgenerate\nendmodule\n"
    )
    edges = []
    for value in (0, 1):
        made = Sources(files={path.name: path}, top="edge_of", parameters={"FALL": value})
        [domain] = elaborate.module(made).clocks.domains
        edges.append(domain.edge)
    assert edges == ["rising", "falling"]
