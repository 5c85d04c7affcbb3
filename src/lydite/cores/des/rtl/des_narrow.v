// SPDX-License-Identifier: Apache-2.0
//
// The middle four of each six bits: of E(R) of DES (FIPS 46-3) it gives R. Wiring.

`default_nettype none

module des_narrow (
    input  wire [47:0] wide_i,
    output wire [31:0] right_o
);

  genvar i;
  generate
    for (i = 0; i < 8; i = i + 1) begin : g_four
      assign right_o[4*i +: 4] = wide_i[6*i + 1 +: 4];
    end
  endgenerate

  // The outer ones.
  wire unused = &{1'b0, wide_i};

endmodule

`default_nettype wire
