// SPDX-License-Identifier: Apache-2.0
// A column of tables used as RAM (UG474, 2): written at an edge of the clock, read without one, at
// addresses of their own.

`default_nettype none

module lut_ram #(
    parameter BITS = 5,   // of an address
    parameter WIDTH = 1,  // of a word
    parameter [(WIDTH<<BITS)-1:0] INIT = 0,  // word 0 in the lowest bits
    parameter INVERTED = 0  // the clock's falling edge
) (
    input  wire             clk,
    input  wire             we,
    input  wire [ BITS-1:0] write_at,
    input  wire [WIDTH-1:0] data_i,
    input  wire [ BITS-1:0] read_at,
    output wire [WIDTH-1:0] data_o
);
  reg [WIDTH-1:0] words[0:(1<<BITS)-1];
  integer k;
  initial for (k = 0; k < 1 << BITS; k = k + 1) words[k] = INIT[WIDTH*k+:WIDTH];

  wire clock = INVERTED ? ~clk : clk;
  always @(posedge clock) if (we) words[write_at] <= data_i;
  assign data_o = words[read_at];
endmodule

`default_nettype wire
