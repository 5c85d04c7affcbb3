// SPDX-License-Identifier: Apache-2.0
//
// What Luffa-256's message injection makes of one block of the state ("Hash Function Luffa:
// Specification", version 2.0.1, 3.3), with the tweak of the permutation that follows (3.4).
// Combinational. Word i in bits 32 i to 32 i + 31.

`default_nettype none

module luffa_inject #(
    // Number of the block: 0, 1, 2.
    parameter NUMBER = 0
) (
    input  wire [255:0] block_i,
    input  wire [255:0] total_i,    // sum of all blocks of the state
    input  wire [255:0] message_i,
    output wire [255:0] block_o
);

  // x times a block in the ring, modulo x^8 + x^4 + x^3 + x + 1.
  function [255:0] doubled;
    input [255:0] block;
    doubled = {block[223:0], block[255:224]} ^
              {96'd0, block[255:224], block[255:224], 32'd0, block[255:224], 32'd0};
  endfunction

  wire [255:0] once = doubled(message_i);
  wire [255:0] twice = doubled(once);
  wire [255:0] power = (NUMBER == 0) ? message_i : (NUMBER == 1) ? once : twice;
  wire [255:0] sum = block_i ^ doubled(total_i) ^ power;

  assign block_o[127:0] = sum[127:0];

  genvar i;
  generate
    for (i = 4; i < 8; i = i + 1) begin : g_tweak
      if (NUMBER == 0) begin : g_none
        assign block_o[32*i +: 32] = sum[32*i +: 32];
      end else begin : g_rotation
        assign block_o[32*i +: 32] = {sum[32*i +: 32-NUMBER], sum[32*i+32-NUMBER +: NUMBER]};
      end
    end
  endgenerate

endmodule

`default_nettype wire
