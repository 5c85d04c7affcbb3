# SPDX-License-Identifier: Apache-2.0
"""The FIFO between processes, of every kind and depth: order, no loss, no doubling, fill, rate."""

from __future__ import annotations

import shutil
import subprocess
from pathlib import Path

import pytest

from lydite.hls import delay_model, emit_fifo

BENCH = """
module bench;
  reg clk = 0, rst = 1;
  reg [WIDTH-1:0] in = 0;
  reg put = 0, take = 0;
  wire room, valid;
  wire [WIDTH-1:0] out;
INSTANCE
  integer seed = SEED, cycle, given = 0, taken = 0, mode = 0;
  reg [WIDTH-1:0] sent [0:65535];
  reg [WIDTH+1:0] was;
  initial begin
    #5 clk = 1; #5 clk = 0; #5 clk = 1; #5 clk = 0;
    for (cycle = 0; cycle < 20000; cycle = cycle + 1) begin
      // Both fast, one of them slow, both at random, in turn; a reset now and then.
      if (cycle % 100 == 0) mode = $random(seed) & 3;
      rst = cycle % 1000 == 999;
      #1;
      put = room && (mode[0] ? $random(seed) & 1 : 1);
      take = valid && (mode[1] ? $random(seed) & 1 : 1);
      in = {$random(seed), $random(seed), $random(seed)};
      #3;
      // No output may look at an input of the same cycle.
      was = {room, valid, out};
      put = !put; take = !take; in = ~in;
      #1 if (was !== {room, valid, out}) $display("WRONG path %0d", cycle);
      put = !put; take = !take; in = ~in;
      #1;
      if (fill !== given - taken) $display("WRONG fill %0d", cycle);
      if (valid !== (given > taken)) $display("WRONG valid %0d", cycle);
      if (room !== (given - taken < DEPTH)) $display("WRONG room %0d", cycle);
      if (valid && out !== sent[taken]) $display("WRONG beat %0d", cycle);
      if (DEPTH > 1 && mode == 0 && cycle % 100 > 3 && cycle % 1000 > 4 && !(put && take))
        $display("WRONG rate %0d", cycle);
      if (put) begin sent[given] = in; given = given + 1; end
      if (take) taken = taken + 1;
      if (rst) begin given = 0; taken = 0; end
      #1 clk = 1; #5 clk = 0;
    end
    $display("DONE");
    $finish;
  end
endmodule
"""

needs_iverilog = pytest.mark.skipif(shutil.which("iverilog") is None, reason="needs iverilog")


def run(fifo: str, width: int, depth: int, kind: int, folder: Path) -> list[str]:
    """Simulate a FIFO; give what is wrong with it."""
    pins = {"beat_i": "in", "put_i": "put", "free_o": "room"}
    pins |= {"beat_o": "out", "valid_o": "valid", "take_i": "take"}
    made = "\n".join(emit_fifo.instance(delay_model.load("ecp5"), "f", width, depth, **pins))
    made = made.replace("ap_clk)", "clk)").replace("(ap_clk", "(clk").replace("(ap_rst", "(rst")
    was = f".KIND({emit_fifo.kind(delay_model.load('ecp5'), width, depth)})"
    assert made.count(was) == 1
    made = made.replace(was, f".KIND({kind})") + "\n  wire [31:0] fill = f_fill;"
    text = BENCH.replace("INSTANCE", made).replace("WIDTH-1", str(width - 1))
    text = text.replace("WIDTH+1", str(width + 1)).replace("DEPTH >", f"{depth} >")
    text = text.replace("< DEPTH", f"< {depth}").replace("SEED", str(width * 1000 + depth))
    (folder / "bench.v").write_text(text)
    (folder / "fifo.v").write_text(fifo)
    binary = folder / "sim"
    sources = [str(folder / "bench.v"), str(folder / "fifo.v")]
    subprocess.run(["iverilog", "-g2005", "-o", str(binary), *sources], check=True)
    done = subprocess.run(["vvp", "-n", str(binary)], check=True, capture_output=True, text=True)
    lines = done.stdout.splitlines()
    assert lines[-1] == "DONE" or "WRONG" in lines[0], lines
    return [line for line in lines if line != "DONE"]


SHAPES = [(1, 1), (8, 1), (8, 2), (73, 3), (8, 4), (1, 5), (32, 16), (9, 17)]


@needs_iverilog
@pytest.mark.parametrize("kind", [emit_fifo.REGISTERS, emit_fifo.LUTRAM, emit_fifo.BLOCK])
@pytest.mark.parametrize(("width", "depth"), SHAPES)
def test_beats_come_out_as_they_went_in(width: int, depth: int, kind: int, tmp_path: Path) -> None:
    assert run(emit_fifo.module(), width, depth, kind, tmp_path) == []


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


@needs_iverilog
@pytest.mark.parametrize(("kind", "old", "new"), BROKEN, ids=[new for _, _, new in BROKEN])
def test_fault_is_found(kind: int, old: str, new: str, tmp_path: Path) -> None:
    text = emit_fifo.module()
    assert text.count(old) == 1
    assert run(text.replace(old, new), 8, 3, kind, tmp_path)
