// SPDX-License-Identifier: Apache-2.0
//
// The first half of G (BLAKE3, 2.2) and a register: two additions one behind the other. The word of
// the block that the second half adds is added here, where a does not wait for it. The word of the
// first half is in am_i. One cycle; resets nothing.

`default_nettype none

module blake3_half_first (
    input  wire        clk,
    input  wire [31:0] am_i,
    input  wire [31:0] b_i,
    input  wire [31:0] c_i,
    input  wire [31:0] d_i,
    input  wire [31:0] y_i,
    output wire [31:0] am_o,
    output wire [31:0] b_o,
    output wire [31:0] c_o,
    output wire [31:0] d_o
);

  reg [31:0] am_q;
  reg [31:0] b_q;
  reg [31:0] c_q;
  reg [31:0] d_q;

  wire [31:0] a = am_i + b_i;
  wire [31:0] d_sum = d_i ^ a;
  wire [31:0] d = {d_sum[15:0], d_sum[31:16]};

  always @(posedge clk) begin
    am_q <= a + y_i;
    b_q  <= b_i;
    c_q  <= c_i + d;
    d_q  <= d;
  end

  assign am_o = am_q;
  assign b_o  = b_q;
  assign c_o  = c_q;
  assign d_o  = d_q;

endmodule

`default_nettype wire
