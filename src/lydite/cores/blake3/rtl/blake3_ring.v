// SPDX-License-Identifier: Apache-2.0
//
// The compression of BLAKE3 (2.2) by a ring of one round, four stages: a block goes round seven
// times, so that up to four are under way, and one may enter in every seventh cycle.
//
// enter_i says that the inputs have one. Its result stands in low_o and high_o, which are those of
// blake3_pipe, from 29 cycles later on until the next one's. The stages are those of blake3_pipe:
// the addition of the first words of the block is before the register, and after a round the words
// are put into the next one's order (table 2). Resets: what is under way.

`default_nettype none

module blake3_ring #(
    // As of xor_add.
    parameter CELLS = 0
) (
    input  wire         clk,
    input  wire         rst,
    input  wire         enter_i,
    input  wire [255:0] chaining_i,
    input  wire [511:0] block_i,
    input  wire [63:0]  counter_i,
    input  wire [6:0]   bytes_i,
    input  wire [6:0]   flags_i,
    output wire [255:0] low_o,
    output wire [255:0] high_o
);

  // 2.2, table 1, words 0 to 3, word 0 lowest.
  localparam [127:0] IV = {32'ha54ff53a, 32'h3c6ef372, 32'hbb67ae85, 32'h6a09e667};
  localparam TURNS = 28;  // stages that a block goes through

  // Before each half round; a has the first word of the block. The block is beside it, and beside
  // the register within each half round.
  reg  [511:0] state_q [0:1];
  reg  [511:0] block_q [0:3];
  wire [511:0] state [0:1];
  wire [511:0] permuted;
  reg  [255:0] low_q;
  reg  [255:0] high_q;
  reg  [TURNS-1:0] inside_q;

  wire [511:0] begun = {25'd0, flags_i, 25'd0, bytes_i, counter_i, IV, chaining_i};
  wire [511:0] first = enter_i ? begun : state[1];
  wire [511:0] words = enter_i ? block_i : permuted;

  blake3_permute u_permute (
      .block_i(block_q[3]),
      .block_o(permuted)
  );

  genvar h;
  genvar i;
  generate
    for (h = 0; h < 2; h = h + 1) begin : g_half
      for (i = 0; i < 4; i = i + 1) begin : g_g
        // Diagonals in the second half: rows b, c and d begin one, two and three words later.
        localparam B = 4 + (i + h) % 4;
        localparam C = 8 + (i + 2 * h) % 4;
        localparam D = 12 + (i + 3 * h) % 4;
        localparam Y = 8 * h + 2 * i + 1;

        wire [31:0] am;
        wire [31:0] b;
        wire [31:0] c;
        wire [31:0] d;
        wire [31:0] da;

        blake3_half_first #(
            .CELLS(CELLS)
        ) u_first (
            .clk (clk),
            .am_i(state_q[h][32*i +: 32]),
            .b_i (state_q[h][32*B +: 32]),
            .c_i (state_q[h][32*C +: 32]),
            .d_i (state_q[h][32*D +: 32]),
            .y_i (block_q[2*h][32*Y +: 32]),
            .am_o(am),
            .b_o (b),
            .c_o (c),
            .d_o (d),
            .da_o(da)
        );

        blake3_half_second #(
            .CELLS(CELLS)
        ) u_second (
            .am_i(am),
            .b_i (b),
            .c_i (c),
            .d_i (d),
            .da_i(da),
            .a_o (state[h][32*i +: 32]),
            .b_o (state[h][32*B +: 32]),
            .c_o (state[h][32*C +: 32]),
            .d_o (state[h][32*D +: 32])
        );
      end
    end

    for (i = 0; i < 4; i = i + 1) begin : g_word
      always @(posedge clk) begin
        state_q[0][32*i +: 32] <= first[32*i +: 32] + words[64*i +: 32];
        state_q[1][32*i +: 32] <= state[0][32*i +: 32] + block_q[1][256+64*i +: 32];
      end
    end

    for (i = 1; i < 4; i = i + 1) begin : g_block
      always @(posedge clk) block_q[i] <= block_q[i-1];
    end
  endgenerate

  always @(posedge clk) begin
    state_q[0][511:128] <= first[511:128];
    state_q[1][511:128] <= state[0][511:128];
    block_q[0]          <= words;
    if (inside_q[TURNS-1]) begin
      low_q  <= state[1][255:0] ^ state[1][511:256];
      high_q <= state[1][511:256];
    end
    inside_q <= rst ? {TURNS{1'b0}} : {inside_q[TURNS-2:0], enter_i};
  end

  assign low_o  = low_q;
  assign high_o = high_q;

endmodule

`default_nettype wire
