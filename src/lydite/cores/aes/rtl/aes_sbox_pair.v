// SPDX-License-Identifier: Apache-2.0
//
// Two bytes through SubBytes (FIPS 197, 5.1.1) or, with invert_i, InvSubBytes (5.3.2).
//
// Interface: the results of what is there with en_i come in the next cycle, and stay until en_i.
// Resets nothing.
//
// MEMORY: a table read through two ports, which is one block RAM where that has two. Else registers
// and logic: an S-box is the inverse of GF(2^8) between two affine maps, of which the inverse alone
// is shared by both directions (aes_inverse).

`default_nettype none

module aes_sbox_pair #(
    // 1: block RAM; 0: logic.
    parameter MEMORY  = 1,
    // 1: invert_i counts; 0: it is taken as 0.
    parameter INVERSE = 1
) (
    input  wire       clk,
    input  wire       en_i,
    input  wire       invert_i,
    input  wire [7:0] a_i,
    input  wire [7:0] b_i,
    output wire [7:0] a_o,
    output wire [7:0] b_o
);

  // FIPS 197, table 4; that of byte 0 lowest.
  localparam [2047:0] SBOX = {
    128'h16bb54b0_0f2d9941_6842e6bf_0d89a18c,
    128'hdf2855ce_e9871e9b_948ed969_1198f8e1,
    128'h9e1dc186_b9573561_0ef60348_66b53e70,
    128'h8a8bbd4b_1f74dde8_c6b4a61c_2e2578ba,
    128'h08ae7a65_eaf4566c_a94ed58d_6d37c8e7,
    128'h79e49591_62acd3c2_5c240649_0a3a32e0,
    128'hdb0b5ede_14b8ee46_88902a22_dc4f8160,
    128'h73195d64_3d7ea7c4_1744975f_ec130ccd,
    128'hd2f3ff10_21dab6bc_f5389d92_8f40a351,
    128'ha89f3c50_7f02f945_85334d43_fbaaefd0,
    128'hcf584c4a_39becb6a_5bb1fc20_ed00d153,
    128'h842fe329_b3d63b52_a05a6e1b_1a2c8309,
    128'h75b227eb_e2801207_9a059618_c323c704,
    128'h1531d871_f1e5a534_ccf73f36_2693fdb7,
    128'hc072a49c_afa2d4ad_f04759fa_7dc982ca,
    128'h76abd7fe_2b670130_c56f6bf2_7b777c63

  };

  generate
    if (MEMORY != 0) begin : g_memory
      localparam ADDR_BITS = (INVERSE != 0) ? 9 : 8;

      // A table of 256 bytes would else be made of logic.
      (* ram_style = "block" *) reg [7:0] table_q[0:(1 << ADDR_BITS)-1];
      reg [7:0] a_q;
      reg [7:0] b_q;

      wire [8:0] a_addr = {invert_i, a_i};
      wire [8:0] b_addr = {invert_i, b_i};

      integer i;
      initial begin
        for (i = 0; i < 256; i = i + 1) begin
          table_q[i] = SBOX[8*i +: 8];
          if (INVERSE != 0) table_q[256 + SBOX[8*i +: 8]] = i[7:0];
        end
      end

      always @(posedge clk) begin
        if (en_i) begin
          a_q <= table_q[a_addr[ADDR_BITS-1:0]];
          b_q <= table_q[b_addr[ADDR_BITS-1:0]];
        end
      end

      assign a_o = a_q;
      assign b_o = b_q;
    end
  endgenerate
endmodule

`default_nettype wire
