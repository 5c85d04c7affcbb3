// SPDX-License-Identifier: Apache-2.0
//
// A round of CubeHash ("CubeHash specification (2.B.1)", 2009), or one of its halves, which differ
// in the rotation of x0 and in the exchanges. Combinational. Word i in bits 32 i to 32 i + 31; x0
// are words 0 to 15, x1 the others.
//
// The second half exchanges words whose indices differ by 4 and 1 where the first one has 8 and 2.
// Each half puts word i where these bits of i are exchanged: so both exchange by 8 and 2, only the
// rotations differ, and behind a round all words are in their places.

`default_nettype none

module cubehash_round #(
    // Cycles of a round: 1, or 2, a half each.
    parameter FOLD = 1
) (
    input  wire          second_i,  // FOLD = 2: the second half
    input  wire [1023:0] state_i,
    output wire [1023:0] state_o
);

  localparam HALVES = 2 / FOLD;

  // Before the halves and behind each.
  wire [1023:0] state [0:HALVES];

  assign state[0] = state_i;
  assign state_o  = state[HALVES];

  genvar half, i;
  generate
    for (half = 0; half < HALVES; half = half + 1) begin : g_half
      wire         second = (FOLD == 1) ? half == 1 : second_i;
      wire [511:0] sum;

      for (i = 0; i < 16; i = i + 1) begin : g_word
        localparam TO = 8 * (i / 4 % 2) + 4 * (i / 8) + 2 * (i % 2) + i / 2 % 2;
        wire [31:0] far = state[half][32*(i^8) +: 32];
        wire [31:0] turned = second ? {far[20:0], far[31:21]} : {far[24:0], far[31:25]};

        assign sum[32*i +: 32] = state[half][32*i +: 32] + state[half][512 + 32*i +: 32];
        assign state[half+1][32*TO +: 32] = turned ^ sum[32*i +: 32];
        assign state[half+1][512 + 32*TO +: 32] = sum[32*(i^2) +: 32];
      end
    end
  endgenerate

endmodule

`default_nettype wire
