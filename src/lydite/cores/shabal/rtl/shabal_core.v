// SPDX-License-Identifier: Apache-2.0
//
// Shabal-256 ("Shabal, a Submission to NIST's Cryptographic Hash Algorithm Competition"), WORDS
// words a cycle: 16 words of a block come in, 48 are the steps of the permutation. Three rounds
// more follow the last block. WORDS buys cycles with area and frequency.
//
// B is a shift register whose first word is the one of the step; C and M are in LUT RAM, one for
// each of the words of a cycle. The steps read C backwards, and the 16 words before them forwards:
// they make B of C, less the old block and with the new one, turned by 17, and C of B. In the
// rounds behind the last block the new one is the old one, so that C is what B becomes.
//
// A is a shift register of 16 words, of which the last 12 are A: new ones come in behind. While it
// is turned once around, each word of C is added to the three words of A that it belongs to: they
// come by in the places 1, 5 and 9, one further for the second word of a cycle (A[j] gets C[j+3],
// C[j+11] and C[j+15], and stands in place 4 + j - i when C[i] is read). What is added to the other
// four words means nothing.
//
// Interface: the block of shabal_words, and digest_out. Resets: control.

`default_nettype none

module shabal_core #(
    // Words, or steps, a cycle: 1, 2.
    parameter WORDS     = 1,
    // Bits of the number of a cycle's words in a block: log2 of 16 / WORDS.
    parameter ADDR_BITS = 4
) (
    input  wire                 clk,
    input  wire                 rst,
    input  wire                 full_i,
    input  wire                 final_i,
    output wire [ADDR_BITS-1:0] addr_o,
    input  wire [32*WORDS-1:0]  word_i,
    output wire                 done_o,
    output wire [255:0]         digest_o,  // byte 0 lowest
    output wire                 load_o,
    input  wire                 free_i
);

  generate
    if (WORDS != 1 && WORDS != 2) begin : g_words
      ERROR_words_must_be_1_or_2 u_error ();
    end
  endgenerate

  localparam [1:0] FINAL_ROUNDS = 2'd3;
  // The state before a message, word 0 lowest; A behind the four words that mean nothing.
  localparam [511:0] IV_A = {
    32'heb21b74a, 32'heffdbc6b, 32'h22af50dc, 32'h14ce5a45,
    32'hb0d2eb8c, 32'hd2b5c1ca, 32'hbb7c44c9, 32'he0078b86,
    32'hb9645191, 32'h2d8ee3ec, 32'he54b7999, 32'h52f84552,
    32'h00000000, 32'h00000000, 32'h00000000, 32'h00000000
  };
  localparam [511:0] IV_B = {
    32'h55cb34a5, 32'h30924dd4, 32'h3299ace4, 32'h3ea8b96b,
    32'hb38b8890, 32'hbe216306, 32'h5138c1d4, 32'ha6e03615,
    32'h0afe4002, 32'h9cb6bf72, 32'h696fd868, 32'hda28c1fa,
    32'h9301515f, 32'ha72a652f, 32'h3e710596, 32'hb555c6ee
  };
  localparam [511:0] IV_C = {
    32'h9b491c60, 32'hba839e55, 32'he6e00bf7, 32'hbc968828,
    32'h83e82a7f, 32'h758b4b8b, 32'h60e2ceba, 32'h88b59d60,
    32'hed614433, 32'h56c56167, 32'ha327b8e1, 32'hc51c28ae,
    32'hc0dd9d55, 32'hb3733979, 32'hc4233eba, 32'hb405f031
  };

  // ---- control --------------------------------------------------------------------------------

  reg  [ADDR_BITS+1:0] count_q;  // a quarter: a block comes in; then 48 steps
  reg                  run_q;
  reg                  first_q;  // the block is the first one
  reg                  last_q;  // it is the last one
  reg  [1:0]           round_q;  // rounds behind it, this one included
  reg                  give_q;  // the digest is to be given
  reg  [63:0]          w_q;

  wire ends = run_q && (&count_q);
  wire again = last_q && round_q != FINAL_ROUNDS;
  wire take = full_i && (run_q ? ends && !last_q : !give_q);
  wire begins = take || (ends && again);
  wire brings = count_q[ADDR_BITS+1 -: 2] == 2'd0;  // a block comes in
  wire fresh = first_q && round_q == 2'd0;

  assign load_o = give_q && free_i;
  assign addr_o = count_q[ADDR_BITS-1:0];
  assign done_o = run_q && brings && (&count_q[ADDR_BITS-1:0]) && round_q == 2'd0;

  always @(posedge clk) begin
    if (rst) begin
      count_q <= {ADDR_BITS + 2{1'b0}};
      run_q   <= 1'b0;
      first_q <= 1'b0;
      last_q  <= 1'b1;
      round_q <= 2'd0;
      give_q  <= 1'b0;
    end else begin
      if (run_q) count_q <= count_q + 1'b1;
      run_q <= begins || (run_q && !ends);
      // Behind a last block a message begins.
      if (take) first_q <= last_q;
      if (take) last_q <= final_i;
      if (begins) round_q <= take ? 2'd0 : round_q + 2'd1;
      give_q <= (ends && last_q && !again) || (give_q && !free_i);
    end
  end

  always @(posedge clk) begin
    if (take) w_q <= last_q ? 64'd1 : w_q + 64'd1;
  end

  // ---- the state ------------------------------------------------------------------------------

  localparam DEPTH = 16 / WORDS;
  localparam [ADDR_BITS+1:0] FIRST = DEPTH[ADDR_BITS+1:0];  // cycle of the first step

  reg  [511:0]          a_q;  // word i in bits 32 i to 32 i + 31
  reg  [511:0]          b_q;
  wire [511+32*WORDS:0] a;  // with the new words behind it
  wire [511+32*WORDS:0] b;
  wire [511+32*WORDS:0] a_sum;  // with words of C added
  wire [ADDR_BITS-1:0]  n = count_q[ADDR_BITS-1:0];

  assign a[511:0] = a_q;
  assign b[511:0] = b_q;
  assign digest_o = b_q[511:256];

  genvar k;
  generate
    for (k = 0; k < WORDS; k = k + 1) begin : g_step
      localparam BACK = 8 / WORDS - k;  // where C[8 - k] stands
      localparam A = 32 * k;  // where the registers' first words stand in this step
      reg  [31:0]          c_q[0:DEPTH-1];
      reg  [31:0]          m_q[0:DEPTH-1];
      wire [3:0]           i;

      if (WORDS == 1) begin : g_one
        assign i = n;
      end else begin : g_two
        assign i = {n, k == 1};
      end

      wire [ADDR_BITS-1:0] at = brings ? n : BACK[ADDR_BITS-1:0] - n;
      wire [31:0]          c = c_q[at];
      wire [31:0]          m = m_q[n];
      wire [31:0]          m_new = round_q == 2'd0 ? word_i[32*k +: 32] : m;

      // A step.
      wire [31:0] w = count_q == FIRST ? w_q[32*k +: 32] :
                      WORDS == 1 && count_q == FIRST + 1'b1 ? w_q[63:32] : 32'd0;
      wire [31:0] turned = {a[A+480 +: 17], a[A+497 +: 15]};  // the word before, turned by 15
      wire [31:0] v = {turned[29:0], 2'b00} + turned;
      wire [31:0] x = a[A+128 +: 32] ^ w ^ v ^ c;
      wire [31:0] u = {x[30:0], 1'b0} + x;
      wire [31:0] a_step = u ^ b[A+416 +: 32] ^ (b[A+288 +: 32] & ~b[A+192 +: 32]) ^ m;
      wire [31:0] b_step = {b[A +: 31], b[A+31]} ^ ~a_step;

      // A block comes in.
      wire [31:0] b_sum = (fresh ? IV_B[32*i +: 32] : c - m) + m_new;
      wire [31:0] added = brings && !fresh ? c : 32'd0;

      assign a[A+512 +: 32] = brings ? (fresh ? IV_A[32*i +: 32] : a_sum[A +: 32]) : a_step;
      assign b[A+512 +: 32] = brings ? {b_sum[14:0], b_sum[31:15]} : b_step;

      always @(posedge clk) begin
        if (run_q && brings) begin
          c_q[at] <= fresh ? IV_C[32*i +: 32] : b[A +: 32];
          m_q[n]  <= m_new;
        end
      end
    end

    // Words of C are added in the places of the head, one further for a second word.
    for (k = 0; k < 16 + WORDS; k = k + 1) begin : g_place
      if (k % 4 >= 1 && k % 4 <= WORDS && k < 12) begin : g_sum
        assign a_sum[32*k +: 32] = a[32*k +: 32] + g_step[k%4-1].added;
      end else begin : g_word
        assign a_sum[32*k +: 32] = a[32*k +: 32];
      end
    end
  endgenerate

  always @(posedge clk) begin
    if (run_q) begin
      a_q <= a_sum[511+32*WORDS -: 512];
      b_q <= b[511+32*WORDS -: 512];
    end
  end

endmodule

`default_nettype wire
