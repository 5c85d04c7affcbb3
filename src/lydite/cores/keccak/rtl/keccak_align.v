// SPDX-License-Identifier: Apache-2.0
//
// Words of two lanes, cut anew for blocks of an odd number of lanes: the last word of such a block
// holds one lane in its lower half, and the lane that came beside it opens the next block.
//
// Interface: word_* from keccak_pad, pair_* to keccak_block. A block of LANES lanes takes
// (LANES + 1) / 2 cycles; two blocks take LANES words, so one cycle in LANES + 1 takes no word.
// No delay in between. Resets: position and flags.

`default_nettype none

module keccak_align #(
    // Lanes of a block, odd.
    parameter LANES = 17
) (
    input  wire         clk,
    input  wire         rst,
    input  wire [127:0] word_i,
    input  wire         word_end_i,
    input  wire         word_end_low_i,
    input  wire         word_valid_i,
    output wire         word_ready_o,
    output wire [127:0] pair_o,
    output wire         pair_end_o,
    output wire         pair_valid_o,
    input  wire         pair_ready_i
);

  localparam PAIRS = LANES / 2;
  localparam [4:0] TAIL = PAIRS[4:0];  // the pair with one lane

  reg  [4:0]  pair_q;
  reg         held_q;  // a lane waits, all lanes are off by one
  reg         held_end_q;  // and it ends the message
  reg  [63:0] held_lane_q;

  reg  [4:0]  pair_d;
  reg         held_d;
  reg         held_end_d;

  wire tail = pair_q == TAIL;
  wire alone = held_q && (held_end_q || tail);  // the held lane goes without a new word
  wire move = pair_valid_o && pair_ready_i;

  assign word_ready_o = pair_ready_i && !alone;
  assign pair_valid_o = word_valid_i || alone;
  assign pair_o = !held_q ? word_i : alone ? {64'd0, held_lane_q} : {word_i[63:0], held_lane_q};
  assign pair_end_o = alone ? held_end_q : (held_q || tail) ? word_end_low_i : word_end_i;

  always @* begin
    pair_d = (tail || pair_end_o) ? 5'd0 : pair_q + 5'd1;
    held_d = (held_q ? !alone : tail) && !word_end_low_i;
    held_end_d = word_end_i;
  end

  always @(posedge clk) begin
    if (rst) begin
      pair_q     <= 5'd0;
      held_q     <= 1'b0;
      held_end_q <= 1'b0;
    end else if (move) begin
      pair_q     <= pair_d;
      held_q     <= held_d;
      held_end_q <= held_end_d;
    end
  end

  always @(posedge clk) begin
    if (move) held_lane_q <= word_i[127:64];
  end

endmodule

`default_nettype wire
