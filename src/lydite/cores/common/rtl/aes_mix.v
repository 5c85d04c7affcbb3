// SPDX-License-Identifier: Apache-2.0
//
// MixColumns (FIPS 197, 5.1.3) of four rows of one byte or more, which are mixed place by place.
// Combinational. Row 0 in the lowest bits.

`default_nettype none

module aes_mix #(
    // Bits of a row: a multiple of 8.
    parameter BITS = 128
) (
    input  wire [4*BITS-1:0] rows_i,
    output wire [4*BITS-1:0] rows_o
);

  // FIPS 197, 4.2: times x.
  function [7:0] xtime(input [7:0] a);
    xtime = {a[6:0], 1'b0} ^ (a[7] ? 8'h1b : 8'h00);
  endfunction

  genvar i, row;
  generate
    for (row = 0; row < 4; row = row + 1) begin : g_row
      localparam NEXT = (row + 1) % 4;
      localparam AFTER = (row + 2) % 4;
      localparam LAST = (row + 3) % 4;

      for (i = 0; i < BITS; i = i + 8) begin : g_byte
        assign rows_o[BITS*row+i +: 8] =
            xtime(rows_i[BITS*row+i +: 8] ^ rows_i[BITS*NEXT+i +: 8]) ^
            rows_i[BITS*NEXT+i +: 8] ^ rows_i[BITS*AFTER+i +: 8] ^ rows_i[BITS*LAST+i +: 8];
      end
    end
  endgenerate

endmodule

`default_nettype wire
