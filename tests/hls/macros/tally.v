// SPDX-License-Identifier: Apache-2.0
// Adds words up, or starts anew from one; the sum comes two cycles after the word, a word may come
// every cycle. led_o shows the lowest bits of the sum, and switch_i is added to it.

`default_nettype none

module tally (
    input  wire        clk,
    input  wire        rst,
    input  wire        start_i,
    input  wire [31:0] x_i,
    input  wire        anew_i,
    output wire [31:0] sum_o,
    input  wire [ 3:0] switch_i,
    output wire [ 7:0] led_o
);

  reg [31:0] sum_q, sum_q2;

  assign sum_o = sum_q2;
  assign led_o = sum_q[7:0];

  always @(posedge clk) begin
    if (rst) sum_q <= 32'd0;
    else if (start_i) sum_q <= (anew_i ? 32'd0 : sum_q) + x_i + {28'd0, switch_i};
    sum_q2 <= sum_q;
  end

endmodule

`default_nettype wire
