// SPDX-License-Identifier: Apache-2.0
//
// A round R_d of JH ("The Hash Function JH") without a register: S-boxes, which the bits
// of the constant select, the linear transformation L, the permutation P_d. And what is between
// them: the elements behind the S-boxes. Element i stands in bits 4 i to 4 i + 3, its first bit
// highest; bit i of the constant belongs to element i.

`default_nettype none

module jh_round #(
    // Elements: 256 of the state, 64 of the round constants.
    parameter ELEMENTS = 256
) (
    input  wire [4*ELEMENTS-1:0] state_i,
    input  wire [ELEMENTS-1:0]   constant_i,
    output wire [4*ELEMENTS-1:0] substituted_o,
    output wire [4*ELEMENTS-1:0] state_o
);

  wire [4*ELEMENTS-1:0] mixed;

  // Multiplication by 2 in GF(2^4), polynomial x^4 + x + 1.
  function [3:0] double(input [3:0] a);
    double = {a[2:0], 1'b0} ^ (a[3] ? 4'h3 : 4'h0);
  endfunction

  genvar i;
  generate
    for (i = 0; i < ELEMENTS; i = i + 1) begin : g_substitute
      jh_sbox u_sbox (
          .element_i (state_i[4*i +: 4]),
          .constant_i(constant_i[i]),
          .element_o (substituted_o[4*i +: 4])
      );
    end

    for (i = 0; i < ELEMENTS; i = i + 2) begin : g_mix
      wire [3:0] a = substituted_o[4*i +: 4];
      wire [3:0] d = substituted_o[4*i+4 +: 4] ^ double(a);
      assign mixed[4*i +: 4]   = a ^ double(d);
      assign mixed[4*i+4 +: 4] = d;
    end

    // P_d: pi exchanges elements 2 and 3 of each four, P' parts even places from odd ones, phi
    // exchanges neighbours in the second half. So place i of the first half gets element
    // 4 (i / 2) + 3 (i mod 2), and place i of the second half 4 (i / 2) + 2 - (i mod 2).
    for (i = 0; i < ELEMENTS / 2; i = i + 1) begin : g_permute
      localparam LOW = 4 * (i / 2) + 3 * (i % 2);
      localparam HIGH = 4 * (i / 2) + 2 - (i % 2);
      assign state_o[4*i +: 4] = mixed[4*LOW +: 4];
      assign state_o[4*(ELEMENTS/2+i) +: 4] = mixed[4*HIGH +: 4];
    end
  endgenerate

endmodule

`default_nettype wire
