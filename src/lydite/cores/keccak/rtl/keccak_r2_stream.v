// SPDX-License-Identifier: Apache-2.0
//
// Keccak[r = 1088, c = 512] with digests of 32 bytes as in round 2 of the SHA-3 contest ("Keccak
// specifications", version 2) of messages of whole bytes, from stream to stream, padding included:
// what of keccak_stream is not its padding, with that of round 2.
//
// Interface: AXI4-Stream with beats of 8 bytes, a message for each s_axis_tlast, a digest of four
// beats for each m_axis_tlast; docs/cores.md has the rules. s_axis_tready depends on registers
// only.
//
// Cycles as of keccak_stream with a round a cycle: 24 for each block; a message of n blocks,
// padding included, 24 n + 23 from its first beat to the last beat of its digest, both counted.
// Resets: control; a message or digest under way is forgotten, the first beat may come in the next
// cycle.

`default_nettype none

module keccak_r2_stream (
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

  localparam RATE_BYTES = 136;
  localparam DIGEST_BYTES = 32;
  localparam [7:0] RATE = RATE_BYTES;
  localparam [7:0] DIGEST = DIGEST_BYTES;

  wire [63:0]             word;
  wire                    word_end;
  wire                    word_valid;
  wire                    word_ready;
  wire [8*RATE_BYTES-1:0] block;
  wire                    block_final;
  wire                    block_full_next;
  wire                    take;
  wire [63:0]             lane;
  wire [3:0]              lane_bytes;
  wire                    lane_last;
  wire                    lane_valid;
  wire                    lane_ready;

  keccak_r2_pad #(
      .SUFFIX({8'h01, RATE, DIGEST, 8'h01})
  ) u_pad (
      .clk          (clk),
      .rst          (rst),
      .s_axis_tdata (s_axis_tdata),
      .s_axis_tkeep (s_axis_tkeep),
      .s_axis_tlast (s_axis_tlast),
      .s_axis_tvalid(s_axis_tvalid),
      .s_axis_tready(s_axis_tready),
      .word_o       (word),
      .word_end_o   (word_end),
      .word_valid_o (word_valid),
      .word_ready_i (word_ready)
  );

  keccak_block #(
      .DATA_BITS (64),
      .RATE_BYTES(RATE_BYTES)
  ) u_block (
      .clk         (clk),
      .rst         (rst),
      .word_i      (word),
      .word_end_i  (word_end),
      .word_valid_i(word_valid),
      .word_ready_o(word_ready),
      .block_o     (block),
      .final_o     (block_final),
      .full_next_o (block_full_next),
      .take_i      (take)
  );

  // The buffer sets the last bit of the last block for FIPS 202. Here that is never set: the last
  // byte of the block is that of the padding, 01, or zero.
  keccak_parallel #(
      .RATE_BYTES      (RATE_BYTES),
      .DIGEST_BYTES    (DIGEST_BYTES),
      .ROUNDS_PER_CYCLE(1)
  ) u_sponge (
      .clk         (clk),
      .rst         (rst),
      .block_i     ({block[8*RATE_BYTES-1] && !block_final, block[8*RATE_BYTES-2:0]}),
      .final_i     (block_final),
      .full_next_i (block_full_next),
      .take_o      (take),
      .length_i    (16'd0),
      .lane_o      (lane),
      .lane_bytes_o(lane_bytes),
      .lane_last_o (lane_last),
      .lane_valid_o(lane_valid),
      .lane_ready_i(lane_ready)
  );

  keccak_emit #(
      .DATA_BITS(64)
  ) u_emit (
      .clk          (clk),
      .rst          (rst),
      .lane_i       (lane),
      .lane_bytes_i (lane_bytes),
      .lane_last_i  (lane_last),
      .lane_valid_i (lane_valid),
      .lane_ready_o (lane_ready),
      .m_axis_tdata (m_axis_tdata),
      .m_axis_tkeep (m_axis_tkeep),
      .m_axis_tlast (m_axis_tlast),
      .m_axis_tvalid(m_axis_tvalid),
      .m_axis_tready(m_axis_tready)
  );

endmodule

`default_nettype wire
