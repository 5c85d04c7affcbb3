// SPDX-License-Identifier: Apache-2.0
// Measures a clock against another: of the one, divided by 2**DIVIDED_BITS, the edges in
// 2**WINDOW_BITS cycles of the other, window after window.

`default_nettype none

module board_meter #(
    parameter DIVIDED_BITS = 8,  // so that an edge comes in two cycles of clk at most
    parameter WINDOW_BITS  = 16
) (
    input  wire        clk,
    input  wire        rst,
    output wire [15:0] edges_o,
    output wire        valid_o,       // a window has ended since the reset
    input  wire        measured_clk
);
  localparam [DIVIDED_BITS-1:0] ONE = 1;
  localparam [WINDOW_BITS-1:0] STEP = 1;

  reg [DIVIDED_BITS-1:0] divided_q;
  always @(posedge measured_clk) divided_q <= divided_q + ONE;  // from any value

  wire level;
  crossing u_level (
      .src_clk(measured_clk),
      .src_rst(1'b0),
      .src_data_i(divided_q[DIVIDED_BITS-1]),
      .dst_clk(clk),
      .dst_data_o(level)
  );

  reg before_q;
  reg [WINDOW_BITS-1:0] window_q;
  reg [15:0] count_q;
  reg [15:0] edges_q;
  reg valid_q;
  wire turned = level != before_q;
  wire ends = &window_q;

  assign edges_o = edges_q;
  assign valid_o = valid_q;

  always @(posedge clk) begin
    before_q <= level;
    window_q <= rst ? {WINDOW_BITS{1'b0}} : window_q + STEP;
    count_q  <= (rst | ends) ? {15'd0, turned & ~rst} : count_q + {15'd0, turned};
    if (ends) edges_q <= count_q;
    valid_q <= ~rst & (valid_q | ends);
  end
endmodule

`default_nettype wire
