// SPDX-License-Identifier: Apache-2.0
//
// The part of a round that is behind the S-boxes: ShiftRows, MixColumns and AddRoundKey (FIPS 197,
// 5.1.2 to 5.1.4), or, with invert_i, InvShiftRows, AddRoundKey and InvMixColumns (5.3). Byte i of
// the standard's sequence stands in [8*i +: 8]. Logic only.
//
// InvShiftRows moves bytes and InvSubBytes works on each, so that their order does not matter.

`default_nettype none

module aes_round #(
    // 1: invert_i counts; 0: it is taken as 0.
    parameter INVERSE = 1
) (
    input  wire         invert_i,
    input  wire [127:0] bytes_i,
    input  wire [127:0] key_i,
    output wire [127:0] state_o,  // of a round
    output wire [127:0] last_o    // of the last one, without MixColumns
);

  wire         invert = (INVERSE != 0) && invert_i;
  wire [127:0] shifted;
  wire [127:0] mixed;

  assign last_o  = shifted ^ key_i;
  assign state_o = invert ? mixed : mixed ^ key_i;

  // FIPS 197, 4.2: times x^2.
  function [7:0] times4(input [7:0] a);
    times4 = {a[5:0], 2'b00} ^ (a[6] ? 8'h1b : 8'h00) ^ (a[7] ? 8'h36 : 8'h00);
  endfunction

  genvar c;
  genvar r;
  generate
    for (c = 0; c < 4; c = c + 1) begin : g_column
      wire [31:0] keyed = last_o[32*c +: 32];
      // InvMixColumns is MixColumns behind this matrix: 1, and x^2 for the byte itself and the one
      // two rows on.
      wire [7:0]  even  = times4(keyed[7:0] ^ keyed[23:16]);
      wire [7:0]  odd   = times4(keyed[15:8] ^ keyed[31:24]);
      wire [31:0] unmix = keyed ^ {odd, even, odd, even};

      for (r = 0; r < 4; r = r + 1) begin : g_row
        assign shifted[32*c + 8*r +: 8] = invert ? bytes_i[32*((c + 4 - r) % 4) + 8*r +: 8]
                                                 : bytes_i[32*((c + r) % 4) + 8*r +: 8];
      end

      aes_mix_column u_mix (
          .column_i(invert ? unmix : shifted[32*c +: 32]),
          .column_o(mixed[32*c +: 32])
      );
    end
  endgenerate

endmodule

`default_nettype wire
