// SPDX-License-Identifier: Apache-2.0
//
// G of BLAKE ("SHA-3 proposal BLAKE", 2.1.2) on one column or diagonal, without a register. The
// words of the message come with the constants added.

`default_nettype none

module blake_g (
    input  wire [31:0] a_i,
    input  wire [31:0] b_i,
    input  wire [31:0] c_i,
    input  wire [31:0] d_i,
    input  wire [31:0] first_i,
    input  wire [31:0] second_i,
    output wire [31:0] a_o,
    output wire [31:0] b_o,
    output wire [31:0] c_o,
    output wire [31:0] d_o
);

  wire [31:0] a1 = a_i + b_i + first_i;
  wire [31:0] d1 = d_i ^ a1;
  wire [31:0] c1 = c_i + {d1[15:0], d1[31:16]};
  wire [31:0] b1 = b_i ^ c1;
  wire [31:0] b1_turned = {b1[11:0], b1[31:12]};
  wire [31:0] a2 = a1 + b1_turned + second_i;
  wire [31:0] d2 = {d1[15:0], d1[31:16]} ^ a2;
  wire [31:0] d2_turned = {d2[7:0], d2[31:8]};
  wire [31:0] c2 = c1 + d2_turned;
  wire [31:0] b2 = b1_turned ^ c2;

  assign a_o = a2;
  assign b_o = {b2[6:0], b2[31:7]};
  assign c_o = c2;
  assign d_o = d2_turned;

endmodule

`default_nettype wire
