// SPDX-License-Identifier: Apache-2.0
//
// A round of Hamsi-256 ("The Hash Function Hamsi", 2009): constants, the S-box on the bits in one
// place of the four rows, and L on the diagonals. Combinational. Row i stands in bits 128 i to
// 128 i + 127, its first word lowest.

`default_nettype none

module hamsi_round (
    input  wire [511:0] state_i,
    input  wire [2:0]   counter_i,
    input  wire         final_i,  // of the last permutation
    output wire [511:0] state_o
);

  localparam [511:0] ALPHA = {
    128'hccccff00_aaaaf0f0_f0f0cccc_aaaaff00, 128'hf0f0cccc_ff00aaaa_ff00f0f0_ccccaaaa,
    128'haaaaf0f0_ccccff00_aaaaff00_f0f0cccc, 128'hff00aaaa_f0f0cccc_ccccaaaa_ff00f0f0
  };
  localparam [511:0] ALPHA_FINAL = {
    128'h0ff0caf9_f9c0639c_639c0ff0_f9c0caf9, 128'h639c0ff0_caf9f9c0_caf9639c_0ff0f9c0,
    128'hf9c0639c_0ff0caf9_f9c0caf9_639c0ff0, 128'hcaf9f9c0_639c0ff0_0ff0f9c0_caf9639c
  };
  // The S-box, entry of 0 lowest; row 0 is the lowest bit.
  localparam [63:0] SBOX = 64'h25b04e1dfac39768;

  wire [511:0] added = state_i ^ (final_i ? ALPHA_FINAL : ALPHA) ^
                       {477'd0, counter_i, 32'd0};
  wire [511:0] substituted;

  // L, that of Serpent: a, b, c, d from the lowest word on.
  function [127:0] diffuse(input [127:0] words);
    reg [31:0] a;
    reg [31:0] b;
    reg [31:0] c;
    reg [31:0] d;
    begin
      {d, c, b, a} = words;
      a = {a[18:0], a[31:19]};
      c = {c[28:0], c[31:29]};
      b = b ^ a ^ c;
      b = {b[30:0], b[31]};
      d = d ^ c ^ {a[28:0], 3'd0};
      d = {d[24:0], d[31:25]};
      a = a ^ b ^ d;
      a = {a[26:0], a[31:27]};
      c = c ^ d ^ {b[24:0], 7'd0};
      c = {c[9:0], c[31:10]};
      diffuse = {d, c, b, a};
    end
  endfunction

  genvar i;
  generate
    for (i = 0; i < 128; i = i + 1) begin : g_bit
      assign {substituted[384+i], substituted[256+i], substituted[128+i], substituted[i]} =
          SBOX[4*{added[384+i], added[256+i], added[128+i], added[i]} +: 4];
    end

    for (i = 0; i < 4; i = i + 1) begin : g_diagonal
      localparam B = 128 + 32 * ((i + 1) % 4);
      localparam C = 256 + 32 * ((i + 2) % 4);
      localparam D = 384 + 32 * ((i + 3) % 4);
      assign {state_o[D +: 32], state_o[C +: 32], state_o[B +: 32], state_o[32*i +: 32]} =
          diffuse({substituted[D +: 32], substituted[C +: 32], substituted[B +: 32],
                   substituted[32*i +: 32]});
    end
  endgenerate

endmodule

`default_nettype wire
