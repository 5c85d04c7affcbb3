// SPDX-License-Identifier: Apache-2.0
//
// Fugue-256 ("The Hash Function Fugue", 2009) of messages of whole bytes, from stream to stream,
// padding included: SUBROUNDS_PER_CYCLE subrounds (turning, CMIX, SMIX) a cycle.
//
// Interface: docs/cores.md. The next message comes in while one is finished, and a digest goes out
// meanwhile. A word of 32 bits takes C = 2 / SUBROUNDS_PER_CYCLE cycles, as do both words of the
// length; the final stage takes 18 C, and one in which the digest is copied. N words, from the
// first beat in to the last beat out, 1 + C (N + 2) + 18 C + 1 + 8. Resets: control and state.

`default_nettype none

module fugue #(
    // Subrounds, one behind the other: 1 or 2. They divide cycles, and the clock's frequency.
    parameter SUBROUNDS_PER_CYCLE = 1
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

  // Columns 29 to 22, the bytes of each with row 0 lowest; the others are zero.
  localparam [255:0] INITIAL =
      256'h48c2f834_99e84991_de29f9fb_1d626cf9_94b5b0d2_68f6d4e0_5f137166_debd52e9;

  localparam [2:0] ST_WORD   = 3'd0;  // a word, and the first subround of it
  localparam [2:0] ST_SECOND = 3'd1;  // the second one, where it has a cycle of its own
  localparam [2:0] ST_FIRST  = 3'd2;  // subrounds of the final stage
  localparam [2:0] ST_LAST   = 3'd3;  // and its rounds without CMIX, in two steps
  localparam [2:0] ST_GIVE   = 3'd4;

  // Last cycles of the two parts of the final stage.
  localparam ENDS_FIRST = 10 / SUBROUNDS_PER_CYCLE - 1;
  localparam ENDS_LAST = 26 / SUBROUNDS_PER_CYCLE - 1;
  localparam [4:0] END_FIRST = ENDS_FIRST[4:0];
  localparam [4:0] END_LAST = ENDS_LAST[4:0];

  generate
    if (SUBROUNDS_PER_CYCLE != 1 && SUBROUNDS_PER_CYCLE != 2) begin : g_subrounds
      ERROR_subrounds_per_cycle_must_be_1_or_2 u_error ();
    end
  endgenerate

  wire [31:0]  word;
  wire         word_last;
  wire         word_full;
  wire         digest_free;

  reg  [2:0]   phase_q;
  reg  [4:0]   count_q;
  reg          final_q;  // the word is the last one
  reg  [959:0] state_q;

  wire take = phase_q == ST_WORD && word_full;
  wire give = phase_q == ST_GIVE && digest_free;
  wire late = phase_q == ST_LAST;
  wire odd = SUBROUNDS_PER_CYCLE == 1 && count_q[0];

  always @(posedge clk) begin
    if (rst) begin
      phase_q <= ST_WORD;
      count_q <= 5'd0;
      final_q <= 1'b0;
    end else begin
      case (phase_q)
        ST_WORD:
        if (take) begin
          phase_q <= (SUBROUNDS_PER_CYCLE == 1) ? ST_SECOND : word_last ? ST_FIRST : ST_WORD;
        end
        ST_SECOND: phase_q <= final_q ? ST_FIRST : ST_WORD;
        ST_FIRST: if (count_q == END_FIRST) phase_q <= ST_LAST;
        ST_LAST: if (count_q == END_LAST) phase_q <= ST_GIVE;
        default: if (give) phase_q <= ST_WORD;
      endcase
      if (phase_q == ST_FIRST && count_q != END_FIRST) count_q <= count_q + 5'd1;
      else if (late && count_q != END_LAST) count_q <= count_q + 5'd1;
      else count_q <= 5'd0;
      if (take) final_q <= word_last;
    end
  end

  // ---- the subrounds --------------------------------------------------------------------------

  wire         first = phase_q == ST_WORD;
  wire         last = late || phase_q == ST_GIVE;
  wire [959:0] state[0:SUBROUNDS_PER_CYCLE];  // before each of the cycle, and behind them
  wire [255:0] digest[0:SUBROUNDS_PER_CYCLE-1];  // of the state before each; the first counts
  wire         unused = &{1'b0, digest[SUBROUNDS_PER_CYCLE-1]};

  assign state[0] = state_q;

  genvar i;
  generate
    for (i = 0; i < SUBROUNDS_PER_CYCLE; i = i + 1) begin : g_subround
      fugue_subround u_subround (
          .state_i (state[i]),
          .word_i  (word),
          .first_i (i == 0 && first),
          .last_i  (last),
          .late_i  (late),
          .odd_i   (i == 1 || odd),
          .state_o (state[i+1]),
          .digest_o(digest[i])
      );
    end
  endgenerate

  always @(posedge clk) begin
    if (rst || give) state_q <= {INITIAL, 704'd0};
    else if ((phase_q != ST_WORD || word_full) && phase_q != ST_GIVE) begin
      state_q <= state[SUBROUNDS_PER_CYCLE];
    end
  end

  message_words #(
      .MARK(8'h00)
  ) u_words (
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
      .digest_i     (digest[0]),
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
