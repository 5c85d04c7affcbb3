// SPDX-License-Identifier: Apache-2.0
//
// JH-256 of round 2 of the SHA-3 contest ("The Hash Function JH") of messages of whole bytes, from
// stream to stream, padding included: half a round a cycle.
//
// P_d sends half of what is made of each half of the state to the first half, and half to the
// second one. So the state moves on by a half a cycle, and what is made of its first half goes
// where the second half was; only in the second cycle of a round do two quarters change places.
// The constants of the rounds are made in the same way. In the layer of S-boxes behind the last
// round no elements change places, and the block that ends is added, and the one that begins; these
// come and go by halves, too, every other word.
//
// Before a message the state is one that the last layer, with the constant of round 0, makes the
// initial value of: then the first block comes in like all others.
//
// Interface: docs/cores.md, with beats of 8 bytes. The next block comes in while one is worked on,
// the next message while a digest goes out. Cycles, for a source that always offers and a sink that
// always takes: 72 for a block of 64 bytes, three more for a message; a message of n blocks,
// padding included, 15 + 72 n from its first beat to the last beat of its digest, seven fewer of
// one block.
// Resets: control, the state and the constants.

`default_nettype none

module jh_halves (
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

  localparam [5:0] LAST = 6'd35;  // the layer of S-boxes
  // The fraction of the square root of 2: the constant of round 0, in elements.
  localparam [255:0] FIRST_CONSTANT =
    256'ha2237660b095f2ad99057721571ceda3e3d759ae6631bf2b809ccb3f766e90a6;
  localparam [1023:0] BEFORE_IV = {
    256'h5d2b21b8c5a32e859af7df41a037a9d434bd2d0ea347671d678a43251d660152,
    256'hb52f039fe6748f951fa8b3a216e875887b3f7d04b0b7e980fa8ff2dab00043dc,
    256'hd6314c5e81f311bd8f7188414d62cf9af5beaa2588e9d8880836cc65d41b6c21,
    256'hedcd6176c68c541ee28619dd8370663ef496909f804f379af4d466a4855bf1a0
  };

  wire [511:0] block;
  wire         block_final;
  wire         unused_blank;
  wire [60:0]  block_bytes;
  wire         block_full;
  wire [255:0] digest;
  wire         digest_free;

  // ---- control --------------------------------------------------------------------------------

  reg  [5:0] round_q;
  reg        last_q;   // round_q is LAST
  reg        odd_q;    // the second half of the round
  reg        final_q;  // what is compressed is the last block
  reg        give_q;   // the state is the last chain value

  wire waits = last_q && !odd_q && !final_q && !block_full;
  wire runs = !waits && !give_q;
  wire ends = last_q && odd_q;
  wire take = ends && !final_q;
  wire give = give_q && digest_free;
  wire [5:0] round_d = take ? 6'd0 : (odd_q && !last_q) ? round_q + 6'd1 : round_q;

  always @(posedge clk) begin
    if (rst) begin
      round_q <= LAST;
      last_q  <= 1'b1;
      odd_q   <= 1'b0;
      final_q <= 1'b0;
      give_q  <= 1'b0;
    end else begin
      round_q <= round_d;
      last_q  <= round_d == LAST;
      odd_q   <= runs && !odd_q;
      final_q <= take ? block_final : final_q && !give;
      give_q  <= (ends && final_q) || (give_q && !digest_free);
    end
  end

  // ---- the constants of the rounds ------------------------------------------------------------

  reg  [255:0] constant_q;  // bit i in place i of element i / 4, the first bit highest
  wire [127:0] constant_out;
  wire [127:0] unused_constant;
  wire [127:0] constant;  // of the half, bit i of the document in place i

  jh_layers #(
      .ELEMENTS(32)
  ) u_constant (
      .state_i      (constant_q[127:0]),
      .constant_i   (32'd0),
      .substituted_o(unused_constant),
      .state_o      (constant_out)
  );

  always @(posedge clk) begin
    if (rst || ends || give) constant_q <= FIRST_CONSTANT;
    else if (runs && !odd_q) constant_q <= {constant_out, constant_q[255:128]};
    else if (runs) begin
      constant_q <= {constant_out[127:64], constant_q[255:192],
                     constant_out[63:0], constant_q[191:128]};
    end
  end

  // ---- the block ------------------------------------------------------------------------------

  // Every other word, byte 0 lowest: of the block that begins, and of the one that ends, the half
  // that comes next in front. The length is behind the last block.
  wire [63:0]  bits = {block_bytes, 3'd0};
  wire [255:0] half;
  reg  [511:0] m_q;

  always @(posedge clk) begin
    if (rst || give) m_q <= 512'd0;
    else if (last_q && runs) m_q <= {half, m_q[511:256]};
  end

  // ---- the state ------------------------------------------------------------------------------

  reg  [1023:0] state_q;  // element i in bits 4 i to 4 i + 3, its first bit highest
  wire [511:0]  substituted;
  wire [511:0]  out;
  wire [511:0]  added;  // in elements
  wire [511:0]  made = last_q ? substituted ^ added : out;

  jh_layers #(
      .ELEMENTS(128)
  ) u_round (
      .state_i      (state_q[511:0]),
      .constant_i   (constant),
      .substituted_o(substituted),
      .state_o      (out)
  );

  always @(posedge clk) begin
    if (rst || give) state_q <= BEFORE_IV;
    else if (runs && (last_q || !odd_q)) state_q <= {made, state_q[1023:512]};
    else if (runs) begin
      state_q <= {made[511:256], state_q[1023:768], made[255:0], state_q[767:512]};
    end
  end

  genvar i;
  generate
    for (i = 0; i < 128; i = i + 1) begin : g_constant
      assign constant[i] = constant_q[4 * (i / 4) + 3 - i % 4];
    end

    for (i = 0; i < 4; i = i + 1) begin : g_word
      wire [63:0] first = block[128*i +: 64];
      wire [63:0] second = block[128*i+64 +: 64];

      if (i < 3) begin : g_plain
        assign half[64*i +: 64] = odd_q ? second : first;
      end else begin : g_length
        wire [63:0] length = {bits[7:0], bits[15:8], bits[23:16], bits[31:24],
                              bits[39:32], bits[47:40], bits[55:48], bits[63:56]};

        assign half[64*i +: 64] = odd_q ? second | (block_final ? length : 64'd0) : first;
      end
    end

    // Grouping: element 2 i has bits i, i + 256, i + 512 and i + 768 of the document's state,
    // element 2 i + 1 those 128 behind them. Of a byte the first bit is the highest.
    for (i = 0; i < 64; i = i + 1) begin : g_group
      localparam AT = 8 * (i / 8) + 7 - i % 8;
      assign added[8*i +: 4] = {half[AT], half[AT+128], m_q[AT], m_q[AT+128]};
      assign added[8*i+4 +: 4] = {half[AT+64], half[AT+192], m_q[AT+64], m_q[AT+192]};
    end

    for (i = 0; i < 128; i = i + 1) begin : g_digest
      localparam AT = 8 * (i / 8) + 7 - i % 8;
      assign digest[AT] = state_q[8*i];
      assign digest[AT+128] = state_q[8*i+4];
    end
  endgenerate

  // Behind the message: a one, zeros, and at the end of a block the length in 128 bits. The padding
  // has at least 64 bytes, so the last block begins with the mark or is behind it.
  message_head #(
      .DATA_BITS  (64),
      .BLOCK_BYTES(64),
      .MARK       (8'h80),
      .TAIL_BYTES (63)
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
      .blank_o      (unused_blank),
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
