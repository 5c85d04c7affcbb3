// SPDX-License-Identifier: Apache-2.0
//
// The second half of G (BLAKE3, 2.2), behind the register of blake3_half_first, which gives d as
// two words: two additions one behind the other, and a sum modulo 2. Combinational.

`default_nettype none

module blake3_half_second #(
    // As of xor_add.
    parameter CELLS = 0
) (
    input  wire [31:0] am_i,
    input  wire [31:0] b_i,
    input  wire [31:0] c_i,
    input  wire [31:0] d_i,
    input  wire [31:0] da_i,
    output wire [31:0] a_o,
    output wire [31:0] b_o,
    output wire [31:0] c_o,
    output wire [31:0] d_o
);

  wire [31:0] b_sum = b_i ^ c_i;
  wire [31:0] b = {b_sum[11:0], b_sum[31:12]};
  wire [31:0] a;
  wire [31:0] d_sum = d_i ^ da_i;
  wire [31:0] d_sum2 = {d_sum[15:0], d_sum[31:16]} ^ a;
  wire [31:0] d = {d_sum2[7:0], d_sum2[31:8]};
  wire [31:0] c = c_i + d;
  wire [31:0] b_sum2 = b ^ c;

  xor_add #(
      .CELLS(CELLS)
  ) u_a (
      .a_i  (am_i),
      .b_i  ({b_i[11:0], b_i[31:12]}),
      .c_i  ({c_i[11:0], c_i[31:12]}),
      .sum_o(a)
  );

  assign a_o = a;
  assign b_o = {b_sum2[6:0], b_sum2[31:7]};
  assign c_o = c;
  assign d_o = d;

endmodule

`default_nettype wire
