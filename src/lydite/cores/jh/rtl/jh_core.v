// SPDX-License-Identifier: Apache-2.0
//
// The compression function of JH-256 ("The Hash Function JH", round 2), ROUNDS_PER_CYCLE rounds a
// cycle: 35 rounds, and a layer of S-boxes in the place of a 36th, behind which the block that ends
// is added, and before the first round the one that begins. They meet in different halves of the
// state.
//
// The state is kept in elements, so that grouping is wiring, and both blocks are where they are
// added. Before a message the state is one that the last cycle makes the initial value of: then the
// first block comes in like all others. There the core waits, if it has to, for a block or for room
// for a digest. The constants of the rounds are made as they are needed, by rounds of a quarter of
// the width.
//
// Interface: the block_* of message_head, and digest_out; a block takes 36 / ROUNDS_PER_CYCLE
// cycles. Resets: control; the state is set in the cycle after it.

`default_nettype none

module jh_core #(
    // Rounds, one behind the other: 1 or 2. They divide cycles, and the clock's frequency.
    parameter ROUNDS_PER_CYCLE = 1
) (
    input  wire         clk,
    input  wire         rst,
    input  wire [511:0] block_i,  // byte i in bits 8 i to 8 i + 7
    input  wire         final_i,
    input  wire [60:0]  bytes_i,
    input  wire         full_i,
    output wire         take_o,
    output wire [255:0] digest_o,  // byte 0 lowest
    output wire         load_o,
    input  wire         free_i
);

  generate
    if (ROUNDS_PER_CYCLE != 1 && ROUNDS_PER_CYCLE != 2) begin : g_rounds
      ERROR_rounds_per_cycle_must_be_1_or_2 u_error ();
    end
  endgenerate

  localparam CYCLES = 36 / ROUNDS_PER_CYCLE;
  localparam [5:0] LAST = CYCLES[5:0] - 6'd1;
  // The fraction of the square root of 2: the constant of round 0, in elements.
  localparam [255:0] FIRST_CONSTANT =
    256'ha2237660b095f2ad99057721571ceda3e3d759ae6631bf2b809ccb3f766e90a6;
  // What the last cycle, with constants from that of round 0 on, makes the initial value of JH-256
  // of: a layer of S-boxes, or a round and then the layer.
  localparam [1023:0] BEFORE_IV = (ROUNDS_PER_CYCLE == 1) ? {
    256'h5d2b21b8c5a32e859af7df41a037a9d434bd2d0ea347671d678a43251d660152,
    256'hb52f039fe6748f951fa8b3a216e875887b3f7d04b0b7e980fa8ff2dab00043dc,
    256'hd6314c5e81f311bd8f7188414d62cf9af5beaa2588e9d8880836cc65d41b6c21,
    256'hedcd6176c68c541ee28619dd8370663ef496909f804f379af4d466a4855bf1a0
  } : {
    256'h4a0b6dedd7cb6959b2c9d19291c131bc1928b08f483e3c40ce3d6fa6e90f3aef,
    256'hc35ba55d5662e398e32908e7e7f22cf5eca2f1335a0d5acadb10294c73b0be6f,
    256'h5f078460218363c844242c694bea1cb83961a42932b796233c42bf3f733b0a10,
    256'hb2030e6131ee4a9945db9edd2ce955d8b1e065a9e580b239693af54d3cff7577
  };

  // ---- the block ------------------------------------------------------------------------------

  // Bits in the order of the document, the first one highest; the length behind the last block.
  wire [511:0] m;
  wire [63:0]  bits = {bytes_i, 3'd0};
  genvar i;
  generate
    for (i = 0; i < 64; i = i + 1) begin : g_byte
      if (i < 56) begin : g_plain
        assign m[504-8*i +: 8] = block_i[8*i +: 8];
      end else begin : g_length
        assign m[504-8*i +: 8] = block_i[8*i +: 8] | (final_i ? bits[504-8*i +: 8] : 8'd0);
      end
    end
  endgenerate

  // ---- control --------------------------------------------------------------------------------

  reg  [5:0] step_q;  // cycle of the block
  reg        last_q;  // step_q is LAST
  reg        final_q;  // what is compressed is the last block
  reg        open_q;  // the state is set: a message may begin
  reg        clear_q;  // after a reset: it is to be

  wire ends = last_q && !clear_q;
  wire load = ends && final_q && !open_q && free_i;
  wire take = ends && (!final_q || open_q) && full_i;
  wire clear = load || clear_q;
  wire [5:0] step_d = take ? 6'd0 : last_q ? LAST : step_q + 6'd1;

  assign take_o = take;
  assign load_o = load;

  always @(posedge clk) begin
    if (rst) begin
      step_q  <= LAST;
      last_q  <= 1'b1;
      final_q <= 1'b1;
      open_q  <= 1'b0;
      clear_q <= 1'b1;
    end else begin
      step_q  <= step_d;
      last_q  <= step_d == LAST;
      clear_q <= 1'b0;
      if (take) final_q <= final_i;
      open_q  <= !take && (open_q || clear);
    end
  end

  // ---- the constants of the rounds ------------------------------------------------------------

  reg  [255:0] constant_q;  // bit i in place i of element i / 4, the first bit highest
  wire [255:0] constant_d;
  // Of each round of the cycle, and what follows: as in constant_q, and bit i of the document in
  // place i.
  wire [255:0] elements[0:ROUNDS_PER_CYCLE];
  wire [255:0] constant[0:ROUNDS_PER_CYCLE-1];

  genvar r;
  generate
    for (r = 0; r < ROUNDS_PER_CYCLE; r = r + 1) begin : g_constant
      wire [255:0] unused_constant;

      jh_round #(
          .ELEMENTS(64)
      ) u_constant (
          .state_i      (elements[r]),
          .constant_i   (64'd0),
          .substituted_o(unused_constant),
          .state_o      (elements[r+1])
      );

      for (i = 0; i < 256; i = i + 1) begin : g_bit
        assign constant[r][i] = elements[r][4 * (i / 4) + 3 - i % 4];
      end
    end
  endgenerate

  assign elements[0] = constant_q;
  assign constant_d  = elements[ROUNDS_PER_CYCLE];

  always @(posedge clk) begin
    if (take || clear) constant_q <= FIRST_CONSTANT;
    else if (!last_q) constant_q <= constant_d;
  end

  // ---- the state ------------------------------------------------------------------------------

  reg  [1023:0] state_q;  // element i in bits 4 i to 4 i + 3, its first bit highest
  reg  [511:0]  m_q;  // the block that is compressed
  wire [1023:0] state[0:ROUNDS_PER_CYCLE];  // before each round of the cycle, and behind them
  wire [1023:0] layer[0:ROUNDS_PER_CYCLE-1];  // behind the S-boxes of each
  wire [1023:0] substituted = layer[ROUNDS_PER_CYCLE-1];
  wire [1023:0] added;  // behind the last layer, in elements
  wire [255:0]  out;  // the last quarter of the chain value, first bit highest

  assign state[0] = state_q;

  generate
    for (r = 0; r < ROUNDS_PER_CYCLE; r = r + 1) begin : g_round
      jh_round #(
          .ELEMENTS(256)
      ) u_round (
          .state_i      (state[r]),
          .constant_i   (constant[r]),
          .substituted_o(layer[r]),
          .state_o      (state[r+1])
      );
    end
  endgenerate

  // Grouping: element 2 i has bits i, i + 256, i + 512 and i + 768 of the document's state, element
  // 2 i + 1 those 128 behind them.
  generate
    for (i = 0; i < 128; i = i + 1) begin : g_group
      localparam EVEN = 8 * i;
      localparam ODD = 8 * i + 4;
      assign added[EVEN +: 4] = {m[511-i], m[255-i], m_q[511-i], m_q[255-i]};
      assign added[ODD +: 4] = {m[383-i], m[127-i], m_q[383-i], m_q[127-i]};
      assign out[255-i] = substituted[EVEN] ^ m_q[255-i];
      assign out[127-i] = substituted[ODD] ^ m_q[127-i];
    end
    for (i = 0; i < 32; i = i + 1) begin : g_digest
      assign digest_o[8*i +: 8] = out[248-8*i +: 8];
    end
  endgenerate

  always @(posedge clk) begin
    if (clear) state_q <= BEFORE_IV;
    else if (take) state_q <= substituted ^ added;
    else if (!last_q) state_q <= state[ROUNDS_PER_CYCLE];
  end

  always @(posedge clk) begin
    if (clear) m_q <= 512'd0;
    else if (take) m_q <= m;
  end

endmodule

`default_nettype wire
