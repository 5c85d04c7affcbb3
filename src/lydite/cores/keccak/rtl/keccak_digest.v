// SPDX-License-Identifier: Apache-2.0
//
// Output of the sponge, lane by lane (FIPS 202, 4, steps 7 to 10), from a copy of the state, so
// that the next block can be permuted meanwhile.
//
// The copy is taken before chi of the last round; chi and iota are done here, for one lane at a
// time. capture_i takes it; free_next_o says that this is allowed in the next cycle. bytes_i and
// last_i come with capture_i and count for extendable output only. The first lane is there in the
// cycle after capture_i, the next one in the cycle after lane_ready_i. Resets: the position.

`default_nettype none

module keccak_digest #(
    // Bytes of a block.
    parameter RATE_BYTES   = 136,
    // Bytes of the digest; 0: as many as asked for.
    parameter DIGEST_BYTES = 32
) (
    input  wire          clk,
    input  wire          rst,
    input  wire [1599:0] state_i,
    input  wire          capture_i,
    input  wire [7:0]    bytes_i,
    input  wire          last_i,
    output wire          free_next_o,
    output wire [63:0]   lane_o,
    output wire [3:0]    lane_bytes_o,
    output wire          lane_last_o,
    output wire          lane_valid_o,
    input  wire          lane_ready_i
);

  localparam EXTENDABLE = (DIGEST_BYTES == 0) ? 1 : 0;
  localparam LANES = EXTENDABLE ? RATE_BYTES / 8 : (DIGEST_BYTES + 7) / 8;
  localparam LAST_X = (LANES - 1) % 5;
  // Chi of the last lane needs the two to its right.
  localparam COPIED = LANES - 1 - LAST_X + ((LAST_X > 2) ? 5 : LAST_X + 3);

  reg  [64*COPIED-1:0] copy_q;
  reg  [LANES-1:0]     place_q;  // one hot, the lane that is offered; none: nothing to give
  reg  [LANES-1:0]     place_d;
  reg                  offers_q;  // place_q is not none
  wire [64*LANES-1:0]  offered;  // that lane, zero in all other places
  reg  [63:0]          lane;
  wire                 final_lane;
  wire                 move = lane_valid_o && lane_ready_i;
  wire [63:0]          rc;
  wire                 unused_state = &{1'b0, state_i};  // chi of these lanes needs but some

  keccak_rc #(
      .STRIDE(1),
      .OFFSET(23),
      .STEP_BITS(1)
  ) u_rc (
      .step_i(1'b0),
      .rc_o  (rc)
  );

  genvar i;
  generate
    for (i = 0; i < LANES; i = i + 1) begin : g_lane
      localparam ROW = 5 * (i / 5);
      localparam RIGHT = ROW + (i + 1) % 5;
      localparam RIGHT2 = ROW + (i + 2) % 5;
      assign offered[64*i +: 64] = {64{place_q[i]}} &
          (copy_q[64*i +: 64] ^ (~copy_q[64*RIGHT +: 64] & copy_q[64*RIGHT2 +: 64]) ^
           ((i == 0) ? rc : 64'd0));
    end
  endgenerate

  integer j;
  always @* begin
    lane = 64'd0;
    for (j = 0; j < LANES; j = j + 1) lane = lane | offered[64*j +: 64];
  end

  generate
    if (EXTENDABLE) begin : g_extendable
      reg  [7:0] bytes_q;  // left in this block, from the offered lane on
      reg        last_q;
      wire [7:0] bytes_d = capture_i ? bytes_i : bytes_q - 8'd8;

      assign final_lane   = bytes_q <= 8'd8;
      assign lane_bytes_o = final_lane ? bytes_q[3:0] : 4'd8;
      assign lane_last_o  = final_lane && last_q;

      always @(posedge clk) begin
        if (capture_i || move) bytes_q <= bytes_d;
        if (capture_i) last_q <= last_i;
      end
    end else begin : g_fixed
      localparam TAIL_BYTES = DIGEST_BYTES - 8 * (LANES - 1);
      wire unused = &{1'b0, bytes_i, last_i};

      assign final_lane   = place_q[LANES-1];
      assign lane_bytes_o = final_lane ? TAIL_BYTES[3:0] : 4'd8;
      assign lane_last_o  = final_lane;
    end
  endgenerate

  assign lane_o       = lane;
  assign lane_valid_o = offers_q;
  assign free_next_o  = !capture_i && (!lane_valid_o || (move && final_lane));

  always @* begin
    place_d = place_q;
    if (capture_i) place_d = {{(LANES - 1) {1'b0}}, 1'b1};
    else if (move) place_d = final_lane ? {LANES{1'b0}} : {place_q[LANES-2:0], 1'b0};
  end

  always @(posedge clk) begin
    if (rst) begin
      place_q  <= {LANES{1'b0}};
      offers_q <= 1'b0;
    end else begin
      place_q  <= place_d;
      offers_q <= |place_d;
    end
  end

  always @(posedge clk) begin
    if (capture_i) copy_q <= state_i[64*COPIED-1:0];
  end

`ifdef LYDITE_ASSERT
  place_is_one_hot_or_none : assert property (@(posedge clk) disable iff (rst) $onehot0(place_q));
  copy_is_read_before_the_next : assert property (@(posedge clk) disable iff (rst)
      capture_i |-> !lane_valid_o);
`endif

endmodule

`default_nettype wire
