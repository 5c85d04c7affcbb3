// SPDX-License-Identifier: Apache-2.0
//
// A step of SIMD-256 ("SIMD Is a Message Digest", 2009, tweaked version, 1.2) on rows A, B, C, D of
// four words. What a step does is found in the cycle before it: number_i is that of the next
// cycle's step. Resets nothing.

`default_nettype none

module simd_step (
    input  wire         clk,
    input  wire [5:0]   number_i,  // from 0 to 35
    input  wire [511:0] state_i,   // A in the lowest bits
    input  wire [127:0] words_i,
    output wire [511:0] state_o
);

  // Rotations of the four rounds, that of a round's first step highest.
  function [19:0] rotations(input [1:0] round);
    case (round)
      2'd0: rotations = {5'd3, 5'd23, 5'd17, 5'd27};
      2'd1: rotations = {5'd28, 5'd19, 5'd22, 5'd7};
      2'd2: rotations = {5'd29, 5'd9, 5'd15, 5'd5};
      default: rotations = {5'd4, 5'd13, 5'd10, 5'd25};
    endcase
  endfunction

  function [4:0] turn(input [19:0] four, input [1:0] which);
    case (which)
      2'd0: turn = four[19:15];
      2'd1: turn = four[14:10];
      2'd2: turn = four[9:5];
      default: turn = four[4:0];
    endcase
  endfunction

  // Functions leave bits of what they compute with unused.
  /* verilator lint_off UNUSEDSIGNAL */
  function [31:0] left(input [31:0] word, input [4:0] count);
    reg [63:0] twice;
    begin
      twice = {word, word} << count;
      left  = twice[63:32];
    end
  endfunction
  /* verilator lint_on UNUSEDSIGNAL */

  wire [19:0] four = rotations(number_i[5] ? 2'd3 : number_i[4:3]);

  reg  [4:0] turn_q;      // of A
  reg  [4:0] turn_new_q;  // of the sum
  reg        majority_q;
  reg  [1:0] other_q;     // word n takes word n ^ other_q of A

  always @(posedge clk) begin
    turn_q     <= turn(four, number_i[1:0]);
    turn_new_q <= turn(four, number_i[1:0] + 2'd1);
    majority_q <= !number_i[5] && number_i[2];
    other_q    <= (number_i == 6'd0 || other_q == 2'd3) ? 2'd1 : other_q + 2'd1;
  end

  wire [127:0] a = state_i[127:0];
  wire [127:0] b = state_i[255:128];
  wire [127:0] c = state_i[383:256];
  wire [127:0] d = state_i[511:384];
  wire [127:0] chosen = majority_q ? (a & b) | ((a | b) & c) : ((b ^ c) & a) ^ c;
  wire [127:0] turned;
  wire [127:0] made;

  genvar n;
  generate
    for (n = 0; n < 4; n = n + 1) begin : g_word
      wire [31:0] sum = d[32*n +: 32] + words_i[32*n +: 32] + chosen[32*n +: 32];
      wire [31:0] other = (other_q == 2'd1) ? turned[32*(n^1) +: 32] :
                          (other_q == 2'd2) ? turned[32*(n^2) +: 32] : turned[32*(n^3) +: 32];

      assign turned[32*n +: 32] = left(a[32*n +: 32], turn_q);
      assign made[32*n +: 32]   = left(sum, turn_new_q) + other;
    end
  endgenerate

  assign state_o = {c, b, turned, made};

endmodule

`default_nettype wire
