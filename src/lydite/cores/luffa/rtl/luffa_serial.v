// SPDX-License-Identifier: Apache-2.0
//
// Luffa-256 v2 ("Hash Function Luffa: Specification", version 2.0.1, 2009) of messages of whole
// bytes, from stream to stream, padding included: a step of one of the three permutations a cycle.
//
// The three blocks of the state turn: the one that is injected comes to where steps are taken, the
// others move on by a place, as wires. What is added to each is there before: the sum of all
// blocks, found in a cycle of its own, and the block of the message, which each injection leaves
// times x. Only the tweak differs from permutation to permutation.
//
// Interface: docs/cores.md. The next block comes in while one is worked on, and a digest goes out
// meanwhile. A block takes 28 cycles, the sum and three times an injection and eight steps; the end
// of a message 29 (a block of zeros, and a cycle in which the digest is copied); N blocks, from the
// first beat in to the last beat out, W + 28 N + 29 + W, where W = 256 / DATA_BITS.
// Resets: control and state.

`default_nettype none

module luffa_serial #(
    // Bits of a beat: 32, 64, 128.
    parameter DATA_BITS = 64
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

  // Of the blocks 1, 0 and 2 of the state, and in each word 7 first.
  localparam [767:0] INITIAL = {
    256'h746cd581_cf1ccf0e_8fc944b3_5d9b0557_de099fa3_70eee9a0_d9d2f256_c3b44b95,
    256'hdef610bb_ee058139_90152df4_6e292011_dbf78465_4eaa6fb4_44b051e0_6d251e69,
    256'h8b264ae7_24aa230a_666d1836_0306194f_ad659c05_04016ce5_5dba5781_f7efc89d
  };

  localparam [1:0] ST_SUM    = 2'd0;
  localparam [1:0] ST_INJECT = 2'd1;
  localparam [1:0] ST_STEPS  = 2'd2;

  // What the sum is for.
  localparam [1:0] PH_BLOCK  = 2'd0;  // the next block, or the first of the next message
  localparam [1:0] PH_BLANK  = 2'd1;  // a block of zeros
  localparam [1:0] PH_DIGEST = 2'd2;  // the digest

  wire [255:0] block;
  wire         block_final;
  wire         block_full;
  wire         block_blank;
  wire [60:0]  block_bytes;
  wire         unused = &{1'b0, block_blank, block_bytes};
  wire         digest_free;
  wire [255:0] message;  // eight words
  wire [255:0] digest;
  wire [191:0] constants;
  wire [255:0] stepped;

  reg  [1:0]   state_q;
  reg  [1:0]   phase_q;
  reg  [1:0]   number_q;  // of the permutation
  reg  [2:0]   step_q;
  reg  [767:0] blocks_q;  // the one that is worked on, the one that follows, and the third one
  reg  [255:0] total_q;   // their sum before the injections
  reg  [255:0] power_q;   // what is added of the message to the next one

  wire sums = state_q == ST_SUM;
  wire injects = state_q == ST_INJECT;
  wire steps = state_q == ST_STEPS;
  wire take = sums && phase_q == PH_BLOCK && block_full;
  wire blank = sums && phase_q == PH_BLANK;
  wire give = sums && phase_q == PH_DIGEST && digest_free;

  always @(posedge clk) begin
    if (rst) begin
      state_q  <= ST_SUM;
      phase_q  <= PH_BLOCK;
      number_q <= 2'd0;
      step_q   <= 3'd0;
    end else begin
      if (take || blank) state_q <= ST_INJECT;
      if (injects) state_q <= ST_STEPS;
      if (steps) begin
        step_q <= step_q + 3'd1;
        if (step_q == 3'd7) begin
          state_q  <= (number_q == 2'd2) ? ST_SUM : ST_INJECT;
          number_q <= (number_q == 2'd2) ? 2'd0 : number_q + 2'd1;
        end
      end
      if (take) phase_q <= block_final ? PH_BLANK : PH_BLOCK;
      if (blank) phase_q <= PH_DIGEST;
      if (give) phase_q <= PH_BLOCK;
    end
  end

  // x times a block in the ring, modulo x^8 + x^4 + x^3 + x + 1 (3.3).
  function [255:0] doubled(input [255:0] factor);
    doubled = {factor[223:0], factor[255:224]} ^
              {96'd0, factor[255:224], factor[255:224], 32'd0, factor[255:224], 32'd0};
  endfunction

  wire [255:0] total = blocks_q[255:0] ^ blocks_q[511:256] ^ blocks_q[767:512];
  wire [255:0] sum = blocks_q[511:256] ^ doubled(total_q) ^ power_q;
  wire [255:0] injected;

  always @(posedge clk) begin
    if (rst || give) blocks_q <= INITIAL;
    else if (injects) blocks_q <= {blocks_q[255:0], blocks_q[767:512], injected};
    else if (steps) blocks_q[255:0] <= stepped;
  end

  always @(posedge clk) begin
    if (sums) total_q <= total;
  end

  always @(posedge clk) begin
    if (blank) power_q <= 256'd0;
    else if (take) power_q <= message;
    else if (injects) power_q <= doubled(power_q);
  end

  assign injected[127:0] = sum[127:0];

  genvar i;
  generate
    // Words of the function have their highest byte first.
    for (i = 0; i < 32; i = i + 1) begin : g_byte
      assign message[8*i +: 8] = block[8*(i^3) +: 8];
      assign digest[8*i +: 8] = total[8*(i^3) +: 8];
    end

    // The tweak (3.4).
    for (i = 4; i < 8; i = i + 1) begin : g_tweak
      wire [31:0] word = sum[32*i +: 32];

      assign injected[32*i +: 32] = number_q[1] ? {word[29:0], word[31:30]} :
                                    number_q[0] ? {word[30:0], word[31]} : word;
    end
  endgenerate

  luffa_constants u_constants (
      .step_i     (step_q),
      .constants_o(constants)
  );

  luffa_step u_step (
      .block_i    (blocks_q[255:0]),
      .constant0_i(constants[64*number_q +: 32]),
      .constant4_i(constants[64*number_q+32 +: 32]),
      .block_o    (stepped)
  );

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
