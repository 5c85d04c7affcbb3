// SPDX-License-Identifier: Apache-2.0
// Output side of the measuring wrapper: every output of a core goes to a register of its own; the
// registers are folded by a chain of exclusive ors, one level of logic a stage, into one pad, so
// that no output can be optimised away. Nothing is reset.

`default_nettype none

module measure_out #(
    parameter WIDTH = 1  // outputs of the core, at least 1
) (
    input  wire             clk,
    input  wire [WIDTH-1:0] data_i,
    output wire             fold_o
);
  reg [WIDTH-1:0] data_q;
  reg [WIDTH:0]   fold_q;

  always @(posedge clk) begin
    data_q <= data_i;
    fold_q <= {fold_q[WIDTH-1:0] ^ data_q, 1'b0};
  end

  assign fold_o = fold_q[WIDTH];
endmodule

`default_nettype wire
