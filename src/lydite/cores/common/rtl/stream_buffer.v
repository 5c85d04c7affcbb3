// SPDX-License-Identifier: Apache-2.0
// FIFO of one clock: a word a cycle, two cycles of latency. The output holds a word more than the
// memory. Both readys and valids come from registers. A reset clears pointers, not data.

`default_nettype none

module stream_buffer #(
    parameter WIDTH = 8,      // bits of a word, at least 1
    parameter DEPTH_BITS = 4  // 2**DEPTH_BITS words, at least 2
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
  localparam TOP = DEPTH_BITS;
  localparam [TOP:0] ONE = 1;

  reg [WIDTH-1:0] memory[0:(1<<DEPTH_BITS)-1];
  reg [TOP:0] wr_q;
  reg [TOP:0] rd_q;
  reg [WIDTH-1:0] word_q;
  reg valid_q;
  // Full: a lap ahead.
  wire full = (wr_q[TOP] != rd_q[TOP]) & (wr_q[TOP-1:0] == rd_q[TOP-1:0]);
  wire push = in_valid_i & ~full;
  wire fetch = (wr_q != rd_q) & (~valid_q | out_ready_i);

  assign in_ready_o  = ~full;
  assign out_valid_o = valid_q;
  assign out_word_o  = word_q;

  always @(posedge clk) begin
    if (rst) begin
      wr_q    <= {TOP + 1{1'b0}};
      rd_q    <= {TOP + 1{1'b0}};
      valid_q <= 1'b0;
    end else begin
      if (push) wr_q <= wr_q + ONE;
      if (fetch) rd_q <= rd_q + ONE;
      valid_q <= fetch | (valid_q & ~out_ready_i);
    end
    if (push) memory[wr_q[TOP-1:0]] <= in_word_i;
    if (fetch) word_q <= memory[rd_q[TOP-1:0]];
  end
endmodule

`default_nettype wire
