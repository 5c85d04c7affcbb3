// SPDX-License-Identifier: Apache-2.0
//
// Words of a padded message into blocks of the state's lanes 0 to 20, for a rate of any number of
// lanes up to that: zeros stand in the lanes behind it. What follows the message in its block, the
// last bit of pad10*1 too (FIPS 202, 5.1), is made here.
//
// Interface: word_* in as from keccak_pad, words of 64 bits; word_* out for keccak_block with
// RATE_BYTES = 168, whose own last bit of pad10*1 stands in lane 20 and is right for that rate
// alone. lane_end_i stands still from before the first word to the last. Each block is 21 words,
// and words pass in the cycle in which they come. Resets: position and flags.

`default_nettype none

module keccak_fill (
    input  wire        clk,
    input  wire        rst,
    input  wire [4:0]  lane_end_i,    // the rate's last lane
    input  wire [63:0] word_i,
    input  wire        word_end_i,
    input  wire        word_valid_i,
    output wire        word_ready_o,
    output wire [63:0] word_o,
    output wire        word_end_o,
    output wire        word_valid_o,
    input  wire        word_ready_i
);

  localparam [4:0] LAST_LANE = 5'd20;

  reg  [4:0] lane_q;
  reg        behind_q;  // the rate is full
  reg        padded_q;  // the suffix stands

  wire       takes   = !behind_q && !padded_q;
  wire       closes  = padded_q || (takes && word_end_i);  // the message's last block
  wire       fills   = lane_q == lane_end_i;
  wire       last    = lane_q == LAST_LANE;
  wire       move    = word_valid_o && word_ready_i;
  wire       bit_end = fills && closes;

  assign word_ready_o = takes && word_ready_i;
  assign word_valid_o = !takes || word_valid_i;
  assign word_end_o   = last && closes;
  assign word_o       = {bit_end, 63'd0} | (takes ? word_i : 64'd0);

  always @(posedge clk) begin
    if (rst) begin
      lane_q   <= 5'd0;
      behind_q <= 1'b0;
      padded_q <= 1'b0;
    end else if (move) begin
      lane_q   <= last ? 5'd0 : lane_q + 5'd1;
      behind_q <= !last && (behind_q || fills);
      padded_q <= !last && closes;
    end
  end

`ifdef LYDITE_ASSERT
  rate_is_within_a_block :
  assert property (@(posedge clk) disable iff (rst) word_valid_i |-> lane_end_i <= LAST_LANE);
`endif

endmodule

`default_nettype wire
