// SPDX-License-Identifier: Apache-2.0
//
// Shabal-256 ("Shabal, a Submission to NIST's Cryptographic Hash Algorithm Competition"), a word a
// cycle: 16 cycles bring in a block, 48 are the steps of the permutation. Three rounds more follow
// the last block.
//
// B is a shift register whose first word is the one of the step; C and M are in LUT RAM. A step
// reads C backwards, and the 16 cycles before it forwards: they make B of C, less the old block and
// with the new one, turned by 17, and C of B. In the rounds behind the last block the new one is
// the old one, so that C is what B becomes.
//
// A is a shift register of 16 words, of which the last 12 are A: new ones come in behind. While it
// is turned once around, each word of C is added to the three words of A that it belongs to: they
// come by in the places 1, 5 and 9 (A[j] gets C[j+3], C[j+11] and C[j+15], and stands in place
// 4 + j - i when C[i] is read). What is added to the other four words means nothing.
//
// Interface: the block of shabal_words, and digest_out. Resets: control.

`default_nettype none

module shabal_core (
    input  wire         clk,
    input  wire         rst,
    input  wire         full_i,
    input  wire         final_i,
    output wire [3:0]   addr_o,
    input  wire [31:0]  word_i,
    output wire         done_o,
    output wire [255:0] digest_o,  // byte 0 lowest
    output wire         load_o,
    input  wire         free_i
);

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

  reg  [5:0]  count_q;  // 0 to 15: a block comes in; then 48 steps
  reg         run_q;
  reg         first_q;  // the block is the first one
  reg         last_q;  // it is the last one
  reg  [1:0]  round_q;  // rounds behind it, this one included
  reg         give_q;  // the digest is to be given
  reg  [63:0] w_q;

  wire ends = run_q && (&count_q);
  wire again = last_q && round_q != FINAL_ROUNDS;
  wire take = full_i && (run_q ? ends && !last_q : !give_q);
  wire begins = take || (ends && again);
  wire brings = count_q[5:4] == 2'd0;  // a block comes in
  wire fresh = first_q && round_q == 2'd0;

  assign load_o = give_q && free_i;
  assign addr_o = count_q[3:0];
  assign done_o = run_q && brings && (&count_q[3:0]) && round_q == 2'd0;

  always @(posedge clk) begin
    if (rst) begin
      count_q <= 6'd0;
      run_q   <= 1'b0;
      first_q <= 1'b0;
      last_q  <= 1'b1;
      round_q <= 2'd0;
      give_q  <= 1'b0;
    end else begin
      if (run_q) count_q <= count_q + 6'd1;
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

  reg  [511:0] a_q;  // word i in bits 32 i to 32 i + 31
  reg  [511:0] b_q;
  reg  [31:0]  c_q[0:15];
  reg  [31:0]  m_q[0:15];

  wire [3:0]  i = count_q[3:0];
  wire [3:0]  at = brings ? i : 4'd8 - i;
  wire [31:0] c = c_q[at];
  wire [31:0] m = m_q[i];
  wire [31:0] m_new = round_q == 2'd0 ? word_i : m;

  // A step.
  wire [31:0] w = count_q == 6'd16 ? w_q[31:0] : count_q == 6'd17 ? w_q[63:32] : 32'd0;
  wire [31:0] turned = {a_q[480 +: 17], a_q[497 +: 15]};  // the word before, turned by 15
  wire [31:0] v = {turned[29:0], 2'b00} + turned;
  wire [31:0] x = a_q[128 +: 32] ^ w ^ v ^ c;
  wire [31:0] u = {x[30:0], 1'b0} + x;
  wire [31:0] a_step = u ^ b_q[32*13 +: 32] ^ (b_q[32*9 +: 32] & ~b_q[32*6 +: 32]) ^ m;
  wire [31:0] b_step = {b_q[30:0], b_q[31]} ^ ~a_step;

  // A block comes in.
  wire [31:0] b_sum = (fresh ? IV_B[32*i +: 32] : c - m) + m_new;
  wire [31:0] a_new = brings ? (fresh ? IV_A[32*i +: 32] : a_q[31:0]) : a_step;
  wire [31:0] b_new = brings ? {b_sum[14:0], b_sum[31:15]} : b_step;
  wire [31:0] added = brings && !fresh ? c : 32'd0;

  assign digest_o = b_q[511:256];

  always @(posedge clk) begin
    if (run_q && brings) begin
      c_q[at] <= fresh ? IV_C[32*i +: 32] : b_q[31:0];
      m_q[i]  <= m_new;
    end
  end

  always @(posedge clk) begin
    if (run_q) begin
      a_q <= {a_new, a_q[511:320], a_q[288 +: 32] + added, a_q[287:192], a_q[160 +: 32] + added,
              a_q[159:64], a_q[32 +: 32] + added};
      b_q <= {b_new, b_q[511:32]};
    end
  end

endmodule

`default_nettype wire
