// SPDX-License-Identifier: Apache-2.0
//
// f0 of BMW-256 ("Blue Midnight Wish", 2009, table 1.4): the first half of the quadruple pipe of a
// block and the double pipe. Combinational. Word i in bits 32 i to 32 i + 31.

`default_nettype none

module bmw_f0 (
    input  wire [511:0] m_i,
    input  wire [511:0] h_i,
    output wire [511:0] q_o
);

  wire [31:0] x [0:15];
  wire [31:0] w [0:15];

  assign w[0] = x[5] - x[7] + x[10] + x[13] + x[14];
  assign w[1] = x[6] - x[8] + x[11] + x[14] - x[15];
  assign w[2] = x[0] + x[7] + x[9] - x[12] + x[15];
  assign w[3] = x[0] - x[1] + x[8] - x[10] + x[13];
  assign w[4] = x[1] + x[2] + x[9] - x[11] - x[14];
  assign w[5] = x[3] - x[2] + x[10] - x[12] + x[15];
  assign w[6] = x[4] - x[0] - x[3] - x[11] + x[13];
  assign w[7] = x[1] - x[4] - x[5] - x[12] - x[14];
  assign w[8] = x[2] - x[5] - x[6] + x[13] - x[15];
  assign w[9] = x[0] - x[3] + x[6] - x[7] + x[14];
  assign w[10] = x[8] - x[1] - x[4] - x[7] + x[15];
  assign w[11] = x[8] - x[0] - x[2] - x[5] + x[9];
  assign w[12] = x[1] + x[3] - x[6] - x[9] + x[10];
  assign w[13] = x[2] + x[4] + x[7] + x[10] + x[11];
  assign w[14] = x[3] - x[5] + x[8] - x[11] - x[12];
  assign w[15] = x[12] - x[4] - x[6] - x[9] + x[13];

  genvar i;
  generate
    for (i = 0; i < 16; i = i + 1) begin : g_word
      wire [31:0] s;

      assign x[i] = m_i[32*i +: 32] ^ h_i[32*i +: 32];
      assign q_o[32*i +: 32] = s + h_i[32*((i+1)%16) +: 32];

      bmw_s #(
          .NUMBER(i % 5)
      ) u_s (
          .word_i(w[i]),
          .word_o(s)
      );
    end
  endgenerate

endmodule

`default_nettype wire
