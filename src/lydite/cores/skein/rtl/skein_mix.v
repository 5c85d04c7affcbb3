// SPDX-License-Identifier: Apache-2.0
//
// A round of Threefish-512 ("The Skein Hash Function Family", 3.3) without a key and a
// register: four MIX, and the permutation of the words. MIX turns one word by the first four
// rotations, or, with later_i, by those of four rounds later. Word i stands in bits 64 i to 64 i +
// 63.

`default_nettype none

module skein_mix #(
    // The round modulo 4.
    parameter ROUND = 0
) (
    input  wire         later_i,
    input  wire [511:0] words_i,
    output wire [511:0] words_o
);

  // Table 4: a byte for each MIX, that of MIX 0 of round 0 lowest; rounds 0 to 3, and 4 to 7.
  localparam [127:0] EARLY = {
    8'd56, 8'd54, 8'd9, 8'd44, 8'd39, 8'd36, 8'd49, 8'd17,
    8'd42, 8'd14, 8'd27, 8'd33, 8'd37, 8'd19, 8'd36, 8'd46
  };
  localparam [127:0] LATE = {
    8'd22, 8'd56, 8'd35, 8'd8, 8'd43, 8'd39, 8'd29, 8'd25,
    8'd17, 8'd10, 8'd50, 8'd13, 8'd24, 8'd34, 8'd30, 8'd39
  };

  wire [511:0] mixed;

  genvar j;
  generate
    for (j = 0; j < 4; j = j + 1) begin : g_mix
      localparam E = EARLY[8*(4*ROUND+j) +: 8];
      localparam L = LATE[8*(4*ROUND+j) +: 8];
      wire [63:0] x0 = words_i[128*j +: 64];
      wire [63:0] x1 = words_i[128*j+64 +: 64];
      wire [63:0] sum = x0 + x1;
      wire [63:0] early = {x1[63-E:0], x1[63:64-E]};
      wire [63:0] late = {x1[63-L:0], x1[63:64-L]};

      assign mixed[128*j +: 64]    = sum;
      assign mixed[128*j+64 +: 64] = (later_i ? late : early) ^ sum;
    end
  endgenerate

  // Table 3: word i of the result is word 2, 1, 4, 7, 6, 5, 0, 3.
  assign words_o = {
    mixed[64*3 +: 64], mixed[64*0 +: 64], mixed[64*5 +: 64], mixed[64*6 +: 64],
    mixed[64*7 +: 64], mixed[64*4 +: 64], mixed[64*1 +: 64], mixed[64*2 +: 64]
  };

endmodule

`default_nettype wire
