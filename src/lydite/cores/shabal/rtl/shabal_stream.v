// SPDX-License-Identifier: Apache-2.0
//
// Shabal-256 of rounds 1 and 2 of the SHA-3 contest ("Shabal, a Submission to NIST's Cryptographic
// Hash Algorithm Competition") of messages of whole bytes, from stream to stream, padding included.
//
// Interface: AXI4-Stream with beats of 8 bytes, a message for each s_axis_tlast, a digest of four
// beats for each m_axis_tlast; docs/cores.md has the rules. s_axis_tready depends on registers
// only.
//
// Cycles, for a source that always offers and a sink that always takes: B = 64 / WORDS for each
// block of 64 bytes; a message of n blocks, padding included, 8 + B n + 3 B + 6 from its first beat
// to the last beat of its digest, both counted; of one block after the other message 4 B + 2. The
// next block comes in while one is worked on, the next message while a digest goes out. WORDS buys
// cycles with area and frequency. Resets: control; the first beat may come in the next cycle.

`default_nettype none

module shabal_stream #(
    // Steps a cycle: 1, 2.
    parameter WORDS = 1
) (
    input  wire        clk,
    input  wire        rst,
    input  wire [63:0] s_axis_tdata,
    input  wire [7:0]  s_axis_tkeep,
    input  wire        s_axis_tlast,
    input  wire        s_axis_tvalid,
    output wire        s_axis_tready,
    output wire [63:0] m_axis_tdata,
    output wire [7:0]  m_axis_tkeep,
    output wire        m_axis_tlast,
    output wire        m_axis_tvalid,
    input  wire        m_axis_tready
);

  localparam ADDR_BITS = (WORDS == 1) ? 4 : 3;

  wire [63:0]          word;
  wire                 word_end;
  wire                 word_valid;
  wire                 word_ready;
  wire                 unused_full;
  wire [2:0]           unused_bytes;
  wire                 block_full;
  wire                 block_final;
  wire [ADDR_BITS-1:0] addr;
  wire [32*WORDS-1:0]  block_word;
  wire                 done;
  wire [255:0]         digest;
  wire                 digest_load;
  wire                 digest_free;

  // Behind the message: a one, and zeros.
  message_pad #(
      .DATA_BITS(64),
      .MARK     (8'h80)
  ) u_pad (
      .clk          (clk),
      .rst          (rst),
      .s_axis_tdata (s_axis_tdata),
      .s_axis_tkeep (s_axis_tkeep),
      .s_axis_tlast (s_axis_tlast),
      .s_axis_tvalid(s_axis_tvalid),
      .s_axis_tready(s_axis_tready),
      .word_o       (word),
      .word_full_o  (unused_full),
      .word_bytes_o (unused_bytes),
      .word_end_o   (word_end),
      .word_valid_o (word_valid),
      .word_ready_i (word_ready)
  );

  shabal_words #(
      .WORDS    (WORDS),
      .ADDR_BITS(ADDR_BITS)
  ) u_words (
      .clk         (clk),
      .rst         (rst),
      .word_i      (word),
      .word_end_i  (word_end),
      .word_valid_i(word_valid),
      .word_ready_o(word_ready),
      .full_o      (block_full),
      .final_o     (block_final),
      .addr_i      (addr),
      .word_o      (block_word),
      .done_i      (done)
  );

  shabal_core #(
      .WORDS    (WORDS),
      .ADDR_BITS(ADDR_BITS)
  ) u_core (
      .clk     (clk),
      .rst     (rst),
      .full_i  (block_full),
      .final_i (block_final),
      .addr_o  (addr),
      .word_i  (block_word),
      .done_o  (done),
      .digest_o(digest),
      .load_o  (digest_load),
      .free_i  (digest_free)
  );

  digest_out #(
      .DATA_BITS  (64),
      .DIGEST_BITS(256)
  ) u_digest (
      .clk          (clk),
      .rst          (rst),
      .digest_i     (digest),
      .load_i       (digest_load),
      .free_o       (digest_free),
      .m_axis_tdata (m_axis_tdata),
      .m_axis_tkeep (m_axis_tkeep),
      .m_axis_tlast (m_axis_tlast),
      .m_axis_tvalid(m_axis_tvalid),
      .m_axis_tready(m_axis_tready)
  );

endmodule

`default_nettype wire
