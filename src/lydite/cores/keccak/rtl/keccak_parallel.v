// SPDX-License-Identifier: Apache-2.0
//
// The sponge with the whole state at once, ROUNDS_PER_CYCLE rounds of Keccak-f[1600] (FIPS 202,
// 3.3 and 4) in a cycle.
//
// The state register stands between pi and chi. A cycle does chi and iota of one round, adds the
// next block where there is one, and does theta, rho and pi of the round after it; so the chain is
// chi, parity, theta, three LUT levels, and the block comes in for nothing: chi has three inputs.
// In the cycle that would end a message the state register is cleared instead, for chi of zero is
// zero: the next message starts in the very next cycle, and its first block needs no multiplexer.
// The digest is what would have gone into the register (keccak_digest copies it). addend_q holds a
// block in the one cycle where it is added, else zero, so that it needs no gates, and the constant
// of iota.
//
// Interface: the block_* of keccak_block, of which this is the other side, and the lanes of
// keccak_digest. Cycles: a block is taken (take_o) in the cycle in which it is there, if the core
// has none or is in its last cycle, and CYCLES = 24 / ROUNDS_PER_CYCLE cycles after it the digest
// is copied. Resets: control; the state is cleared in the cycle after.

`default_nettype none

module keccak_parallel #(
    // Bytes of a block.
    parameter RATE_BYTES       = 136,
    // Bytes of the digest; 0: as many as length_i says.
    parameter DIGEST_BYTES     = 32,
    // 1, 2, 3, 4: cycles for logic, and fewer rounds of routing for each.
    parameter ROUNDS_PER_CYCLE = 1
) (
    input  wire                    clk,
    input  wire                    rst,
    input  wire [8*RATE_BYTES-1:0] block_i,
    input  wire                    final_i,
    input  wire                    full_next_i,
    output wire                    take_o,
    input  wire [15:0]             length_i,
    output wire [63:0]             lane_o,
    output wire [3:0]              lane_bytes_o,
    output wire                    lane_last_o,
    output wire                    lane_valid_o,
    input  wire                    lane_ready_i
);

  localparam EXTENDABLE = (DIGEST_BYTES == 0) ? 1 : 0;
  localparam BLOCK_BITS = 8 * RATE_BYTES;
  localparam CYCLES = 24 / ROUNDS_PER_CYCLE;
  localparam COUNT_BITS = (CYCLES > 16) ? 5 : (CYCLES > 8) ? 4 : 3;
  localparam LAST_CYCLE = CYCLES - 1;
  localparam [COUNT_BITS-1:0] LAST = LAST_CYCLE[COUNT_BITS-1:0];

  localparam [1:0] ST_IDLE = 2'd0;  // no message
  localparam [1:0] ST_RUN  = 2'd1;  // permutes; count_q is the cycle
  localparam [1:0] ST_WAIT = 2'd2;  // permuted, the message goes on, its next block is not there
  localparam [1:0] ST_HOLD = 2'd3;  // before the last cycle: the old digest is not yet read

  reg  [1:0]            phase_q;
  reg  [COUNT_BITS-1:0] count_q;
  reg                   near_q;     // count_q is the one before LAST
  reg                   last_q;     // count_q is LAST
  reg                   step_q;     // the state moves on
  reg                   take_q;     // a block is taken
  reg                   fresh_q;    // the state register is cleared, a new message may begin
  reg                   capture_q;  // the state is output
  reg                   output_q;   // what comes out of this permutation is output
  reg  [1:0]            phase_d;
  reg  [COUNT_BITS-1:0] count_d;
  reg                   last_d;     // the next cycle is the last one of a permutation
  reg                   rest_d;     // in the next cycle nothing is permuted
  reg                   take_d;
  reg                   fresh_d;
  reg                   capture_d;

  wire                  squeeze;    // in the last cycle: another permutation for output follows
  wire                  closing;    // this permutation is the last one of its message
  wire [7:0]            bytes;      // how many of them are output
  wire                  digest_free_next;

  // ---- control --------------------------------------------------------------------------------

  always @* begin
    phase_d = phase_q;
    count_d = count_q;
    case (phase_q)
      ST_RUN: begin
        if (!last_q) begin
          count_d = count_q + 1'b1;
          if (near_q && output_q && !digest_free_next) phase_d = ST_HOLD;
        end else if (take_q || squeeze) begin
          count_d = {COUNT_BITS{1'b0}};
        end else begin
          phase_d = output_q ? ST_IDLE : ST_WAIT;
        end
      end
      ST_HOLD: begin
        if (digest_free_next) phase_d = ST_RUN;
      end
      default: begin
        if (take_q) begin
          phase_d = ST_RUN;
          count_d = {COUNT_BITS{1'b0}};
        end
      end
    endcase
  end

  // From registers rather than from phase_d and count_d: take_q goes to every bit of the block, and
  // what decides it comes from both streams.
  always @* begin
    last_d = ((phase_q == ST_RUN && near_q) || phase_q == ST_HOLD) &&
             (!output_q || digest_free_next);
    rest_d = !take_q && (phase_q == ST_IDLE || phase_q == ST_WAIT ||
                         (phase_q == ST_RUN && last_q && !squeeze));
    fresh_d = phase_d == ST_IDLE || (last_d && closing);
    capture_d = last_d && output_q;
    take_d = full_next_i && (rest_d || (last_d && (closing || !output_q)));
  end

  always @(posedge clk) begin
    if (rst) begin
      phase_q   <= ST_IDLE;
      count_q   <= LAST;
      near_q    <= 1'b0;
      last_q    <= 1'b1;
      step_q    <= 1'b0;
      take_q    <= 1'b0;
      fresh_q   <= 1'b1;
      capture_q <= 1'b0;
    end else begin
      phase_q   <= phase_d;
      count_q   <= count_d;
      near_q    <= count_d == LAST - 1'b1;
      last_q    <= count_d == LAST;
      step_q    <= phase_d == ST_RUN;
      take_q    <= take_d;
      fresh_q   <= fresh_d;
      capture_q <= capture_d;
    end
  end

  always @(posedge clk) begin
    if (take_q) output_q <= final_i;
  end

  generate
    if (EXTENDABLE) begin : g_extendable
      localparam [15:0] RATE = RATE_BYTES[15:0];
      reg  [15:0] left_q;  // bytes of output, from this permutation on
      reg         closing_q;

      assign squeeze = output_q && !closing_q;
      assign closing = closing_q;
      assign bytes   = closing_q ? left_q[7:0] : RATE[7:0];

      always @(posedge clk) begin
        if (take_q) left_q <= length_i;
        else if (step_q && last_q) left_q <= left_q - RATE;
        closing_q <= output_q && left_q <= RATE;
      end
    end else begin : g_fixed
      wire unused = &{1'b0, length_i};

      assign squeeze = 1'b0;
      assign closing = output_q;
      assign bytes   = 8'd0;
    end
  endgenerate

  assign take_o = take_q;

  // ---- state ----------------------------------------------------------------------------------

  reg  [1599:0]           state_q;  // between pi and chi
  reg  [BLOCK_BITS-1:0]   addend_q;  // to add after chi: the block, and iota in lane 0
  wire [1599:0]           state_d;
  wire [BLOCK_BITS-1:0]   addend_d;
  wire [63:0]             rc;

  // At step count_q, that of the round whose chi stands in the next cycle.
  keccak_rc #(
      .STRIDE   (ROUNDS_PER_CYCLE),
      .OFFSET   (ROUNDS_PER_CYCLE - 1),
      .STEP_BITS(COUNT_BITS)
  ) u_rc (
      .step_i(count_q),
      .rc_o  (rc)
  );

  assign addend_d = (take_q ? block_i : {BLOCK_BITS{1'b0}}) ^
                    {{(BLOCK_BITS - 64) {1'b0}}, fresh_q ? 64'd0 : rc};

  // Held in ST_HOLD; only lane 0 can then be other than zero.
  always @(posedge clk) begin
    addend_q[BLOCK_BITS-1:64] <= addend_d[BLOCK_BITS-1:64];
    if (phase_q != ST_HOLD) addend_q[63:0] <= addend_d[63:0];
  end

  always @(posedge clk) begin
    if (fresh_q) state_q <= 1600'd0;
    else if (step_q) state_q <= state_d;
  end

  genvar k;
  generate
    for (k = 0; k < ROUNDS_PER_CYCLE; k = k + 1) begin : g_round
      wire [1599:0] before_chi;
      wire [1599:0] addend;
      wire [1599:0] after_iota;
      wire [ 319:0] parity;
      wire [1599:0] before_next_chi;

      if (k == 0) begin : g_first
        assign before_chi = state_q;
        assign addend = {{(1600 - BLOCK_BITS) {1'b0}}, addend_q};
      end else begin : g_later
        reg  [63:0] rc_q;
        wire [63:0] rc_d;

        keccak_rc #(
            .STRIDE   (ROUNDS_PER_CYCLE),
            .OFFSET   (ROUNDS_PER_CYCLE + k - 1),
            .STEP_BITS(COUNT_BITS)
        ) u_rc (
            .step_i(count_q),
            .rc_o  (rc_d)
        );

        always @(posedge clk) begin
          if (phase_q != ST_HOLD) rc_q <= rc_d;
        end

        assign before_chi = g_round[k-1].before_next_chi;
        assign addend = {1536'd0, rc_q};
      end

      // Chi, the parities and theta are mapped each by itself: a mapper that sees through several
      // rounds buys a level with twice the area (tried with Yosys 0.70: two rounds 11,620 LUT4
      // against 8,190, four rounds 39,959 against 15,885; one round is the same either way).
      (* keep_hierarchy *)
      keccak_chi #(
          .LANE_BITS(64)
      ) u_chi (
          .state_i (before_chi),
          .addend_i(addend),
          .state_o (after_iota)
      );

      assign parity = after_iota[0 +: 320] ^ after_iota[320 +: 320] ^ after_iota[640 +: 320] ^
                      after_iota[960 +: 320] ^ after_iota[1280 +: 320];

      (* keep_hierarchy *)
      keccak_theta_rho_pi u_theta_rho_pi (
          .state_i (after_iota),
          .parity_i(parity),
          .state_o (before_next_chi)
      );
    end
  endgenerate

  assign state_d = g_round[ROUNDS_PER_CYCLE-1].before_next_chi;

  keccak_digest #(
      .RATE_BYTES  (RATE_BYTES),
      .DIGEST_BYTES(DIGEST_BYTES)
  ) u_digest (
      .clk         (clk),
      .rst         (rst),
      .state_i     (state_d),
      .capture_i   (capture_q),
      .bytes_i     (bytes),
      .last_i      (closing),
      .free_next_o (digest_free_next),
      .lane_o      (lane_o),
      .lane_bytes_o(lane_bytes_o),
      .lane_last_o (lane_last_o),
      .lane_valid_o(lane_valid_o),
      .lane_ready_i(lane_ready_i)
  );

`ifdef LYDITE_ASSERT
  last_cycle_is_foreseen :
  assert property (@(posedge clk) disable iff (rst)
      last_d == (phase_d == ST_RUN && count_d == LAST));
  rest_is_foreseen :
  assert property (@(posedge clk) disable iff (rst)
      rest_d == (phase_d == ST_IDLE || phase_d == ST_WAIT));
  message_starts_from_zero :
  assert property (@(posedge clk) disable iff (rst) take_q && fresh_q |=> state_q == 1600'd0);
  block_is_added_once :
  assert property (@(posedge clk) disable iff (rst)
      !take_q |=> addend_q[BLOCK_BITS-1:64] == {(BLOCK_BITS - 64) {1'b0}});
  block_is_taken_between_permutations :
  assert property (@(posedge clk) disable iff (rst) take_q |-> last_q && phase_q != ST_HOLD);
  capture_ends_a_permutation :
  assert property (@(posedge clk) disable iff (rst) capture_q |-> step_q && last_q && output_q);
`endif

endmodule

`default_nettype wire
