// SPDX-License-Identifier: Apache-2.0
// A stage of registers in a handshake: both ways are cut, a word a cycle, one cycle of latency.

`default_nettype none

module stream_stage #(
    parameter WIDTH = 8  // bits of a word, at least 1
) (
    input  wire             clk,
    input  wire             rst,
    input  wire             in_valid_i,
    output wire             in_ready_o,
    input  wire [WIDTH-1:0] in_word_i,
    output wire             out_valid_o,
    input  wire             out_ready_i,
    output wire [WIDTH-1:0] out_word_o
);
  reg [WIDTH-1:0] first_q;
  reg [WIDTH-1:0] second_q;  // came in the cycle in which it was seen that the first one stays
  reg first_valid_q;
  reg second_valid_q;

  assign in_ready_o  = ~second_valid_q;
  assign out_valid_o = first_valid_q;
  assign out_word_o  = first_q;

  wire move = ~first_valid_q | out_ready_i;

  always @(posedge clk) begin
    first_valid_q  <= ~rst & (~move | second_valid_q | in_valid_i);
    second_valid_q <= ~rst & ~move & (second_valid_q | in_valid_i);
    if (move) first_q <= second_valid_q ? second_q : in_word_i;
    if (~second_valid_q) second_q <= in_word_i;
  end
endmodule

`default_nettype wire
