// SPDX-License-Identifier: Apache-2.0
// A table as a shift register of up to 32 bits (UG953), whose last bit the next one takes.

`default_nettype none

module SRLC32E #(
    parameter [31:0] INIT = 0,
    parameter IS_CLK_INVERTED = 0
) (
    input  wire       CLK,
    input  wire       CE,
    input  wire       D,
    input  wire [4:0] A,
    output wire       Q,
    output wire       Q31
);
  reg [31:0] bits_q = INIT;
  wire clock = IS_CLK_INVERTED ? ~CLK : CLK;
  always @(posedge clock) if (CE) bits_q <= {bits_q[30:0], D};
  assign Q = bits_q[A];
  assign Q31 = bits_q[31];
endmodule

`default_nettype wire
