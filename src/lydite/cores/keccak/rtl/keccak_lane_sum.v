// SPDX-License-Identifier: Apache-2.0
//
// The sum of the 25 lanes of a state, modulo 2**64, from words of a chain of engines
// (keccak_engine.v): of each state 30, of columns 0 to 4 of the planes 0 to 4, then of 1 to 4, and
// so on; those of no plane come last. Two words of a column differ by a lane.
//
// Interface: sum_valid_o for a cycle, two cycles behind the last word of a state. A word may come
// in each cycle. Resets: control and the sum.

`default_nettype none

module keccak_lane_sum (
    input  wire        clk,
    input  wire        rst,
    input  wire [63:0] word_i,
    input  wire        word_valid_i,
    output wire [63:0] sum_o,
    output wire        sum_valid_o
);

  reg  [319:0] before_q;  // the last five words, the oldest lowest
  reg  [4:0]   count_q;
  reg          lanes_q;   // before_q is of this state
  reg  [63:0]  lane_q;
  reg          lane_valid_q;
  reg          last_q;
  reg          last_q2;
  reg  [63:0]  sum_q;

  wire         last = word_valid_i && count_q == 5'd29;

  always @(posedge clk) begin
    if (rst) begin
      count_q      <= 5'd0;
      lanes_q      <= 1'b0;
      lane_valid_q <= 1'b0;
      last_q       <= 1'b0;
      last_q2      <= 1'b0;
    end else begin
      if (word_valid_i) count_q <= last ? 5'd0 : count_q + 5'd1;
      if (last) lanes_q <= 1'b0;
      else if (word_valid_i && count_q == 5'd4) lanes_q <= 1'b1;
      lane_valid_q <= word_valid_i && lanes_q;
      last_q       <= last;
      last_q2      <= last_q;
    end
  end

  always @(posedge clk) begin
    if (word_valid_i) before_q <= {word_i, before_q[319:64]};
    lane_q <= word_i ^ before_q[63:0];
  end

  // The first lane of the next state comes six cycles behind the last one of this, or later.
  always @(posedge clk) begin
    if (rst || last_q2) sum_q <= 64'd0;
    else if (lane_valid_q) sum_q <= sum_q + lane_q;
  end

  assign sum_o       = sum_q;
  assign sum_valid_o = last_q2;

endmodule

`default_nettype wire
