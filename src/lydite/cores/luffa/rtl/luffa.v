// SPDX-License-Identifier: Apache-2.0
//
// Luffa-256 v2 ("Hash Function Luffa: Specification", version 2.0.1, 2009) of messages of whole
// bytes, from stream to stream, padding included: injection in a cycle, then STEPS steps a cycle.
//
// Interface: docs/cores.md. The next block comes in while one is worked on, and a digest goes out
// meanwhile. A block takes B = 1 + 8 / STEPS cycles, the end of a message B + 1 (a block of zeros,
// and a cycle in which the digest is copied), and N blocks, from the first beat in to the last beat
// out, W + B N + B + 1 + W, where W = 256 / DATA_BITS, if B is no less than W. Resets: control and
// state.

`default_nettype none

module luffa #(
    // Bits of a beat: 32, 64, 128.
    parameter DATA_BITS = 64,
    // Steps a cycle: 1, 2, 4, 8; mapping four takes long.
    parameter STEPS     = 1
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
    if (STEPS != 1 && STEPS != 2 && STEPS != 4 && STEPS != 8) begin : g_steps
      ERROR_steps_must_be_1_2_4_8 u_error ();
    end
  endgenerate

  // The first of the steps of a block's last cycle, and how far it is to those of the next one.
  localparam [3:0] LAST = 4'd8 - STEPS[3:0];
  localparam [3:0] FURTHER = STEPS[3:0];

  // Of the three blocks of the state, the last first, and in each word 7 first.
  localparam [767:0] INITIAL = {
    256'h8b264ae7_24aa230a_666d1836_0306194f_ad659c05_04016ce5_5dba5781_f7efc89d,
    256'h746cd581_cf1ccf0e_8fc944b3_5d9b0557_de099fa3_70eee9a0_d9d2f256_c3b44b95,
    256'hdef610bb_ee058139_90152df4_6e292011_dbf78465_4eaa6fb4_44b051e0_6d251e69
  };

  // What is done when the steps of a block are over.
  localparam [1:0] ST_BLOCK  = 2'd0;  // the next block, or the first of the next message
  localparam [1:0] ST_BLANK  = 2'd1;  // a block of zeros
  localparam [1:0] ST_DIGEST = 2'd2;  // the digest

  wire [255:0] block;
  wire         block_final;
  wire         block_full;
  wire         block_blank;
  wire [60:0]  block_bytes;
  wire         unused = &{1'b0, block_blank, block_bytes};
  wire         digest_free;
  wire [255:0] message;  // eight words
  wire [255:0] digest;
  wire [STEPS*192-1:0] constants;
  wire [767:0] injected;
  wire [STEPS*768-1:0] stepped;  // after each step of a cycle

  reg  [1:0]   phase_q;
  reg          steps_q;  // the permutations run
  reg  [2:0]   step_q;
  reg  [767:0] state_q;

  wire [255:0] total = state_q[255:0] ^ state_q[511:256] ^ state_q[767:512];

  wire take = !steps_q && phase_q == ST_BLOCK && block_full;
  wire blank = !steps_q && phase_q == ST_BLANK;
  wire give = !steps_q && phase_q == ST_DIGEST && digest_free;

  always @(posedge clk) begin
    if (rst) begin
      phase_q <= ST_BLOCK;
      steps_q <= 1'b0;
      step_q  <= 3'd0;
    end else if (steps_q) begin
      step_q  <= step_q + FURTHER[2:0];
      steps_q <= step_q != LAST[2:0];
    end else begin
      steps_q <= take || blank;
      if (take) phase_q <= block_final ? ST_BLANK : ST_BLOCK;
      if (blank) phase_q <= ST_DIGEST;
      if (give) phase_q <= ST_BLOCK;
    end
  end

  always @(posedge clk) begin
    if (rst || give) state_q <= INITIAL;
    else if (steps_q) state_q <= stepped[768*(STEPS-1) +: 768];
    else if (take || blank) state_q <= injected;
  end

  luffa_constants u_constants (
      .step_i     (step_q),
      .constants_o(constants[191:0])
  );

  genvar i;
  genvar s;
  generate
    for (s = 1; s < STEPS; s = s + 1) begin : g_constants
      localparam [2:0] NUMBER = s;
      luffa_constants u_constants (
          .step_i     (step_q | NUMBER),
          .constants_o(constants[192*s +: 192])
      );
    end

    // Words of the function have their highest byte first.
    for (i = 0; i < 32; i = i + 1) begin : g_byte
      assign message[8*i +: 8] = (phase_q == ST_BLOCK) ? block[8*(i^3) +: 8] : 8'd0;
      assign digest[8*i +: 8] = total[8*(i^3) +: 8];
    end

    for (i = 0; i < 3; i = i + 1) begin : g_block
      luffa_inject #(
          .NUMBER(i)
      ) u_inject (
          .block_i  (state_q[256*i +: 256]),
          .total_i  (total),
          .message_i(message),
          .block_o  (injected[256*i +: 256])
      );

      luffa_step u_step (
          .block_i    (state_q[256*i +: 256]),
          .constant0_i(constants[64*i +: 32]),
          .constant4_i(constants[64*i+32 +: 32]),
          .block_o    (stepped[256*i +: 256])
      );

      for (s = 1; s < STEPS; s = s + 1) begin : g_further
        luffa_step u_step (
            .block_i    (stepped[768*(s-1)+256*i +: 256]),
            .constant0_i(constants[192*s+64*i +: 32]),
            .constant4_i(constants[192*s+64*i+32 +: 32]),
            .block_o    (stepped[768*s+256*i +: 256])
        );
      end
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
