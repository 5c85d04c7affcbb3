// SPDX-License-Identifier: Apache-2.0
// Where a slice takes its words from a chain: those under its number go to it, others on to the
// next slice. No net is longer than from one slice to the next. One cycle of latency.

`default_nettype none

module slice_take #(
    parameter WIDTH = 8,    // bits of a word, at least 1
    parameter ID_BITS = 1,  // of the numbers
    parameter ID = 0        // of this slice
) (
    input  wire               clk,
    input  wire               rst,
    input  wire               in_valid_i,
    output wire               in_ready_o,
    input  wire [  WIDTH-1:0] in_word_i,
    input  wire [ID_BITS-1:0] in_id_i,
    output wire               on_valid_o,
    input  wire               on_ready_i,
    output wire [  WIDTH-1:0] on_word_o,
    output wire [ID_BITS-1:0] on_id_o,
    output wire               own_valid_o,
    input  wire               own_ready_i,
    output wire [  WIDTH-1:0] own_word_o
);
  wire valid;
  wire own = on_id_o == ID[ID_BITS-1:0];

  stream_stage #(
      .WIDTH(ID_BITS + WIDTH)
  ) u_stage (
      .clk(clk),
      .rst(rst),
      .in_valid_i(in_valid_i),
      .in_ready_o(in_ready_o),
      .in_word_i({in_id_i, in_word_i}),
      .out_valid_o(valid),
      .out_ready_i(own ? own_ready_i : on_ready_i),
      .out_word_o({on_id_o, on_word_o})
  );

  assign own_word_o  = on_word_o;
  assign own_valid_o = valid & own;
  assign on_valid_o  = valid & ~own;
endmodule

`default_nettype wire
