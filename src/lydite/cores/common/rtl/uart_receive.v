// SPDX-License-Identifier: Apache-2.0
// Receives bytes of a UART: 8 bits, the lowest first, no parity, a stop bit. A start that is gone
// after half a bit is none. valid_o comes for a cycle in the middle of the stop bit; bad_o instead
// if that is low.

`default_nettype none

module uart_receive #(
    parameter DIVIDER = 12  // cycles of a bit, at least 4
) (
    input  wire       clk,
    input  wire       rst,
    input  wire       rx_i,
    output wire [7:0] byte_o,
    output wire       valid_o,
    output wire       bad_o
);
  localparam BITS = $clog2(DIVIDER);
  localparam WHOLE = DIVIDER - 1;
  localparam HALF = DIVIDER / 2 - 1;
  localparam [BITS-1:0] ZERO = 0;
  localparam [BITS-1:0] ONE = 1;

  generate
    if (DIVIDER < 4) begin : g_illegal
      ERROR_divider_must_be_at_least_4 u_error ();
    end
  endgenerate

  // The line knows nothing of this clock.
  (* ASYNC_REG = "TRUE" *) reg meta_q;
  (* ASYNC_REG = "TRUE" *) reg line_q;
  reg [7:0] byte_q;
  reg [3:0] left_q;  // bits to come, the start and the stop among them; 0: none
  reg [BITS-1:0] wait_q;
  wire sample = (left_q != 4'd0) & (wait_q == ZERO);
  wire start = sample & (left_q == 4'd10);
  wire stop = sample & (left_q == 4'd1);

  assign byte_o  = byte_q;
  assign valid_o = stop & line_q;
  assign bad_o   = stop & ~line_q;

  always @(posedge clk) begin
    meta_q <= rx_i;
    line_q <= meta_q;
    if (rst) left_q <= 4'd0;
    else if (left_q == 4'd0) left_q <= line_q ? 4'd0 : 4'd10;
    else if (sample) left_q <= (start & line_q) ? 4'd0 : left_q - 4'd1;
    if (left_q == 4'd0) wait_q <= HALF[BITS-1:0];
    else wait_q <= sample ? WHOLE[BITS-1:0] : wait_q - ONE;
    if (sample & ~start & ~stop) byte_q <= {line_q, byte_q[7:1]};
  end
endmodule

`default_nettype wire
