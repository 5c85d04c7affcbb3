// SPDX-License-Identifier: Apache-2.0
//
// ECHO-256 ("SHA-3 Proposal: ECHO", 1.5, 2009) of messages of whole bytes, without salt, from
// stream to stream, padding included: a round in three cycles, two of AES on all words at once, and
// one of BIG.ShiftRows and BIG.MixColumns.
//
// Interface: docs/cores.md. The next block comes in while one is worked on, and a digest goes out
// meanwhile. A block takes 25 cycles, a message one more, and N blocks, from the first beat in to
// the last beat out, W + 25 N + 1 + V, where V = 256 / DATA_BITS and W beats are of the first.
// Resets: control and the chaining variable.

`default_nettype none

module echo #(
    // Bits of a beat: 64, 128.
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

  // Four words that hold the bits of the digest.
  localparam [511:0] INITIAL = {4{128'd256}};

  // Of a round; the keys of the first are counters, the salt of the second is zero.
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
  wire [2047:0] substituted;
  wire [2047:0] mixed;
  wire [511:0]  chained;

  reg  [1:0]    phase_q;
  reg  [2:0]    round_q;
  reg           final_q;    // the block is the last one
  reg           giving_q;   // the chaining variable is a digest
  reg  [63:0]   counter_q;  // key of word 0
  reg  [2047:0] state_q;
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
    else if (ends) chain_q <= chained;
  end

  integer j;
  always @(posedge clk) begin
    if (take) begin
      counter_q <= block_blank ? 64'd0 : bits;
      state_q   <= {padded, chain_q};
      sum_q     <= chain_q ^ padded[511:0] ^ padded[1023:512] ^ padded[1535:1024];
    end else if (phase_q == ST_MIX) begin
      counter_q <= counter_q + 64'd16;
      state_q   <= mixed;
    end else if (phase_q != ST_REST) begin
      for (j = 0; j < 16; j = j + 1) begin
        state_q[128*j +: 128] <= substituted[128*j +: 128] ^
            {64'd0, (phase_q == ST_FIRST) ? counter_q + {32'd0, j} : 64'd0};
      end
    end
  end

  assign chained = sum_q ^ mixed[511:0] ^ mixed[1023:512] ^ mixed[1535:1024] ^ mixed[2047:1536];

  genvar i;
  generate
    for (i = 0; i < 16; i = i + 1) begin : g_word
      aes_round u_round (
          .word_i(state_q[128*i +: 128]),
          .word_o(substituted[128*i +: 128])
      );
    end

    for (i = 0; i < 4; i = i + 1) begin : g_column
      // BIG.ShiftRows: row r of a column comes from r columns further on.
      aes_mix #(
          .BITS(128)
      ) u_mix (
          .rows_i({state_q[128*((4*i+15)%16) +: 128], state_q[128*((4*i+10)%16) +: 128],
                   state_q[128*((4*i+5)%16) +: 128], state_q[128*(4*i) +: 128]}),
          .rows_o(mixed[512*i +: 512])
      );
    end
  endgenerate

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
