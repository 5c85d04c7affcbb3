// SPDX-License-Identifier: Apache-2.0
//
// A step of one of Luffa's permutations ("Hash Function Luffa: Specification", version 2.0.1, 3.4):
// SubCrumb, MixWord, AddConstant. Combinational. Word i in bits 32 i to 32 i + 31.

`default_nettype none

module luffa_step (
    input  wire [255:0] block_i,
    input  wire [31:0]  constant0_i,
    input  wire [31:0]  constant4_i,
    output wire [255:0] block_o
);

  // Entry 15 first; bit i of an entry is of word i.
  localparam [63:0] SBOX = 64'h428f_c93b_67a5_10ed;

  wire [127:0] low;
  wire [127:0] high;
  wire [255:0] mixed;

  genvar i;
  generate
    for (i = 0; i < 32; i = i + 1) begin : g_place
      wire [3:0] from_low = {block_i[96+i], block_i[64+i], block_i[32+i], block_i[i]};
      // The upper half begins with its second word.
      wire [3:0] from_high = {block_i[128+i], block_i[224+i], block_i[192+i], block_i[160+i]};

      assign {low[96+i], low[64+i], low[32+i], low[i]} = SBOX[4*from_low +: 4];
      assign {high[i], high[96+i], high[64+i], high[32+i]} = SBOX[4*from_high +: 4];
    end

    for (i = 0; i < 4; i = i + 1) begin : g_pair
      wire [31:0] left0 = low[32*i +: 32];
      wire [31:0] right1 = high[32*i +: 32] ^ left0;
      wire [31:0] left1 = {left0[29:0], left0[31:30]} ^ right1;
      wire [31:0] right2 = {right1[17:0], right1[31:18]} ^ left1;

      assign mixed[32*i +: 32] = {left1[21:0], left1[31:22]} ^ right2;
      assign mixed[128 + 32*i +: 32] = {right2[30:0], right2[31]};
    end
  endgenerate

  assign block_o = mixed ^ {96'd0, constant4_i, 96'd0, constant0_i};

endmodule

`default_nettype wire
