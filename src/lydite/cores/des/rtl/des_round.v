// SPDX-License-Identifier: Apache-2.0
//
// A round of DES (FIPS 46-3, Enciphering): L' = R, R' = L + f(R, K). With pass_i f is left out, and
// the halves only change places.

`default_nettype none

module des_round (
    input  wire [63:0] block_i,
    input  wire [47:0] key_i,
    input  wire        pass_i,
    output wire [63:0] block_o
);

  wire [47:0] wide;
  wire [31:0] f;

  des_expand u_expand (
      .right_i(block_i[31:0]),
      .wide_o (wide)
  );

  des_substitute u_substitute (
      .wide_i(wide ^ key_i),
      .f_o   (f)
  );

  assign block_o = {block_i[31:0], block_i[63:32] ^ (pass_i ? 32'd0 : f)};

endmodule

`default_nettype wire
