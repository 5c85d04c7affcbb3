// SPDX-License-Identifier: Apache-2.0
//
// A round of BLAKE3 (2.2): G on the columns of the state, then on its diagonals. Combinational.

`default_nettype none

module blake3_round (
    input  wire [511:0] state_i,
    input  wire [511:0] block_i,
    output wire [511:0] state_o
);

  wire [511:0] columns;

  genvar i;
  generate
    for (i = 0; i < 4; i = i + 1) begin : g_column
      blake3_g u_g (
          .a_i(state_i[32*i +: 32]),
          .b_i(state_i[32*(4+i) +: 32]),
          .c_i(state_i[32*(8+i) +: 32]),
          .d_i(state_i[32*(12+i) +: 32]),
          .x_i(block_i[64*i +: 32]),
          .y_i(block_i[64*i+32 +: 32]),
          .a_o(columns[32*i +: 32]),
          .b_o(columns[32*(4+i) +: 32]),
          .c_o(columns[32*(8+i) +: 32]),
          .d_o(columns[32*(12+i) +: 32])
      );
    end

    for (i = 0; i < 4; i = i + 1) begin : g_diagonal
      localparam B = 4 + (i + 1) % 4;
      localparam C = 8 + (i + 2) % 4;
      localparam D = 12 + (i + 3) % 4;

      blake3_g u_g (
          .a_i(columns[32*i +: 32]),
          .b_i(columns[32*B +: 32]),
          .c_i(columns[32*C +: 32]),
          .d_i(columns[32*D +: 32]),
          .x_i(block_i[256+64*i +: 32]),
          .y_i(block_i[256+64*i+32 +: 32]),
          .a_o(state_o[32*i +: 32]),
          .b_o(state_o[32*B +: 32]),
          .c_o(state_o[32*C +: 32]),
          .d_o(state_o[32*D +: 32])
      );
    end
  endgenerate

endmodule

`default_nettype wire
