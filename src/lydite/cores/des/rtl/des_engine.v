// SPDX-License-Identifier: Apache-2.0
//
// An engine of the key search: 14 rounds of DES (FIPS 46-3) forwards from the plaintext and one
// backwards from the ciphertext, which meet at R14: 16 bits of it are compared, those of S1 to S4,
// which in round 16 take their keys from C, that all engines of a lane share.
//
// Interface: a key a cycle. cd_i has C and D of PC-1 of its key: 56 bits for each cycle from the
// first one on, [56*n +: 56] those of the key that came n cycles ago, since the engines share all
// but a few bits of them. match_o is high 31 cycles after a key whose bits agree. Block and cipher,
// after IP, stand still. Nothing stalls, and nothing is reset.
//
// A round takes two cycles, one for the S-boxes and one for all exclusive ors: what is kept is the
// S-boxes' input X(n) = E(R(n-1)) + K(n), of which E(R(n-1)) + K(n) = E(X(n-2) + K(n-2) + f) + K(n)
// makes the next but one, so that one table of four inputs does the sums of a round.

`default_nettype none

module des_engine (
    input  wire          clk,
    input  wire [63:0]   block_i,
    input  wire [63:0]   cipher_i,
    input  wire [1567:0] cd_i,
    output wire          match_o
);

  // Turns of C and D up to and with each round, round 16 on top.
  localparam [95:0] TURNS = {
      6'd28, 6'd27, 6'd25, 6'd23, 6'd21, 6'd19, 6'd17, 6'd15,
      6'd14, 6'd12, 6'd10, 6'd8,  6'd6,  6'd4,  6'd2,  6'd1
  };
  // Bits of R14 that come from S1 to S4, through P.
  localparam [79:0] COMPARED = {
      5'd31, 5'd30, 5'd26, 5'd23, 5'd22, 5'd19, 5'd16, 5'd15,
      5'd14, 5'd12, 5'd9,  5'd8,  5'd6,  5'd4,  5'd2,  5'd1
  };

  reg  [47:0] x_q[1:14];   // the S-boxes' input of a round
  reg  [31:0] f_q[1:14];   // their output, a cycle later
  reg  [31:0] x_q2[2:13];  // the middle four bits of each six of x_q, as long as they are needed
  reg  [31:0] x_q3[2:13];
  reg  [31:0] x_q4[2:13];

  genvar n;
  generate
    for (n = 1; n <= 14; n = n + 1) begin : g_round
      wire [55:0] cd = cd_i[56*(2*n - 2) +: 56];
      wire [47:0] key;
      wire [31:0] right;
      wire [47:0] wide;
      wire [31:0] f;

      des_round_key #(
          .TURN({26'd0, TURNS[6*(n - 1) +: 6]})
      ) u_key (
          .cd_i (cd),
          .key_o(key)
      );

      if (n == 1) begin : g_first
        assign right = block_i[31:0];
      end else if (n == 2) begin : g_second
        assign right = block_i[63:32] ^ f_q[n - 1];
      end else if (n == 3) begin : g_third
        assign right = block_i[31:0] ^ f_q[n - 1];
      end else begin : g_other
        wire [47:0] key_before;
        wire [31:0] narrow;

        des_round_key #(
            .TURN({26'd0, TURNS[6*((n < 3) ? 0 : n - 3) +: 6]})
        ) u_key_before (
            .cd_i (cd),
            .key_o(key_before)
        );

        des_narrow u_narrow (
            .wide_i (key_before),
            .right_o(narrow)
        );

        assign right = x_q4[n - 2] ^ narrow ^ f_q[n - 1];
      end

      des_expand u_expand (
          .right_i(right),
          .wide_o (wide)
      );

      des_substitute u_substitute (
          .wide_i(x_q[n]),
          .f_o   (f)
      );

      always @(posedge clk) begin
        x_q[n] <= wide ^ key;
        f_q[n] <= f;
      end
    end

    for (n = 2; n <= 13; n = n + 1) begin : g_wait
      wire [31:0] narrow;

      des_narrow u_narrow (
          .wide_i (x_q[n]),
          .right_o(narrow)
      );

      always @(posedge clk) begin
        x_q2[n] <= narrow;
        x_q3[n] <= x_q2[n];
        x_q4[n] <= x_q3[n];
      end
    end
  endgenerate

  // ---- round 16 backwards: R14 = L15 = R16 + f(R15, K16), and R15 = L16 ----

  wire [47:0] key16;
  wire [47:0] key13;
  wire [31:0] narrow13;
  wire [47:0] wide16;
  wire [31:0] f16;
  reg  [47:0] back_q;
  reg  [31:0] back_f_q;
  reg  [31:0] wanted_q;  // R14 + K13 in its middle bits
  reg  [15:0] wrong_q;
  reg  [3:0]  fours_q;
  reg         match_q;

  des_round_key #(
      .TURN(28)
  ) u_key16 (
      .cd_i (cd_i[56*25 +: 56]),
      .key_o(key16)
  );

  des_round_key #(
      .TURN(23)
  ) u_key13 (
      .cd_i (cd_i[56*27 +: 56]),
      .key_o(key13)
  );

  des_narrow u_narrow13 (
      .wide_i (key13),
      .right_o(narrow13)
  );

  des_expand u_expand16 (
      .right_i(cipher_i[31:0]),
      .wide_o (wide16)
  );

  des_substitute u_substitute16 (
      .wide_i(back_q),
      .f_o   (f16)
  );

  genvar i;
  generate
    for (i = 0; i < 16; i = i + 1) begin : g_wrong
      localparam [4:0] BIT = COMPARED[5*i +: 5];

      always @(posedge clk) wrong_q[i] <= x_q4[13][BIT] ^ f_q[14][BIT] ^ wanted_q[BIT];
    end
    for (i = 0; i < 4; i = i + 1) begin : g_four
      always @(posedge clk) fours_q[i] <= wrong_q[4*i +: 4] != 4'd0;
    end
  endgenerate

  always @(posedge clk) begin
    back_q   <= wide16 ^ key16;
    back_f_q <= f16;
    wanted_q <= cipher_i[63:32] ^ back_f_q ^ narrow13;
    match_q  <= fours_q == 4'd0;
  end

  assign match_o = match_q;

  // Bits that choice 2 leaves out, and keys of cycles in which none is used.
  wire unused = &{1'b0, cd_i};

endmodule

`default_nettype wire
