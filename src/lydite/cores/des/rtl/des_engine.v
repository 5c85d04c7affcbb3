// SPDX-License-Identifier: Apache-2.0
//
// An engine of the key search: 15 rounds of DES (FIPS 46-3) of one plaintext, a key a cycle. What
// comes out is R15, which the ciphertext has, too, as L16; round 16 is left out.
//
// Interface: C and D of the key of each round come from outside, since the engines share all but a
// few bits of them: cd_i has those of round n, as PC-1 gives them, at [56*(n-1) +: 56], a cycle
// with en_i later than those of round n - 1. match_o is high in the 16th cycle with en_i after a
// key, if R15 is right_i. Resets nothing.

`default_nettype none

module des_engine (
    input  wire         clk,
    input  wire         en_i,
    input  wire [63:0]  block_i,
    input  wire [31:0]  right_i,
    input  wire [839:0] cd_i,
    output wire         match_o
);

  // Turns of C and D up to and with each round, round 15 on top.
  localparam [89:0] TURNS = {
      6'd27, 6'd25, 6'd23, 6'd21, 6'd19, 6'd17, 6'd15, 6'd14,
      6'd12, 6'd10, 6'd8,  6'd6,  6'd4,  6'd2,  6'd1
  };

  wire [63:0] state_d[1:15];
  reg  [63:0] state_q[1:15];
  reg         match_q;

  genvar i;
  generate
    for (i = 1; i <= 15; i = i + 1) begin : g_round
      wire [63:0] block = (i == 1) ? block_i : state_q[(i == 1) ? 1 : i - 1];
      wire [47:0] key;

      des_round_key #(
          .TURN({26'd0, TURNS[6*(i - 1) +: 6]})
      ) u_round_key (
          .cd_i (cd_i[56*(i - 1) +: 56]),
          .key_o(key)
      );

      des_round u_round (
          .block_i(block),
          .key_i  (key),
          .pass_i (1'b0),
          .block_o(state_d[i])
      );

      always @(posedge clk) begin
        if (en_i) state_q[i] <= state_d[i];
      end
    end
  endgenerate

  assign match_o = match_q;

  always @(posedge clk) begin
    if (en_i) match_q <= state_q[15][31:0] == right_i;
  end

endmodule

`default_nettype wire
