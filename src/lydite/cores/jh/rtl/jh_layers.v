// SPDX-License-Identifier: Apache-2.0
//
// A round R_d of JH ("The Hash Function JH", round 2) without a register on half of the elements:
// the S-boxes, L, and P_d as far as it stays in the half. Element i stands in bits 4 i to 4 i + 3,
// its first bit highest; bit i of the constant belongs to element i.

`default_nettype none

module jh_layers #(
    // Elements: 128 of a half of the state, 32 of a half of the round constants.
    parameter ELEMENTS = 128
) (
    input  wire [4*ELEMENTS-1:0] state_i,
    input  wire [ELEMENTS-1:0]   constant_i,
    output wire [4*ELEMENTS-1:0] substituted_o,  // behind the S-boxes
    output wire [4*ELEMENTS-1:0] state_o
);

  genvar i;
  generate
    for (i = 0; i < ELEMENTS; i = i + 1) begin : g_substitute
      jh_sbox u_sbox (
          .element_i (state_i[4*i +: 4]),
          .constant_i(constant_i[i]),
          .element_o (substituted_o[4*i +: 4])
      );
    end

    // L on the elements 2 i and 2 i + 1, pair i, and P_d, which sends one of them to each half: of
    // an even pair the first one to place i of the first half, the second one to place i + 1 of the
    // second half; of an odd pair the second one to place i of the first half, the first one to
    // place i - 1 of the second half.
    for (i = 0; i < ELEMENTS / 2; i = i + 1) begin : g_mix
      localparam HALF = ELEMENTS / 2;
      localparam EVEN = (i % 2 == 0) ? i : HALF + i - 1;
      localparam ODD = (i % 2 == 0) ? HALF + i + 1 : i;
      wire [3:0] a = substituted_o[8*i +: 4];
      wire [3:0] d = substituted_o[8*i+4 +: 4] ^ {a[2:1], a[3] ^ a[0], a[3]};

      assign state_o[4*EVEN +: 4] = a ^ {d[2:1], d[3] ^ d[0], d[3]};
      assign state_o[4*ODD +: 4] = d;
    end
  endgenerate

endmodule

`default_nettype wire
