// SPDX-License-Identifier: Apache-2.0
//
// The head of a hash function: padded blocks of the messages of a stream, each collected while the
// core works on the one before it. See message_pad and message_block, which this joins.
// A block of W words is there W cycles after its first beat, and a block every W cycles.

`default_nettype none

module message_head #(
    // Bits of a word of the stream: a power of 2, at least 16.
    parameter       DATA_BITS   = 64,
    // Bytes of a block: two or more words.
    parameter       BLOCK_BYTES = 64,
    // The byte behind the message; 0 for none.
    parameter [7:0] MARK        = 8'h80,
    // Bytes at the end of the last block that the core fills.
    parameter       TAIL_BYTES  = 0,
    // Bits of the number of bytes of a message.
    parameter       COUNT_BITS  = 61
) (
    input  wire                     clk,
    input  wire                     rst,
    input  wire [DATA_BITS-1:0]     s_axis_tdata,
    input  wire [DATA_BITS/8-1:0]   s_axis_tkeep,
    input  wire                     s_axis_tlast,
    input  wire                     s_axis_tvalid,
    output wire                     s_axis_tready,
    output wire [8*BLOCK_BYTES-1:0] block_o,  // byte i in bits 8 i to 8 i + 7
    output wire                     final_o,
    output wire                     blank_o,
    output wire [COUNT_BITS-1:0]    bytes_o,
    output wire                     full_o,
    input  wire                     take_i
);

  wire [DATA_BITS-1:0]           word;
  wire                           word_full;
  wire [$clog2(DATA_BITS/8)-1:0] word_bytes;
  wire                           word_end;
  wire                           word_valid;
  wire                           word_ready;

  message_pad #(
      .DATA_BITS(DATA_BITS),
      .MARK     (MARK)
  ) u_pad (
      .clk          (clk),
      .rst          (rst),
      .s_axis_tdata (s_axis_tdata),
      .s_axis_tkeep (s_axis_tkeep),
      .s_axis_tlast (s_axis_tlast),
      .s_axis_tvalid(s_axis_tvalid),
      .s_axis_tready(s_axis_tready),
      .word_o       (word),
      .word_full_o  (word_full),
      .word_bytes_o (word_bytes),
      .word_end_o   (word_end),
      .word_valid_o (word_valid),
      .word_ready_i (word_ready)
  );

  message_block #(
      .DATA_BITS  (DATA_BITS),
      .BLOCK_BYTES(BLOCK_BYTES),
      .TAIL_BYTES (TAIL_BYTES),
      .COUNT_BITS (COUNT_BITS)
  ) u_block (
      .clk         (clk),
      .rst         (rst),
      .word_i      (word),
      .word_full_i (word_full),
      .word_bytes_i(word_bytes),
      .word_end_i  (word_end),
      .word_valid_i(word_valid),
      .word_ready_o(word_ready),
      .block_o     (block_o),
      .final_o     (final_o),
      .blank_o     (blank_o),
      .bytes_o     (bytes_o),
      .full_o      (full_o),
      .take_i      (take_i)
  );

endmodule

`default_nettype wire
