// SPDX-License-Identifier: Apache-2.0
// Takes a value from one clock to another: a register of the source, from which no glitch comes,
// and two flops of the destination (C. E. Cummings, Clock Domain Crossing Design, SNUG Boston 2008,
// 4.1). Of several bits at most one may change a step: a Gray code, or a level that stands.
//
// It takes effect after one cycle of the source and two of the destination. The source's reset
// clears its register; the destination's flops follow in two cycles and have no reset.

`default_nettype none

module crossing #(
    parameter WIDTH = 1  // bits, at least 1; in simulation of doubt at most 32
) (
    input  wire             src_clk,
    input  wire             src_rst,
    input  wire [WIDTH-1:0] src_data_i,  // what the source's register takes
    input  wire             dst_clk,
`ifdef LYDITE_FORMAL
    output wire [WIDTH-1:0] src_held_o,
    output wire [WIDTH-1:0] dst_meta_o,
`endif
    output wire [WIDTH-1:0] dst_data_o
);
  reg [WIDTH-1:0] source_q;
  (* ASYNC_REG = "TRUE" *) reg [WIDTH-1:0] meta_q;
  (* ASYNC_REG = "TRUE" *) reg [WIDTH-1:0] stable_q;

  always @(posedge src_clk) source_q <= src_rst ? {WIDTH{1'b0}} : src_data_i;

`ifdef LYDITE_CDC
  // Where a simulation asks for it each bit of the last change falls either way at the first edge
  // that could see it, as in a flop without setup time: a value of which several bits change
  // arrives broken.
  reg doubt_q;
  reg [WIDTH-1:0] before_q;
  reg [WIDTH-1:0] seen_q;
  // Random bits of its own (G. Marsaglia, Xorshift RNGs, 2003): those of $random are of all models
  // that a process runs at once. It begins with what power comes up with, another in each instance.
  reg [31:0] noise_q;
  wire [31:0] left = noise_q ^ (noise_q << 13);
  wire [31:0] right = left ^ (left >> 17);
  wire fresh = doubt_q & (source_q != seen_q);
  initial doubt_q = $test$plusargs("lydite_doubt") != 0;
  always @(posedge src_clk) if (src_rst | (src_data_i != source_q)) before_q <= source_q;
  always @(posedge dst_clk) begin
    seen_q <= source_q;
    noise_q <= noise_q == 32'd0 ? 32'd1 : right ^ (right << 5);
    meta_q <= fresh ? source_q ^ ((source_q ^ before_q) & noise_q[WIDTH-1:0]) : source_q;
  end
`else
  always @(posedge dst_clk) meta_q <= source_q;
`endif

  always @(posedge dst_clk) stable_q <= meta_q;

  assign dst_data_o = stable_q;
`ifdef LYDITE_FORMAL
  assign src_held_o = source_q;
  assign dst_meta_o = meta_q;
`endif
endmodule

`default_nettype wire
