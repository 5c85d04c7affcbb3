// SPDX-License-Identifier: Apache-2.0
//
// The words that the G of a step add (BLAKE, 2.1.2): G_i takes m[s(2i)] ^ c[s(2i+1)] and then
// m[s(2i+1)] ^ c[s(2i)], s being the permutation of the round. FOLD steps are half a round, first
// the columns (G_0 to G_3), then the diagonals; step p of them has G_p, G_(p+FOLD) and so on. A
// register behind. The operands of the step's G number j stand in bits 64 j to 64 j + 31 and above.

`default_nettype none

module blake_operands #(
    // Of a block: 10, 14.
    parameter ROUNDS    = 10,
    // Steps of half a round: 1, 2.
    parameter FOLD      = 1,
    // Bits of the number of a step.
    parameter STEP_BITS = 5
) (
    input  wire                 clk,
    input  wire [STEP_BITS-1:0] step_i,
    input  wire [511:0]         m_i,  // word i in bits 32 i to 32 i + 31
    output reg  [256/FOLD-1:0]  operand_o
);

  // 2.1.1: the first digits of pi, c0 lowest.
  localparam [511:0] C = {
    32'hb5470917, 32'h3f84d5b5, 32'hc97c50dd, 32'hc0ac29b7,
    32'h34e90c6c, 32'hbe5466cf, 32'h38d01377, 32'h452821e6,
    32'hec4e6c89, 32'h082efa98, 32'h299f31d0, 32'ha4093822,
    32'h03707344, 32'h13198a2e, 32'h85a308d3, 32'h243f6a88
  };

  // 2.1.1: the permutations, a digit each number, that of round 0 lowest and its first digit
  // highest. Round 10 has that of round 0 again.
  localparam [639:0] SIGMA = {
    64'ha2847615fb9e3cd0, 64'h6fe9b308c2d714a5, 64'hdb7ec13950f4862a, 64'hc51fed4a0763928b,
    64'h2c6a0b834d75fe19, 64'h905724afe1bc683d, 64'h7931dcbe265a40f8, 64'hb8c052fdae367194,
    64'hea489fd61c02b753, 64'h0123456789abcdef
  };

  reg [256/FOLD-1:0] operand_d;

  genvar i;
  generate
    for (i = 0; i < 8 / FOLD; i = i + 1) begin : g_operand
      // The operand's number in the first step of a half.
      localparam WORD = 2 * FOLD * (i / 2) + i % 2;
      // Place of its word in the permutation, and of its constant: its neighbour.
      reg     [3:0] word;
      reg     [3:0] constant;
      integer       step;
      always @* begin
        word     = 4'd0;
        constant = 4'd0;
        for (step = 0; step < 2 * ROUNDS * FOLD; step = step + 1) begin
          if (step_i == step[STEP_BITS-1:0]) begin
            word     = SIGMA[64 * (step / (2 * FOLD) % 10) + 60 -
                             4 * (8 * (step / FOLD % 2) + WORD + 2 * (step % FOLD)) +: 4];
            constant = SIGMA[64 * (step / (2 * FOLD) % 10) + 60 -
                             4 * (8 * (step / FOLD % 2) + (WORD ^ 1) + 2 * (step % FOLD)) +: 4];
          end
        end
        operand_d[32*i +: 32] = m_i[32 * word +: 32] ^ C[32 * constant +: 32];
      end
    end
  endgenerate

  always @(posedge clk) operand_o <= operand_d;

endmodule

`default_nettype wire
