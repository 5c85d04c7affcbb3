// SPDX-License-Identifier: Apache-2.0
//
// A link of a chain of engines that iterate Keccak-f[1600] (FIPS 202, 3.3) on states that are small
// numbers, a round a cycle. All that tells engines what to do comes in at the head of the chain and
// goes from engine to engine, a cycle each, and so does what they give: no wire is longer than from
// one engine to the next, and an engine has hardly more logic than its rounds.
//
// Interface, by cycles at the inputs; the next engine has the same a cycle later:
//   load_i      a lane for the first engine that has no state, lane 0 first, the 25th with end_i:
//               from then on it has one
//   step_i      a round of each engine that has a state. rc_i is the constant of iota of this
//               round: bits 0, 1, 3, 7, 15, 31, 63. The first step is theta, rho and pi of the
//               first round alone; the last round's chi and iota are done where the state is read.
//   read_i      a word for the chain from the first engine that has a state: the sum modulo 2 of
//               column sel_i over the planes that are left; drop_i clears planes behind it. With
//               end_i the engine has no state any more.
// One engine alone: words of a state come out LATENCY = 3 cycles behind their read_i. Between end_i
// of a load and the first step_i, and between steps and reads, no cycle need pass.
//
// The state register stands between pi and chi, as in keccak_parallel, so that chi, the parities
// and theta are three levels of LUTs. A new state comes in where iota does: chi of zero is zero. To
// read needs no multiplexer of 1600 bits: the parities of theta are there, and planes are cleared
// one after the other, so that two parities differ by a plane.
//
// Resets: control, state and what waits to be added.

`default_nettype none

module keccak_engine #(
    // Bits of the lanes of a new state.
    parameter LOAD_BITS = 17
) (
    input  wire                 clk,
    input  wire                 rst,
    input  wire                 load_i,
    input  wire [LOAD_BITS-1:0] lane_i,
    input  wire                 step_i,
    input  wire [6:0]           rc_i,
    input  wire                 read_i,
    input  wire [4:0]           sel_i,
    input  wire [4:0]           drop_i,
    input  wire                 end_i,
    input  wire                 word_valid_i,
    input  wire [63:0]          word_i,
    output wire                 load_o,
    output wire [LOAD_BITS-1:0] lane_o,
    output wire                 step_o,
    output wire [6:0]           rc_o,
    output wire                 read_o,
    output wire [4:0]           sel_o,
    output wire [4:0]           drop_o,
    output wire                 end_o,
    output wire                 word_valid_o,
    output wire [63:0]          word_o
);

  generate
    if (LOAD_BITS < 16 || LOAD_BITS > 31) begin : g_load_bits
      ERROR_load_bits_must_be_16_to_31 u_error ();
    end
  endgenerate

  // ---- what passes, and what is this engine's -------------------------------------------------

  reg                 load_q;
  reg [LOAD_BITS-1:0] lane_q;
  reg                 step_q;
  reg [6:0]           rc_q;
  reg                 read_q;
  reg [4:0]           sel_q;
  reg [4:0]           drop_q;
  reg                 end_q;

  reg                 full_q;   // there is a state
  reg                 shift_q;  // a lane comes in
  reg                 move_q;   // a round
  reg [4:0]           clear_q;  // of each plane
  reg [4:0]           own_q;    // the column that is read, if it is ours
  reg [4:0]           own_q2;

  always @(posedge clk) begin
    if (rst) begin
      load_q  <= 1'b0;
      step_q  <= 1'b0;
      read_q  <= 1'b0;
      full_q  <= 1'b0;
      shift_q <= 1'b0;
      move_q  <= 1'b0;
      clear_q <= 5'h1f;
      own_q   <= 5'd0;
      own_q2  <= 5'd0;
    end else begin
      load_q  <= load_i && full_q;
      step_q  <= step_i;
      read_q  <= read_i && !full_q;
      if (end_i && load_i) full_q <= 1'b1;
      else if (end_i && read_i) full_q <= 1'b0;
      shift_q <= load_i && !full_q;
      move_q  <= step_i && full_q;
      clear_q <= (read_i && full_q) ? drop_i : 5'd0;
      own_q   <= (read_i && full_q) ? sel_i : 5'd0;
      own_q2  <= own_q;
    end
  end

  always @(posedge clk) begin
    lane_q <= lane_i;
    rc_q   <= rc_i;
    sel_q  <= sel_i;
    drop_q <= drop_i;
    end_q  <= end_i;
  end

  assign load_o = load_q;
  assign lane_o = lane_q;
  assign step_o = step_q;
  assign rc_o   = rc_q;
  assign read_o = read_q;
  assign sel_o  = sel_q;
  assign drop_o = drop_q;
  assign end_o  = end_q;

  // ---- the round ------------------------------------------------------------------------------

  reg  [1599:0]             state_q;   // between pi and chi
  reg  [25*LOAD_BITS-1:0]   addend_q;  // a new state
  reg  [1:0]                iota_q;    // bits 31 and 63
  wire [1599:0]             addend;
  wire [1599:0]             mixed;
  wire [1599:0]             state_d;
  wire [319:0]              parity;
  wire [LOAD_BITS-1:0]      rc_low;

  assign rc_low = {{(LOAD_BITS - 16) {1'b0}}, rc_q[4], 7'd0, rc_q[3], 3'd0, rc_q[2], 1'b0,
                   rc_q[1:0]};

  // What is to be added is there for a cycle of a step, and stays while nothing moves.
  always @(posedge clk) begin
    if (move_q || clear_q[0]) begin
      addend_q[25*LOAD_BITS-1:LOAD_BITS] <= {(24 * LOAD_BITS) {1'b0}};
    end else if (shift_q) begin
      addend_q[25*LOAD_BITS-1:LOAD_BITS] <= {lane_q, addend_q[25*LOAD_BITS-1:2*LOAD_BITS]};
    end
  end

  always @(posedge clk) begin
    if (clear_q[0]) begin
      addend_q[LOAD_BITS-1:0] <= {LOAD_BITS{1'b0}};
      iota_q <= 2'd0;
    end else if (move_q || shift_q) begin
      addend_q[LOAD_BITS-1:0] <= move_q ? rc_low : addend_q[2*LOAD_BITS-1:LOAD_BITS];
      iota_q <= move_q ? rc_q[6:5] : 2'd0;
    end
  end

  genvar i;
  generate
    for (i = 0; i < 25; i = i + 1) begin : g_addend
      if (i == 0) begin : g_iota
        assign addend[63:0] = {iota_q[1], 31'd0, iota_q[0], {(31 - LOAD_BITS) {1'b0}},
                               addend_q[LOAD_BITS-1:0]};
      end else begin : g_load
        assign addend[64*i +: 64] = {{(64 - LOAD_BITS) {1'b0}},
                                     addend_q[LOAD_BITS*i +: LOAD_BITS]};
      end
    end
  endgenerate

  // Chi, the parities and theta are mapped each by itself, as in keccak_parallel.
  (* keep_hierarchy *)
  keccak_chi #(
      .LANE_BITS(64)
  ) u_chi (
      .state_i (state_q),
      .addend_i(addend),
      .state_o (mixed)
  );

  assign parity = mixed[0 +: 320] ^ mixed[320 +: 320] ^ mixed[640 +: 320] ^ mixed[960 +: 320] ^
                  mixed[1280 +: 320];

  (* keep_hierarchy *)
  keccak_theta_rho_pi u_theta_rho_pi (
      .state_i (mixed),
      .parity_i(parity),
      .state_o (state_d)
  );

  generate
    for (i = 0; i < 5; i = i + 1) begin : g_plane
      always @(posedge clk) begin
        if (clear_q[i]) state_q[320*i +: 320] <= 320'd0;
        else if (move_q) state_q[320*i +: 320] <= state_d[320*i +: 320];
      end
    end
  endgenerate

  // ---- what is read ---------------------------------------------------------------------------

  reg  [319:0] parity_q;
  reg  [63:0]  word_q;
  reg          word_valid_q;
  wire [63:0]  column;

  generate
    for (i = 0; i < 64; i = i + 1) begin : g_column
      assign column[i] = |(own_q2 & {parity_q[256+i], parity_q[192+i], parity_q[128+i],
                                     parity_q[64+i], parity_q[i]});
    end
  endgenerate

  always @(posedge clk) begin
    parity_q <= parity;
    word_q   <= word_i | column;
  end

  always @(posedge clk) begin
    if (rst) word_valid_q <= 1'b0;
    else word_valid_q <= word_valid_i || |own_q2;
  end

  assign word_o       = word_q;
  assign word_valid_o = word_valid_q;

`ifdef LYDITE_ASSERT
  one_thing_at_a_time : assert property (@(posedge clk) disable iff (rst)
      $onehot0({load_i, step_i, read_i}));
  words_do_not_meet : assert property (@(posedge clk) disable iff (rst)
      !(word_valid_i && |own_q2));
`endif

endmodule

`default_nettype wire
