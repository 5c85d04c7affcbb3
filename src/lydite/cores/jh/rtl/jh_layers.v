// SPDX-License-Identifier: Apache-2.0
//
// A round R_d of JH ("The Hash Function JH", round 2) without a register, as jh_round has it, but
// with S-boxes that are formulas. The tables of jh_round are ROMs to Yosys, which puts them in
// front of the registers of their addresses: both S-boxes of an element are then there, and a
// register more for each of their bits. With formulas jh_halves takes 3,838 LUT4 for 5,492.
// Element i stands in bits 4 i to 4 i + 3, its first bit highest; bit i of the constant belongs to
// element i.

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
      wire [3:0] a = state_i[4*i +: 4];
      wire c = constant_i[i];
      wire p = a[3] ^ (!a[1] & c);
      wire q = p ^ (a[1] & !a[0]);
      wire r = !a[0] ^ (!a[2] & a[1]);
      wire s = a[2] ^ (q & a[1]);
      wire t = a[1] ^ (!r & q);
      wire u = c ^ (p & a[2]);
      wire first = q ^ (r | s);

      assign substituted_o[4*i +: 4] = {first, s ^ (u & first), t ^ u, r ^ (s & t)};
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
