// SPDX-License-Identifier: Apache-2.0
// Watches one side of a stream for words that are lost: a source that takes back or changes a word
// before it is taken (AMBA AXI-Stream, ARM IHI 0051B, 2.2.1). lost_o comes in the cycle in which
// that is seen, and stays until the reset.

`default_nettype none

module stream_watch #(
    parameter WIDTH = 8  // bits of a word with all that goes with it, at least 1
) (
    input  wire             clk,
    input  wire             rst,
    input  wire             valid_i,
    input  wire             ready_i,
    input  wire [WIDTH-1:0] word_i,
    output wire             lost_o
);
  reg held_q;
  reg [WIDTH-1:0] word_q;
  reg lost_q;

  assign lost_o = lost_q | (held_q & (~valid_i | (word_q != word_i)));

  always @(posedge clk) begin
    held_q <= ~rst & valid_i & ~ready_i;
    lost_q <= ~rst & lost_o;
    word_q <= word_i;
  end
endmodule

`default_nettype wire
