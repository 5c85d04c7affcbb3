// SPDX-License-Identifier: Apache-2.0
//
// Whether one number is greater than another: two cycles later, so that no long carry chain meets
// long wires. Resets nothing.

`default_nettype none

module des_greater #(
    // Bits of both numbers, at least 2.
    parameter WIDTH = 23
) (
    input  wire             clk,
    input  wire [WIDTH-1:0] one_i,
    input  wire [WIDTH-1:0] other_i,
    output wire             greater_o
);

  localparam HALF = WIDTH / 2;

  reg upper_q;
  reg same_q;   // above, both are equal
  reg lower_q;
  reg greater_q;

  assign greater_o = greater_q;

  always @(posedge clk) begin
    upper_q   <= one_i[WIDTH-1:HALF] > other_i[WIDTH-1:HALF];
    same_q    <= one_i[WIDTH-1:HALF] == other_i[WIDTH-1:HALF];
    lower_q   <= one_i[HALF-1:0] > other_i[HALF-1:0];
    greater_q <= upper_q || (same_q && lower_q);
  end

endmodule

`default_nettype wire
