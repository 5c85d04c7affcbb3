// SPDX-License-Identifier: Apache-2.0
// A shift register with feedback: each call steps it once, or loads it; done_o comes one cycle
// after a step, two after a load.

`default_nettype none

module lfsr (
    input  wire        clk,
    input  wire        rst,
    input  wire        start_i,
    input  wire [15:0] seed_i,
    input  wire        load_i,
    output wire        done_o,
    output wire [15:0] value_o
);

  reg [15:0] state_q;
  reg done_q, wait_q;

  assign value_o = state_q;
  assign done_o = done_q;

  always @(posedge clk) begin
    if (rst) begin
      done_q <= 1'b0;
      wait_q <= 1'b0;
    end else begin
      done_q <= (start_i & ~load_i) | wait_q;
      wait_q <= start_i & load_i;
    end
    if (start_i) state_q <= load_i ? seed_i : {1'b0, state_q[15:1]} ^ (state_q[0] ? 16'hb400 : 16'd0);
  end

endmodule

`default_nettype wire
