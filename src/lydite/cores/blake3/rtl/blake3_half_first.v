// SPDX-License-Identifier: Apache-2.0
//
// The first half of G (BLAKE3, 2.2) and a register: two additions one behind the other. The word of
// the block that the second half adds is added here, where a does not wait for it. The word of the
// first half is in am_i. d, a sum modulo 2 of two words, waits as these two: with what the second
// half adds to it, it is a sum of three, which takes no more logic than one of two. One cycle;
// resets nothing.

`default_nettype none

module blake3_half_first #(
    // As of xor_add.
    parameter CELLS = 0
) (
    input  wire        clk,
    input  wire [31:0] am_i,
    input  wire [31:0] b_i,
    input  wire [31:0] c_i,
    input  wire [31:0] d_i,
    input  wire [31:0] y_i,
    output wire [31:0] am_o,
    output wire [31:0] b_o,
    output wire [31:0] c_o,
    output wire [31:0] d_o,
    output wire [31:0] da_o
);

  reg  [31:0] am_q;
  reg  [31:0] b_q;
  reg  [31:0] c_q;
  reg  [31:0] d_q;
  reg  [31:0] da_q;

  wire [31:0] a = am_i + b_i;
  wire [31:0] c;

  xor_add #(
      .CELLS(CELLS)
  ) u_c (
      .a_i  (c_i),
      .b_i  ({d_i[15:0], d_i[31:16]}),
      .c_i  ({a[15:0], a[31:16]}),
      .sum_o(c)
  );

  always @(posedge clk) begin
    am_q <= a + y_i;
    b_q  <= b_i;
    c_q  <= c;
    d_q  <= d_i;
    da_q <= a;
  end

  assign am_o = am_q;
  assign b_o  = b_q;
  assign c_o  = c_q;
  assign d_o  = d_q;
  assign da_o = da_q;

endmodule

`default_nettype wire
