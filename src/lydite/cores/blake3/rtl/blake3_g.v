// SPDX-License-Identifier: Apache-2.0
//
// G of BLAKE3 (2.2): mixes two words of the block into four of the state. Combinational.

`default_nettype none

module blake3_g (
    input  wire [31:0] a_i,
    input  wire [31:0] b_i,
    input  wire [31:0] c_i,
    input  wire [31:0] d_i,
    input  wire [31:0] x_i,
    input  wire [31:0] y_i,
    output wire [31:0] a_o,
    output wire [31:0] b_o,
    output wire [31:0] c_o,
    output wire [31:0] d_o
);

  // The word of the block goes to what is there first.
  wire [31:0] a = (a_i + x_i) + b_i;
  wire [31:0] d_sum = d_i ^ a;
  wire [31:0] d = {d_sum[15:0], d_sum[31:16]};
  wire [31:0] c = c_i + d;
  wire [31:0] b_sum = b_i ^ c;
  wire [31:0] b = {b_sum[11:0], b_sum[31:12]};
  wire [31:0] d_sum2 = d ^ a_o;
  wire [31:0] b_sum2 = b ^ c_o;

  assign a_o = (a + y_i) + b;
  assign d_o = {d_sum2[7:0], d_sum2[31:8]};
  assign c_o = c + d_o;
  assign b_o = {b_sum2[6:0], b_sum2[31:7]};

endmodule

`default_nettype wire
