// SPDX-License-Identifier: Apache-2.0
//
// SMIX of Fugue ("The Hash Function Fugue", 2009): four columns through the S-box of AES, then
// Super-Mix, which gives M U + D M' with row i turned to the left by i. D is diagonal, and has for
// each row of U the sum of its bytes but that of the diagonal. Combinational. Row r of column c
// stands in bits 32 c + 8 r to 32 c + 8 r + 7.

`default_nettype none

module fugue_smix (
    input  wire [127:0] columns_i,
    output wire [127:0] columns_o
);

  // Rows of matrices over GF(2), that of bit 0 lowest: into the field of aes_inverse, and back with
  // the affine map of the S-box.
  localparam [63:0] ENTER = 64'hd2_7e_0c_d0_08_24_e6_c7;
  localparam [63:0] LEAVE = 64'h34_d0_1a_19_53_01_05_13;
  // The matrix is circulant; this is its first row, element 0 lowest.
  localparam [11:0] MATRIX = {3'd1, 3'd7, 3'd4, 3'd1};

  function [7:0] apply(input [63:0] rows, input [7:0] value);
    integer i;
    for (i = 0; i < 8; i = i + 1) apply[i] = ^(rows[8*i +: 8] & value);
  endfunction

  function [7:0] twice(input [7:0] a);
    twice = {a[6:0], 1'b0} ^ (a[7] ? 8'h1b : 8'h00);
  endfunction

  // By 1, 4 or 7.
  function [7:0] times(input [2:0] factor, input [7:0] a);
    times = (factor[0] ? a : 8'h00) ^ (factor[1] ? twice(a) : 8'h00) ^
            (factor[2] ? twice(twice(a)) : 8'h00);
  endfunction

  wire [127:0] u;
  wire [31:0]  d;

  genvar i, j;
  generate
    for (i = 0; i < 16; i = i + 1) begin : g_byte
      wire [7:0] inverse;

      aes_inverse u_inverse (
          .value_i  (apply(ENTER, columns_i[8*i +: 8])),
          .inverse_o(inverse)
      );

      assign u[8*i +: 8] = apply(LEAVE, inverse) ^ 8'h63;
    end

    for (i = 0; i < 4; i = i + 1) begin : g_row
      // Of the diagonal nothing.
      assign d[8*i +: 8] = u[8*i+32*((i+1)%4) +: 8] ^ u[8*i+32*((i+2)%4) +: 8] ^
                           u[8*i+32*((i+3)%4) +: 8];

      for (j = 0; j < 4; j = j + 1) begin : g_column
        // Column FROM of the product stands here.
        localparam FROM = (i + j) % 4;
        assign columns_o[32*j+8*i +: 8] =
            times(MATRIX[3*((4-i)%4) +: 3], u[32*FROM +: 8]) ^
            times(MATRIX[3*((5-i)%4) +: 3], u[32*FROM+8 +: 8]) ^
            times(MATRIX[3*((6-i)%4) +: 3], u[32*FROM+16 +: 8]) ^
            times(MATRIX[3*((7-i)%4) +: 3], u[32*FROM+24 +: 8]) ^
            times(MATRIX[3*((4+i-FROM)%4) +: 3], d[8*i +: 8]);
      end
    end
  endgenerate

endmodule

`default_nettype wire
