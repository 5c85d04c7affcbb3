// SPDX-License-Identifier: Apache-2.0
//
// JH-256 of round 2 of the SHA-3 contest ("The Hash Function JH"), or, with ROUNDS = 42, of round
// 3, of messages of whole bytes, from stream to stream, padding included: ROUNDS_PER_CYCLE rounds a
// cycle.
//
// Interface: AXI4-Stream with beats of 8 bytes, a message for each s_axis_tlast, a digest of four
// beats for each m_axis_tlast; docs/cores.md has the rules. s_axis_tready depends on registers
// only.
//
// Cycles, for a source that always offers and a sink that always takes: C = 36 / ROUNDS_PER_CYCLE
// (ROUNDS = 42: 42 / ROUNDS_PER_CYCLE) for each block of 64 bytes; a message of n blocks, padding
// included, 13 + C n from its first beat to the last beat of its digest, both counted; a message
// more one cycle more. The next block comes in while one is compressed, the next message while a
// digest goes out. Resets: control; the first beat may come in the next cycle.

`default_nettype none

module jh_stream #(
    // Of a block: 35 and a layer of S-boxes, 42.
    parameter ROUNDS           = 35,
    // Rounds a cycle: 1 or 2 (jh_core).
    parameter ROUNDS_PER_CYCLE = 1
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
  wire         unused_blank;
  wire [60:0]  block_bytes;
  wire         block_full;
  wire         take;
  wire [255:0] digest;
  wire         digest_load;
  wire         digest_free;

  // Behind the message: a one, zeros, and at the end of a block the length in 128 bits. The padding
  // has at least 64 bytes, so the last block begins with the mark or is behind it.
  message_head #(
      .DATA_BITS  (64),
      .BLOCK_BYTES(64),
      .MARK       (8'h80),
      .TAIL_BYTES (63)
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
      .blank_o      (unused_blank),
      .bytes_o      (block_bytes),
      .full_o       (block_full),
      .take_i       (take)
  );

  jh_core #(
      .ROUNDS          (ROUNDS),
      .ROUNDS_PER_CYCLE(ROUNDS_PER_CYCLE)
  ) u_core (
      .clk     (clk),
      .rst     (rst),
      .block_i (block),
      .final_i (block_final),
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
