// SPDX-License-Identifier: Apache-2.0
//
// The words of a block in the order of the next round (BLAKE3, 2.2, table 2). Wires.

`default_nettype none

module blake3_permute (
    input  wire [511:0] block_i,
    output wire [511:0] block_o
);

  // Word i of the result, from the highest: 8, 15, 14, 9, 5, 12, 11, 1, 13, 4, 0, 7, 10, 3, 6, 2.
  localparam [63:0] PLACES = 64'h8fe95cb1d407a362;

  genvar i;
  generate
    for (i = 0; i < 16; i = i + 1) begin : g_word
      assign block_o[32*i +: 32] = block_i[32*PLACES[4*i +: 4] +: 32];
    end
  endgenerate

endmodule

`default_nettype wire
