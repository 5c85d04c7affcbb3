// SPDX-License-Identifier: Apache-2.0
// Input side of the measuring wrapper: every input of a core comes from a register of its own, and
// a chain of registers behind one pad feeds these, so that neither pads nor their number decide the
// clock. A shift each cycle; nothing is reset.

`default_nettype none

module measure_in #(
    parameter WIDTH = 1,  // inputs of the core, at least 1
    parameter LEAD  = 16  // registers between the pad and the chain
) (
    input  wire             clk,
    input  wire             scan_i,
    output wire [WIDTH-1:0] data_o
);
  // A placer that minimises wire length pulls the core's inputs towards the pad; each register in
  // between makes that spring softer.
  reg [WIDTH+LEAD-1:0] chain_q;
  reg [     WIDTH-1:0] data_q;  // of the inputs alone: free to stand where the core wants them

  always @(posedge clk) begin
    chain_q <= {chain_q[WIDTH+LEAD-2:0], scan_i};
    data_q  <= chain_q[WIDTH+LEAD-1:LEAD];
  end

  assign data_o = data_q;
endmodule

`default_nettype wire
