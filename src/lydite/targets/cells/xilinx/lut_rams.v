// SPDX-License-Identifier: Apache-2.0
// Tables as a RAM of several ports: all are written at the address of the last one, each is read at
// its own. Table 0 is in the lowest bits.

`default_nettype none

module lut_rams #(
    parameter BITS = 5,   // of an address
    parameter WIDTH = 1,  // of a word
    parameter COUNT = 2,  // of tables
    parameter [COUNT*(WIDTH<<BITS)-1:0] INIT = 0,
    parameter INVERTED = 0  // the clock's falling edge
) (
    input  wire                   clk,
    input  wire                   we,
    input  wire [ COUNT*BITS-1:0] at_i,
    input  wire [COUNT*WIDTH-1:0] data_i,
    output wire [COUNT*WIDTH-1:0] data_o
);
  genvar n;
  generate
    for (n = 0; n < COUNT; n = n + 1) begin : g_table
      lut_ram #(
          .BITS(BITS),
          .WIDTH(WIDTH),
          .INIT(INIT[n*(WIDTH<<BITS)+:WIDTH<<BITS]),
          .INVERTED(INVERTED)
      ) u_ram (
          .clk(clk),
          .we(we),
          .write_at(at_i[(COUNT-1)*BITS+:BITS]),
          .data_i(data_i[n*WIDTH+:WIDTH]),
          .read_at(at_i[n*BITS+:BITS]),
          .data_o(data_o[n*WIDTH+:WIDTH])
      );
    end
  endgenerate
endmodule

`default_nettype wire
