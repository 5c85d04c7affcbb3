// SPDX-License-Identifier: Apache-2.0
//
// Skein-512-256 of round 2 or 3 of the SHA-3 contest ("The Skein Hash Function Family", version 1.2
// or 1.3) of messages of whole bytes, from stream to stream, padding included.
//
// Interface: AXI4-Stream with beats of 8 bytes, a message for each s_axis_tlast, a digest of four
// beats for each m_axis_tlast; docs/cores.md has the rules. s_axis_tready depends on registers
// only.
//
// Cycles, for a source that always offers and a sink that always takes: 19 for each block of 64
// bytes, and for the block of the output; a message of n blocks 14 + 19 (n + 1) from its first beat
// to the last beat of its digest, both counted. The next block comes in while one is encrypted, the
// next message while a digest goes out. Resets: control; the first beat may come in the next cycle.

`default_nettype none

module skein_stream #(
    // Version 1.MINOR of the document: 2, 3.
    parameter MINOR = 2
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

  wire [63:0]  tdata;
  wire [7:0]   tkeep;
  wire         tlast;
  wire         tvalid;
  wire         tready;

  // Nothing marks the end of a message, so the last block must be known with its last word.
  stream_merge_end #(
      .DATA_BITS(64)
  ) u_merge (
      .clk          (clk),
      .rst          (rst),
      .s_axis_tdata (s_axis_tdata),
      .s_axis_tkeep (s_axis_tkeep),
      .s_axis_tlast (s_axis_tlast),
      .s_axis_tvalid(s_axis_tvalid),
      .s_axis_tready(s_axis_tready),
      .m_axis_tdata (tdata),
      .m_axis_tkeep (tkeep),
      .m_axis_tlast (tlast),
      .m_axis_tvalid(tvalid),
      .m_axis_tready(tready)
  );

  message_head #(
      .DATA_BITS  (64),
      .BLOCK_BYTES(64),
      .MARK       (8'h00),
      .TAIL_BYTES (0)
  ) u_head (
      .clk          (clk),
      .rst          (rst),
      .s_axis_tdata (tdata),
      .s_axis_tkeep (tkeep),
      .s_axis_tlast (tlast),
      .s_axis_tvalid(tvalid),
      .s_axis_tready(tready),
      .block_o      (block),
      .final_o      (block_final),
      .blank_o      (unused_blank),
      .bytes_o      (block_bytes),
      .full_o       (block_full),
      .take_i       (take)
  );

  skein_core #(
      .MINOR(MINOR)
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
