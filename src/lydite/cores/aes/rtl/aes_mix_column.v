// SPDX-License-Identifier: Apache-2.0
//
// MixColumns of one column (FIPS 197, 5.1.3), byte 0 in column_i[7:0]. Logic only.

`default_nettype none

module aes_mix_column (
    input  wire [31:0] column_i,
    output wire [31:0] column_o
);

  // FIPS 197, 4.2: times x.
  function [7:0] xtime(input [7:0] a);
    xtime = {a[6:0], 1'b0} ^ (a[7] ? 8'h1b : 8'h00);
  endfunction

  wire [7:0] a = column_i[7:0];
  wire [7:0] b = column_i[15:8];
  wire [7:0] c = column_i[23:16];
  wire [7:0] d = column_i[31:24];

  assign column_o[7:0]   = xtime(a ^ b) ^ b ^ c ^ d;
  assign column_o[15:8]  = xtime(b ^ c) ^ c ^ d ^ a;
  assign column_o[23:16] = xtime(c ^ d) ^ d ^ a ^ b;
  assign column_o[31:24] = xtime(d ^ a) ^ a ^ b ^ c;

endmodule

`default_nettype wire
