// SPDX-License-Identifier: Apache-2.0
//
// Hamsi-256 ("The Hash Function Hamsi", 2009) of messages of whole bytes, from stream to stream,
// padding included: ROUNDS_PER_CYCLE rounds a cycle.
//
// Interface: docs/cores.md. The next message comes in while a digest goes out. A word of 32 bits
// takes C = 3 / ROUNDS_PER_CYCLE cycles, the last one, which is the lower half of the length, 2 C.
// N words, with the mark's, from the first beat in to the last beat out, 2 + C (N + 1) + 2 C + 1
// + 8. Resets: control.

`default_nettype none

module hamsi #(
    // Rounds, one behind the other: 1 or 3. They divide cycles, and the clock's frequency.
    parameter ROUNDS_PER_CYCLE = 1
) (
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

  localparam CYCLES = 3 / ROUNDS_PER_CYCLE;
  // Number of a word's last cycle but one, of the last word's; there may be none of it.
  localparam [2:0] BEFORE_LAST = CYCLES[2:0] - 3'd2;
  localparam [2:0] BEFORE_LAST_FINAL = 3'd2 * CYCLES[2:0] - 3'd2;

  generate
    if (ROUNDS_PER_CYCLE != 1 && ROUNDS_PER_CYCLE != 3) begin : g_rounds
      ERROR_rounds_per_cycle_must_be_1_or_3 u_error ();
    end
  endgenerate

  wire [31:0]  word;
  wire         word_last;
  wire         word_full;
  wire         digest_free;
  wire [255:0] m;
  wire [511:0] state[0:ROUNDS_PER_CYCLE];  // before each round of the cycle, and behind them
  wire [511:0] rounded = state[ROUNDS_PER_CYCLE];
  wire [255:0] digest;

  reg  [2:0]   cycle_q;
  reg          runs_q;  // rounds of a word
  reg          final_q;  // it is the last one
  reg          ends_q;  // this is its last cycle
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
      cycle_q  <= 3'd0;
      runs_q   <= 1'b0;
      final_q  <= 1'b0;
      ends_q   <= 1'b0;
      giving_q <= 1'b0;
    end else begin
      if (!waits) begin
        cycle_q <= (take || !runs_q) ? 3'd0 : cycle_q + 3'd1;
        runs_q  <= take || (runs_q && !ends_q);
        ends_q  <= take ? CYCLES == 1 && !word_last :
                   runs_q && cycle_q == (final_q ? BEFORE_LAST_FINAL : BEFORE_LAST);
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

  assign state[0] = state_q;

  genvar i;
  generate
    for (i = 0; i < ROUNDS_PER_CYCLE; i = i + 1) begin : g_round
      localparam [2:0] PLACE = i;
      wire [2:0] counter;

      if (CYCLES == 1) begin : g_whole
        // Rounds 3 to 5 are in the second cycle of the last word.
        assign counter = (cycle_q[0] ? 3'd3 : 3'd0) + PLACE;
      end else begin : g_one
        assign counter = cycle_q;
      end

      hamsi_round u_round (
          .state_i  (state[i]),
          .counter_i(counter),
          .final_i  (final_q),
          .state_o  (state[i+1])
      );
    end

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
