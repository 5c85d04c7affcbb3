// SPDX-License-Identifier: Apache-2.0
//
// BMW-256 ("Blue Midnight Wish", 2009, as tweaked for round 2) of messages of whole bytes, from
// stream to stream, padding included: two cycles a block, or a word or two of the quadruple pipe a
// cycle (FOLD).
//
// Interface: docs/cores.md. The next block comes in while one is worked on, and a digest goes out
// meanwhile.
//   FOLD = 1: a block takes 2 cycles, if it comes in two, the end of a message 2, and N blocks,
//     from the first beat in to the last beat out, 4 more than their beats come and go.
//   FOLD > 1: a block takes C = 2 * FOLD + 1 cycles, the end of a message C, and N blocks, from the
//     first beat in to the last beat out, W + 1 + C (N + 1) + V, where V = 256 / DATA_BITS and W
//     beats are of the first.
// Resets: control and the double pipe.

`default_nettype none

module bmw #(
    // Bits of a beat: 32, 64, 128, 256.
    parameter DATA_BITS = 256,
    // 1: two cycles a block; 8, 16: two words, one word of the quadruple pipe a cycle.
    parameter FOLD      = 1
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
    if (FOLD != 1 && FOLD != 8 && FOLD != 16) begin : g_fold
      ERROR_fold_must_be_1_8_or_16 u_error ();
    end
  endgenerate

  // The double pipe before the first block, and that of the last compression; word 15 first.
  localparam [511:0] INITIAL = {
    256'h7c7d7e7f_78797a7b_74757677_70717273_6c6d6e6f_68696a6b_64656667_60616263,
    256'h5c5d5e5f_58595a5b_54555657_50515253_4c4d4e4f_48494a4b_44454647_40414243
  };
  localparam [511:0] FINAL = {
    256'haaaaaaaf_aaaaaaae_aaaaaaad_aaaaaaac_aaaaaaab_aaaaaaaa_aaaaaaa9_aaaaaaa8,
    256'haaaaaaa7_aaaaaaa6_aaaaaaa5_aaaaaaa4_aaaaaaa3_aaaaaaa2_aaaaaaa1_aaaaaaa0
  };

  wire [511:0] block;
  wire [511:0] padded;
  wire         block_final;
  wire         block_blank;
  wire [60:0]  block_bytes;
  wire         block_full;
  wire         take;
  wire [255:0] digest;
  wire         give;
  wire         digest_free;
  wire         unused = &{1'b0, block_blank};

  assign padded = block | {block_final ? {block_bytes, 3'd0} : 64'd0, 448'd0};

  generate
    if (FOLD == 1) begin : g_halves
      bmw_halves #(
          .INITIAL(INITIAL),
          .FINAL  (FINAL)
      ) u_halves (
          .clk     (clk),
          .rst     (rst),
          .block_i (padded),
          .final_i (block_final),
          .full_i  (block_full),
          .take_o  (take),
          .digest_o(digest),
          .give_o  (give),
          .free_i  (digest_free)
      );
    end else begin : g_words
      bmw_words #(
          .WORDS  (16 / FOLD),
          .INITIAL(INITIAL),
          .FINAL  (FINAL)
      ) u_words (
          .clk     (clk),
          .rst     (rst),
          .block_i (padded),
          .final_i (block_final),
          .full_i  (block_full),
          .take_o  (take),
          .digest_o(digest),
          .give_o  (give),
          .free_i  (digest_free)
      );
    end
  endgenerate

  message_head #(
      .DATA_BITS  (DATA_BITS),
      .BLOCK_BYTES(64),
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

  digest_out #(
      .DATA_BITS(DATA_BITS)
  ) u_digest (
      .clk          (clk),
      .rst          (rst),
      .digest_i     (digest),
      .load_i       (give),
      .free_o       (digest_free),
      .m_axis_tdata (m_axis_tdata),
      .m_axis_tkeep (m_axis_tkeep),
      .m_axis_tlast (m_axis_tlast),
      .m_axis_tvalid(m_axis_tvalid),
      .m_axis_tready(m_axis_tready)
  );

endmodule

`default_nettype wire
