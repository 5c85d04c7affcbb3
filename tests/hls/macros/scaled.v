// SPDX-License-Identifier: Apache-2.0
// Three times a word plus five, four cycles after it; a new one may start every cycle. Stands still
// while ce_i is low.

`default_nettype none

module scaled (
    input  wire        clk,
    input  wire        ce_i,
    input  wire [31:0] x_i,
    output wire [31:0] y_o
);

  reg [31:0] x_q, x_q2, double_q, sum_q, y_q;

  assign y_o = y_q;

  always @(posedge clk) begin
    if (ce_i) begin
      x_q <= x_i;
      double_q <= x_q << 1;
      x_q2 <= x_q;
      sum_q <= double_q + x_q2 + 32'd5;
      y_q <= sum_q;
    end
  end

endmodule

`default_nettype wire
