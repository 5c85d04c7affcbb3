// SPDX-License-Identifier: Apache-2.0
//
// The inverse in GF(2^8), of 0 it is 0 (FIPS 197, 5.1.1), of a * Y + b with a, b of
// GF(2^4) = GF(2)[z] / (z^4 + z^3 + 1), Y^2 = Y + z^3; a stands in the upper four bits. Logic only.
//
// (a * Y + b) * (a * Y + a + b) = z^3 * a^2 + a * b + b^2, of which the inverse is a table of 16.

`default_nettype none

module aes_inverse (
    input  wire [7:0] value_i,
    output wire [7:0] inverse_o
);

  // Entry of 0 lowest.
  localparam [63:0] INVERSES = 64'h5792abd3e4f68c10;

  function [3:0] multiply(input [3:0] x, input [3:0] y);
    reg [6:0] p;
    begin
      p = ({3'd0, x} & {7{y[0]}}) ^ ({2'd0, x, 1'b0} & {7{y[1]}}) ^
          ({1'b0, x, 2'd0} & {7{y[2]}}) ^ ({x, 3'd0} & {7{y[3]}});
      multiply = p[3:0] ^ (p[4] ? 4'b1001 : 4'd0) ^ (p[5] ? 4'b1011 : 4'd0) ^
                 (p[6] ? 4'b1111 : 4'd0);
    end
  endfunction

  wire [3:0] a = value_i[7:4];
  wire [3:0] b = value_i[3:0];
  wire [3:0] norm = multiply(4'b1000, multiply(a, a)) ^ multiply(a, b) ^ multiply(b, b);
  wire [3:0] inverse = INVERSES[4*norm +: 4];

  assign inverse_o = {multiply(a, inverse), multiply(a ^ b, inverse)};

endmodule

`default_nettype wire
