// SPDX-License-Identifier: Apache-2.0
//
// A round of f1 of BMW-256 ("Blue Midnight Wish", 2009, table 1.5): the next word of the quadruple
// pipe of the sixteen before it. The first two rounds are expand1, the others expand2.
// Combinational. Word i in bits 32 i to 32 i + 31.

`default_nettype none

module bmw_f1 #(
    // Number of the round: 0 to 15.
    parameter ROUND = 0
) (
    input  wire [31:0]  m0_i,   // words ROUND, ROUND + 3 and ROUND + 10 of the block
    input  wire [31:0]  m3_i,
    input  wire [31:0]  m10_i,
    input  wire [31:0]  h7_i,   // word ROUND + 7 of the double pipe
    input  wire [511:0] q_i,
    input  wire [31:0]  plain_i,  // of expand2: words 0, 2, ..., 12 of q_i added up
    output wire [31:0]  word_o
);


  localparam [31:0] K = 32'h05555555 * (ROUND + 16);
  localparam M3 = (ROUND + 3) % 16;
  localparam M10 = (ROUND + 10) % 16;

  wire unused = &{1'b0, plain_i, q_i};  // each kind of round has its own

  // A word of the block is rotated by one more than its number.
  wire [31:0] m0 = {m0_i[30-ROUND:0], m0_i[31:31-ROUND]};
  wire [31:0] m3 = {m3_i[30-M3:0], m3_i[31:31-M3]};
  wire [31:0] m10 = {m10_i[30-M10:0], m10_i[31:31-M10]};
  wire [31:0] element = (m0 + m3 - m10 + K) ^ h7_i;

  wire [31:0] term [0:15];

  genvar i;
  generate
    for (i = 0; i < 16; i = i + 1) begin : g_term
      localparam ROTATION = (i == 1) ? 3 : (i == 3) ? 7 : (i == 5) ? 13 : (i == 7) ? 16 :
                            (i == 9) ? 19 : (i == 11) ? 23 : 27;
      if (ROUND < 2 || i >= 14) begin : g_s
        bmw_s #(
            .NUMBER((ROUND < 2) ? (i + 1) % 4 : i - 10)
        ) u_s (
            .word_i(q_i[32*i +: 32]),
            .word_o(term[i])
        );
      end else if (i % 2 == 1) begin : g_rotated
        assign term[i] = {q_i[32*i +: 32-ROTATION], q_i[32*i+32-ROTATION +: ROTATION]};
      end else begin : g_plain
        assign term[i] = (i == 0) ? plain_i : 32'd0;
      end
    end
  endgenerate

  // The word before this one comes last: nothing else waits for it.
  wire [31:0] early = term[0] + term[1] + term[2] + term[3] + term[4] + term[5] + term[6] +
                      term[7] + term[8] + term[9] + term[10] + term[11] + term[12] + term[13] +
                      term[14] + element;

  assign word_o = early + term[15];

endmodule

`default_nettype wire
