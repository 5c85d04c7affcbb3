# SPDX-License-Identifier: Apache-2.0
"""The sequential divider, one bit a cycle."""

from __future__ import annotations

NAME = "lydite_divmod"


def module() -> str:
    """Give the divider's file."""
    return _TEXT


_TEXT = """\
// SPDX-License-Identifier: Apache-2.0
// lydite_divmod: unsigned division, restoring, one bit of the quotient a cycle.
//
// Hold start_i with both operands until done_o, which comes WIDTH + 1 cycles later for one cycle;
// the results are valid from then until the next start. A divisor of 0 gives a quotient of all ones
// and the dividend as remainder. Reset touches the controller only.

`default_nettype none

module lydite_divmod #(
    parameter WIDTH = 32,  // bits of operands and results, at least 2
    parameter COUNT = 5    // bits that hold WIDTH - 1
) (
    input  wire             ap_clk,
    input  wire             ap_rst,
    input  wire             start_i,
    input  wire [WIDTH-1:0] dividend_i,
    input  wire [WIDTH-1:0] divisor_i,
    output wire             done_o,
    output wire [WIDTH-1:0] quotient_o,
    output wire [WIDTH-1:0] remainder_o
);

  reg busy_q, done_q;
  reg [COUNT-1:0] count_q;
  reg [WIDTH-1:0] quotient_q, remainder_q;

  wire begin_now = start_i & ~busy_q & ~done_q;
  wire last = count_q == {COUNT{1'b0}};
  wire [WIDTH:0] shifted = {remainder_q, quotient_q[WIDTH-1]};
  wire [WIDTH:0] reduced = shifted - {1'b0, divisor_i};
  wire fits = ~reduced[WIDTH];

  assign done_o = done_q;
  assign quotient_o = quotient_q;
  assign remainder_o = remainder_q;

  always @(posedge ap_clk) begin
    if (ap_rst) begin
      busy_q <= 1'b0;
      done_q <= 1'b0;
    end else begin
      busy_q <= begin_now | (busy_q & ~last);
      done_q <= busy_q & last;
    end
  end

  always @(posedge ap_clk) begin
    if (begin_now) begin
      count_q <= WIDTH[COUNT-1:0] - {{(COUNT - 1) {1'b0}}, 1'b1};
      quotient_q <= dividend_i;
      remainder_q <= {WIDTH{1'b0}};
    end else if (busy_q) begin
      count_q <= count_q - {{(COUNT - 1) {1'b0}}, 1'b1};
      quotient_q <= {quotient_q[WIDTH-2:0], fits};
      remainder_q <= fits ? reduced[WIDTH-1:0] : shifted[WIDTH-1:0];
    end
  end

endmodule

`default_nettype wire
"""
