// SPDX-License-Identifier: Apache-2.0
// Low 32 bits of a product, three cycles after its factors; a new one may start every cycle.

`default_nettype none

module pipelined_product (
    input  wire        clk,
    input  wire [31:0] a_i,
    input  wire [31:0] b_i,
    output wire [31:0] p_o
);

  reg [31:0] a_q, b_q, p_q, p_q2;

  assign p_o = p_q2;

  always @(posedge clk) begin
    a_q <= a_i;
    b_q <= b_i;
    p_q <= a_q * b_q;
    p_q2 <= p_q;
  end

endmodule

`default_nettype wire
