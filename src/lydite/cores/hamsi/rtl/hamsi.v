// SPDX-License-Identifier: Apache-2.0
//
// Hamsi-256 ("The Hash Function Hamsi", 2009) of messages of whole bytes, from stream to stream,
// padding included: a round a cycle.
//
// Interface: docs/cores.md. The next message comes in while a digest goes out. A word of 32 bits
// takes 3 cycles, the last one, which is the lower half of the length, 6. N words, with the mark's,
// from the first beat in to the last beat out, 2 + 3 (N + 1) + 6 + 1 + 8. Resets: control.

`default_nettype none

module hamsi (
    input  wire        clk,
    input  wire        rst,
    input  wire [31:0] s_axis_tdata,
    input  wire [3:0]  s_axis_tkeep,
    input  wire        s_axis_tlast,
    input  wire        s_axis_tvalid,
    output wire        s_axis_tready,
    output wire [31:0] m_axis_tdata,
    output wire [3:0]  m_axis_tkeep,
    output wire        m_axis_tlast,
    output wire        m_axis_tvalid,
    input  wire        m_axis_tready
);

  // "versiteit Leuven, Departement El", the first four bytes lowest.
  localparam [255:0] INITIAL =
      256'h7420456c_656d656e_70617274_2c204465_7576656e_74204c65_69746569_76657273;

  wire [31:0]  word;
  wire         word_last;
  wire         word_full;
  wire         digest_free;
  wire [255:0] m;
  wire [511:0] rounded;
  wire [255:0] digest;

  reg  [2:0]   round_q;
  reg          runs_q;  // rounds of a word
  reg          final_q;  // it is the last one
  reg          ends_q;  // this is its last round
  reg          giving_q;  // the chaining value is a digest
  reg  [511:0] state_q;
  reg  [255:0] chain_q;

  wire give = giving_q && digest_free;
  wire ready = runs_q ? ends_q && !final_q : !giving_q;  // for the next word
  wire take = ready && word_full;
  wire waits = runs_q && ends_q && !final_q && !word_full;

  // The chaining value takes in rows 0 and 2.
  wire [255:0] c = chain_q ^ (runs_q ? {rounded[383:256], rounded[127:0]} : 256'd0);

  always @(posedge clk) begin
    if (rst) begin
      round_q  <= 3'd0;
      runs_q   <= 1'b0;
      final_q  <= 1'b0;
      ends_q   <= 1'b0;
      giving_q <= 1'b0;
    end else begin
      if (!waits) begin
        round_q <= (take || !runs_q) ? 3'd0 : round_q + 3'd1;
        runs_q  <= take || (runs_q && !ends_q);
        ends_q  <= runs_q && !take && round_q == (final_q ? 3'd4 : 3'd1);
      end
      if (take) final_q <= word_last;
      giving_q <= (runs_q && ends_q && final_q) || (giving_q && !give);
    end
  end

  always @(posedge clk) begin
    if (rst || give) chain_q <= INITIAL;
    else if (take || (runs_q && ends_q && final_q)) chain_q <= c;
  end

  always @(posedge clk) begin
    if (take) begin
      state_q <= {m[255:192], c[255:192], c[191:128], m[191:128],
                  m[127:64], c[127:64], c[63:0], m[63:0]};
    end else if (!waits) begin
      state_q <= rounded;
    end
  end

  hamsi_expand u_expand (
      .word_i (word),
      .words_o(m)
  );

  hamsi_round u_round (
      .state_i  (state_q),
      .counter_i(round_q),
      .final_i  (final_q),
      .state_o  (rounded)
  );

  genvar i;
  generate
    // Words of the function have their highest byte first.
    for (i = 0; i < 32; i = i + 1) begin : g_digest
      assign digest[8*i +: 8] = chain_q[8*(i^3) +: 8];
    end
  endgenerate

  message_words u_words (
      .clk          (clk),
      .rst          (rst),
      .s_axis_tdata (s_axis_tdata),
      .s_axis_tkeep (s_axis_tkeep),
      .s_axis_tlast (s_axis_tlast),
      .s_axis_tvalid(s_axis_tvalid),
      .s_axis_tready(s_axis_tready),
      .word_o       (word),
      .last_o       (word_last),
      .full_o       (word_full),
      .take_i       (take)
  );

  digest_out #(
      .DATA_BITS(32)
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
