// SPDX-License-Identifier: Apache-2.0
//
// The first COLUMNS columns of what ShiftBytes and MixBytes of Groestl-256 ("Groestl, a SHA-3
// candidate", 3.4.3 and 3.4.4) make of a state, without a register. Byte i stands in bits 8 i to
// 8 i + 7: row i % 8 of column i / 8.

`default_nettype none

module groestl_mix #(
    // Columns that are made: 1 to 8.
    parameter COLUMNS = 8
) (
    // Fewer columns are not made of all bytes.
    /* verilator lint_off UNUSEDSIGNAL */
    input  wire [511:0]          state_i,
    /* verilator lint_on UNUSEDSIGNAL */
    output wire [64*COLUMNS-1:0] state_o
);

  // Multiplication by 2 in GF(2^8), polynomial x^8 + x^4 + x^3 + x + 1.
  function [7:0] double(input [7:0] a);
    double = {a[6:0], 1'b0} ^ (a[7] ? 8'h1b : 8'h00);
  endfunction

  genvar j;
  genvar i;
  genvar k;
  generate
    for (j = 0; j < COLUMNS; j = j + 1) begin : g_column
      wire [63:0] a;  // the column, row i from i columns on

      for (i = 0; i < 8; i = i + 1) begin : g_shift
        assign a[8*i +: 8] = state_i[8*(8*((j+i)%8)+i) +: 8];
      end

      // The matrix is circulant, its first row 2, 2, 3, 4, 5, 3, 5, 7: sums of the rows with
      // factors that have a 4, a 2, a 1 in them.
      for (i = 0; i < 8; i = i + 1) begin : g_row
        wire [63:0] r;  // the column from row i on
        for (k = 0; k < 8; k = k + 1) begin : g_turn
          assign r[8*k +: 8] = a[8*((i+k)%8) +: 8];
        end

        wire [7:0] fours = r[24 +: 8] ^ r[32 +: 8] ^ r[48 +: 8] ^ r[56 +: 8];
        wire [7:0] twos = r[0 +: 8] ^ r[8 +: 8] ^ r[16 +: 8] ^ r[40 +: 8] ^ r[56 +: 8];
        wire [7:0] ones = r[16 +: 8] ^ r[32 +: 8] ^ r[40 +: 8] ^ r[48 +: 8] ^ r[56 +: 8];

        assign state_o[8*(8*j+i) +: 8] = ones ^ double(twos ^ double(fours));
      end
    end
  endgenerate

endmodule

`default_nettype wire
