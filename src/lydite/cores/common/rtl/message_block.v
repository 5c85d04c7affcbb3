// SPDX-License-Identifier: Apache-2.0
//
// One block of a hash function, collected word by word while the one before it is worked on.
//
// Interface: word_* from message_pad. The block is there when full_o is set, and the core takes it
// with take_i, which may not be set without it; the first word of the next block may come in that
// same cycle, so that a bus that never pauses is never stopped. final_o: it is the last of its
// message. blank_o: it has no byte of it. bytes_o: bytes of the message up to its end.
// TAIL_BYTES at the end of the last block are free behind the mark, for the core to put lengths in
// with final_o; where they would not be, a block of zeros follows, without a pause.
// The first word of a block, and every block but that one has one, clears all others, so that a
// block that ends early needs no zeros written. Resets: position and flags.

`default_nettype none

module message_block #(
    // Bits of a word: a power of 2, at least 16.
    parameter DATA_BITS   = 64,
    // Bytes of a block: two or more words.
    parameter BLOCK_BYTES = 64,
    // Bytes that the core puts behind the mark.
    parameter TAIL_BYTES  = 0,
    // Bits of the number of bytes of a message.
    parameter COUNT_BITS  = 61
) (
    input  wire                           clk,
    input  wire                           rst,
    input  wire [DATA_BITS-1:0]           word_i,
    input  wire                           word_full_i,
    input  wire [$clog2(DATA_BITS/8)-1:0] word_bytes_i,
    input  wire                           word_end_i,
    input  wire                           word_valid_i,
    output wire                           word_ready_o,
    output wire [8*BLOCK_BYTES-1:0]       block_o,
    output wire                           final_o,
    output wire                           blank_o,
    output wire [COUNT_BITS-1:0]          bytes_o,
    output wire                           full_o,
    input  wire                           take_i
);

  localparam BYTES = DATA_BITS / 8;
  localparam BYTES_BITS = $clog2(BYTES);
  localparam WORDS = BLOCK_BYTES / BYTES;
  localparam FULL_BITS = COUNT_BITS - BYTES_BITS;
  localparam [WORDS-1:0] FIRST = 1;
  // A mark below this byte leaves the tail free.
  localparam LIMIT = BLOCK_BYTES - TAIL_BYTES;
  localparam [WORDS-1:0] LIMIT_WORD = FIRST << (LIMIT / BYTES);
  localparam [WORDS-1:0] WORDS_BELOW = LIMIT_WORD - FIRST;
  localparam LIMIT_BYTE = LIMIT % BYTES;

  generate
    if (BLOCK_BYTES % BYTES != 0 || WORDS < 2) begin : g_words
      ERROR_block_must_be_two_or_more_words u_error ();
    end
    if (TAIL_BYTES < 0 || TAIL_BYTES >= BLOCK_BYTES) begin : g_tail
      ERROR_tail_must_be_less_than_a_block u_error ();
    end
  endgenerate

  reg  [WORDS-1:0]         place_q;  // one hot: where the next word goes
  reg                      full_q;
  reg                      final_q;
  reg                      spare_q;  // a block of zeros follows
  reg                      blank_q;
  reg                      start_q;  // the next word is the first of a message
  reg  [FULL_BITS-1:0]     words_q;  // whole words of the message, and bytes behind them
  reg  [BYTES_BITS-1:0]    bytes_q;
  reg  [8*BLOCK_BYTES-1:0] block_q;

  wire write = word_valid_i && word_ready_o;
  wire done = write && (word_end_i || place_q[WORDS-1]);
  wire clear = take_i && spare_q;
  wire below;
  wire fits = |(place_q & WORDS_BELOW) || (|(place_q & LIMIT_WORD) && below);
  wire [FULL_BITS-1:0] words_before = start_q ? {FULL_BITS{1'b0}} : words_q;

  generate
    if (LIMIT_BYTE == 0) begin : g_whole
      assign below = 1'b0;
    end else begin : g_part
      assign below = word_bytes_i < LIMIT_BYTE[BYTES_BITS-1:0];
    end
  endgenerate

  assign word_ready_o = !full_q || (take_i && !spare_q);
  assign block_o      = block_q;
  assign final_o      = final_q;
  assign blank_o      = blank_q;
  assign bytes_o      = {words_q, bytes_q};
  assign full_o       = full_q;

  always @(posedge clk) begin
    if (rst) begin
      place_q <= FIRST;
      full_q  <= 1'b0;
      spare_q <= 1'b0;
      start_q <= 1'b1;
    end else begin
      full_q <= done || (full_q && (!take_i || spare_q));
      if (done) place_q <= FIRST;
      else if (write) place_q <= place_q << 1;
      if (done) spare_q <= word_end_i && !(fits || TAIL_BYTES == 0);
      else if (take_i) spare_q <= 1'b0;
      if (write) start_q <= word_end_i;
    end
  end

  always @(posedge clk) begin
    if (done) final_q <= word_end_i && (fits || TAIL_BYTES == 0);
    else if (clear) final_q <= 1'b1;
    if (write && place_q[0]) blank_q <= !word_full_i && word_bytes_i == {BYTES_BITS{1'b0}};
    else if (clear) blank_q <= 1'b1;
    if (write) begin
      words_q <= words_before + {{(FULL_BITS - 1) {1'b0}}, word_full_i};
      bytes_q <= word_bytes_i;
    end
  end

  genvar i;
  generate
    for (i = 0; i < WORDS; i = i + 1) begin : g_word
      localparam LOW = DATA_BITS * i;
      if (i == 0) begin : g_first
        always @(posedge clk) begin
          if (clear) block_q[LOW +: DATA_BITS] <= {DATA_BITS{1'b0}};
          else if (write && place_q[i]) block_q[LOW +: DATA_BITS] <= word_i;
        end
      end else begin : g_later
        always @(posedge clk) begin
          if (clear || (write && place_q[0])) block_q[LOW +: DATA_BITS] <= {DATA_BITS{1'b0}};
          else if (write && place_q[i]) block_q[LOW +: DATA_BITS] <= word_i;
        end
      end
    end
  endgenerate

`ifdef LYDITE_ASSERT
  place_is_one_hot : assert property (@(posedge clk) disable iff (rst) $onehot(place_q));
  taken_block_is_full : assert property (@(posedge clk) disable iff (rst) take_i |-> full_q);
`endif

endmodule

`default_nettype wire
