// SPDX-License-Identifier: Apache-2.0
// Input side of the measuring wrapper: every input of a core comes from a register, and the
// registers form a chain behind one pad, so that neither pads nor their number decide the clock.
// A shift each cycle; nothing is reset.

`default_nettype none

module measure_in #(
    parameter WIDTH = 1  // inputs of the core, at least 1
) (
    input  wire             clk,
    input  wire             scan_i,
    output wire [WIDTH-1:0] data_o
);
  reg [WIDTH:0] data_q;

  always @(posedge clk) data_q <= {data_q[WIDTH-1:0], scan_i};

  // The first register is next to the pad; the core sees the ones after it.
  assign data_o = data_q[WIDTH:1];
endmodule

`default_nettype wire
