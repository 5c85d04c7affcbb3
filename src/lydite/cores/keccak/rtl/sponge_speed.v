// SPDX-License-Identifier: Apache-2.0
//
// The speed test of the sponge action of "CAPI SNAP Education Series: hls_sponge" (IBM, V2.2), on
// SLICES engines: of each run from `first` on, `runs` of them, for which nb_elmts > run % freq, the
// state whose lane i is i + run goes `rounds` times through Keccak-f[1600] (FIPS 202, 3.3), and its
// lanes are added; the result is the sum modulo 2 over the runs.
//
// Interface: AXI4-Stream. In come packets of 4 bytes, lowest first, each ended by tlast: first,
// runs, nb_elmts, freq, rounds. A last beat may be without bytes. Out come two packets: a byte, 1,
// and 8 bytes, lowest first; or, where runs, nb_elmts, freq or rounds is 0, nb_elmts or freq above
// 65536, or a run above 65535, a byte 0 and nothing. s_axis_tready is a register.
//
// Runs go SLICES at a time: 26 cycles for each to load it, 24 * rounds for all of them, 30 for each
// to read it. Runs that are left out between two take three cycles.
//
// Resets: control and engines; the first beat may come in the next cycle.

`default_nettype none

module sponge_speed #(
    // Engines: 1 to 64.
    parameter SLICES = 1
) (
    input  wire        clk,
    input  wire        rst,
    input  wire [31:0] s_axis_tdata,
    input  wire [3:0]  s_axis_tkeep,
    input  wire        s_axis_tlast,
    input  wire        s_axis_tvalid,
    output wire        s_axis_tready,
    output wire [63:0] m_axis_tdata,
    output wire [7:0]  m_axis_tkeep,
    output wire        m_axis_tlast,
    output wire        m_axis_tvalid,
    input  wire        m_axis_tready
);

  generate
    if (SLICES < 1 || SLICES > 64) begin : g_slices
      ERROR_slices_must_be_1_to_64 u_error ();
    end
  endgenerate

  localparam [6:0] ALL = SLICES[6:0];

  localparam [3:0] ST_TAKE    = 4'd0;
  localparam [3:0] ST_CHECK   = 4'd1;
  localparam [3:0] ST_FIRST   = 4'd2;  // first modulo freq
  localparam [3:0] ST_NEXT    = 4'd3;
  localparam [3:0] ST_LOAD    = 4'd4;
  localparam [3:0] ST_STEP    = 4'd5;
  localparam [3:0] ST_READ    = 4'd6;
  localparam [3:0] ST_DRAIN   = 4'd7;
  localparam [3:0] ST_VERDICT = 4'd8;
  localparam [3:0] ST_SUM     = 4'd9;
  localparam [3:0] ST_SKIP    = 4'd10;  // runs that do not count

  // ---- what comes in --------------------------------------------------------------------------

  reg  [3:0]  state_q;
  reg  [2:0]  field_q;
  reg         right_q;  // the fields have values that they may have
  reg  [16:0] run_q;    // the next one
  reg  [16:0] end_q;    // behind the last one; before ST_CHECK how many there are
  reg  [16:0] elements_q;
  reg  [16:0] freq_q;
  reg  [31:0] rounds_q;
  reg         large_q;  // a value has bits above those that are kept

  wire        beat  = s_axis_tvalid && s_axis_tready;
  wire        store = beat && s_axis_tkeep[0];
  wire [17:0] behind = {1'b0, run_q} + {1'b0, end_q};

  assign s_axis_tready = state_q == ST_TAKE;

  always @(posedge clk) begin
    if (rst || state_q == ST_SUM) begin
      large_q <= 1'b0;
    end else if (store && field_q != 3'd4 && |s_axis_tdata[31:17]) begin
      large_q <= 1'b1;
    end
  end

  always @(posedge clk) begin
    if (store && field_q == 3'd2) elements_q <= s_axis_tdata[16:0];
    if (store && field_q == 3'd3) freq_q <= s_axis_tdata[16:0];
    if (store && field_q == 3'd4) rounds_q <= s_axis_tdata;
    if (state_q == ST_CHECK && !first_q) begin
      right_q <= !large_q && behind <= 18'd65536 && end_q != 17'd0 && elements_q != 17'd0 &&
                 elements_q <= 17'd65536 && freq_q != 17'd0 && freq_q <= 17'd65536 &&
                 rounds_q != 32'd0;
    end
  end

  // ---- the head: runs, and what engines do ----------------------------------------------------

  reg  [16:0] rest_q;    // run_q % freq_q
  reg  [16:0] dividend_q;
  reg         wraps_q;   // the next one is a multiple of freq_q
  reg  [16:0] gap_q;     // up to that
  reg  [16:0] after_q;   // up to the end
  reg         skips_q;   // both are there
  reg  [6:0]  loaded_q;  // engines that have a state
  reg  [4:0]  lane_q;    // of ST_LOAD; round of ST_STEP, bit of ST_FIRST
  reg  [31:0] left_q;    // permutations behind this one
  reg  [4:0]  column_q;  // of ST_READ, one hot; and plane
  reg  [5:0]  plane_q;
  reg         lane_last_q;
  reg         left_none_q;
  reg         first_q;   // ST_CHECK is one cycle old
  reg  [7:0]  pending_q; // states on their way to the sum
  reg  [63:0] checksum_q;

  wire        active    = rest_q < elements_q;
  wire        ended     = run_q == end_q;
  wire        full      = loaded_q == ALL;
  wire        read_last = column_q[4] && plane_q[5];
  wire        summed;
  wire [63:0] sum;
  wire [4:0]  count_next = lane_last_q ? 5'd0 : lane_q + 5'd1;
  wire [4:0]  count_last = (state_q == ST_LOAD) ? 5'd23 : (state_q == ST_STEP) ? 5'd22 : 5'd15;
  // Long division, a bit a cycle: what is left is below freq, at most 65536.
  wire [16:0] doubled   = {rest_q[15:0], dividend_q[16]};
  wire [17:0] less      = {1'b0, doubled} - {1'b0, freq_q};

  reg  [3:0]  state_d;

  always @* begin
    state_d = state_q;
    case (state_q)
      ST_TAKE: if (beat && s_axis_tlast && field_q == 3'd4) state_d = ST_CHECK;
      ST_CHECK: if (first_q) state_d = right_q ? ST_FIRST : ST_VERDICT;
      ST_FIRST: if (lane_last_q) state_d = ST_NEXT;
      ST_NEXT: begin
        if (full || (ended && loaded_q != 7'd0)) state_d = ST_STEP;
        else if (ended) state_d = ST_DRAIN;
        else state_d = active ? ST_LOAD : ST_SKIP;
      end
      ST_SKIP: if (skips_q) state_d = ST_NEXT;
      ST_LOAD: if (lane_last_q) state_d = ST_NEXT;
      ST_STEP: if (lane_last_q && left_none_q) state_d = ST_READ;
      ST_READ: if (read_last && loaded_q == 7'd1) state_d = ST_NEXT;
      ST_DRAIN: if (pending_q == 8'd0) state_d = ST_VERDICT;
      ST_VERDICT: if (m_axis_tready) state_d = ST_SUM;
      default: if (m_axis_tready) state_d = ST_TAKE;
    endcase
  end

  always @(posedge clk) begin
    if (rst) begin
      state_q   <= ST_TAKE;
      field_q   <= 3'd0;
      first_q   <= 1'b0;
      skips_q   <= 1'b0;
      loaded_q  <= 7'd0;
      pending_q <= 8'd0;
    end else begin
      state_q <= state_d;
      first_q <= state_q == ST_CHECK;
      skips_q <= state_q == ST_SKIP && !skips_q;
      if (beat && s_axis_tlast) field_q <= (field_q == 3'd4) ? 3'd0 : field_q + 3'd1;
      if (state_q == ST_LOAD && lane_last_q) loaded_q <= loaded_q + 7'd1;
      else if (state_q == ST_READ && read_last) loaded_q <= loaded_q - 7'd1;
      pending_q <= pending_q + {7'd0, state_q == ST_READ && read_last} - {7'd0, summed};
    end
  end

  // The runs.
  always @(posedge clk) begin
    if (store && field_q == 3'd0) run_q <= s_axis_tdata[16:0];
    if (store && field_q == 3'd1) end_q <= s_axis_tdata[16:0];
    if (state_q == ST_CHECK && first_q) begin
      end_q  <= behind[16:0];
      rest_q <= 17'd0;
      dividend_q <= run_q;
    end
    if (state_q == ST_FIRST) begin
      rest_q <= less[17] ? doubled : less[16:0];
      dividend_q <= {dividend_q[15:0], 1'b0};
    end
    // The next one that counts, unless the end comes before.
    gap_q   <= freq_q - rest_q;
    after_q <= end_q - run_q;
    if (state_q == ST_SKIP && skips_q) begin
      run_q  <= (after_q <= gap_q) ? end_q : run_q + gap_q;
      rest_q <= 17'd0;
    end
    wraps_q <= rest_q + 17'd1 == freq_q;
    if (state_q == ST_LOAD && lane_last_q) begin
      run_q  <= run_q + 17'd1;
      rest_q <= wraps_q ? 17'd0 : rest_q + 17'd1;
    end
  end

  // Bits of the division from 0 to 16, lanes from 0 to 24, rounds from 0 to 23.
  always @(posedge clk) begin
    if (state_q == ST_FIRST || state_q == ST_LOAD || state_q == ST_STEP) begin
      lane_q      <= count_next;
      lane_last_q <= lane_q == count_last;
    end else begin
      lane_q      <= 5'd0;
      lane_last_q <= 1'b0;
    end
    if (state_q == ST_NEXT) begin
      left_q      <= rounds_q - 32'd1;
      left_none_q <= rounds_q == 32'd1;
    end else if (state_q == ST_STEP && lane_last_q) begin
      left_q      <= left_q - 32'd1;
      left_none_q <= left_q == 32'd1;
    end
    if (state_q != ST_READ) begin
      column_q <= 5'd1;
      plane_q  <= 6'd1;
    end else begin
      column_q <= {column_q[3:0], column_q[4]};
      if (column_q[4]) plane_q <= {plane_q[4:0], plane_q[5]};
    end
  end

  // ---- the chain ------------------------------------------------------------------------------

  wire [63:0] rc;

  keccak_rc u_rc (
      .step_i(lane_q),
      .rc_o  (rc)
  );

  // Of engine i at i.
  wire [SLICES:0] load;
  wire [SLICES:0] step;
  wire [SLICES:0] read;
  wire [SLICES:0] last;
  wire [SLICES:0] word_valid;
  wire [16:0]     lane[0:SLICES];
  wire [6:0]      iota[0:SLICES];
  wire [4:0]      sel [0:SLICES];
  wire [4:0]      drop[0:SLICES];
  wire [63:0]     word[0:SLICES];

  reg         load_q;
  reg         step_q;
  reg         read_q;
  reg         last_q;
  reg  [16:0] value_q;
  reg  [6:0]  iota_q;
  reg  [4:0]  sel_q;
  reg  [4:0]  drop_q;

  always @(posedge clk) begin
    if (rst) begin
      load_q <= 1'b0;
      step_q <= 1'b0;
      read_q <= 1'b0;
    end else begin
      load_q <= state_q == ST_LOAD;
      step_q <= state_q == ST_STEP;
      read_q <= state_q == ST_READ;
    end
  end

  always @(posedge clk) begin
    last_q  <= (state_q == ST_LOAD) ? lane_last_q : read_last;
    value_q <= run_q + {12'd0, lane_q};
    iota_q  <= {rc[63], rc[31], rc[15], rc[7], rc[3], rc[1:0]};
    sel_q   <= column_q;
    drop_q  <= column_q[4] ? plane_q[4:0] : 5'd0;
  end

  assign load[0]       = load_q;
  assign step[0]       = step_q;
  assign read[0]       = read_q;
  assign last[0]       = last_q;
  assign lane[0]       = value_q;
  assign iota[0]       = iota_q;
  assign sel[0]        = sel_q;
  assign drop[0]       = drop_q;
  assign word[0]       = 64'd0;
  assign word_valid[0] = 1'b0;

  genvar i;
  generate
    for (i = 0; i < SLICES; i = i + 1) begin : g_slice
      keccak_engine u_engine (
          .clk         (clk),
          .rst         (rst),
          .load_i      (load[i]),
          .lane_i      (lane[i]),
          .step_i      (step[i]),
          .rc_i        (iota[i]),
          .read_i      (read[i]),
          .sel_i       (sel[i]),
          .drop_i      (drop[i]),
          .end_i       (last[i]),
          .word_valid_i(word_valid[i]),
          .word_i      (word[i]),
          .load_o      (load[i+1]),
          .lane_o      (lane[i+1]),
          .step_o      (step[i+1]),
          .rc_o        (iota[i+1]),
          .read_o      (read[i+1]),
          .sel_o       (sel[i+1]),
          .drop_o      (drop[i+1]),
          .end_o       (last[i+1]),
          .word_valid_o(word_valid[i+1]),
          .word_o      (word[i+1])
      );
    end
  endgenerate

  wire unused = &{1'b0, load[SLICES], step[SLICES], read[SLICES], last[SLICES], lane[SLICES],
                  iota[SLICES], sel[SLICES], drop[SLICES], s_axis_tkeep[3:1], rc};

  // ---- the tail: words to sums ----------------------------------------------------------------

  keccak_lane_sum u_sum (
      .clk         (clk),
      .rst         (rst),
      .word_i      (word[SLICES]),
      .word_valid_i(word_valid[SLICES]),
      .sum_o       (sum),
      .sum_valid_o (summed)
  );

  always @(posedge clk) begin
    if (rst || state_q == ST_CHECK) checksum_q <= 64'd0;
    else if (summed) checksum_q <= checksum_q ^ sum;
  end

  assign m_axis_tvalid = state_q == ST_VERDICT || state_q == ST_SUM;
  assign m_axis_tdata  = (state_q == ST_VERDICT) ? {63'd0, right_q} : checksum_q;
  assign m_axis_tkeep  = (state_q == ST_VERDICT) ? 8'h01 : {8{right_q}};
  assign m_axis_tlast  = 1'b1;

endmodule

`default_nettype wire
