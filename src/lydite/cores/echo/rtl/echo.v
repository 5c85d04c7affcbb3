// SPDX-License-Identifier: Apache-2.0
//
// ECHO-256 ("SHA-3 Proposal: ECHO", 1.5, 2009) of messages of whole bytes, without salt, from
// stream to stream, padding included: a round in three cycles, two of AES on all words at once, and
// one of BIG.ShiftRows and BIG.MixColumns.
//
// The state has no register of its own: it is in those of the S-boxes, which are 128 block RAMs
// (MEMORY), and behind the second round of AES in mix_q.
//
// Interface: docs/cores.md. The next block comes in while one is worked on, and a digest goes out
// meanwhile. A block takes 25 cycles, a message one more, and N blocks, from the first beat in to
// the last beat out, W + 25 N + 1 + V, where V = 256 / DATA_BITS and W beats are of the first.
// Resets: control and the chaining variable.

`default_nettype none

module echo #(
    // Bits of a beat: 64, 128.
    parameter DATA_BITS = 64,
    // S-boxes. 1: in block RAM; 0: in logic.
    parameter MEMORY    = 1
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

  // Four words that hold the bits of the digest.
  localparam [511:0] INITIAL = {4{128'd256}};

  // Of a round: MixColumns and the keys of the first round of AES, which are counters; MixColumns
  // of the second, whose key, the salt, is zero; BIG.MixColumns.
  localparam [1:0] ST_FIRST  = 2'd0;
  localparam [1:0] ST_SECOND = 2'd1;
  localparam [1:0] ST_MIX    = 2'd2;
  localparam [1:0] ST_REST   = 2'd3;  // no block

  wire [1535:0] block;
  wire [1535:0] padded;
  wire          block_final;
  wire          block_blank;
  wire [60:0]   block_bytes;
  wire          block_full;
  wire          digest_free;
  wire [2047:0] loaded = {padded, chain_q};
  wire [2047:0] entered;  // what goes into the S-boxes
  wire [2047:0] rounded;  // what was there a cycle before, behind them and MixColumns
  wire [2047:0] turned;   // words of mix_q behind BIG.ShiftRows
  wire [2047:0] mixed;
  wire [511:0]  folded;

  reg  [1:0]    phase_q;
  reg  [2:0]    round_q;
  reg           final_q;    // the block is the last one
  reg           giving_q;   // the chaining variable is a digest
  reg  [63:0]   counter_q;  // key of word 0
  reg  [2047:0] mix_q;      // 0 but in ST_MIX
  reg  [511:0]  sum_q;      // of the chaining variable and the block, for BIG.Final
  reg  [511:0]  chain_q;

  wire take = phase_q == ST_REST && !giving_q && block_full;
  wire give = giving_q && digest_free;
  wire ends = phase_q == ST_MIX && round_q == 3'd7;
  wire [63:0] bits = {block_bytes, 3'd0};

  // Size of the digest and length of the message (3.2).
  assign padded = block | {block_final ? {64'd0, bits, 16'd256} : 144'd0, 1392'd0};

  always @(posedge clk) begin
    if (rst) begin
      phase_q  <= ST_REST;
      round_q  <= 3'd0;
      final_q  <= 1'b0;
      giving_q <= 1'b0;
    end else begin
      case (phase_q)
        ST_FIRST: phase_q <= ST_SECOND;
        ST_SECOND: phase_q <= ST_MIX;
        ST_MIX: begin
          phase_q <= ends ? ST_REST : ST_FIRST;
          round_q <= round_q + 3'd1;
        end
        default: if (take) phase_q <= ST_FIRST;
      endcase
      if (take) final_q <= block_final;
      giving_q <= ends ? final_q : giving_q && !give;
    end
  end

  always @(posedge clk) begin
    if (rst || give) chain_q <= INITIAL;
    else if (ends) chain_q <= sum_q ^ folded;
  end

  always @(posedge clk) begin
    if (take) begin
      counter_q <= block_blank ? 64'd0 : bits;
      sum_q     <= chain_q ^ padded[511:0] ^ padded[1023:512] ^ padded[1535:1024];
    end else if (phase_q == ST_MIX) begin
      counter_q <= counter_q + 64'd16;
    end
  end

  always @(posedge clk) begin
    if (phase_q != ST_SECOND) mix_q <= 2048'd0;
    else mix_q <= rounded;
  end

  genvar i;
  generate
    for (i = 0; i < 16; i = i + 1) begin : g_word
      wire [127:0] key = {64'd0, counter_q + i};

      assign entered[128*i +: 128] = mixed[128*i +: 128] ^
          ((rounded[128*i +: 128] ^ key) & {128{phase_q == ST_FIRST}}) ^
          (loaded[128*i +: 128] & {128{phase_q == ST_REST}});

      // BIG.ShiftRows: row r of a column comes from r columns further on.
      assign turned[128*i +: 128] = mix_q[128*((4*(i/4+i%4)+i%4)%16) +: 128];
    end

    for (i = 0; i < 4; i = i + 1) begin : g_words
      echo_round #(
          .MEMORY(MEMORY)
      ) u_round (
          .clk    (clk),
          .words_i(entered[512*i +: 512]),
          .words_o(rounded[512*i +: 512])
      );
    end

    for (i = 0; i < 4; i = i + 1) begin : g_big_column
      aes_mix #(
          .BITS(128)
      ) u_mix (
          .rows_i(turned[512*i +: 512]),
          .rows_o(mixed[512*i +: 512])
      );
    end
  endgenerate

  // BIG.Final: mixing is linear, so that the columns are added up in front of it.
  aes_mix #(
      .BITS(128)
  ) u_final (
      .rows_i(turned[511:0] ^ turned[1023:512] ^ turned[1535:1024] ^ turned[2047:1536]),
      .rows_o(folded)
  );

  message_head #(
      .DATA_BITS  (DATA_BITS),
      .BLOCK_BYTES(192),
      .TAIL_BYTES (18)
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
      .digest_i     (chain_q[255:0]),
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
