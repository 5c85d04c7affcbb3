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

      // The highest bit, which table it is, has no part where there is one table.
      /* verilator lint_off UNUSEDSIGNAL */
      wire [8:0] a_addr = {invert_i, a_i};
      wire [8:0] b_addr = {invert_i, b_i};
      /* verilator lint_on UNUSEDSIGNAL */

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
    end else begin : g_logic
      // Rows of matrices over GF(2), that of bit 0 lowest: into the field of aes_inverse; back, and
      // the affine map; the affine map undone, and into the field; back.
      localparam [63:0] ENTER        = 64'hd2_7e_0c_d0_08_24_e6_c7;
      localparam [63:0] LEAVE        = 64'h34_d0_1a_19_53_01_05_13;
      localparam [63:0] INVERT_ENTER = 64'h78_09_b7_31_25_06_34_04;
      localparam [63:0] INVERT_LEAVE = 64'hcc_5a_2c_86_08_28_90_2f;

      function [7:0] times(input [63:0] rows, input [7:0] value);
        integer i;
        for (i = 0; i < 8; i = i + 1) times[i] = ^(rows[8*i +: 8] & value);
      endfunction

      reg  [15:0] bytes_q;
      reg         invert_q;
      wire [15:0] entered;
      wire [15:0] inverse;
      wire [15:0] left;
      wire        invert = (INVERSE != 0) && invert_q;

      always @(posedge clk) begin
        if (en_i) begin
          bytes_q  <= {b_i, a_i};
          invert_q <= invert_i;
        end
      end

      genvar g;
      for (g = 0; g < 2; g = g + 1) begin : g_byte
        assign entered[8*g +: 8] = invert ? times(INVERT_ENTER, bytes_q[8*g +: 8] ^ 8'h63)
                                          : times(ENTER, bytes_q[8*g +: 8]);
        assign left[8*g +: 8]    = invert ? times(INVERT_LEAVE, inverse[8*g +: 8])
                                          : times(LEAVE, inverse[8*g +: 8]) ^ 8'h63;

        aes_inverse u_inverse (
            .value_i  (entered[8*g +: 8]),
            .inverse_o(inverse[8*g +: 8])
        );
      end

      assign {b_o, a_o} = left;
    end
  endgenerate
endmodule

`default_nettype wire
