// SPDX-License-Identifier: Apache-2.0
//
// DES (FIPS 46-3) as a macro for C: a block under a key of its own, a block a cycle.
//
// Interface: what stands in the inputs with ce_i comes out 16 cycles with ce_i later. decrypt_i: 0
// encrypts, 1 decrypts. Byte 0 of block and key is the top one; parity is not looked at. C and D go
// along with the block. Resets nothing.

`default_nettype none

module des_macro (
    input  wire        clk,
    input  wire        ce_i,
    input  wire [63:0] block_i,
    input  wire [63:0] key_i,
    input  wire [7:0]  decrypt_i,
    output wire [63:0] block_o
);

  // Turns of C and D before each round, round 1 lowest; those of a decryption, to the right, are
  // those of an encryption, to the left, from the end. Its first round has none.
  localparam [31:0] TURNS = 32'b01_10_10_10_10_10_10_01_10_10_10_10_10_10_01_01;

  wire [63:0] permuted;
  wire [55:0] chosen;
  reg  [63:0] state_q[0:15];
  reg  [55:0] cd_q[0:15];
  reg  [15:0] decrypt_q;

  des_ip u_ip (
      .block_i(block_i),
      .block_o(permuted)
  );

  des_pc1 u_pc1 (
      .key_i(key_i),
      .cd_o (chosen)
  );

  always @(posedge clk) begin
    if (ce_i) decrypt_q <= {decrypt_q[14:0], decrypt_i[0]};
  end

  genvar i;
  generate
    for (i = 0; i < 16; i = i + 1) begin : g_round
      localparam [1:0] LEFT  = TURNS[2*i +: 2];
      localparam [1:0] RIGHT = (i == 0) ? 2'd0 : TURNS[2*((16 - i) % 16) +: 2];

      wire [63:0] block   = (i == 0) ? permuted : state_q[(i + 15) % 16];
      wire [55:0] cd      = (i == 0) ? chosen : cd_q[(i + 15) % 16];
      wire        decrypt = (i == 0) ? decrypt_i[0] : decrypt_q[(i + 15) % 16];
      wire [27:0] c       = cd[55:28];
      wire [27:0] d       = cd[27:0];
      wire [55:0] left    = (LEFT == 2'd1) ? {c[26:0], c[27], d[26:0], d[27]}
                                           : {c[25:0], c[27:26], d[25:0], d[27:26]};
      wire [55:0] right   = (RIGHT == 2'd0) ? cd
                          : (RIGHT == 2'd1) ? {c[0], c[27:1], d[0], d[27:1]}
                                            : {c[1:0], c[27:2], d[1:0], d[27:2]};
      wire [55:0] turned  = decrypt ? right : left;
      wire [47:0] key;
      wire [63:0] round;

      des_round_key #(
          .TURN(0)
      ) u_round_key (
          .cd_i (turned),
          .key_o(key)
      );

      des_round u_round (
          .block_i(block),
          .key_i  (key),
          .pass_i (1'b0),
          .block_o(round)
      );

      always @(posedge clk) begin
        if (ce_i) begin
          state_q[i] <= round;
          cd_q[i]    <= turned;
        end
      end
    end
  endgenerate

  des_fp u_fp (
      .block_i({state_q[15][31:0], state_q[15][63:32]}),
      .block_o(block_o)
  );

  wire unused = &{1'b0, decrypt_i[7:1], decrypt_q[15], cd_q[15]};

endmodule

`default_nettype wire
