// SPDX-License-Identifier: Apache-2.0
//
// The bit selection E of DES (FIPS 46-3, The Cipher Function f): wiring. Bit 1 of the standard is
// the top one.

`default_nettype none

module des_expand (
    input  wire [31:0] right_i,
    output wire [47:0] wide_o
);

  // Source of each bit, bit 1 first, as the standard counts them.
  localparam [287:0] TABLE = {
      6'd32, 6'd1, 6'd2, 6'd3, 6'd4, 6'd5,
      6'd4, 6'd5, 6'd6, 6'd7, 6'd8, 6'd9,
      6'd8, 6'd9, 6'd10, 6'd11, 6'd12, 6'd13,
      6'd12, 6'd13, 6'd14, 6'd15, 6'd16, 6'd17,
      6'd16, 6'd17, 6'd18, 6'd19, 6'd20, 6'd21,
      6'd20, 6'd21, 6'd22, 6'd23, 6'd24, 6'd25,
      6'd24, 6'd25, 6'd26, 6'd27, 6'd28, 6'd29,
      6'd28, 6'd29, 6'd30, 6'd31, 6'd32, 6'd1
  };

  genvar i;
  generate
    for (i = 0; i < 48; i = i + 1) begin : g_bit
      assign wide_o[i] = right_i[32 - TABLE[6*i +: 6]];
    end
  endgenerate

endmodule

`default_nettype wire
