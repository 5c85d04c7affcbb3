// SPDX-License-Identifier: Apache-2.0
//
// Fugue-256 ("The Hash Function Fugue", 2009) of messages of whole bytes, from stream to stream,
// padding included: a subround (turning, CMIX, SMIX) a cycle.
//
// Interface: docs/cores.md. The next message comes in while one is finished, and a digest goes out
// meanwhile. A word of 32 bits takes 2 cycles, as do both words of the length; the final stage
// takes 36, and one in which the digest is copied. N words, from the first beat in to the last beat
// out, 1 + 2 (N + 2) + 36 + 1 + 8. Resets: control and state.

`default_nettype none

module fugue (
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
  localparam [2:0] ST_SECOND = 3'd1;  // the second one
  localparam [2:0] ST_FIRST  = 3'd2;  // subrounds of the final stage
  localparam [2:0] ST_LAST   = 3'd3;  // and its rounds without CMIX, in two steps
  localparam [2:0] ST_GIVE   = 3'd4;

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
  wire odd = count_q[0];

  always @(posedge clk) begin
    if (rst) begin
      phase_q <= ST_WORD;
      count_q <= 5'd0;
      final_q <= 1'b0;
    end else begin
      case (phase_q)
        ST_WORD: if (take) phase_q <= ST_SECOND;
        ST_SECOND: phase_q <= final_q ? ST_FIRST : ST_WORD;
        ST_FIRST: if (count_q == 5'd9) phase_q <= ST_LAST;
        ST_LAST: if (count_q == 5'd25) phase_q <= ST_GIVE;
        default: if (give) phase_q <= ST_WORD;
      endcase
      if (phase_q == ST_FIRST && count_q != 5'd9) count_q <= count_q + 5'd1;
      else if (late && count_q != 5'd25) count_q <= count_q + 5'd1;
      else count_q <= 5'd0;
      if (take) final_q <= word_last;
    end
  end

  // ---- what is added before the columns are turned --------------------------------------------

  wire [959:0] added;
  wire         first = phase_q == ST_WORD;
  wire         last = late || phase_q == ST_GIVE;

  genvar i;
  generate
    for (i = 0; i < 30; i = i + 1) begin : g_add
      wire [31:0] old = state_q[32*i +: 32];
      if (i == 0) begin : g_0
        assign added[32*i +: 32] = first ? word : old;
      end else if (i == 1) begin : g_1
        assign added[32*i +: 32] = old ^ (first ? state_q[32*24 +: 32] : 32'd0);
      end else if (i == 4) begin : g_4
        assign added[32*i +: 32] = old ^ (last ? state_q[31:0] : 32'd0);
      end else if (i == 8) begin : g_8
        assign added[32*i +: 32] = old ^ (first ? word : 32'd0);
      end else if (i == 10) begin : g_10
        assign added[32*i +: 32] = old ^ (first ? state_q[31:0] : 32'd0);
      end else if (i == 15) begin : g_15
        assign added[32*i +: 32] = old ^ (last && !odd ? state_q[31:0] : 32'd0);
      end else if (i == 16) begin : g_16
        assign added[32*i +: 32] = old ^ (last && odd ? state_q[31:0] : 32'd0);
      end else begin : g_other
        assign added[32*i +: 32] = old;
      end
    end
  endgenerate

  // ---- turning, CMIX, SMIX --------------------------------------------------------------------

  wire [959:0] turned;
  wire [127:0] mixed;

  generate
    for (i = 0; i < 30; i = i + 1) begin : g_turn
      wire [31:0] third = added[32*((i+27)%30) +: 32];
      wire [31:0] half = odd ? added[32*((i+16)%30) +: 32] : added[32*((i+15)%30) +: 32];
      if (i < 3 || (i >= 15 && i < 18)) begin : g_cmix
        // Columns 4, 5, 6.
        wire [31:0] other = added[32*(1+i%3) +: 32];
        assign turned[32*i +: 32] = late ? half : third ^ other;
      end else begin : g_plain
        assign turned[32*i +: 32] = late ? half : third;
      end
    end
  endgenerate

  fugue_smix u_smix (
      .columns_i(turned[127:0]),
      .columns_o(mixed)
  );

  always @(posedge clk) begin
    if (rst || give) state_q <= {INITIAL, 704'd0};
    else if ((phase_q != ST_WORD || word_full) && phase_q != ST_GIVE) begin
      state_q <= {turned[959:128], mixed};
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
      .digest_i     ({added[32*15 +: 128], added[32*1 +: 128]}),
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
