// SPDX-License-Identifier: Apache-2.0
// Puts results of slices in the order of the calls, which job_queue tells: so many packets of a
// slice, then of the next call's. A word a cycle, one cycle of latency.

`default_nettype none

module job_collect #(
    parameter SLICES = 2,      // at least 2
    parameter ID_BITS = 1,     // of their numbers
    parameter BYTES = 1,       // of a word
    parameter PACKET_BITS = 2  // of the packets of a call
) (
    input  wire                           clk,
    input  wire                           rst,
    input  wire                           order_valid_i,
    output wire                           order_ready_o,
    input  wire [ID_BITS+PACKET_BITS-1:0] order_word_i,
    input  wire [             SLICES-1:0] in_valid_i,
    output wire [             SLICES-1:0] in_ready_o,
    input  wire [ SLICES*(9*BYTES+1)-1:0] in_word_i,      // of each slice tlast, tkeep, tdata
    output wire                           on_valid_o,
    input  wire                           on_ready_i,
    output wire [              9*BYTES:0] on_word_o
);
  localparam WIDTH = 9 * BYTES + 1;
  localparam [SLICES-1:0] FIRST = 1;
  localparam [PACKET_BITS-1:0] ONE = 1;

  reg busy_q;  // with a call
  reg [ID_BITS-1:0] id_q;
  reg [PACKET_BITS-1:0] left_q;
  wire ready;
  wire [SLICES-1:0] own = FIRST << id_q;
  wire valid = busy_q & |(in_valid_i & own);
  reg [WIDTH-1:0] word;
  wire last = valid & ready & word[WIDTH-1];

  assign order_ready_o = ~busy_q | (last & (left_q == ONE));
  assign in_ready_o    = {SLICES{ready & busy_q}} & own;

  integer k;
  always @* begin
    word = {WIDTH{1'b0}};
    for (k = 0; k < SLICES; k = k + 1)
      word = word | (in_word_i[k*WIDTH+:WIDTH] & {WIDTH{own[k]}});
  end

  always @(posedge clk) begin
    if (rst) busy_q <= 1'b0;
    else if (order_ready_o) busy_q <= order_valid_i;
    if (order_ready_o) {left_q, id_q} <= order_word_i;
    else if (last) left_q <= left_q - ONE;
  end

  stream_stage #(
      .WIDTH(WIDTH)
  ) u_stage (
      .clk(clk),
      .rst(rst),
      .in_valid_i(valid),
      .in_ready_o(ready),
      .in_word_i(word),
      .out_valid_o(on_valid_o),
      .out_ready_i(on_ready_i),
      .out_word_o(on_word_o)
  );
endmodule

`default_nettype wire
