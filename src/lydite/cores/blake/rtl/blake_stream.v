// SPDX-License-Identifier: Apache-2.0
//
// BLAKE-32 of round 2 of the SHA-3 contest ("SHA-3 proposal BLAKE", 2.1), or, with ROUNDS = 14, its
// BLAKE-256 of round 3, of messages of whole bytes, from stream to stream, padding included.
//
// Interface: AXI4-Stream with beats of 8 bytes, a message for each s_axis_tlast, a digest of four
// beats for each m_axis_tlast; docs/cores.md has the rules. s_axis_tready depends on registers
// only.
//
// Cycles, for a source that always offers and a sink that always takes: B = 2 ROUNDS FOLD + 1 for
// each block of 64 bytes; a message of n blocks, padding included, 14 + B n from its first beat to
// the last beat of its digest, both counted (one less if it has but 7 beats). The next block comes
// in while one is compressed, the next message while a digest goes out. FOLD buys area with cycles.
// Resets: control and the chain value; the first beat may come in the next cycle.

`default_nettype none

module blake_stream #(
    // Of a block: 10 (BLAKE-32), 14 (BLAKE-256).
    parameter ROUNDS = 10,
    // Cycles of half a round: 1, 2.
    parameter FOLD   = 1
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

  wire [511:0] block;
  wire         block_final;
  wire         block_blank;
  wire [60:0]  block_bytes;
  wire         block_full;
  wire         take;
  wire [255:0] digest;
  wire         digest_load;
  wire         digest_free;

  // Behind the message: a one, zeros, and at the end of a block a one and 64 bits of length.
  message_head #(
      .DATA_BITS  (64),
      .BLOCK_BYTES(64),
      .MARK       (8'h80),
      .TAIL_BYTES (8)
  ) u_head (
      .clk          (clk),
      .rst          (rst),
      .s_axis_tdata (s_axis_tdata),
      .s_axis_tkeep (s_axis_tkeep),
      .s_axis_tlast (s_axis_tlast),
      .s_axis_tvalid(s_axis_tvalid),
      .s_axis_tready(s_axis_tready),
      .block_o      (block),
      .final_o      (block_final),
      .blank_o      (block_blank),
      .bytes_o      (block_bytes),
      .full_o       (block_full),
      .take_i       (take)
  );

  blake_core #(
      .ROUNDS(ROUNDS),
      .FOLD  (FOLD)
  ) u_core (
      .clk     (clk),
      .rst     (rst),
      .block_i (block),
      .final_i (block_final),
      .blank_i (block_blank),
      .bytes_i (block_bytes),
      .full_i  (block_full),
      .take_o  (take),
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
