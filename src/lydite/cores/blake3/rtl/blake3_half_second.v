// SPDX-License-Identifier: Apache-2.0
//
// The second half of G (BLAKE3, 2.2), behind the register of blake3_half_first: two additions one
// behind the other, and a sum modulo 2. Combinational.

`default_nettype none

module blake3_half_second (
    input  wire [31:0] am_i,
    input  wire [31:0] b_i,
    input  wire [31:0] c_i,
    input  wire [31:0] d_i,
    output wire [31:0] a_o,
    output wire [31:0] b_o,
    output wire [31:0] c_o,
    output wire [31:0] d_o
);

  wire [31:0] b_sum = b_i ^ c_i;
  wire [31:0] b = {b_sum[11:0], b_sum[31:12]};
  wire [31:0] a = am_i + b;
  wire [31:0] d_sum = d_i ^ a;
  wire [31:0] d = {d_sum[7:0], d_sum[31:8]};
  wire [31:0] c = c_i + d;
  wire [31:0] b_sum2 = b ^ c;

  assign a_o = a;
  assign b_o = {b_sum2[6:0], b_sum2[31:7]};
  assign c_o = c;
  assign d_o = d;

endmodule

`default_nettype wire
