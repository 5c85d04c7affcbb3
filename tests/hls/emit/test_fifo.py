# SPDX-License-Identifier: Apache-2.0
"""The FIFO between processes, of every kind and depth: order, no loss, no doubling, fill, rate."""

from __future__ import annotations

from pathlib import Path

import pytest
from rtl import Model, Port

from lydite.hls.emit import fifo as emit_fifo
from lydite.hls.emit import printer
from lydite.hls.ir import delay_model

# What may be wrong, by the bit of the bench's output that says so.
FAULTS = ("path", "fill", "valid", "room", "beat", "rate")
CYCLES = 20_000
# Six edges of `tick` are a cycle: outputs settle between what is done in each.
BENCH = """
module bench (input tick, output reg [5:0] wrong, output reg [31:0] cycle);
  reg clk = 0, rst = 1;
  reg [WIDTH-1:0] in = 0;
  reg put = 0, take = 0;
  wire room, valid;
  wire [WIDTH-1:0] out;
INSTANCE
  integer given = 0, taken = 0, phase = 0;
  reg [1:0] mode = 0;
  reg [WIDTH-1:0] sent [0:32767];
  reg [WIDTH+1:0] was = 0;
  initial begin wrong = 0; cycle = 0; end
  always @(posedge tick) begin
    phase = phase == 5 ? 0 : phase + 1;
    case (phase)
      // Both fast, one of them slow, both at random, in turn; a reset now and then.
      0: begin
        clk = 0;
        if (cycle % 100 == 0) mode = $urandom;
        rst = cycle % 1000 == 999 || cycle < 2;
      end
      1: begin
        put = room && (!mode[0] || $urandom & 1);
        take = valid && (!mode[1] || $urandom & 1);
        in = {$urandom, $urandom, $urandom};
      end
      // No output may look at an input of the same cycle.
      2: begin
        was = {room, valid, out};
        put = !put; take = !take; in = ~in;
      end
      3: begin
        wrong[0] = wrong[0] | (was != {room, valid, out});
        put = !put; take = !take; in = ~in;
      end
      4: if (cycle >= 2) begin
        wrong[1] = wrong[1] | (fill != given - taken);
        wrong[2] = wrong[2] | (valid != (given > taken));
        wrong[3] = wrong[3] | (room != (given - taken < DEPTH));
        wrong[4] = wrong[4] | (valid && out != sent[taken]);
        wrong[5] = wrong[5] | (DEPTH > 1 && mode == 0 && cycle % 100 > 3 && cycle % 1000 > 4
                               && !(put && take));
        if (put) begin sent[given] = in; given = given + 1; end
        if (take) taken = taken + 1;
        if (rst) begin given = 0; taken = 0; end
      end
      5: begin
        clk = 1;
        cycle = cycle + 1;
      end
    endcase
  end
endmodule
"""


def run(fifo: str, width: int, depth: int, kind: int, folder: Path) -> set[str]:
    """Simulate a FIFO; give what is wrong with it."""
    pins = {"beat_i": "in", "put_i": "put", "free_o": "room"}
    pins |= {"beat_o": "out", "valid_o": "valid", "take_i": "take"}
    items = emit_fifo.instance(delay_model.load("ecp5"), "f", width, depth, **pins)
    made = "\n".join(line for item in items for line in printer.lines(item, {}))
    made = made.replace("ap_clk)", "clk)").replace("(ap_clk", "(clk").replace("(ap_rst", "(rst")
    was = f".KIND({emit_fifo.kind(delay_model.load('ecp5'), width, depth)})"
    assert made.count(was) == 1
    made = made.replace(was, f".KIND({kind})") + "\n  wire [31:0] fill = f_fill;"
    text = BENCH.replace("INSTANCE", made).replace("WIDTH-1", str(width - 1))
    text = text.replace("WIDTH+1", str(width + 1)).replace("DEPTH >", f"{depth} >")
    text = text.replace("< DEPTH", f"< {depth}")
    ports = [Port("tick", 1, "input"), Port("wrong", 6, "output"), Port("cycle", 32, "output")]
    model = Model(folder, {"bench.v": text, "fifo.v": fifo}, "bench", ports)
    ends = model.clocked("tick", 6 * CYCLES, seed=width * 1000 + depth)
    assert ends["cycle"] >= CYCLES - 1
    return {fault for bit, fault in enumerate(FAULTS) if ends["wrong"] >> bit & 1}


SHAPES = [(1, 1), (8, 1), (8, 2), (73, 3), (8, 4), (1, 5), (32, 16), (9, 17)]


@pytest.mark.parametrize("kind", [emit_fifo.REGISTERS, emit_fifo.LUTRAM, emit_fifo.BLOCK])
@pytest.mark.parametrize(("width", "depth"), SHAPES)
def test_beats_come_out_as_they_went_in(width: int, depth: int, kind: int, tmp_path: Path) -> None:
    assert run(emit_fifo.module(), width, depth, kind, tmp_path) == set()


BROKEN = [
    (0, "put_i & (place == at)", "put_i & (fill_q == at)"),
    (0, "take_i ? beats_q >> WIDTH : beats_q", "beats_q"),
    (1, "if (put_i) beats[next_q] <= beat_i;", "beats[next_q] <= beat_i;"),
    (1, "first_q == LAST ? {BITS{1'b0}} : first_q + step", "first_q + step"),
    (2, "read_q <= fresh ? beat_i : beats[first_d]", "read_q <= beats[first_d]"),
    (2, "read_q <= fresh ? beat_i : beats[first_d]", "read_q <= fresh ? beat_i : beats[first_q]"),
    (0, "free_q  <= fill_d != FULL;", "free_q  <= 1'b1;"),
    (0, "assign valid_o = valid_q;", "assign valid_o = valid_q & ~put_i;"),
]


@pytest.mark.parametrize(("kind", "old", "new"), BROKEN, ids=[new for _, _, new in BROKEN])
def test_fault_is_found(kind: int, old: str, new: str, tmp_path: Path) -> None:
    text = emit_fifo.module()
    assert text.count(old) == 1
    assert run(text.replace(old, new), 8, 3, kind, tmp_path)
