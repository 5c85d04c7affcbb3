// SPDX-License-Identifier: Apache-2.0
//
// SubBytes, ShiftRows and MixColumns (FIPS 197, 5.1.1 to 5.1.3) of four words of 128 bits, byte 0
// lowest. Interface: what is there comes out in the next cycle. Resets nothing.

`default_nettype none

module echo_round #(
    // S-boxes. 1: in block RAM; 0: in logic.
    parameter MEMORY = 1
) (
    input  wire         clk,
    input  wire [511:0] words_i,
    output wire [511:0] words_o
);

  wire [511:0] substituted;

  genvar i;
  generate
    for (i = 0; i < 32; i = i + 1) begin : g_pair
      aes_sbox_pair #(
          .MEMORY (MEMORY),
          .INVERSE(0)
      ) u_pair (
          .clk     (clk),
          .en_i    (1'b1),
          .invert_i(1'b0),
          .a_i     (words_i[16*i +: 8]),
          .b_i     (words_i[16*i+8 +: 8]),
          .a_o     (substituted[16*i +: 8]),
          .b_o     (substituted[16*i+8 +: 8])
      );
    end

    for (i = 0; i < 16; i = i + 1) begin : g_column
      // Column i % 4 of word i / 4; ShiftRows: its byte of row r is of r columns further on.
      localparam WORD = 128 * (i / 4);

      aes_mix #(
          .BITS(8)
      ) u_mix (
          .rows_i({substituted[WORD+8*((4*i+15)%16) +: 8], substituted[WORD+8*((4*i+10)%16) +: 8],
                   substituted[WORD+8*((4*i+5)%16) +: 8], substituted[WORD+8*((4*i)%16) +: 8]}),
          .rows_o(words_o[32*i +: 32])
      );
    end
  endgenerate

endmodule

`default_nettype wire
