// SPDX-License-Identifier: Apache-2.0
// Where a slice gives its words to a chain, under its number, between those of the slices behind.
// While both have words, each of these has as many turns as this one. One cycle of latency.

`default_nettype none

module slice_give #(
    parameter WIDTH = 8,    // bits of a word, at least 1
    parameter ID_BITS = 1,  // of the numbers
    parameter ID = 0,       // of this slice
    parameter BEHIND = 1    // slices behind this one, at least 1
) (
    input  wire               clk,
    input  wire               rst,
    input  wire               own_valid_i,
    output wire               own_ready_o,
    input  wire [  WIDTH-1:0] own_word_i,
    input  wire               in_valid_i,
    output wire               in_ready_o,
    input  wire [  WIDTH-1:0] in_word_i,
    input  wire [ID_BITS-1:0] in_id_i,
    output wire               on_valid_o,
    input  wire               on_ready_i,
    output wire [  WIDTH-1:0] on_word_o,
    output wire [ID_BITS-1:0] on_id_o
);
  localparam [BEHIND:0] FIRST = 1;

  reg [BEHIND:0] turn_q;  // one hot; this slice has the highest
  wire own = own_valid_i & (turn_q[BEHIND] | ~in_valid_i);
  wire ready;
  wire passed = ready & in_valid_i & own_valid_i;  // a turn counts where there was a choice

  assign own_ready_o = ready & own;
  assign in_ready_o  = ready & ~own;

  always @(posedge clk) begin
    if (rst) turn_q <= FIRST;
    else if (passed) turn_q <= {turn_q[BEHIND-1:0], turn_q[BEHIND]};
  end

  stream_stage #(
      .WIDTH(ID_BITS + WIDTH)
  ) u_stage (
      .clk(clk),
      .rst(rst),
      .in_valid_i(own_valid_i | in_valid_i),
      .in_ready_o(ready),
      .in_word_i(own ? {ID[ID_BITS-1:0], own_word_i} : {in_id_i, in_word_i}),
      .out_valid_o(on_valid_o),
      .out_ready_i(on_ready_i),
      .out_word_o({on_id_o, on_word_o})
  );
endmodule

`default_nettype wire
