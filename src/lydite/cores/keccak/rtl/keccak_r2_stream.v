// SPDX-License-Identifier: Apache-2.0
//
// Keccak[r = 1088, c = 512] with digests of 32 bytes as in round 2 of the SHA-3 contest ("Keccak
// specifications", version 2) of messages of whole bytes, from stream to stream, padding included:
// what of keccak_stream is not its padding, with that of round 2.
//
// Interface: AXI4-Stream, a message for each s_axis_tlast, a digest for each m_axis_tlast;
// docs/cores.md has the rules. s_axis_tready depends on registers only.
//
// Cycles, and what the parameters buy, as of keccak_stream: by default 24 for each block, and for a
// message of n blocks, padding included, 24 n + 23 from its first beat to the last beat of its
// digest, both counted. Resets: control; a message or digest under way is forgotten, the first beat
// may come in the next cycle (FOLD > 1: its block waits for FOLD + 2 cycles).

`default_nettype none

module keccak_r2_stream #(
    // Bits of a beat: 64, 128.
    parameter DATA_BITS        = 64,
    // 1, 2, 3, 4; 1 if FOLD is not 1.
    parameter ROUNDS_PER_CYCLE = 1,
    // Parts of a round: 1, 2, 4, 8, 16.
    parameter FOLD             = 1
) (
    input  wire                   clk,
    input  wire                   rst,
    input  wire [DATA_BITS-1:0]   s_axis_tdata,
    input  wire [DATA_BITS/8-1:0] s_axis_tkeep,
    input  wire                   s_axis_tlast,
    input  wire                   s_axis_tvalid,
    output wire                   s_axis_tready,
    output wire [DATA_BITS-1:0]   m_axis_tdata,
    output wire [DATA_BITS/8-1:0] m_axis_tkeep,
    output wire                   m_axis_tlast,
    output wire                   m_axis_tvalid,
    input  wire                   m_axis_tready
);

  generate
    if (DATA_BITS != 64 && DATA_BITS != 128) begin : g_data_bits
      ERROR_data_bits_must_be_64_or_128 u_error ();
    end
    if (ROUNDS_PER_CYCLE < 1 || ROUNDS_PER_CYCLE > 4) begin : g_rounds_per_cycle
      ERROR_rounds_per_cycle_must_be_1_2_3_or_4 u_error ();
    end
    if (FOLD != 1 && FOLD != 2 && FOLD != 4 && FOLD != 8 && FOLD != 16) begin : g_fold
      ERROR_fold_must_be_1_2_4_8_or_16 u_error ();
    end
    if (FOLD != 1 && ROUNDS_PER_CYCLE != 1) begin : g_fold_or_rounds
      ERROR_fold_needs_one_round_per_cycle u_error ();
    end
  endgenerate

  localparam RATE_BYTES = 136;
  localparam DIGEST_BYTES = 32;
  localparam [7:0] RATE = RATE_BYTES;
  localparam [7:0] DIGEST = DIGEST_BYTES;

  wire [DATA_BITS-1:0] word;
  wire                 word_end;
  wire                 word_end_low;
  wire                 word_valid;
  wire                 word_ready;
  wire [63:0]          lane;
  wire [3:0]           lane_bytes;
  wire                 lane_last;
  wire                 lane_valid;
  wire                 lane_ready;

  keccak_r2_pad #(
      .DATA_BITS(DATA_BITS),
      .SUFFIX   ({8'h01, RATE, DIGEST, 8'h01})
  ) u_pad (
      .clk           (clk),
      .rst           (rst),
      .s_axis_tdata  (s_axis_tdata),
      .s_axis_tkeep  (s_axis_tkeep),
      .s_axis_tlast  (s_axis_tlast),
      .s_axis_tvalid (s_axis_tvalid),
      .s_axis_tready (s_axis_tready),
      .word_o        (word),
      .word_end_o    (word_end),
      .word_end_low_o(word_end_low),
      .word_valid_o  (word_valid),
      .word_ready_i  (word_ready)
  );

  generate
    if (FOLD == 1) begin : g_parallel
      wire [DATA_BITS-1:0]    place;
      wire                    place_end;
      wire                    place_valid;
      wire                    place_ready;
      wire [8*RATE_BYTES-1:0] block;
      wire                    block_final;
      wire                    block_full_next;
      wire                    take;

      if (DATA_BITS == 128) begin : g_align
        keccak_align #(
            .LANES(RATE_BYTES / 8)
        ) u_align (
            .clk           (clk),
            .rst           (rst),
            .word_i        (word),
            .word_end_i    (word_end),
            .word_end_low_i(word_end_low),
            .word_valid_i  (word_valid),
            .word_ready_o  (word_ready),
            .pair_o        (place),
            .pair_end_o    (place_end),
            .pair_valid_o  (place_valid),
            .pair_ready_i  (place_ready)
        );
      end else begin : g_direct
        wire unused = &{1'b0, word_end_low};

        assign place       = word;
        assign place_end   = word_end;
        assign place_valid = word_valid;
        assign word_ready  = place_ready;
      end

      keccak_block #(
          .DATA_BITS (DATA_BITS),
          .RATE_BYTES(RATE_BYTES)
      ) u_block (
          .clk         (clk),
          .rst         (rst),
          .word_i      (place),
          .word_end_i  (place_end),
          .word_valid_i(place_valid),
          .word_ready_o(place_ready),
          .block_o     (block),
          .final_o     (block_final),
          .full_next_o (block_full_next),
          .take_i      (take)
      );

      // The buffer sets the last bit of the last block for FIPS 202. Here that is never set: the
      // last byte of the block is that of the padding, 01, or zero.
      keccak_parallel #(
          .RATE_BYTES      (RATE_BYTES),
          .DIGEST_BYTES    (DIGEST_BYTES),
          .ROUNDS_PER_CYCLE(ROUNDS_PER_CYCLE)
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
    end else begin : g_sliced
      keccak_sliced #(
          .DATA_BITS   (DATA_BITS),
          .RATE_BYTES  (RATE_BYTES),
          .DIGEST_BYTES(DIGEST_BYTES),
          .FOLD        (FOLD),
          .LAST_BIT    (0)
      ) u_sponge (
          .clk           (clk),
          .rst           (rst),
          .word_i        (word),
          .word_end_i    (word_end),
          .word_end_low_i(word_end_low),
          .word_valid_i  (word_valid),
          .word_ready_o  (word_ready),
          .length_i      (16'd0),
          .lane_o        (lane),
          .lane_bytes_o  (lane_bytes),
          .lane_last_o   (lane_last),
          .lane_valid_o  (lane_valid),
          .lane_ready_i  (lane_ready)
      );
    end
  endgenerate

  keccak_emit #(
      .DATA_BITS(DATA_BITS)
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
