// SPDX-License-Identifier: Apache-2.0
//
// What S-boxes look at next, behind the S-boxes: ShiftRows, MixColumns and AddRoundKey (FIPS 197,
// 5.1.2 to 5.1.4), or, with invert_i, InvShiftRows, AddRoundKey and InvMixColumns (5.3); or, with
// begin_i, a block as it is. Byte i of the standard's sequence stands in [8*i +: 8]. Logic only.
//
// InvShiftRows moves bytes and InvSubBytes works on each, so that their order does not matter.
// What comes late passes few levels: InvMixColumns is MixColumns and, of sums of every other byte,
// multiples that are added beside it; all choices but that of the bytes are made of what is early.

`default_nettype none

module aes_step #(
    // 1: invert_i counts; 0: it is taken as 0.
    parameter INVERSE = 1
) (
    input  wire         invert_i,
    input  wire         begin_i,
    input  wire [127:0] block_i,
    input  wire [127:0] bytes_i,
    input  wire [127:0] key_i,
    output wire [127:0] state_o,
    output wire [127:0] last_o    // of the last round, without MixColumns
);

  wire         invert = (INVERSE != 0) && invert_i;
  wire [127:0] shifted;
  wire [127:0] early  = (invert && !begin_i) ? key_i : 128'd0;  // added before MixColumns
  wire [127:0] behind = begin_i ? block_i : invert ? 128'd0 : key_i;
  wire [127:0] keyed  = (begin_i ? 128'd0 : shifted) ^ early;
  wire [127:0] mixed;
  wire [127:0] more;

  assign last_o  = shifted ^ key_i;
  assign state_o = mixed ^ (invert ? more : 128'd0) ^ behind;

  // FIPS 197, 4.2: times x^3.
  function [7:0] times8(input [7:0] a);
    times8 = {a[4:0], 3'b000} ^ (a[5] ? 8'h1b : 8'h00) ^ (a[6] ? 8'h36 : 8'h00) ^
             (a[7] ? 8'h6c : 8'h00);
  endfunction

  // Times x^3 + x^2.
  function [7:0] times12(input [7:0] a);
    times12 = times8(a) ^ {a[5:0], 2'b00} ^ (a[6] ? 8'h1b : 8'h00) ^ (a[7] ? 8'h36 : 8'h00);
  endfunction

  genvar c;
  genvar r;
  generate
    for (c = 0; c < 4; c = c + 1) begin : g_column
      wire [31:0] column  = keyed[32*c +: 32];
      wire [7:0]  even    = column[7:0] ^ column[23:16];
      wire [7:0]  odd     = column[15:8] ^ column[31:24];
      wire [7:0]  to_even = times12(even) ^ times8(odd);
      wire [7:0]  to_odd  = times8(even) ^ times12(odd);

      assign more[32*c +: 32] = {to_odd, to_even, to_odd, to_even};

      for (r = 0; r < 4; r = r + 1) begin : g_row
        assign shifted[32*c + 8*r +: 8] = invert ? bytes_i[32*((c + 4 - r) % 4) + 8*r +: 8]
                                                 : bytes_i[32*((c + r) % 4) + 8*r +: 8];
      end

      aes_mix_column u_mix (
          .column_i(column),
          .column_o(mixed[32*c +: 32])
      );
    end
  endgenerate

endmodule

`default_nettype wire
