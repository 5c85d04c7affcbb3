// SPDX-License-Identifier: Apache-2.0
//
// SHA3-224/256/384/512 and SHAKE128/256 (FIPS 202, 6.1 and 6.2) of byte messages, from stream to
// stream.

`default_nettype none

module keccak_stream #(
    // Bits of a beat: 32, 64, 128.
    parameter       DATA_BITS        = 64,
    // Bytes of a block: 144, 136, 104, 72, 168.
    parameter       RATE_BYTES       = 136,
    // Domain suffix and first bit of the padding: 8'h06 SHA3, 8'h1F SHAKE.
    parameter [7:0] SUFFIX           = 8'h06,
    // Bytes of the digest: 28, 32, 48, 64; 0: as many as s_axis_tuser says.
    parameter       DIGEST_BYTES     = 32,
    // 1, 2, 3, 4.
    parameter       ROUNDS_PER_CYCLE = 1,
    // Cycles of a round.
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
      wire                    clear;

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
          .take_i      (take),
          .clear_i     (clear)
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
          .clear_o     (clear),
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

endmodule

`default_nettype wire
