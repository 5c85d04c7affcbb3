// SPDX-License-Identifier: Apache-2.0
// A table as a shift register of up to 16 bits (UG953): the bit taken A + 1 edges before.

`default_nettype none

module SRL16E #(
    parameter [15:0] INIT = 0,
    parameter IS_CLK_INVERTED = 0
) (
    input  wire CLK,
    input  wire CE,
    input  wire D,
    input  wire A0,
    input  wire A1,
    input  wire A2,
    input  wire A3,
    output wire Q
);
  reg [15:0] bits_q = INIT;
  wire clock = IS_CLK_INVERTED ? ~CLK : CLK;
  always @(posedge clock) if (CE) bits_q <= {bits_q[14:0], D};
  assign Q = bits_q[{A3, A2, A1, A0}];
endmodule

`default_nettype wire
