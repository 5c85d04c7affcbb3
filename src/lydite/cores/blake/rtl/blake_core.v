// SPDX-License-Identifier: Apache-2.0
//
// The compression function of BLAKE-32 and BLAKE-256 ("SHA-3 proposal BLAKE", 2.1.2) without salt,
// half a round in FOLD cycles: 2 FOLD cycles for each round, and one that ends a block and begins
// the next one. FOLD buys area with cycles: 4 / FOLD G, and the operands for so many.
//
// The block stays in m_q for as long as its words are wanted; the next one is taken into it in the
// last step of the rounds, whose operands were chosen in the one before. The step behind it adds
// the state to the chain value, and makes the next state of both; there the core waits, if it has
// to, for a block or for room for a digest.
//
// Interface: the block_* of message_head, and digest_out. Resets: control and the chain value.

`default_nettype none

module blake_core #(
    // Of a block: 10 (BLAKE-32), 14 (BLAKE-256).
    parameter ROUNDS = 10,
    // Steps of half a round, a cycle each: 1, 2.
    parameter FOLD   = 1
) (
    input  wire         clk,
    input  wire         rst,
    input  wire [511:0] block_i,  // byte i in bits 8 i to 8 i + 7
    input  wire         final_i,
    input  wire         blank_i,
    input  wire [60:0]  bytes_i,
    input  wire         full_i,
    output wire         take_o,
    output wire [255:0] digest_o,  // byte 0 lowest
    output wire         load_o,
    input  wire         free_i
);

  generate
    if (ROUNDS != 10 && ROUNDS != 14) begin : g_rounds
      ERROR_rounds_must_be_10_or_14 u_error ();
    end
    if (FOLD != 1 && FOLD != 2) begin : g_fold
      ERROR_fold_must_be_1_or_2 u_error ();
    end
  endgenerate

  localparam STEP_BITS = (FOLD == 1) ? 5 : 6;
  localparam STEPS = 2 * ROUNDS * FOLD;
  localparam OPENED = STEPS - 2;
  localparam [STEP_BITS-1:0] ENDS = STEPS[STEP_BITS-1:0];
  localparam [STEP_BITS-1:0] OPENS = OPENED[STEP_BITS-1:0];  // m_q is read for the last time
  localparam [STEP_BITS-1:0] ZERO = {STEP_BITS{1'b0}};
  // 2.1.1, word 0 lowest.
  localparam [255:0] IV = {
    32'h5be0cd19, 32'h1f83d9ab, 32'h9b05688c, 32'h510e527f,
    32'ha54ff53a, 32'h3c6ef372, 32'hbb67ae85, 32'h6a09e667
  };
  localparam [255:0] C = {
    32'hec4e6c89, 32'h082efa98, 32'h299f31d0, 32'ha4093822,
    32'h03707344, 32'h13198a2e, 32'h85a308d3, 32'h243f6a88
  };

  // ---- the block ------------------------------------------------------------------------------

  // Words are big-endian. The last block's padding ends with a one and the length in bits.
  wire [63:0]  bits = {bytes_i, 3'd0};
  wire [95:0]  tail = {32'd1, bits};
  wire [511:0] words;
  genvar i;
  generate
    for (i = 0; i < 16; i = i + 1) begin : g_word
      wire [31:0] word = {block_i[32*i +: 8], block_i[32*i+8 +: 8],
                          block_i[32*i+16 +: 8], block_i[32*i+24 +: 8]};
      if (i < 13) begin : g_plain
        assign words[32*i +: 32] = word;
      end else begin : g_tail
        localparam LOW = 32 * (15 - i);
        assign words[32*i +: 32] = word | (final_i ? tail[LOW +: 32] : 32'd0);
      end
    end
  endgenerate

  reg  [511:0]         m_q;
  reg  [63:0]          counter_q;  // bits of the message up to the block's end; 0: it has none
  reg                  m_final_q;
  reg                  m_full_q;  // m_q holds the next block
  reg                  open_q;  // m_q may be taken anew
  reg  [STEP_BITS-1:0] step_q;
  reg                  final_q;  // what is compressed is the last block
  reg                  given_q;  // its digest is given

  assign take_o = open_q && full_i;

  // ---- control --------------------------------------------------------------------------------

  wire ends = step_q == ENDS;
  wire give = ends && final_q && !given_q && free_i;
  wire go = ends && m_full_q && (!final_q || given_q || free_i);
  wire [STEP_BITS-1:0] step_d = go ? ZERO : ends ? ENDS : step_q + 1'b1;

  assign load_o = give;

  always @(posedge clk) begin
    if (rst) begin
      step_q   <= ENDS;
      m_full_q <= 1'b0;
      open_q   <= 1'b1;
      final_q  <= 1'b1;
      given_q  <= 1'b1;
    end else begin
      step_q   <= step_d;
      m_full_q <= take_o || (m_full_q && !go);
      open_q   <= !take_o && (open_q || step_q == OPENS);
      if (go) final_q <= m_final_q;
      given_q  <= !go && (given_q || give);
    end
  end

  always @(posedge clk) begin
    if (take_o) begin
      m_q       <= words;
      counter_q <= blank_i ? 64'd0 : bits;
      m_final_q <= final_i;
    end
  end

  // ---- the state ------------------------------------------------------------------------------

  reg  [511:0]        v_q;  // word i in bits 32 i to 32 i + 31
  reg  [255:0]        h_q;
  wire [511:0]        v_d;
  wire [256/FOLD-1:0] operand;
  wire [255:0]        sum = h_q ^ v_q[255:0] ^ v_q[511:256];
  wire [255:0]        h_d = final_q ? IV : sum;
  wire [255:0]        low = C ^ {{2{counter_q[63:32]}}, {2{counter_q[31:0]}}, 128'd0};

  // While the core waits, step 0's are chosen.
  blake_operands #(
      .ROUNDS   (ROUNDS),
      .FOLD     (FOLD),
      .STEP_BITS(STEP_BITS)
  ) u_operands (
      .clk      (clk),
      .step_i   (ends ? ZERO : step_q + 1'b1),
      .m_i      (m_q),
      .operand_o(operand)
  );

  // A G always works on words i, 4 + i, 8 + i and 12 + i. So rows 1 to 3 stand turned before a half
  // for diagonals. Turning by two is the same there and back.
  //
  // With FOLD = 2 the G are those of words 0 and 2 of a row: the first step of a half works on
  // these, and brings words 1 and 3 to their places, the second one on those. Row 0 exchanges
  // neighbours in each step, row 2 turns by one. Rows 1 and 3 turn by one in the first step, and in
  // the second one by what is left of one or three.
  wire diagonal = step_q[FOLD-1];

  generate
    for (i = 0; i < 4; i = i + 1) begin : g_quarter
      wire [31:0] a;
      wire [31:0] b;
      wire [31:0] c;
      wire [31:0] d;

      if (i % FOLD == 0) begin : g_mixed
        blake_g u_g (
            .a_i     (v_q[32*i +: 32]),
            .b_i     (v_q[32*(4+i) +: 32]),
            .c_i     (v_q[32*(8+i) +: 32]),
            .d_i     (v_q[32*(12+i) +: 32]),
            .first_i (operand[64*(i/FOLD) +: 32]),
            .second_i(operand[64*(i/FOLD)+32 +: 32]),
            .a_o     (a),
            .b_o     (b),
            .c_o     (c),
            .d_o     (d)
        );
      end else begin : g_kept
        assign a = v_q[32*i +: 32];
        assign b = v_q[32*(4+i) +: 32];
        assign c = v_q[32*(8+i) +: 32];
        assign d = v_q[32*(12+i) +: 32];
      end

      if (FOLD == 1) begin : g_half
        assign v_d[32*i +: 32] = a;
        assign v_d[32*(4+i) +: 32] = diagonal ? g_quarter[(i+3)%4].b : g_quarter[(i+1)%4].b;
        assign v_d[32*(8+i) +: 32] = g_quarter[(i+2)%4].c;
        assign v_d[32*(12+i) +: 32] = diagonal ? g_quarter[(i+1)%4].d : g_quarter[(i+3)%4].d;
      end else begin : g_part
        wire second = step_q[0];

        assign v_d[32*i +: 32] = g_quarter[i^1].a;
        assign v_d[32*(4+i) +: 32] =
            !second ? g_quarter[(i+1)%4].b : diagonal ? g_quarter[(i+2)%4].b : b;
        assign v_d[32*(8+i) +: 32] = g_quarter[(i+1)%4].c;
        assign v_d[32*(12+i) +: 32] =
            !second ? g_quarter[(i+1)%4].d : diagonal ? d : g_quarter[(i+2)%4].d;
      end
    end

    // Words are big-endian.
    for (i = 0; i < 32; i = i + 1) begin : g_byte
      assign digest_o[8*i +: 8] = sum[32*(i/4) + 24 - 8*(i%4) +: 8];
    end
  endgenerate

  always @(posedge clk) begin
    if (go) v_q <= {low, h_d};
    else if (!ends) v_q <= v_d;
  end

  always @(posedge clk) begin
    if (go) h_q <= h_d;
  end

endmodule

`default_nettype wire
