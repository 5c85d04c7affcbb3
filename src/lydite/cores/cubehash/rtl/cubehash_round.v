// SPDX-License-Identifier: Apache-2.0
//
// A round of CubeHash ("CubeHash specification (2.B.1)", 2009): two halves that differ in the
// rotation of x0 and in the exchanges. Combinational. Word i in bits 32 i to 32 i + 31; x0 are
// words 0 to 15, x1 the others.

`default_nettype none

module cubehash_round (
    input  wire [1023:0] state_i,
    output wire [1023:0] state_o
);

  // Before the halves, between them, and behind.
  wire [1023:0] state [0:2];

  assign state[0] = state_i;
  assign state_o  = state[2];

  genvar half, i;
  generate
    for (half = 0; half < 2; half = half + 1) begin : g_half
      localparam ROTATION = (half == 0) ? 7 : 11;
      // Words whose indices differ in this bit are exchanged.
      localparam SWAP0 = (half == 0) ? 8 : 4;
      localparam SWAP1 = (half == 0) ? 2 : 1;
      wire [511:0] sum;

      for (i = 0; i < 16; i = i + 1) begin : g_word
        wire [31:0] far = state[half][32*(i^SWAP0) +: 32];

        assign sum[32*i +: 32] = state[half][32*i +: 32] + state[half][512 + 32*i +: 32];
        assign state[half+1][32*i +: 32] =
            {far[31-ROTATION:0], far[31:32-ROTATION]} ^ sum[32*i +: 32];
        assign state[half+1][512 + 32*i +: 32] = sum[32*(i^SWAP1) +: 32];
      end
    end
  endgenerate

endmodule

`default_nettype wire
