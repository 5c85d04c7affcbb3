# SPDX-License-Identifier: Apache-2.0
"""The register slice of streams: order, no loss, no doubling, full rate, whatever both sides do."""

from __future__ import annotations

import shutil
import subprocess
from pathlib import Path

import pytest

from lydite.hls import emit_stream

BENCH = """
module bench;
  reg clk = 0, rst = 1;
  reg [WIDTH-1:0] in = 0;
  reg valid = 0, ready = 0;
  wire in_ready, out_valid;
  wire [WIDTH-1:0] out;
  integer seed = SEED, cycle, given = 0, taken = 0, held = 0, mode = 0;
  reg [WIDTH-1:0] sent [0:65535];
  reg waits = 0, in_ready_q = 1;
  reg [WIDTH-1:0] shown;
  lydite_stream_slice #(.WIDTH(WIDTH)) u (
      .ap_clk(clk), .ap_rst(rst), .beat_i(in), .valid_i(valid), .ready_o(in_ready),
      .beat_o(out), .valid_o(out_valid), .ready_i(ready));
  initial begin
    #5 clk = 1; #5 clk = 0; #5 clk = 1; #5 clk = 0;
    rst = 0;
    for (cycle = 0; cycle < 20000; cycle = cycle + 1) begin
      // Both fast, one of them slow, both at random, in turn; a reset now and then.
      if (cycle % 100 == 0) mode = $random(seed) & 3;
      if (!valid || in_ready_q) begin
        valid = mode[0] ? $random(seed) : 1;
        in = {$random(seed), $random(seed), $random(seed)};
      end
      ready = mode[1] ? $random(seed) : 1;
      rst = cycle % 1000 == 999;
      #4;
      // No output may look at an input of the same cycle.
      was = {in_ready, out_valid, out};
      valid = !valid; ready = !ready; in = ~in;
      #1 if (was !== {in_ready, out_valid, out}) $display("WRONG path %0d", cycle);
      valid = !valid; ready = !ready; in = ~in;
      #1;
      if (waits && (!out_valid || out !== shown)) $display("WRONG change %0d", cycle);
      waits = out_valid && !ready && !rst;
      shown = out;
      in_ready_q = in_ready || rst;
      if (rst) begin
        given = 0; taken = 0; valid = 0;
      end else begin
        if (out_valid && ready) begin
          if (taken >= given || out !== sent[taken]) $display("WRONG beat %0d", cycle);
          taken = taken + 1;
        end
        if (valid && in_ready) begin sent[given] = in; given = given + 1; end
        held = given - taken;
        if (held > 2) $display("WRONG room %0d", cycle);
        if (mode == 0 && cycle % 100 > 3 && cycle % 1000 > 4 && !(out_valid && in_ready))
          $display("WRONG rate %0d", cycle);
      end
      #1 clk = 1; #5 clk = 0;
    end
    $display("DONE %0d", given);
    $finish;
  end
  reg [WIDTH+1:0] was;
endmodule
"""


needs_iverilog = pytest.mark.skipif(shutil.which("iverilog") is None, reason="needs iverilog")


def run(slice_text: str, width: int, seed: int, folder: Path) -> list[str]:
    """Simulate a slice; give what is wrong with it."""
    (folder / "slice.v").write_text(slice_text)
    text = BENCH.replace("WIDTH-1", f"{width - 1}").replace("WIDTH+1", f"{width + 1}")
    text = text.replace("(WIDTH)", f"({width})").replace("SEED", str(seed))
    (folder / "bench.sv").write_text(text)
    files = [str(folder / name) for name in ("slice.v", "bench.sv")]
    program = str(folder / "run")
    subprocess.run(["iverilog", "-g2005-sv", "-s", "bench", "-o", program, *files], check=True)
    done = subprocess.run(["vvp", program], check=True, capture_output=True, text=True)
    lines = done.stdout.splitlines()
    assert any(line.startswith("DONE") for line in lines)
    return [line for line in lines if line.startswith("WRONG")]


@needs_iverilog
@pytest.mark.parametrize(("width", "seed"), [(1, 1), (10, 2), (73, 3), (73, 4)])
def test_beats_go_through_once_in_order_at_full_rate(width: int, seed: int, tmp_path: Path) -> None:
    assert run(emit_stream.module(), width, seed, tmp_path) == []


@needs_iverilog
@pytest.mark.parametrize(
    ("old", "new", "kind"),
    [
        ("if (ready_q) second_q", "if (valid_i) second_q", "beat"),
        ("full_q <= valid_i | ~ready_q;", "full_q <= valid_i;", "beat"),
        ("ready_q <= 1'b0;", "ready_q <= 1'b1;", "beat"),
        ("if (moves) beat_q", "beat_q", "change"),
        ("assign ready_o = ready_q;", "assign ready_o = ready_q & valid_i;", "path"),
        ("assign valid_o = full_q;", "assign valid_o = full_q & ready_i;", "path"),
        ("ready_i | ~full_q;", "ready_i & ~full_q;", "rate"),
    ],
)
def test_broken_slice_is_found(old: str, new: str, kind: str, tmp_path: Path) -> None:
    text = emit_stream.module()
    assert text.count(old) == 1
    found = run(text.replace(old, new), 10, 5, tmp_path)
    assert any(line.startswith(f"WRONG {kind}") for line in found)
