// SPDX-License-Identifier: Apache-2.0
//
// SHA3-224/256/384/512 and SHAKE128/256 (FIPS 202, 6.1 and 6.2) of messages of whole bytes, from
// stream to stream, padding included.
//
// Interface: AXI4-Stream, a message for each s_axis_tlast, a digest for each m_axis_tlast, in the
// same order. Byte 0 of a message stands in tdata[7:0]. tkeep is all ones but on the last beat,
// where it is contiguous from byte 0 and may be zero: the empty message is one beat without bytes,
// and any message may end in such a beat. Bytes without tkeep are ignored on the way in and zero
// on the way out. DIGEST_BYTES = 0: s_axis_tuser of the last beat says how many bytes to put out,
// 1 to 65535; else it is ignored. s_axis_tready depends on registers, not on m_axis_tready.
//
// The next block comes in while one is permuted, and a digest goes out meanwhile, so messages
// follow each other without a gap. In cycles, for a source that always offers and a sink that
// always takes:
//   rounds = 24 / ROUNDS_PER_CYCLE        lanes = RATE_BYTES / 8        group = FOLD + 2
//   words = ceil(8 * RATE_BYTES / DATA_BITS)
//   beats(n) = ceil(8 * n / min(DATA_BITS, 64)): bytes go out at most a lane a cycle
// FOLD = 1:
//   a block takes max(rounds, words), a message of one block also beats(DIGEST_BYTES) + 1, a
//   squeezed block after the first max(rounds, beats(RATE_BYTES) + 1); latency of a message of
//   RATE_BYTES - 1 bytes, from the cycle of the first beat in to that of the last beat out:
//   words + rounds + beats(DIGEST_BYTES) + 1.
// FOLD > 1:
//   a block, absorbed or squeezed, takes 24 * group, a message group more; latency as above
//   lanes * FOLD + words + 25 * group + ceil(DIGEST_BYTES / 8) * FOLD + beats(DIGEST_BYTES) + 1.
//
// Resets: control; a message or digest under way is forgotten, the first beat may come in the next
// cycle (FOLD > 1: its block waits for group cycles). ROUNDS_PER_CYCLE buys cycles with area and
// frequency. FOLD buys area with cycles: the whole state at once in registers, or 64 / FOLD slices
// at a time in LUT RAM.

`default_nettype none

module keccak_stream #(
    // Bits of a beat: 32, 64, 128.
    parameter       DATA_BITS        = 64,
    // Bytes of a block: 144, 136, 104, 72, 168.
    parameter       RATE_BYTES       = 136,
    // Domain suffix and first bit of the padding: 8'h06 SHA3, 8'h1F SHAKE, 8'h01 none (Keccak).
    parameter [7:0] SUFFIX           = 8'h06,
    // Bytes of the digest: 28, 32, 48, 64; 0: as many as s_axis_tuser says.
    parameter       DIGEST_BYTES     = 32,
    // 1, 2, 3, 4; 1 if FOLD is not 1.
    parameter       ROUNDS_PER_CYCLE = 1,
    // Parts of a round: 1, 2, 4, 8, 16.
    parameter       FOLD             = 1
) (
    input  wire                   clk,
    input  wire                   rst,
    input  wire [DATA_BITS-1:0]   s_axis_tdata,
    input  wire [DATA_BITS/8-1:0] s_axis_tkeep,
    input  wire                   s_axis_tlast,
    input  wire [15:0]            s_axis_tuser,
    input  wire                   s_axis_tvalid,
    output wire                   s_axis_tready,
    output wire [DATA_BITS-1:0]   m_axis_tdata,
    output wire [DATA_BITS/8-1:0] m_axis_tkeep,
    output wire                   m_axis_tlast,
    output wire                   m_axis_tvalid,
    input  wire                   m_axis_tready
);

  // ---- parameters -----------------------------------------------------------------------------

  generate
    if (DATA_BITS != 32 && DATA_BITS != 64 && DATA_BITS != 128) begin : g_data_bits
      ERROR_data_bits_must_be_32_64_or_128 u_error ();
    end
    if (RATE_BYTES != 72 && RATE_BYTES != 104 && RATE_BYTES != 136 && RATE_BYTES != 144 &&
        RATE_BYTES != 168) begin : g_rate_bytes
      ERROR_rate_bytes_must_be_72_104_136_144_or_168 u_error ();
    end
    if (SUFFIX != 8'h01 && SUFFIX != 8'h06 && SUFFIX != 8'h1F) begin : g_suffix
      ERROR_suffix_must_be_01_06_or_1f u_error ();
    end
    if (DIGEST_BYTES != 0 && DIGEST_BYTES != 28 && DIGEST_BYTES != 32 && DIGEST_BYTES != 48 &&
        DIGEST_BYTES != 64) begin : g_digest_bytes
      ERROR_digest_bytes_must_be_0_28_32_48_or_64 u_error ();
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

  // ---- structure ------------------------------------------------------------------------------

  wire [DATA_BITS-1:0] word;
  wire                 word_end;
  wire                 word_end_low;
  wire                 word_valid;
  wire                 word_ready;
  wire [15:0]          length;
  wire [63:0]          lane;
  wire [3:0]           lane_bytes;
  wire                 lane_last;
  wire                 lane_valid;
  wire                 lane_ready;

  keccak_pad #(
      .DATA_BITS(DATA_BITS),
      .SUFFIX   (SUFFIX)
  ) u_pad (
      .clk           (clk),
      .rst           (rst),
      .s_axis_tdata  (s_axis_tdata),
      .s_axis_tkeep  (s_axis_tkeep),
      .s_axis_tlast  (s_axis_tlast),
      .s_axis_tuser  (s_axis_tuser),
      .s_axis_tvalid (s_axis_tvalid),
      .s_axis_tready (s_axis_tready),
      .word_o        (word),
      .word_end_o    (word_end),
      .word_end_low_o(word_end_low),
      .word_valid_o  (word_valid),
      .word_ready_i  (word_ready),
      .length_o      (length)
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

      if (DATA_BITS == 128 && RATE_BYTES % 16 != 0) begin : g_align
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

      keccak_parallel #(
          .RATE_BYTES      (RATE_BYTES),
          .DIGEST_BYTES    (DIGEST_BYTES),
          .ROUNDS_PER_CYCLE(ROUNDS_PER_CYCLE)
      ) u_sponge (
          .clk         (clk),
          .rst         (rst),
          .block_i     (block),
          .final_i     (block_final),
          .full_next_i (block_full_next),
          .take_o      (take),
          .length_i    (length),
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
          .FOLD        (FOLD)
      ) u_sponge (
          .clk           (clk),
          .rst           (rst),
          .word_i        (word),
          .word_end_i    (word_end),
          .word_end_low_i(word_end_low),
          .word_valid_i  (word_valid),
          .word_ready_o  (word_ready),
          .length_i      (length),
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

`ifdef LYDITE_ASSERT
  input_keep_is_contiguous :
  assert property (@(posedge clk) disable iff (rst)
      s_axis_tvalid |-> (s_axis_tkeep & (s_axis_tkeep + 1'b1)) == '0);
  input_is_full_before_the_last_beat :
  assert property (@(posedge clk) disable iff (rst)
      s_axis_tvalid && !s_axis_tlast |-> &s_axis_tkeep);
  input_asks_for_output :
  assert property (@(posedge clk) disable iff (rst)
      s_axis_tvalid && s_axis_tlast && DIGEST_BYTES == 0 |-> s_axis_tuser != 16'd0);
  output_waits_unchanged :
  assert property (@(posedge clk) disable iff (rst)
      m_axis_tvalid && !m_axis_tready |=>
      m_axis_tvalid && $stable({m_axis_tdata, m_axis_tkeep, m_axis_tlast}));
  output_keep_is_contiguous :
  assert property (@(posedge clk) disable iff (rst)
      m_axis_tvalid |-> m_axis_tkeep != '0 && (m_axis_tkeep & (m_axis_tkeep + 1'b1)) == '0);
  output_is_full_before_the_last_beat :
  assert property (@(posedge clk) disable iff (rst)
      m_axis_tvalid && !m_axis_tlast |-> &m_axis_tkeep);
`endif

endmodule

`default_nettype wire
