// SPDX-License-Identifier: Apache-2.0
//
// All hash and extendable-output functions of FIPS 202 (6.1, 6.2), chosen from message to message,
// a round of Keccak-f[1600] a cycle, for the sponge action.
//
// Interface: AXI4-Stream, as of keccak_stream with 64 bits. shake_i, lane_end_i and length_i say
// which function it is, and stand still from before a message's first beat to its last output:
// whether it is SHAKE, the last lane of its rate, and its bytes of output, 1 to 65535, of SHA-3 at
// most those of a block.
//
// The sponge is that of keccak_parallel: its state stands between pi and chi, a block comes in
// where iota does. But one message is there at a time: nothing is permuted while output goes, so
// that the lanes are read behind chi of the state itself and no copy is kept. The next block comes
// in while one is permuted: a block takes 24 cycles, absorbed, and one more for each of its lanes,
// squeezed. Latency of a message of one block, from the cycle of the first beat in to that of the
// last beat out: 21 + 24 + ceil(length_i / 8) + 2.
//
// Resets: control; the first beat may come in the next cycle.

`default_nettype none

module sponge_hash (
    input  wire        clk,
    input  wire        rst,
    input  wire        shake_i,
    input  wire [4:0]  lane_end_i,
    input  wire [15:0] length_i,
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

  localparam LANES = 21;  // of the widest rate, SHAKE128's
  localparam BLOCK_BITS = 64 * LANES;
  localparam [4:0] LAST = 5'd23;
  localparam [4:0] WIDE_END = 5'd20;
  localparam [4:0] SHAKE256_END = 5'd16;

  // ---- input ----------------------------------------------------------------------------------

  // Of SHA-3 and of SHAKE.
  wire [127:0] padded;
  wire [1:0]   padded_end;
  wire [1:0]   padded_valid;
  wire [1:0]   pad_ready;
  wire         padded_ready;

  genvar i;
  generate
    for (i = 0; i < 2; i = i + 1) begin : g_pad
      localparam [7:0] SUFFIX = (i == 0) ? 8'h06 : 8'h1F;
      localparam [0:0] SHAKE = i;
      wire [15:0] unused_length;
      wire        unused_end_low;
      wire        unused = &{1'b0, unused_length, unused_end_low};

      keccak_pad #(
          .DATA_BITS(64),
          .SUFFIX   (SUFFIX)
      ) u_pad (
          .clk           (clk),
          .rst           (rst),
          .s_axis_tdata  (s_axis_tdata),
          .s_axis_tkeep  (s_axis_tkeep),
          .s_axis_tlast  (s_axis_tlast),
          .s_axis_tuser  (16'd0),
          .s_axis_tvalid (s_axis_tvalid && shake_i == SHAKE),
          .s_axis_tready (pad_ready[i]),
          .word_o        (padded[64*i +: 64]),
          .word_end_o    (padded_end[i]),
          .word_end_low_o(unused_end_low),
          .word_valid_o  (padded_valid[i]),
          .word_ready_i  (padded_ready && shake_i == SHAKE),
          .length_o      (unused_length)
      );
    end
  endgenerate

  assign s_axis_tready = pad_ready[shake_i];

  wire [63:0]           word;
  wire                  word_end;
  wire                  word_valid;
  wire                  word_ready;
  wire [BLOCK_BITS-1:0] filled;
  wire [BLOCK_BITS-1:0] block;
  wire                  block_final;
  wire                  block_full_next;

  keccak_fill u_fill (
      .clk         (clk),
      .rst         (rst),
      .lane_end_i  (lane_end_i),
      .word_i      (shake_i ? padded[127:64] : padded[63:0]),
      .word_end_i  (padded_end[shake_i]),
      .word_valid_i(padded_valid[shake_i]),
      .word_ready_o(padded_ready),
      .word_o      (word),
      .word_end_o  (word_end),
      .word_valid_o(word_valid),
      .word_ready_i(word_ready)
  );

  reg take_q;  // the block is taken

  keccak_block #(
      .DATA_BITS (64),
      .RATE_BYTES(8 * LANES)
  ) u_block (
      .clk         (clk),
      .rst         (rst),
      .word_i      (word),
      .word_end_i  (word_end),
      .word_valid_i(word_valid),
      .word_ready_o(word_ready),
      .block_o     (filled),
      .final_o     (block_final),
      .full_next_o (block_full_next),
      .take_i      (take_q)
  );

  wire is_wide = lane_end_i == WIDE_END;

  // Where the rate is less, the last bit of lane 20 is none of the padding.
  assign block = {filled[BLOCK_BITS-1] && is_wide, filled[BLOCK_BITS-2:0]};

  // ---- control --------------------------------------------------------------------------------

  localparam [1:0] ST_WAIT = 2'd0;  // for a block
  localparam [1:0] ST_RUN  = 2'd1;  // permutes; count_q is the cycle
  localparam [1:0] ST_GIVE = 2'd2;  // permuted, lanes go out

  reg  [1:0]       phase_q;
  reg  [4:0]       count_q;
  reg              near_q;    // count_q is the one before LAST
  reg              step_q;    // the state moves on
  reg              fresh_q;   // no message: the state register is cleared
  reg              final_q;   // what comes out of this permutation is output
  reg  [LANES-1:0] place_q;   // one hot, the lane that goes out
  reg  [15:0]      left_q;    // bytes of output, from that lane on
  reg  [1:0]       phase_d;

  wire             last    = count_q == LAST;
  wire             give;      // a lane goes out
  wire             ends    = left_q <= 16'd8;  // with it
  // Of all rates these two may give more than one block.
  wire             emptied = place_q[is_wide ? WIDE_END : SHAKE256_END];
  wire             done    = give && ends;

  always @* begin
    phase_d = phase_q;
    case (phase_q)
      ST_RUN:  if (last && !take_q) phase_d = final_q ? ST_GIVE : ST_WAIT;
      ST_GIVE: if (give && (ends || emptied)) phase_d = ends ? ST_WAIT : ST_RUN;
      default: if (take_q) phase_d = ST_RUN;
    endcase
  end

  always @(posedge clk) begin
    if (rst) begin
      phase_q <= ST_WAIT;
      count_q <= LAST;
      near_q  <= 1'b0;
      step_q  <= 1'b0;
      take_q  <= 1'b0;
      fresh_q <= 1'b1;
      place_q <= {{(LANES - 1) {1'b0}}, 1'b1};
    end else begin
      phase_q <= phase_d;
      if (phase_d == ST_RUN) count_q <= last ? 5'd0 : count_q + 5'd1;
      near_q  <= phase_q == ST_RUN && count_q == LAST - 5'd2;
      step_q  <= phase_d == ST_RUN;
      take_q  <= block_full_next && (phase_d == ST_WAIT || (near_q && !final_q));
      fresh_q <= done || (fresh_q && !take_q);
      if (phase_q != ST_GIVE) place_q <= {{(LANES - 1) {1'b0}}, 1'b1};
      else if (give) place_q <= {place_q[LANES-2:0], 1'b0};
    end
  end

  always @(posedge clk) begin
    if (take_q) final_q <= block_final;
    if (fresh_q) left_q <= length_i;
    else if (give) left_q <= left_q - 16'd8;
  end

  // ---- state ----------------------------------------------------------------------------------

  reg  [1599:0]           state_q;   // between pi and chi
  reg  [BLOCK_BITS-1:0]   addend_q;  // to add after chi: the block, and iota in lane 0
  wire [1599:0]           after_iota;
  wire [1599:0]           state_d;
  wire [63:0]             rc;
  wire [319:0]            parity =
      after_iota[0 +: 320] ^ after_iota[320 +: 320] ^ after_iota[640 +: 320] ^
      after_iota[960 +: 320] ^ after_iota[1280 +: 320];

  keccak_rc u_rc (
      .step_i(count_q),
      .rc_o  (rc)
  );

  always @(posedge clk) begin
    addend_q <= (take_q ? block : {BLOCK_BITS{1'b0}}) ^
                {{(BLOCK_BITS - 64) {1'b0}}, fresh_q ? 64'd0 : rc};
    if (fresh_q) state_q <= 1600'd0;
    else if (step_q) state_q <= state_d;
  end

  // Mapped each by itself, as in keccak_parallel.
  (* keep_hierarchy *)
  keccak_chi u_chi (
      .state_i (state_q),
      .addend_i({{(1600 - BLOCK_BITS) {1'b0}}, addend_q}),
      .state_o (after_iota)
  );

  (* keep_hierarchy *)
  keccak_theta_rho_pi u_theta_rho_pi (
      .state_i (after_iota),
      .parity_i(parity),
      .state_o (state_d)
  );

  // ---- output ---------------------------------------------------------------------------------

  reg  [63:0] chosen;
  reg  [63:0] lane_q;
  reg  [3:0]  bytes_q;
  reg         last_q;
  reg         valid_q;
  wire        emit_ready;

  assign give = phase_q == ST_GIVE && (!valid_q || emit_ready);

  integer j;
  always @* begin
    chosen = 64'd0;
    for (j = 0; j < LANES; j = j + 1) begin
      chosen = chosen | ({64{place_q[j]}} & after_iota[64*j +: 64]);
    end
  end

  always @(posedge clk) begin
    if (rst) valid_q <= 1'b0;
    else valid_q <= give || (valid_q && !emit_ready);
  end

  always @(posedge clk) begin
    if (give) begin
      lane_q  <= chosen;
      bytes_q <= ends ? left_q[3:0] : 4'd8;
      last_q  <= ends;
    end
  end

  keccak_emit #(
      .DATA_BITS(64)
  ) u_emit (
      .clk          (clk),
      .rst          (rst),
      .lane_i       (lane_q),
      .lane_bytes_i (bytes_q),
      .lane_last_i  (last_q),
      .lane_valid_i (valid_q),
      .lane_ready_o (emit_ready),
      .m_axis_tdata (m_axis_tdata),
      .m_axis_tkeep (m_axis_tkeep),
      .m_axis_tlast (m_axis_tlast),
      .m_axis_tvalid(m_axis_tvalid),
      .m_axis_tready(m_axis_tready)
  );

`ifdef LYDITE_ASSERT
  place_is_one_hot :
  assert property (@(posedge clk) disable iff (rst) phase_q == ST_GIVE |-> $onehot(place_q));
  block_is_taken_between_permutations :
  assert property (@(posedge clk) disable iff (rst) take_q |-> last && phase_q != ST_GIVE);
  message_starts_from_zero :
  assert property (@(posedge clk) disable iff (rst) take_q && fresh_q |=> state_q == 1600'd0);
`endif

endmodule

`default_nettype wire
