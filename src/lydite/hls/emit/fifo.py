# SPDX-License-Identifier: Apache-2.0
"""The FIFO between processes: registers, LUT RAM or block RAM, by depth and width."""

from __future__ import annotations

from lydite.hls.emit.structure import Declare, Instance, Net, pins
from lydite.hls.emit.verilog import literal
from lydite.hls.ir.delay_model import DelayModel

NAME = "lydite_fifo"
REGISTERS, LUTRAM, BLOCK = 0, 1, 2
# Beats that registers hold in any case, and bits that they hold where there is no LUT RAM.
_REGISTER_DEPTH = 2
_REGISTER_BITS = 256
# Beats and bits beyond which block RAM is smaller, as in `passes.choose_memories`.
_LUTRAM_DEPTH = 64
_LUTRAM_BITS = 2048


def kind(model: DelayModel, width: int, depth: int) -> int:
    """Choose what holds the beats."""
    if depth <= _REGISTER_DEPTH or (not model.has_lutram and width * depth <= _REGISTER_BITS):
        return REGISTERS
    small = depth <= model.lutram_depth or (
        depth <= _LUTRAM_DEPTH and width * depth <= _LUTRAM_BITS
    )
    return LUTRAM if model.has_lutram and small else BLOCK


def instance(
    model: DelayModel,
    name: str,
    width: int,
    depth: int,
    **ends: str,
) -> tuple[Declare, Instance]:
    """Instantiate one as `u_NAME`, with its fill as `NAME_fill`."""
    count = depth.bit_length()
    bits = max(1, (depth - 1).bit_length())
    parameters = {
        "WIDTH": str(width),
        "DEPTH": str(depth),
        "BITS": str(bits),
        "COUNT": str(count),
        "FULL": literal(count, depth),
        "LAST": literal(bits, depth - 1),
        "KIND": str(kind(model, width, depth)),
    }
    fill = f"{name}_fill"
    fifo = Instance(
        NAME,
        f"u_{name}",
        pins(ap_clk="ap_clk", ap_rst="ap_rst", **ends, fill_o=fill),
        tuple(parameters.items()),
    )
    return Declare(
        "wire", (Net(fill, count, vector=True),), note="for simulation", observed=True
    ), fifo


def module() -> str:
    """Give its file."""
    return _TEXT


_TEXT = """\
// SPDX-License-Identifier: Apache-2.0
// lydite_fifo: beats in order, the first one in sight while there is one.
//
// A beat that is put where free_o is high is in sight in the next cycle, if no other one is before
// it; taking it where valid_o is high brings the next one in sight. Neither free_o nor valid_o
// depends on an input. Putting where free_o is low, and taking where valid_o is low, is forbidden.
// Reset empties it and touches no data.

`default_nettype none

module lydite_fifo #(
    parameter WIDTH = 8,  // bits of a beat
    parameter DEPTH = 2,  // beats, at least 1
    parameter BITS  = 1,  // bits of an index: of DEPTH - 1, at least 1
    parameter COUNT = 2,  // bits of a number of beats: of DEPTH
    parameter [COUNT-1:0] FULL = 2'd2,  // DEPTH
    parameter [BITS-1:0]  LAST = 1'd1,  // DEPTH - 1
    parameter KIND  = 0   // 0: registers, 1: memory that answers at once, 2: block RAM
) (
    input  wire             ap_clk,
    input  wire             ap_rst,
    input  wire [WIDTH-1:0] beat_i,
    input  wire             put_i,
    output wire             free_o,
    output wire [WIDTH-1:0] beat_o,
    output wire             valid_o,
    input  wire             take_i,
    output wire [COUNT-1:0] fill_o
);

  reg [COUNT-1:0] fill_q;
  reg free_q, valid_q;

  localparam [COUNT:0] NEXT_COUNT = {{COUNT{1'b0}}, 1'b1};
  wire [COUNT-1:0] one = NEXT_COUNT[COUNT-1:0];
  wire [COUNT-1:0] fill_d =
      put_i & ~take_i ? fill_q + one : take_i & ~put_i ? fill_q - one : fill_q;

  assign fill_o = fill_q;
  assign free_o = free_q;
  assign valid_o = valid_q;

  always @(posedge ap_clk) begin
    if (ap_rst) begin
      fill_q  <= {COUNT{1'b0}};
      free_q  <= 1'b1;
      valid_q <= 1'b0;
    end else begin
      fill_q  <= fill_d;
      free_q  <= fill_d != FULL;
      valid_q <= |fill_d;
    end
  end

  generate
    if (KIND == 0) begin : g_registers
      // The first beat is in the lowest place; taking it moves the others down.
      reg [DEPTH*WIDTH-1:0] beats_q;
      wire [DEPTH*WIDTH-1:0] moved = take_i ? beats_q >> WIDTH : beats_q;
      wire [31:0] place = {{(32 - COUNT) {1'b0}}, take_i ? fill_q - one : fill_q};
      genvar at;
      for (at = 0; at < DEPTH; at = at + 1) begin : g_place
        always @(posedge ap_clk)
          beats_q[at*WIDTH+:WIDTH] <=
              put_i & (place == at) ? beat_i : moved[at*WIDTH+:WIDTH];
      end
      assign beat_o = beats_q[WIDTH-1:0];
    end else begin : g_memory
      reg [WIDTH-1:0] beats [0:DEPTH-1];
      reg [BITS-1:0] first_q, next_q;
      localparam [BITS:0] NEXT_PLACE = {{BITS{1'b0}}, 1'b1};
      wire [BITS-1:0] step = NEXT_PLACE[BITS-1:0];
      wire [BITS-1:0] second = first_q == LAST ? {BITS{1'b0}} : first_q + step;
      wire [BITS-1:0] first_d = take_i ? second : first_q;
      always @(posedge ap_clk) begin
        if (ap_rst) begin
          first_q <= {BITS{1'b0}};
          next_q  <= {BITS{1'b0}};
        end else begin
          first_q <= first_d;
          if (put_i) next_q <= next_q == LAST ? {BITS{1'b0}} : next_q + step;
        end
        if (put_i) beats[next_q] <= beat_i;
      end
      if (KIND == 1) begin : g_at_once
        assign beat_o = beats[first_q];
      end else begin : g_block
        // What is read is asked for a cycle before; a beat that was put then is not yet in there.
        reg [WIDTH-1:0] read_q;
        wire fresh = put_i & (next_q == first_d);
        always @(posedge ap_clk) read_q <= fresh ? beat_i : beats[first_d];
        assign beat_o = read_q;
      end
    end
  endgenerate

endmodule

`default_nettype wire
"""
