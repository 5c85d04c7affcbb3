// SPDX-License-Identifier: Apache-2.0
//
// The compression function of JH-256 ("The Hash Function JH"), ROUNDS_PER_CYCLE rounds a cycle: 42
// rounds in round 3 of the contest; in round 2 35, and a layer of S-boxes in the place of a 36th.
// Behind the last one the block that ends is added, and before the first round the one that begins.
// They meet in different halves of the state.
//
// The state is kept in elements, so that grouping is wiring, and both blocks are where they are
// added. Before a message the state is one that the last cycle makes the initial value of: then the
// first block comes in like all others. There the core waits, if it has to, for a block or for room
// for a digest. The constants of the rounds are made as they are needed, by rounds of a quarter of
// the width.
//
// Interface: the block_* of message_head, and digest_out; a block takes 36 / ROUNDS_PER_CYCLE
// cycles, or 42 / ROUNDS_PER_CYCLE. Resets: control; the state is set in the cycle after it.

`default_nettype none

module jh_core #(
    // Of a block: 35 and a layer (round 2 of the contest), 42 (round 3).
    parameter ROUNDS           = 35,
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
    if (ROUNDS != 35 && ROUNDS != 42) begin : g_rounds
      ERROR_rounds_must_be_35_or_42 u_error ();
    end
    if (ROUNDS_PER_CYCLE != 1 && ROUNDS_PER_CYCLE != 2) begin : g_rounds_per_cycle
      ERROR_rounds_per_cycle_must_be_1_or_2 u_error ();
    end
  endgenerate

  localparam ROUND2 = (ROUNDS == 35);
  localparam CYCLES = (ROUND2 ? 36 : 42) / ROUNDS_PER_CYCLE;
  localparam [5:0] LAST = CYCLES[5:0] - 6'd1;
  // The fraction of the square root of 2: the constant of round 0, in elements.
  localparam [255:0] FIRST_CONSTANT =
    256'ha2237660b095f2ad99057721571ceda3e3d759ae6631bf2b809ccb3f766e90a6;
  // What the last cycle, with constants from that of round 0 on, makes the initial value of JH-256
  // of: in round 2 of the contest a layer of S-boxes, or a round and then the layer, in round 3 a
  // round, or two.
  localparam [1023:0] BEFORE_IV = (ROUND2 && ROUNDS_PER_CYCLE == 1) ? {
    256'h5d2b21b8c5a32e859af7df41a037a9d434bd2d0ea347671d678a43251d660152,
    256'hb52f039fe6748f951fa8b3a216e875887b3f7d04b0b7e980fa8ff2dab00043dc,
    256'hd6314c5e81f311bd8f7188414d62cf9af5beaa2588e9d8880836cc65d41b6c21,
    256'hedcd6176c68c541ee28619dd8370663ef496909f804f379af4d466a4855bf1a0
  } : ROUND2 ? {
    256'h4a0b6dedd7cb6959b2c9d19291c131bc1928b08f483e3c40ce3d6fa6e90f3aef,
    256'hc35ba55d5662e398e32908e7e7f22cf5eca2f1335a0d5acadb10294c73b0be6f,
    256'h5f078460218363c844242c694bea1cb83961a42932b796233c42bf3f733b0a10,
    256'hb2030e6131ee4a9945db9edd2ce955d8b1e065a9e580b239693af54d3cff7577
  } : (ROUNDS_PER_CYCLE == 1) ? {
    256'h0328ae431626ef0cccba183d6590a421a5d61f78f627fd3ef8eeb0de3faff8a3,
    256'h63cf1208cb54cfb063108bfb4703337426bec8d353f16e1aa7554c0179408ec6,
    256'ha3d375f0d7e98e26576dcb94bc15b2d6a8b302197163fb4bffb9ba754911c2fc,
    256'hac6a563d3de435677014adf1bd974b8be3f55eacc379ecbce98cca84e8a05bb9
  } : {
    256'h50f3d25cca14ae07a8cd9cc461ca8e11b7909b601f14425ad72a9a730614c671,
    256'h623494c47f856a66126f315b3c6bdc694d18ecbd2aed473395f9d57a9062cc68,
    256'h494838f858e151f2d4dfc39e1f3d1b89ea3534cca479540964b6a30f5b32fa96,
    256'h93065831cdb4736b208f9699ea350bb7084fd89c6ec622c86c32e87be3449bcc
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
  wire [1023:0] ended = ROUND2 ? layer[ROUNDS_PER_CYCLE-1] : state[ROUNDS_PER_CYCLE];
  wire [1023:0] added;  // behind the last round, in elements
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
      assign out[255-i] = ended[EVEN] ^ m_q[255-i];
      assign out[127-i] = ended[ODD] ^ m_q[127-i];
    end
    for (i = 0; i < 32; i = i + 1) begin : g_digest
      assign digest_o[8*i +: 8] = out[248-8*i +: 8];
    end
  endgenerate

  always @(posedge clk) begin
    if (clear) state_q <= BEFORE_IV;
    else if (take) state_q <= ended ^ added;
    else if (!last_q) state_q <= state[ROUNDS_PER_CYCLE];
  end

  always @(posedge clk) begin
    if (clear) m_q <= 512'd0;
    else if (take) m_q <= m;
  end

endmodule

`default_nettype wire
