// SPDX-License-Identifier: Apache-2.0
//
// SHAvite-3-256 as tweaked for round 2 ("The SHAvite-3 Hash Function", 2009) of messages of whole
// bytes, without salt, from stream to stream, padding included: a round of AES a cycle for the
// text, and one for the subkeys, beside it or, with FOLD = 2, on the same unit in a cycle of its
// own, where a subkey needs it.
//
// Interface: docs/cores.md. The next block comes in while one is worked on, and a digest goes out
// meanwhile. A block takes C = 37 cycles, 36 rounds of AES and one in which the chaining value is
// added and the next block is taken, and with FOLD = 2 the 16 rounds for subkeys more; N blocks,
// from the first beat in to the last beat out, W + C N + 1 + 4, where W beats are of the first.
// Resets: control.

`default_nettype none

module shavite #(
    // 1: two rounds of AES beside each other; 2: one for both, by turns.
    parameter FOLD = 1
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

  localparam [5:0]   ENDS = 6'd36;
  localparam [255:0] INITIAL =
      256'h96cc2a8b_6d929dcb_620e5d86_409283cf_021ac4e6_a8b392ac_2674860d_49bb3e47;

  generate
    if (FOLD != 1 && FOLD != 2) begin : g_fold
      ERROR_fold_must_be_1_or_2 u_error ();
    end
  endgenerate

  wire [511:0] block;
  wire         block_final;
  wire         block_blank;
  wire [60:0]  block_bytes;
  wire         block_full;
  wire         digest_free;
  wire [127:0] key;
  wire [127:0] key_word;
  wire [127:0] key_next;
  wire [127:0] mixed;
  wire         unused = &{1'b0, key};

  // ---- control --------------------------------------------------------------------------------

  reg  [5:0]  step_q;  // round of AES of the text
  reg  [1:0]  third_q;  // the same modulo 3
  reg         subkey_q;  // the unit's second turn in the step, for a subkey
  reg         ends_q;  // step_q is ENDS
  reg         idle_q;  // no block was worked on
  reg         final_q;  // the block is the last one
  reg  [63:0] counter_q;

  wire done = ends_q && !idle_q && final_q;
  wire give = done && digest_free;
  wire take = ends_q && block_full && (!done || digest_free);
  wire third = third_q == 2'd2;  // the last round of AES of one of the cipher
  // Subkeys 4 to 35 are made in steps 0 to 31.
  wire again = FOLD == 2 && !subkey_q && !step_q[5] && !step_q[2];
  wire [63:0] bits = {block_bytes, 3'd0};

  always @(posedge clk) begin
    if (rst) begin
      subkey_q <= 1'b0;
      step_q   <= ENDS;
      third_q  <= 2'd0;
      ends_q   <= 1'b1;
      idle_q   <= 1'b1;
      final_q  <= 1'b0;
    end else begin
      subkey_q <= again;
      if (!again) begin
        step_q  <= take ? 6'd0 : ends_q ? ENDS : step_q + 6'd1;
        third_q <= (ends_q || third) ? 2'd0 : third_q + 2'd1;
        ends_q  <= !take && (ends_q || step_q == ENDS - 6'd1);
      end
      idle_q  <= !take && (idle_q || give);
      if (take) final_q <= block_final;
    end
  end

  always @(posedge clk) begin
    if (take) counter_q <= block_blank ? 64'd0 : bits;
  end

  // ---- the block ------------------------------------------------------------------------------

  // Behind the last block's padding: the length of the message, and of the digest, in bits.
  wire [511:0] padded = block | {block_final ? {16'd256, bits} : 80'd0, 432'd0};

  shavite_keys #(
      .ROUND(2 - FOLD)
  ) u_keys (
      .clk      (clk),
      .load_i   (take),
      .en_i     (!again),
      .block_i  (padded),
      .step_i   (step_q),
      .counter_i(counter_q),
      .mixed_i  (mixed),
      .word_o   (key_word),
      .key_o    (key),
      .next_o   (key_next)
  );

  // ---- the cipher -----------------------------------------------------------------------------

  reg  [127:0] left_q;
  reg  [127:0] right_q;
  reg  [127:0] mixed_q;  // what becomes of the right half, with the subkey of this step
  reg  [255:0] chain_q;
  wire [255:0] sum = chain_q ^ {right_q, left_q};
  wire [255:0] chain_d = (idle_q || final_q) ? INITIAL : sum;

  aes_round u_round (
      .word_i(subkey_q ? key_word : mixed_q),
      .word_o(mixed)
  );

  always @(posedge clk) begin
    if (take) begin
      chain_q <= chain_d;
      left_q  <= chain_d[127:0];
      right_q <= chain_d[255:128];
      mixed_q <= chain_d[255:128] ^ padded[127:0];
    end else if (!ends_q && !subkey_q) begin
      mixed_q <= mixed ^ (third ? left_q : 128'd0) ^ key_next;
      if (third) begin
        left_q  <= right_q;
        right_q <= left_q ^ mixed;
      end
    end
  end

  // ---- streams --------------------------------------------------------------------------------

  message_head #(
      .DATA_BITS  (64),
      .BLOCK_BYTES(64),
      .TAIL_BYTES (10)
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

  digest_out u_digest (
      .clk          (clk),
      .rst          (rst),
      .digest_i     (sum),
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
