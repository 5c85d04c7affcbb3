// SPDX-License-Identifier: Apache-2.0
// Whether a word has an odd number of ones.

`default_nettype none

module parity (
    input  wire [63:0] x_i,
    output wire        y_o
);

  assign y_o = ^x_i;

endmodule

`default_nettype wire
