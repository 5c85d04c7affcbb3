// SPDX-License-Identifier: Apache-2.0
//
// CubeHash16/32-256 ("CubeHash specification (2.B.1)", 2009) of messages of whole bytes, from
// stream to stream, padding included: a round a cycle, or half a round.
//
// Interface: docs/cores.md. The next block comes in while one is worked on, and a digest goes out
// meanwhile. A block takes 16 FOLD cycles, the end of a message 160 FOLD + 1, and N blocks, from
// the first beat in to the last beat out, W + 1 + (16 N + 160) FOLD + W, where W = 256 / DATA_BITS.
// FOLD buys area with cycles.
//
// The state register stands before the last step of a stage until what that waits for is there:
// the next block, which is added behind the step, or room for the digest. Between messages it is
// what is one step before the initial state. So nothing but steps goes into it.
// Resets: control and state.

`default_nettype none

module cubehash #(
    // Bits of a beat: 16, 32, 64, 128.
    parameter DATA_BITS = 64,
    // Cycles of a round: 1, 2. A step is what a cycle does: a round, or half of one.
    parameter FOLD      = 1
) (
    input  wire                   clk,
    input  wire                   rst,
    input  wire [DATA_BITS-1:0]   s_axis_tdata,
    input  wire [DATA_BITS/8-1:0] s_axis_tkeep,
    input  wire                   s_axis_tlast,
    input  wire                   s_axis_tvalid,
    output wire                   s_axis_tready,
    output wire [DATA_BITS-1:0]   m_axis_tdata,
    output wire [DATA_BITS/8-1:0] m_axis_tkeep,
    output wire                   m_axis_tlast,
    output wire                   m_axis_tvalid,
    input  wire                   m_axis_tready
);

  generate
    if (FOLD != 1 && FOLD != 2) begin : g_fold
      ERROR_fold_must_be_1_or_2 u_error ();
    end
  endgenerate

  // The parameters of the function, 32, 32, 16, 0, ..., after 159 of the 160 rounds that give the
  // initial state; word 0 last.
  localparam [1023:0] BEFORE_INITIAL = {
    256'hd1f393ee_f106524f_bb99b3a0_24fb6e0a_f0e8c566_4af83408_9eac9a3c_0fb10097,
    256'hf1cf62df_f6dd2d03_054a5a5c_d5de87fe_52781c33_245ae388_dc1c0400_7f797262,
    256'h87c0bb4b_3ae4c508_3718bfa3_4efd1317_4cf6810a_8506cb10_78029dc1_7422361e,
    256'habe73994_7c93c37b_e292fef1_bcda6624_20ba8983_d19d59de_87f778b1_fa9b3ef3
  };

  localparam COUNT_BITS = (FOLD == 1) ? 8 : 9;
  localparam BLOCK_STEPS = 16 * FOLD;
  localparam FINAL_STEPS = 160 * FOLD;
  localparam [COUNT_BITS-1:0] ONE = {{(COUNT_BITS - 1) {1'b0}}, 1'b1};
  localparam [COUNT_BITS-1:0] TWO = ONE + ONE;

  // What comes behind the steps that run.
  localparam [1:0] ST_BLOCK  = 2'd0;  // a block of this message, or the first of the next one
  localparam [1:0] ST_ONE    = 2'd1;  // 1 is added to the last word
  localparam [1:0] ST_DIGEST = 2'd2;  // the digest

  wire [255:0]          block;
  wire                  block_final;
  wire                  block_full;
  wire                  block_blank;
  wire [60:0]           block_bytes;
  wire                  unused = &{1'b0, block_blank, block_bytes};
  wire                  digest_free;
  wire [1023:0]         fresh;  // the initial state, less a step
  wire [1023:0]         after;

  reg  [1:0]            phase_q;
  reg  [COUNT_BITS-1:0] left_q;  // steps, the one in this cycle included
  reg                   last_q;  // left_q is 1
  reg  [1023:0]         state_q;

  wire take = last_q && phase_q == ST_BLOCK && block_full;
  wire one = last_q && phase_q == ST_ONE;
  wire give = last_q && phase_q == ST_DIGEST && digest_free;
  wire step = !last_q || take || one || give;

  always @(posedge clk) begin
    if (rst) begin
      phase_q <= ST_BLOCK;
      left_q  <= ONE;
      last_q  <= 1'b1;
    end else if (take) begin
      phase_q <= block_final ? ST_ONE : ST_BLOCK;
      left_q  <= BLOCK_STEPS[COUNT_BITS-1:0];
      last_q  <= 1'b0;
    end else if (one) begin
      phase_q <= ST_DIGEST;
      left_q  <= FINAL_STEPS[COUNT_BITS-1:0];
      last_q  <= 1'b0;
    end else if (give) begin
      phase_q <= ST_BLOCK;
    end else if (!last_q) begin
      left_q  <= left_q - ONE;
      last_q  <= left_q == TWO;
    end
  end

  always @(posedge clk) begin
    if (rst || give) state_q <= fresh;
    else if (step) state_q <= after ^ {31'd0, one, 736'd0, take ? block : 256'd0};
  end

  // All stages have whole rounds: a second half is left where the number of steps is odd.
  cubehash_round #(
      .FOLD(FOLD)
  ) u_round (
      .second_i(left_q[0]),
      .state_i (state_q),
      .state_o (after)
  );

  generate
    if (FOLD == 1) begin : g_round_before
      assign fresh = BEFORE_INITIAL;
    end else begin : g_half_before
      // Constant: no gates.
      cubehash_round #(
          .FOLD(FOLD)
      ) u_first (
          .second_i(1'b0),
          .state_i (BEFORE_INITIAL),
          .state_o (fresh)
      );
    end
  endgenerate

  message_head #(
      .DATA_BITS  (DATA_BITS),
      .BLOCK_BYTES(32)
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
      .DATA_BITS(DATA_BITS)
  ) u_digest (
      .clk          (clk),
      .rst          (rst),
      .digest_i     (after[255:0]),
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
