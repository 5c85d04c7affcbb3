// SPDX-License-Identifier: Apache-2.0
//
// The compressions of BMW-256 ("Blue Midnight Wish", 2009), each in two cycles. The first does f0
// and eight rounds of f1, the second the other eight and f2, which is about as long.
//
// Interface: a block is taken (take_o) in a cycle in which it is there (full_i), the length in it,
// and the core is free; the digest is given (give_o) when there is room for it (free_i).
// Resets: control and the double pipe.

`default_nettype none

module bmw_halves #(
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

  // Rounds of f1 in the first cycle.
  localparam EARLY = 8;
  localparam Q_BITS = 32 * (16 + EARLY);

  wire [511:0]  message;
  wire [511:0]  pipe;
  wire [Q_BITS-1:0] q;  // the quadruple pipe in the first cycle
  wire [1023:0] q_late;  // and in the second
  // Words i, i + 2, ..., i + 12 of the quadruple pipe added up, for each i: what rounds of expand2
  // have of it unchanged. Two later one word has come in, and one is gone.
  wire [32*EARLY-1:0] plain;
  wire [511:32*(EARLY-2)] plain_late;
  wire [511:0]  folded;

  reg           half_q;   // the second cycle of a block
  reg           last_q;   // the block that is worked on, or was, is the last one
  reg           final_q;  // it is the last compression
  reg  [511:0]  h_q;      // the double pipe
  reg  [511:0]  m_q;      // the block of the second cycle
  reg  [Q_BITS-1:0] q_q;
  reg  [63:0]   plain_q;  // of the last two rounds of the first cycle

  // The last compression is of the double pipe, and has a constant one.
  wire closing = last_q && !half_q;
  wire take = !half_q && !last_q && full_i;
  wire begins = take || closing;
  wire give = half_q && final_q && free_i;
  wire ends = half_q && (!final_q || free_i);

  assign take_o   = take;
  assign give_o   = give;
  assign digest_o = folded[511:256];

  assign message = closing ? h_q : block_i;
  assign pipe = closing ? FINAL : h_q;

  always @(posedge clk) begin
    if (rst) begin
      half_q  <= 1'b0;
      last_q  <= 1'b0;
      final_q <= 1'b0;
    end else if (half_q) begin
      half_q <= !ends;
      if (give) last_q <= 1'b0;
    end else begin
      half_q  <= begins;
      final_q <= closing;
      if (take) last_q <= final_i;
    end
  end

  always @(posedge clk) begin
    if (rst || give) h_q <= INITIAL;
    else if (ends) h_q <= folded;
    else if (closing) h_q <= FINAL;
  end

  always @(posedge clk) begin
    if (begins) begin
      m_q <= message;
      q_q <= q;
      plain_q <= plain[32*EARLY-1 -: 64];
    end
  end

  assign q_late[Q_BITS-1:0] = q_q;
  assign plain_late[32*EARLY-1 -: 64] = plain_q;

  bmw_f0 u_f0 (
      .m_i(message),
      .h_i(pipe),
      .q_o(q[511:0])
  );

  genvar i;
  generate
    for (i = 0; i < EARLY; i = i + 1) begin : g_early
      if (i < 2) begin : g_sum
        assign plain[32*i +: 32] = q[32*i +: 32] + q[32*(i+2) +: 32] + q[32*(i+4) +: 32] +
                                   q[32*(i+6) +: 32] + q[32*(i+8) +: 32] + q[32*(i+10) +: 32] +
                                   q[32*(i+12) +: 32];
      end else begin : g_next
        assign plain[32*i +: 32] = plain[32*(i-2) +: 32] + q[32*(i+12) +: 32] - q[32*(i-2) +: 32];
      end
      bmw_f1 #(
          .ROUND(i)
      ) u_f1 (
          .m0_i   (message[32*i +: 32]),
          .m3_i   (message[32*((i+3)%16) +: 32]),
          .m10_i  (message[32*((i+10)%16) +: 32]),
          .h7_i   (pipe[32*((i+7)%16) +: 32]),
          .q_i    (q[32*i +: 512]),
          .plain_i(plain[32*i +: 32]),
          .word_o (q[512+32*i +: 32])
      );
    end

    for (i = EARLY; i < 16; i = i + 1) begin : g_late
      assign plain_late[32*i +: 32] = plain_late[32*(i-2) +: 32] + q_late[32*(i+12) +: 32] -
                                      q_late[32*(i-2) +: 32];
      bmw_f1 #(
          .ROUND(i)
      ) u_f1 (
          .m0_i   (m_q[32*i +: 32]),
          .m3_i   (m_q[32*((i+3)%16) +: 32]),
          .m10_i  (m_q[32*((i+10)%16) +: 32]),
          .h7_i   (h_q[32*((i+7)%16) +: 32]),
          .q_i    (q_late[32*i +: 512]),
          .plain_i(plain_late[32*i +: 32]),
          .word_o (q_late[512+32*i +: 32])
      );
    end
  endgenerate

  bmw_f2 u_f2 (
      .m_i(m_q),
      .q_i(q_late),
      .h_o(folded)
  );

endmodule

`default_nettype wire
