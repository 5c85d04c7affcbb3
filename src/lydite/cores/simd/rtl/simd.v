// SPDX-License-Identifier: Apache-2.0
//
// SIMD-256 ("SIMD Is a Message Digest", 2009, as tweaked for round 2) of messages of whole bytes,
// from stream to stream, padding included: a step a cycle, and the expansion of a block, folded to
// one of eight columns in FOLD cycles (simd_points), during the steps of the one before it.
//
// Interface: AXI4-Stream with beats of 8 bytes; docs/cores.md has the rules.
//
// Cycles, for a source that always offers and a sink that always takes: 32 + 8 FOLD for each block
// of 64 bytes, and for the one behind them that has the length: 32 in which steps read the points
// of a block, and 8 FOLD in which those of the next one take their places. A message of N blocks,
// and the one of the length, takes 24 + FOLD + (32 + 8 FOLD) (N + 1) from the first beat in to the
// last one out. The next block comes in while one is worked on, the next message while a digest
// goes out. Resets: control.

`default_nettype none

module simd #(
    // Cycles of a column of the expansion: 1 or 2.
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

  // What becomes of zeros with the block "SIMD-256 v1.1"; word 0 lowest.
  localparam [511:0] INITIAL = {
    128'h55693de1_d0c661a5_1ff47833_e2eaa8d2,
    128'h668626c9_f67caf46_49b3bcb4_c2c2ba14,
    128'hc96006d3_afd5e751_3ee20b03_aaf3d925,
    128'h39d726e9_8474577b_07190ba9_4d567983
  };

  // Cycles of a block: in cycle s the points of step s are read, and scaled in the next one, so
  // that step s is done in cycle s + 2. From cycle 32 on the next points may come, FIRST cycles
  // behind the column that they are of.
  localparam       SHIFT  = FOLD - 1;
  localparam       ROWS   = 16 / FOLD;
  localparam [4:0] FIRST  = 5'd4 + FOLD[4:0];
  localparam [4:0] LAST   = FIRST + (5'd8 << SHIFT) - 5'd1;
  localparam [5:0] LAUNCH = 6'd31 - {1'b0, FIRST};  // columns follow
  localparam [5:0] ENDED  = 6'd38;                  // the last step is done
  localparam [5:0] REST   = 6'd32 + (6'd8 << SHIFT);

  wire [511:0] block;
  wire         block_final;
  wire         block_blank;
  wire [60:0]  block_bytes;
  wire         block_full;
  wire         digest_free;
  wire [9*ROWS-1:0] points;
  wire [511:0] stepped;

  // ---- control --------------------------------------------------------------------------------

  reg  [5:0] cycle_q;
  reg  [4:0] expand_q;   // the column that goes in; points come from FIRST to LAST
  reg        expands_q;
  reg        ready_q;    // the points of the next block are there, and the state is not
  reg        length_q;   // what comes next is the length
  reg        final_q;    // the length is worked on
  reg        chained_q;  // the state is the chaining value of the next block

  wire is_length = length_q || block_blank;
  wire launch = !expands_q && !ready_q && block_full && cycle_q >= LAUNCH;
  wire expanded = expands_q && expand_q == LAST;
  wire give = final_q && cycle_q >= ENDED && digest_free;
  wire go = (expanded || ready_q) && !final_q;
  wire take = go && (is_length || !block_final);

  always @(posedge clk) begin
    if (rst) begin
      cycle_q   <= REST;
      expands_q <= 1'b0;
      ready_q   <= 1'b0;
      length_q  <= 1'b0;
      final_q   <= 1'b0;
      chained_q <= 1'b0;
    end else begin
      if (go) cycle_q <= 6'd0;
      else if (cycle_q != REST) cycle_q <= cycle_q + 6'd1;
      expands_q <= launch || (expands_q && !expanded);
      ready_q   <= (expanded || ready_q) && !go;
      if (go) length_q <= block_final && !is_length;
      if (go) final_q <= is_length;
      else if (give) final_q <= 1'b0;
      if (go) chained_q <= 1'b1;
      else if (give) chained_q <= 1'b0;
    end
  end

  always @(posedge clk) begin
    if (launch) expand_q <= 5'd0;
    else if (expands_q) expand_q <= expand_q + 5'd1;
  end

  // ---- the block and its points ---------------------------------------------------------------

  wire [511:0] m = is_length ? {448'd0, block_bytes, 3'd0} : block;

  simd_points #(
      .FOLD(FOLD)
  ) u_points (
      .clk     (clk),
      .block_i (m),
      .final_i (is_length),
      .column_i(expand_q[SHIFT +: 3]),
      .half_i  (FOLD == 2 && expand_q[0]),
      .points_o(points)
  );

  reg [1151:0] points_q;  // point 8 i + c in bits 9 (8 i + c) and on

  genvar i;
  generate
    for (i = 0; i < 16; i = i + 1) begin : g_row
      // The columns come from 0 on; rows from 0 to 7 before the others, if they come by halves.
      wire mine = FOLD == 1 || expand_q[0] == (i >= 8);

      always @(posedge clk) begin
        if (expands_q && expand_q >= FIRST && mine) begin
          points_q[72*i +: 72] <= {points[9*(i%ROWS) +: 9], points_q[72*i+9 +: 63]};
        end
      end
    end
  endgenerate

  // ---- words of the steps ---------------------------------------------------------------------

  // Which points step s reads: from 8 times this one on of the first or the second half, in rounds
  // 2 and 3 from both of them every second one.
  function [2:0] row(input [4:0] number);
    case (number)
      5'd0: row = 3'd4;
      5'd1: row = 3'd6;
      5'd2: row = 3'd0;
      5'd3: row = 3'd2;
      5'd4: row = 3'd7;
      5'd5: row = 3'd5;
      5'd6: row = 3'd3;
      5'd7: row = 3'd1;
      5'd8: row = 3'd7;
      5'd9: row = 3'd3;
      5'd10: row = 3'd4;
      5'd11: row = 3'd0;
      5'd12: row = 3'd1;
      5'd13: row = 3'd5;
      5'd14: row = 3'd2;
      5'd15: row = 3'd6;
      5'd16: row = 3'd1;
      5'd17: row = 3'd2;
      5'd18: row = 3'd7;
      5'd19: row = 3'd4;
      5'd20: row = 3'd6;
      5'd21: row = 3'd5;
      5'd22: row = 3'd0;
      5'd23: row = 3'd3;
      5'd24: row = 3'd6;
      5'd25: row = 3'd0;
      5'd26: row = 3'd1;
      5'd27: row = 3'd7;
      5'd28: row = 3'd3;
      5'd29: row = 3'd5;
      5'd30: row = 3'd4;
      default: row = 3'd2;
    endcase
  endfunction

  wire [2:0]   which = row(cycle_q[4:0]);
  wire [1:0]   round = cycle_q[4:3];
  wire [71:0]  lower = points_q[72*which +: 72];
  wire [71:0]  upper = points_q[576+72*which +: 72];
  wire [71:0]  half = (round == 2'd1) ? upper : lower;
  reg  [71:0]  read_q;    // the low halves of four words, then the high ones
  reg  [8:0]   factor_q;
  reg  [127:0] words_q;

  generate
    for (i = 0; i < 4; i = i + 1) begin : g_pair
      wire signed [8:0]  low = read_q[9*i +: 9];
      wire signed [8:0]  high = read_q[36+9*i +: 9];
      wire signed [8:0]  factor = factor_q;
      wire signed [15:0] low_word = low * factor;
      wire signed [15:0] high_word = high * factor;

      always @(posedge clk) begin
        if (!round[1]) begin
          read_q[9*i +: 9]    <= half[18*i +: 9];
          read_q[36+9*i +: 9] <= half[18*i+9 +: 9];
        end else begin
          read_q[9*i +: 9]    <= round[0] ? lower[18*i+9 +: 9] : lower[18*i +: 9];
          read_q[36+9*i +: 9] <= round[0] ? upper[18*i+9 +: 9] : upper[18*i +: 9];
        end
      end

      // Behind the rounds the chaining value is taken in as words are.
      always @(posedge clk) begin
        words_q[32*i +: 32] <= (cycle_q < 6'd33) ? {high_word, low_word}
                                                 : feed[32*i +: 32];
      end
    end
  endgenerate

  always @(posedge clk) factor_q <= round[1] ? 9'd233 : 9'd185;

  // ---- the state ------------------------------------------------------------------------------

  reg  [511:0] state_q;
  reg  [511:0] chain_q;
  wire [511:0] chain = chained_q ? state_q : INITIAL;
  // Row 0 in cycle 33, and on.
  wire [1:0]   row_fed = cycle_q[1:0] - 2'd1;
  wire [127:0] feed = chain_q[128*row_fed +: 128];

  simd_step u_step (
      .clk     (clk),
      .number_i(cycle_q - 6'd1),
      .state_i (state_q),
      .words_i (words_q),
      .state_o (stepped)
  );

  always @(posedge clk) begin
    if (go) begin
      state_q <= chain ^ m;
      chain_q <= chain;
    end else if (cycle_q >= 6'd2 && cycle_q < ENDED) begin
      state_q <= stepped;
    end
  end

  message_head #(
      .DATA_BITS  (64),
      .BLOCK_BYTES(64),
      .MARK       (8'h00)
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

  digest_out #(
      .DATA_BITS  (64),
      .DIGEST_BITS(256)
  ) u_digest (
      .clk          (clk),
      .rst          (rst),
      .digest_i     (state_q[255:0]),
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
