// SPDX-License-Identifier: Apache-2.0
//
// A round of AES (FIPS 197, 5.1) of a word of 128 bits, without a key: SubBytes, ShiftRows,
// MixColumns. Combinational. Byte 0 in the lowest bits.

`default_nettype none

module aes_round (
    input  wire [127:0] word_i,
    output wire [127:0] word_o
);

  // Rows of matrices over GF(2), that of bit 0 lowest: into the field of aes_inverse, and back with
  // the affine map of the S-box.
  localparam [63:0] ENTER = 64'hd2_7e_0c_d0_08_24_e6_c7;
  localparam [63:0] LEAVE = 64'h34_d0_1a_19_53_01_05_13;

  function [7:0] times(input [63:0] rows, input [7:0] value);
    integer i;
    for (i = 0; i < 8; i = i + 1) times[i] = ^(rows[8*i +: 8] & value);
  endfunction

  wire [127:0] shifted;

  genvar g;
  generate
    for (g = 0; g < 16; g = g + 1) begin : g_byte
      // Where the byte of this place comes from in ShiftRows.
      localparam FROM = (4 * (g / 4 + g % 4) + g % 4) % 16;
      wire [7:0] inverse;

      aes_inverse u_inverse (
          .value_i  (times(ENTER, word_i[8*FROM +: 8])),
          .inverse_o(inverse)
      );

      assign shifted[8*g +: 8] = times(LEAVE, inverse) ^ 8'h63;
    end

    for (g = 0; g < 4; g = g + 1) begin : g_column
      aes_mix #(
          .BITS(8)
      ) u_mix (
          .rows_i(shifted[32*g +: 32]),
          .rows_o(word_o[32*g +: 32])
      );
    end
  endgenerate

endmodule

`default_nettype wire
