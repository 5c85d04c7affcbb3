// SPDX-License-Identifier: Apache-2.0
// Takes commands from a UART and answers them (docs/boards.md, "The bytes on the line"). Frames:
//
//   to the board    a5 command length payload[length] crc crc
//   from the board  5a command length status data[length-1] crc crc
//
// A command is its kind in the high half of the byte and a stream in the low: 1 clear, 2 write (the
// payload goes to the stream while it comes), 3 go, 4 read (payload: the bytes that are wanted).
// The CRC is of all bytes behind the first, its high byte first. A frame that is not whole is not
// answered and remembered in the status, until a clear.

`default_nettype none

module board_bridge #(
    parameter DIVIDER = 12  // cycles of a bit of the UART, at least 4
) (
    input  wire       clk,
    input  wire       rst,
    input  wire       rx_i,
    output wire       tx_o,
    output wire       clear_o,       // stands until cleared_i
    input  wire       cleared_i,
    output wire       go_o,          // from go to clear
    input  wire       overflow_i,    // of the status
    input  wire       locked_i,
    output wire [3:0] stream_o,      // of the command
    output wire [7:0] write_byte_o,
    output wire       write_o,       // a byte for the stream
    output wire       reading_o,     // a read of the stream begins: one cycle
    input  wire [7:0] read_byte_i,
    output wire       read_o         // the byte is taken
);
  localparam [7:0] TO_BOARD = 8'ha5, FROM_BOARD = 8'h5a;
  localparam [3:0] CLEAR = 4'd1, WRITE = 4'd2, GO = 4'd3, READ = 4'd4;
  localparam [3:0] ST_BEGIN = 4'd0, ST_COMMAND = 4'd1, ST_LENGTH = 4'd2, ST_PAYLOAD = 4'd3;
  localparam [3:0] ST_HIGH = 4'd4, ST_LOW = 4'd5, ST_DO = 4'd6, ST_A_BEGIN = 4'd7;
  localparam [3:0] ST_A_COMMAND = 4'd8, ST_A_LENGTH = 4'd9, ST_A_STATUS = 4'd10;
  localparam [3:0] ST_A_DATA = 4'd11, ST_A_HIGH = 4'd12, ST_A_LOW = 4'd13;

  wire [7:0] in_byte;
  wire in_valid;
  wire in_bad;
  uart_receive #(
      .DIVIDER(DIVIDER)
  ) u_receive (
      .clk(clk),
      .rst(rst),
      .rx_i(rx_i),
      .byte_o(in_byte),
      .valid_o(in_valid),
      .bad_o(in_bad)
  );

  reg [3:0] state_q;
  reg [3:0] state_d;
  reg [7:0] command_q;
  reg [7:0] left_q;  // bytes of the payload, or of the data
  reg [7:0] wanted_q;
  reg [15:0] crc_q;
  reg go_q;
  reg bad_q;
  reg [7:0] out_byte;

  wire listens = state_q < ST_DO;
  wire in = in_valid & listens;
  wire last = left_q == 8'd1;
  wire answers = state_q > ST_DO;
  wire out_ready;
  wire out = answers & out_ready;
  wire [3:0] kind = command_q[7:4];
  wire [15:0] crc_d;
  wire whole = crc_d == 16'd0;
  wire refused = in & (state_q == ST_LOW) & ~whole;

  crc16_step u_crc (
      .crc_i (crc_q),
      .byte_i(answers ? out_byte : in_byte),
      .crc_o (crc_d)
  );

  always @* begin
    state_d = state_q;
    case (state_q)
      ST_BEGIN:     if (in && in_byte == TO_BOARD) state_d = ST_COMMAND;
      ST_COMMAND:   if (in) state_d = ST_LENGTH;
      ST_LENGTH:    if (in) state_d = in_byte == 8'd0 ? ST_HIGH : ST_PAYLOAD;
      ST_PAYLOAD:   if (in && last) state_d = ST_HIGH;
      ST_HIGH:      if (in) state_d = ST_LOW;
      ST_LOW:       if (in) state_d = whole ? ST_DO : ST_BEGIN;
      ST_DO:        if (kind != CLEAR || cleared_i) state_d = ST_A_BEGIN;
      ST_A_BEGIN:   if (out) state_d = ST_A_COMMAND;
      ST_A_COMMAND: if (out) state_d = ST_A_LENGTH;
      ST_A_LENGTH:  if (out) state_d = ST_A_STATUS;
      ST_A_STATUS:  if (out) state_d = left_q == 8'd0 ? ST_A_HIGH : ST_A_DATA;
      ST_A_DATA:    if (out && last) state_d = ST_A_HIGH;
      ST_A_HIGH:    if (out) state_d = ST_A_LOW;
      default:      if (out) state_d = ST_BEGIN;
    endcase
  end

  always @* begin
    case (state_q)
      ST_A_BEGIN:   out_byte = FROM_BOARD;
      ST_A_COMMAND: out_byte = command_q;
      ST_A_LENGTH:  out_byte = left_q + 8'd1;
      ST_A_STATUS:  out_byte = {4'd0, go_q, ~locked_i, overflow_i, bad_q};
      ST_A_DATA:    out_byte = read_byte_i;
      default:      out_byte = crc_q[15:8];
    endcase
  end

  always @(posedge clk) begin
    state_q <= rst ? ST_BEGIN : state_d;
    if (in && state_q == ST_COMMAND) command_q <= in_byte;
    if (in && state_q == ST_LENGTH) left_q <= in_byte;
    else if (in && state_q == ST_PAYLOAD) left_q <= left_q - 8'd1;
    else if (state_q == ST_DO) left_q <= kind == READ ? wanted_q : 8'd0;
    else if (out && state_q == ST_A_DATA) left_q <= left_q - 8'd1;
    if (in) wanted_q <= state_q == ST_PAYLOAD ? in_byte : wanted_q;
    // The low byte of the CRC moves up while the high one leaves.
    if (state_q == ST_BEGIN || state_q == ST_DO || state_q == ST_A_BEGIN) crc_q <= 16'hffff;
    else if (out && state_q == ST_A_HIGH) crc_q <= {crc_q[7:0], 8'd0};
    else if (in || (out && state_q < ST_A_HIGH)) crc_q <= crc_d;
    if (rst || clear_o) bad_q <= 1'b0;
    else bad_q <= bad_q | refused | in_bad;
    if (rst || clear_o) go_q <= 1'b0;
    else go_q <= go_q | (state_q == ST_DO && kind == GO);
  end

  uart_send #(
      .DIVIDER(DIVIDER)
  ) u_send (
      .clk(clk),
      .rst(rst),
      .byte_i(out_byte),
      .valid_i(answers),
      .ready_o(out_ready),
      .tx_o(tx_o)
  );

  assign clear_o      = state_q == ST_DO && kind == CLEAR;
  assign go_o         = go_q;
  assign stream_o     = command_q[3:0];
  assign write_byte_o = in_byte;
  assign write_o      = in && state_q == ST_PAYLOAD && kind == WRITE;
  assign reading_o    = state_q == ST_DO && kind == READ;
  assign read_o       = out && state_q == ST_A_DATA;
endmodule

`default_nettype wire
