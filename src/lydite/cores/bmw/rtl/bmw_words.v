// SPDX-License-Identifier: Apache-2.0
//
// The compressions of BMW-256 ("Blue Midnight Wish", 2009), the quadruple pipe WORDS words at a
// time, first those of f0, then those of f1.
//
// The block, the double pipe and the quadruple pipe turn by WORDS words a cycle, so that what a
// word is made of always stands in the same places: in f1 by its definition, and in f0 because W_i
// has words i + 5, i + 7, i + 10, i + 13 and i + 14 for each i (table 1.4), if not with the same
// signs. A word of the block is rotated once, between f0 and f1. What f1 adds up of all words of
// f0, in expand1 and as every second word in expand2, is added up while they come.
//
// The last compression is of the double pipe, and has a constant one. In f0 the two may change
// places; so the constant comes where blocks do, and the double pipe stays where it is.
//
// Interface: a block is taken (take_o) in a cycle in which it is there (full_i), the length in it,
// and the core has none or is in its last cycle; the digest is given (give_o) when there is room
// for it (free_i). A block takes 32 / WORDS + 1 cycles, the last of them f2, and the last
// compression as many.
// Resets: control and the double pipe.

`default_nettype none

module bmw_words #(
    // Words of the quadruple pipe a cycle: 1, 2.
    parameter         WORDS   = 1,
    // The double pipe before the first block, and that of the last compression; word 15 first.
    parameter [511:0] INITIAL = 512'd0,
    parameter [511:0] FINAL   = 512'd0
) (
    input  wire         clk,
    input  wire         rst,
    input  wire [511:0] block_i,
    input  wire         final_i,
    input  wire         full_i,
    output wire         take_o,
    output wire [255:0] digest_o,
    output wire         give_o,
    input  wire         free_i
);

  generate
    if (WORDS != 1 && WORDS != 2) begin : g_words
      ERROR_words_must_be_1_or_2 u_error ();
    end
  endgenerate

  // Of each W_i (bit i) whether the words 5, 7, 10, 13 and 14 after word i are subtracted.
  localparam [79:0] MINUS = {16'h438a, 16'h55e0, 16'h9e54, 16'hcdbb, 16'h88c0};
  // Of the functions s0 to s4 of f0 the words (bit i) that have them: i modulo 5.
  localparam [79:0] MODULO = {16'h4210, 16'h2108, 16'h1084, 16'h0842, 16'h8421};

  localparam [1:0] ST_REST = 2'd0;  // no block
  localparam [1:0] ST_F0   = 2'd1;
  localparam [1:0] ST_F1   = 2'd2;
  localparam [1:0] ST_F2   = 2'd3;

  localparam STEP = 32 * WORDS;
  localparam LAST = 16 - WORDS;

  reg  [1:0]   phase_q;
  reg  [3:0]   place_q;   // number of the first word of this cycle
  reg          last_q;    // the block that is worked on, or was, is the last one
  reg          final_q;   // it is the last compression
  reg  [511:0] h_q;       // the double pipe, word place_q first
  reg  [511:0] x_q;       // in f0 the block, word place_q first; then the words of f0
  reg  [511:0] m_q;       // the block, rotated, word place_q of it first in f1
  reg  [511:0] q_q;       // the last sixteen words of the quadruple pipe, zero before the first
  reg  [63:0]  plain_q;   // words 0, 2, ..., 12 of q_q added up, and words 1, 3, ..., 13
  reg  [31:0]  first_q;   // what expand1 adds up of the words so far: in its first round,
  reg  [31:0]  second_q;  // and in its second one
  reg  [STEP-1:0] ahead_q;  // of what expand2 adds up for a word what was there a cycle before

  wire [511:0]      block_back;  // the block as it came
  wire [511:0]      folded;
  wire [STEP-1:0]   x_in;
  wire [STEP-1:0]   m_in;
  wire [STEP-1:0]   q_in;
  wire [63+STEP:0]  plain;      // plain_q, and the same of the words that follow
  wire [31+STEP:0]  first;      // first_q, and what it becomes with each word; second_q, too
  wire [31+STEP:0]  second;
  wire [STEP-1:0]   ahead;
  wire [STEP-1:0]   of_f1;
  wire [511:0]      constants;  // K of the rounds of f1

  wire in_f0 = phase_q == ST_F0;
  wire in_f1 = phase_q == ST_F1;
  wire runs = in_f0 || in_f1;
  wire around = place_q == LAST[3:0];
  wire ends = phase_q == ST_F2 && (!final_q || free_i);
  wire closing = ends && last_q && !final_q;
  wire take = (phase_q == ST_REST || ends) && !closing && full_i;
  wire begins = take || closing;
  wire give = ends && final_q;

  assign take_o   = take;
  assign give_o   = give;
  assign digest_o = folded[511:256];

  always @(posedge clk) begin
    if (rst) begin
      phase_q <= ST_REST;
      place_q <= 4'd0;
      last_q  <= 1'b0;
      final_q <= 1'b0;
    end else begin
      case (phase_q)
        ST_F0: if (around) phase_q <= ST_F1;
        ST_F1: if (around) phase_q <= ST_F2;
        default: begin
          if (begins) phase_q <= ST_F0;
          else if (ends) phase_q <= ST_REST;
        end
      endcase
      if (runs) place_q <= place_q + WORDS[3:0];
      if (take) last_q <= final_i;
      if (begins) final_q <= closing;
    end
  end

  always @(posedge clk) begin
    if (rst || give) h_q <= INITIAL;
    else if (ends) h_q <= folded;
    else if (runs) h_q <= {h_q[STEP-1:0], h_q[511:STEP]};
  end

  always @(posedge clk) begin
    if (closing) x_q <= FINAL;
    else if (take) x_q <= block_i;
    else if (runs) x_q <= {x_in, x_q[511:STEP]};
  end

  always @(posedge clk) begin
    if (runs) begin
      m_q     <= {m_in, m_q[511:STEP]};
      ahead_q <= ahead;
    end
  end

  always @(posedge clk) begin
    if (begins) begin
      q_q      <= 512'd0;
      plain_q  <= 64'd0;
      first_q  <= 32'd0;
      second_q <= 32'd0;
    end else if (runs) begin
      q_q      <= {q_in, q_q[511:STEP]};
      plain_q  <= plain[STEP +: 64];
      first_q  <= first[STEP +: 32];
      second_q <= second[STEP +: 32];
    end
  end

  assign plain[63:0]  = plain_q;
  assign first[31:0]  = first_q;
  assign second[31:0] = second_q;

  // The words of f0 go to where the block was, when those of f1 follow them.
  assign x_in = in_f1 ? q_q[STEP-1:0] : x_q[STEP-1:0];

  function [31:0] rotated(input [31:0] word, input [3:0] count);
    integer j;
    begin
      rotated = word;
      for (j = 0; j < 4; j = j + 1) begin
        if (count[j]) rotated = rotated << (1 << j) | rotated >> (32 - (1 << j));
      end
    end
  endfunction

  genvar i, k;
  generate
    for (i = 0; i < 16; i = i + 1) begin : g_number
      localparam [31:0] K = 32'h05555555 * (i + 16);
      wire [31:0] turned = m_q[32*i +: 32];

      assign constants[32*i +: 32]  = K;
      assign block_back[32*i +: 32] = {turned[i:0], turned[31:i+1]};
    end

    for (k = 0; k < WORDS; k = k + 1) begin : g_lane
      localparam [31:0] LANE = k;
      localparam [31:0] BACK = 4 - WORDS + k;
      wire [3:0] number = place_q + LANE[3:0];

      // f0, table 1.4. What is subtracted is added with its bits turned, and a one for each. Of
      // many words pairs are added up beside each other. What the number of a word decides is found
      // in the cycle before.
      wire [3:0]   number_soon = number + (runs ? WORDS[3:0] : 4'd0);
      wire [4:0]   minus;
      wire [4:0]   spreads;
      reg  [4:0]   minus_q;
      reg  [2:0]   ones_q;
      reg  [4:0]   spreads_q;
      wire [159:0] term;
      wire [31:0]  w = ((term[31:0] + term[63:32]) + (term[95:64] + term[127:96])) +
                       (term[159:128] + {29'd0, ones_q});

      always @(posedge clk) begin
        minus_q   <= minus;
        ones_q    <= {2'd0, minus[0]} + {2'd0, minus[1]} + {2'd0, minus[2]} + {2'd0, minus[3]} +
                     {2'd0, minus[4]};
        spreads_q <= spreads;
      end

      wire [159:0] s_w;
      wire [31:0]  h1 = final_q ? x_q[32*(k+1) +: 32] : h_q[32*(k+1) +: 32];
      wire [31:0]  of_f0 = (s_w[31:0] | s_w[63:32] | s_w[95:64] | s_w[127:96] | s_w[159:128]) + h1;

      for (i = 0; i < 5; i = i + 1) begin : g_term
        localparam AT = 32 * (k + ((i == 0) ? 5 : (i == 1) ? 7 : (i == 2) ? 10 : i + 10));

        wire [31:0] spread;

        assign minus[i] = MINUS[16*i+number_soon];
        assign spreads[i] = MODULO[16*i+number_soon];
        assign term[32*i +: 32] = x_q[AT +: 32] ^ h_q[AT +: 32] ^ {32{minus_q[i]}};
        assign s_w[32*i +: 32] = spread & {32{spreads_q[i]}};
        bmw_s #(
            .NUMBER(i)
        ) u_s (
            .word_i(w),
            .word_o(spread)
        );
      end

      // The block of the last compression is the double pipe.
      wire [31:0] came = final_q ? h_q[32*k +: 32] : x_q[32*k +: 32];
      wire [31:0] m = m_q[32*k +: 32];

      assign m_in[32*k +: 32] = in_f1 ? m : rotated({came[30:0], came[31]}, number);

      // What f1 adds of the block and the pipe.
      wire [3:0]  number7 = number + 4'd7;
      wire [31:0] h7 = final_q ? {28'haaaaaaa, number7} : h_q[32*(k+7) +: 32];
      wire [31:0] element = ((m + m_q[32*(k+3) +: 32]) +
                             (constants[32*number +: 32] - m_q[32*(k+10) +: 32])) ^ h7;

      // expand1: the word of this place that came a cycle before is added up, of its second round
      // all but word 0.
      wire [1:0]   number_back = place_q[1:0] + BACK[1:0];
      wire [1:0]   number_next = number_back + 2'd1;
      wire         later = in_f1 || (place_q >> WORDS) != 4'd0 || k != 0;
      wire [127:0] s_back;
      wire [31:0]  of_expand1;

      for (i = 0; i < 4; i = i + 1) begin : g_back
        bmw_s #(
            .NUMBER(i)
        ) u_s (
            .word_i(q_q[32*(16-WORDS+k) +: 32]),
            .word_o(s_back[32*i +: 32])
        );
      end

      assign first[32*(k+1) +: 32]  = first[32*k +: 32] + s_back[32*number_next +: 32];
      assign second[32*(k+1) +: 32] = second[32*k +: 32] +
                                      (s_back[32*number_back +: 32] & {32{later}});

      if (WORDS == 1) begin : g_turns
        assign of_expand1 = place_q[0] ? second[63:32] : first[63:32];
      end else if (k == 0) begin : g_first
        assign of_expand1 = first[32*WORDS +: 32];
      end else begin : g_second
        assign of_expand1 = second[32*WORDS +: 32];
      end

      // expand2. Two words later one word of the sum has come in, and one is gone. What the next
      // cycle's word adds up of words that are there is added up in this one.
      localparam ROTATIONS = {8'd27, 8'd23, 8'd19, 8'd16, 8'd13, 8'd7, 8'd3};

      wire [223:0] odd;  // of the next cycle's word
      wire [31:0]  newest;  // of this one, what came in the cycle before
      wire [31:0]  s4;
      wire [31:0]  s5;
      wire [31:0]  of_expand2 = ahead_q[32*k +: 32] + (newest + s4);

      for (i = 0; i < 7; i = i + 1) begin : g_rotated
        localparam R = ROTATIONS[8*i +: 8];
        localparam AT = k + WORDS + 2 * i + 1;

        if (AT < 16) begin : g_there
          wire [31:0] word = q_q[32*AT +: 32];

          assign odd[32*i +: 32] = {word[31-R:0], word[31:32-R]};
        end else begin : g_comes
          assign odd[32*i +: 32] = 32'd0;
        end
      end

      if (k + WORDS + 13 < 16) begin : g_all
        assign newest = 32'd0;
      end else begin : g_newest
        wire [31:0] word = q_q[32*(k+13) +: 32];

        assign newest = {word[4:0], word[31:5]};
      end

      bmw_s #(
          .NUMBER(4)
      ) u_s4 (
          .word_i(q_q[32*(k+14) +: 32]),
          .word_o(s4)
      );

      assign ahead[32*k +: 32] = ((plain[32*(k+WORDS) +: 32] + odd[31:0]) +
                                  (odd[63:32] + odd[95:64])) +
                                 ((odd[127:96] + odd[159:128]) + (odd[191:160] + odd[223:192]));

      assign plain[32*(k+2) +: 32] = plain[32*k +: 32] + (q_q[32*(k+14) +: 32] - q_q[32*k +: 32]);

      // The word before this one, which may be of the same cycle, is added last.
      wire        early = number < 4'd2;
      wire [31:0] settled = early ? of_expand1 : of_expand2;

      if (k == 0) begin : g_before
        bmw_s #(
            .NUMBER(5)
        ) u_s5 (
            .word_i(q_q[511:480]),
            .word_o(s5)
        );

        assign of_f1[31:0] = element + (settled + (s5 & {32{!early}}));
      end else begin : g_beside
        wire [31:0] s0;

        bmw_s #(
            .NUMBER(0)
        ) u_s0 (
            .word_i(of_f1[32*(k-1) +: 32]),
            .word_o(s0)
        );
        bmw_s #(
            .NUMBER(5)
        ) u_s5 (
            .word_i(of_f1[32*(k-1) +: 32]),
            .word_o(s5)
        );

        assign of_f1[32*k +: 32] = (element + settled) + (early ? s0 : s5);
      end

      assign q_in[32*k +: 32] = in_f1 ? of_f1[32*k +: 32] : of_f0;
    end
  endgenerate

  bmw_f2 u_f2 (
      .m_i(block_back),
      .q_i({q_q, x_q}),
      .h_o(folded)
  );

endmodule

`default_nettype wire
