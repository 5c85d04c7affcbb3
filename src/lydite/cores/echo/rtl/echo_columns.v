// SPDX-License-Identifier: Apache-2.0
//
// ECHO-256 ("SHA-3 Proposal: ECHO", 1.5, 2009) of messages of whole bytes, without salt, from
// stream to stream, padding included: four words a cycle, a column of the state. A round is four
// columns behind each other, and two cycles until the last one is back: six cycles.
//
// A column goes through BIG.ShiftRows and BIG.MixColumns, of the round before, then through two
// rounds of AES, each behind a register that is in the S-boxes, 64 block RAMs in all (MEMORY), and
// back into the state: four memories, one a row, so that BIG.ShiftRows is their addresses. They
// hold the state of the round before, too, since its first column is read last.
//
// Interface: docs/cores.md. The next block comes in while one is worked on, and a digest goes out
// meanwhile. A block takes 52 cycles, a message one more, and N blocks, from the first beat in to
// the last beat out, W + 52 N + 1 + V, where V = 256 / DATA_BITS and W beats are of the first.
// Resets: control and the chaining variable.

`default_nettype none

module echo_columns #(
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

  localparam [2:0] LAST_STEP = 3'd5;  // of a round; columns go in in the first four
  localparam [3:0] FEED  = 4'd0;      // the round whose columns are chaining variable and block
  localparam [3:0] FINAL = 4'd8;      // no round: its columns are added up (BIG.Final)

  wire [1535:0] block;
  wire [1535:0] padded;
  wire          block_final;
  wire          block_blank;
  wire [60:0]   block_bytes;
  wire          block_full;
  wire          digest_free;
  wire [511:0]  loaded;   // column of the block
  wire [511:0]  turned;   // column of the state, behind BIG.ShiftRows
  wire [511:0]  mixed;
  wire [511:0]  entered;  // what goes into the first S-boxes
  wire [511:0]  first;    // a cycle later, behind a round of AES
  wire [511:0]  keyed;
  wire [511:0]  second;   // and behind another one

  reg  [3:0]    round_q;
  reg  [2:0]    step_q;
  reg           final_q;        // the block is the last one
  reg           giving_q;       // the chaining variable is a digest
  reg  [63:0]   key_q;          // of the column behind the first S-boxes: its word 0
  reg  [1:0]    store_q;        // columns behind the first and the second S-boxes come back
  reg  [2:0]    place_q [0:1];  // where they go: column, and in front the round's lowest bit
  reg  [511:0]  chain_q;        // with the words of the block from FEED on

  wire [1:0]  column = step_q[1:0];
  wire        feeds = round_q == FEED;
  wire        begins = feeds && step_q == 3'd0;
  wire        waits = begins && (giving_q || !block_full);
  wire        take = feeds && step_q == 3'd3;
  wire        folds = round_q == FINAL;
  wire        ends = folds && column == 2'd3;
  wire        give = giving_q && digest_free;
  wire [63:0] bits = {block_bytes, 3'd0};

  // Size of the digest and length of the message (3.2).
  assign padded = block | {block_final ? {64'd0, bits, 16'd256} : 144'd0, 1392'd0};

  always @(posedge clk) begin
    if (rst) begin
      round_q  <= FEED;
      step_q   <= 3'd0;
      final_q  <= 1'b0;
      giving_q <= 1'b0;
      store_q  <= 2'b00;
    end else begin
      if (ends) begin
        round_q <= FEED;
        step_q  <= 3'd0;
      end else if (step_q == LAST_STEP) begin
        round_q <= round_q + 4'd1;
        step_q  <= 3'd0;
      end else if (!waits) begin
        step_q <= step_q + 3'd1;
      end
      if (take) final_q <= block_final;
      giving_q <= ends ? final_q : giving_q && !give;
      store_q  <= {store_q[0], !folds && !waits && !step_q[2]};
    end
  end

  always @(posedge clk) begin
    place_q[0] <= {round_q[0], column};
    place_q[1] <= place_q[0];
    // A counter a word, in order, of which the lowest two bits are the row.
    if (begins) key_q <= block_blank ? 64'd0 : bits;
    else if (!step_q[2]) key_q <= key_q + 64'd4;
  end

  always @(posedge clk) begin
    if (rst || give) chain_q <= INITIAL;
    else if (feeds && !begins && !step_q[2]) chain_q <= chain_q ^ loaded;
    else if (folds) chain_q <= chain_q ^ mixed;
  end

  assign loaded = column == 2'd1 ? padded[511:0] : column == 2'd2 ? padded[1023:512] :
      padded[1535:1024];
  assign entered = begins ? chain_q : feeds ? loaded : mixed;

  genvar i;
  generate
    for (i = 0; i < 4; i = i + 1) begin : g_row
      localparam [1:0] ROW = i;

      reg  [127:0] row_q [0:7];
      // Row r of a column comes from r columns further on.
      wire [1:0]   from = column + ROW;

      assign turned[128*i +: 128] = row_q[{!round_q[0], from}];
      assign keyed[128*i +: 128] = first[128*i +: 128] ^ {64'd0, key_q[63:2], ROW};

      always @(posedge clk) begin
        if (store_q[1]) row_q[place_q[1]] <= second[128*i +: 128];
      end
    end
  endgenerate

  aes_mix #(
      .BITS(128)
  ) u_mix (
      .rows_i(turned),
      .rows_o(mixed)
  );

  echo_round #(
      .MEMORY(MEMORY)
  ) u_first (
      .clk    (clk),
      .words_i(entered),
      .words_o(first)
  );

  // The key of the second round, the salt, is zero.
  echo_round #(
      .MEMORY(MEMORY)
  ) u_second (
      .clk    (clk),
      .words_i(keyed),
      .words_o(second)
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
