// SPDX-License-Identifier: Apache-2.0
//
// The compression of BLAKE3 (2.2), one a cycle, 29 cycles each: the addition of the first words of
// the block, then two stages for each of 14 half rounds. No stage has more than two additions one
// behind the other.
//
// low_o is the chaining value. high_o is words 8 to 15 of the state: with the chaining value that
// went in they are the other half of a block of output.
//
// Words of the block wait in registers until their last round. In LUT RAM, six LUTs for 64 bits,
// what waits for four cycles between two rounds would take 4,600 LUTs, and LUTs are what is short.

`default_nettype none

module blake3_pipe #(
    // As of xor_add.
    parameter CELLS = 0
) (
    input  wire         clk,
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
  localparam HALVES = 14;
  // The words of the block that each round takes, of round 0 lowest, word 0 lowest: table 2 again
  // and again.
  localparam [7*64-1:0] PLACES = {
      64'hd743c2ae689105fb,
      64'h7462a03d1fc85be9,
      64'h461035278eafb9dc,
      64'h61852b04fd3e9c7a,
      64'h18fb0956e72dca43,
      64'h8fe95cb1d407a362,
      64'hfedcba9876543210
  };

  // Words of the state before each half round; a has the first word of the block.
  reg  [511:0] state_q [0:HALVES-1];
  // The block beside it, and beside the register within each half round.
  reg  [511:0] block_q [0:2*HALVES-1];
  wire [511:0] state [0:HALVES-1];
  reg  [255:0] low_q;
  reg  [255:0] high_q;

  genvar h;
  genvar i;
  generate
    for (i = 0; i < 4; i = i + 1) begin : g_begin
      always @(posedge clk) begin
        state_q[0][32*i +: 32] <= chaining_i[32*i +: 32] + block_i[64*i +: 32];
      end
    end

    for (h = 0; h < HALVES; h = h + 1) begin : g_half
      // Diagonals in odd halves: rows b, c and d begin one, two and three words later.
      localparam TURN = h % 2;

      for (i = 0; i < 4; i = i + 1) begin : g_g
        localparam B = 4 + (i + TURN) % 4;
        localparam C = 8 + (i + 2 * TURN) % 4;
        localparam D = 12 + (i + 3 * TURN) % 4;
        localparam Y = PLACES[64*(h/2) + 32*TURN + 8*i + 4 +: 4];

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

        if (h < HALVES - 1) begin : g_next
          localparam X = PLACES[64*((h+1)/2) + 32*((h+1)%2) + 8*i +: 4];
          always @(posedge clk) begin
            state_q[h+1][32*i +: 32] <= state[h][32*i +: 32] + block_q[2*h+1][32*X +: 32];
          end
        end
      end

      if (h < HALVES - 1) begin : g_rows
        always @(posedge clk) state_q[h+1][511:128] <= state[h][511:128];
      end
    end

    for (i = 1; i < 2 * HALVES; i = i + 1) begin : g_block
      always @(posedge clk) block_q[i] <= block_q[i-1];
    end
  endgenerate

  always @(posedge clk) begin
    state_q[0][511:128] <= {25'd0, flags_i, 25'd0, bytes_i, counter_i, IV, chaining_i[255:128]};
    block_q[0]          <= block_i;
    low_q               <= state[HALVES-1][255:0] ^ state[HALVES-1][511:256];
    high_q              <= state[HALVES-1][511:256];
  end

  assign low_o  = low_q;
  assign high_o = high_q;

endmodule

`default_nettype wire
