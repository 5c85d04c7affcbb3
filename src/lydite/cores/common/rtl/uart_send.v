// SPDX-License-Identifier: Apache-2.0
// Sends bytes through a UART: 8 bits, the lowest first, no parity, a stop bit. A byte is taken when
// the one before has ended.

`default_nettype none

module uart_send #(
    parameter DIVIDER = 12  // cycles of a bit, at least 2
) (
    input  wire       clk,
    input  wire       rst,
    input  wire [7:0] byte_i,
    input  wire       valid_i,
    output wire       ready_o,
    output wire       tx_o
);
  localparam BITS = $clog2(DIVIDER);
  localparam WHOLE = DIVIDER - 1;
  localparam [BITS-1:0] ZERO = 0;
  localparam [BITS-1:0] ONE = 1;

  reg [9:0] bits_q;
  reg [3:0] left_q;  // bits to go, that on the line among them
  reg [BITS-1:0] wait_q;
  reg tx_q;
  wire next = wait_q == ZERO;
  wire take = valid_i & ready_o;

  assign ready_o = left_q == 4'd0;
  assign tx_o    = tx_q;

  always @(posedge clk) begin
    tx_q <= rst | ready_o | bits_q[0];
    if (rst) left_q <= 4'd0;
    else if (take) left_q <= 4'd10;
    else if (~ready_o & next) left_q <= left_q - 4'd1;
    if (take) bits_q <= {1'b1, byte_i, 1'b0};
    else if (next) bits_q <= {1'b1, bits_q[9:1]};
    wait_q <= (take | next) ? WHOLE[BITS-1:0] : wait_q - ONE;
  end
endmodule

`default_nettype wire
