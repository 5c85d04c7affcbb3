// SPDX-License-Identifier: Apache-2.0
// Output side of the measuring wrapper: every output of a core goes to a register of its own; the
// registers are folded by a chain of exclusive ors, one level of logic a stage, into one pad, so
// that no output can be optimised away. Nothing is reset.

`default_nettype none

module measure_out #(
    parameter WIDTH = 1,  // outputs of the core, at least 1
    parameter TRAIL = 16  // registers between the chain and the pad, as LEAD of measure_in
) (
    input  wire             clk,
    input  wire [WIDTH-1:0] data_i,
    output wire             fold_o
);
  reg [WIDTH-1:0] data_q;
  reg [WIDTH-1:0] fold_q;
  reg [TRAIL-1:0] trail_q;

  always @(posedge clk) begin
    data_q  <= data_i;
    fold_q  <= (fold_q << 1) ^ data_q;
    trail_q <= {trail_q[TRAIL-2:0], fold_q[WIDTH-1]};
  end

  assign fold_o = trail_q[TRAIL-1];
endmodule

`default_nettype wire
