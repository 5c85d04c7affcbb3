# SPDX-License-Identifier: Apache-2.0
"""Register slices of streams: order, no loss, no doubling, full rate, whatever both sides do."""

from __future__ import annotations

from pathlib import Path

import pytest
from rtl import Model, Port

from lydite.hls.emit import axi_stream

# What may be wrong, by the bit of the bench's output that says so.
FAULTS = ("path", "change", "beat", "room", "rate")
CYCLES = 20_000
# Beats that each holds, and whether ready, and data with valid, come out of registers.
SLICES = {
    axi_stream.NAME: (2, 1, 1),
    axi_stream.FORWARD: (1, 0, 1),
    axi_stream.REVERSE: (1, 1, 0),
}
# Six edges of `tick` are a cycle: outputs settle between what is done in each.
BENCH = """
module bench (input tick, output reg [4:0] wrong, output reg [31:0] cycle);
  reg clk = 0, rst = 1;
  reg [WIDTH-1:0] in = 0;
  reg valid = 0, ready = 0;
  wire in_ready, out_valid;
  wire [WIDTH-1:0] out;
  integer given = 0, taken = 0, phase = 0;
  reg [1:0] mode = 0;
  reg [WIDTH-1:0] sent [0:32767];
  reg waits = 0, in_ready_q = 1;
  reg [WIDTH-1:0] shown = 0;
  reg [WIDTH+1:0] was = 0;
  SLICE #(.WIDTH(WIDTH)) u (
      .ap_clk(clk), .ap_rst(rst), .beat_i(in), .valid_i(valid), .ready_o(in_ready),
      .beat_o(out), .valid_o(out_valid), .ready_i(ready));
  initial begin wrong = 0; cycle = 0; end
  always @(posedge tick) begin
    phase = phase == 5 ? 0 : phase + 1;
    case (phase)
      0: clk = 0;
      // Both fast, one of them slow, both at random, in turn; a reset now and then.
      1: begin
        if (cycle % 100 == 0) mode = $urandom;
        if (!valid || in_ready_q) begin
          valid = !mode[0] || $urandom & 1;
          in = {$urandom, $urandom, $urandom};
        end
        ready = !mode[1] || $urandom & 1;
        rst = cycle % 1000 == 999 || cycle < 2;
      end
      // No output of a register may look at an input of the same cycle.
      2: begin
        was = {in_ready, out_valid, out};
        valid = !valid; ready = !ready; in = ~in;
      end
      3: begin
        wrong[0] = wrong[0] | (cycle >= 2 && |((was ^ {in_ready, out_valid, out}) & FIXED));
        valid = !valid; ready = !ready; in = ~in;
      end
      4: if (cycle >= 2) begin
        wrong[1] = wrong[1] | (waits && (!out_valid || out != shown));
        waits = out_valid && !ready && !rst;
        shown = out;
        in_ready_q = in_ready || rst;
        if (rst) begin
          given = 0; taken = 0; valid = 0;
        end else begin
          if (valid && in_ready) begin sent[given] = in; given = given + 1; end
          if (out_valid && ready) begin
            wrong[2] = wrong[2] | (taken >= given || out != sent[taken]);
            taken = taken + 1;
          end
          wrong[3] = wrong[3] | (given - taken > CAPACITY);
          wrong[4] = wrong[4] | (mode == 0 && cycle % 100 > 3 && cycle % 1000 > 4
                                 && !(out_valid && in_ready));
        end
      end
      5: begin
        clk = 1;
        cycle = cycle + 1;
      end
    endcase
  end
endmodule
"""


def run(name: str, slice_text: str, width: int, seed: int, folder: Path) -> set[str]:
    """Simulate a slice; give what is wrong with it."""
    capacity, ready, other = SLICES[name]
    fixed = f"{{1'd{ready}, {{{width + 1}{{1'd{other}}}}}}}"
    text = BENCH.replace("SLICE", name).replace("CAPACITY", str(capacity)).replace("FIXED", fixed)
    text = text.replace("WIDTH-1", f"{width - 1}").replace("WIDTH+1", f"{width + 1}")
    text = text.replace("(WIDTH)", f"({width})")
    ports = [Port("tick", 1, "input"), Port("wrong", 5, "output"), Port("cycle", 32, "output")]
    model = Model(folder, {"bench.v": text, "slice.v": slice_text}, "bench", ports)
    ends = model.clocked("tick", 6 * CYCLES, seed=seed)
    assert ends["cycle"] >= CYCLES - 1
    return {fault for bit, fault in enumerate(FAULTS) if ends["wrong"] >> bit & 1}


@pytest.mark.parametrize(("width", "seed"), [(1, 1), (10, 2), (73, 3), (73, 4)])
@pytest.mark.parametrize("name", SLICES)
def test_beats_go_through_once_in_order_at_full_rate(
    name: str, width: int, seed: int, tmp_path: Path
) -> None:
    assert run(name, axi_stream.MODULES[name], width, seed, tmp_path) == set()


@pytest.mark.parametrize(
    ("name", "old", "new", "kind"),
    [
        (axi_stream.NAME, "if (ready_q) second_q", "if (valid_i) second_q", "beat"),
        (axi_stream.NAME, "full_q <= valid_i | ~ready_q;", "full_q <= valid_i;", "beat"),
        (axi_stream.NAME, "ready_q <= 1'b0;", "ready_q <= 1'b1;", "beat"),
        (axi_stream.NAME, "if (moves) beat_q", "beat_q", "change"),
        (
            axi_stream.NAME,
            "assign ready_o = ready_q;",
            "assign ready_o = ready_q & valid_i;",
            "path",
        ),
        (axi_stream.NAME, "assign valid_o = full_q;", "assign valid_o = full_q & ready_i;", "path"),
        (axi_stream.NAME, "ready_i | ~full_q;", "ready_i & ~full_q;", "rate"),
        (axi_stream.FORWARD, "full_q <= valid_i;", "full_q <= full_q | valid_i;", "beat"),
        (axi_stream.FORWARD, "if (ready_o) beat_q", "beat_q", "change"),
        (axi_stream.FORWARD, "ready_i | ~full_q;", "~full_q;", "rate"),
        (axi_stream.FORWARD, "assign valid_o = full_q;", "assign valid_o = valid_i;", "path"),
        (axi_stream.REVERSE, "if (~full_q) beat_q", "beat_q", "change"),
        (axi_stream.REVERSE, "<= ~ready_i;", "<= 1'b0;", "beat"),
        (axi_stream.REVERSE, "= ~full_q;", "= ~full_q | ready_i;", "path"),
    ],
)
def test_broken_slice_is_found(name: str, old: str, new: str, kind: str, tmp_path: Path) -> None:
    text = axi_stream.MODULES[name]
    assert text.count(old) == 1
    assert kind in run(name, text.replace(old, new), 10, 5, tmp_path)
