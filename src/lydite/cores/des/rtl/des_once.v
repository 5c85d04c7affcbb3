// SPDX-License-Identifier: Apache-2.0
//
// DES (FIPS 46-3): encryption of one block, three cycles a round, for who has time: one for the sum
// with the key, one for the S-boxes, one for the sum of both halves.
//
// Interface: start_i takes block and key; done_o is high in the cycle in which block_o is the
// result, 48 cycles later, and it stays until the next start. Byte 0 of block and key is the top
// one; parity is not looked at. Resets nothing: nothing is at work until the first start.

`default_nettype none

module des_once (
    input  wire        clk,
    input  wire        start_i,
    input  wire [63:0] block_i,
    input  wire [63:0] key_i,
    output wire        done_o,
    output wire [63:0] block_o
);

  // Of each round, round 1 lowest: C and D turn by one place, not two, before it.
  localparam [15:0] ONCE = 16'b1000_0001_0000_0011;

  reg  [3:0]  round_q;  // the next one
  reg         done_q;
  reg         once_q;   // C and D turn by one place before it
  reg  [2:0]  step_q;   // one bit of it: the half, x_q or f_q is there
  reg  [47:0] x_q;      // the S-boxes' input
  reg  [31:0] f_q;      // their output
  reg  [63:0] state_q;
  reg  [55:0] cd_q;     // turned for the next round

  wire [63:0] permuted;
  wire [55:0] chosen;
  wire [47:0] key;
  wire [47:0] wide;
  wire [31:0] f;
  wire [27:0] c = cd_q[55:28];
  wire [27:0] d = cd_q[27:0];

  des_ip u_ip (
      .block_i(block_i),
      .block_o(permuted)
  );

  des_pc1 u_pc1 (
      .key_i(key_i),
      .cd_o (chosen)
  );

  des_round_key #(
      .TURN(0)
  ) u_round_key (
      .cd_i (cd_q),
      .key_o(key)
  );

  des_expand u_expand (
      .right_i(state_q[31:0]),
      .wide_o (wide)
  );

  des_substitute u_substitute (
      .wide_i(x_q),
      .f_o   (f)
  );

  des_fp u_fp (
      .block_i({state_q[31:0], state_q[63:32]}),
      .block_o(block_o)
  );

  assign done_o = done_q;

  always @(posedge clk) begin
    x_q    <= wide ^ key;
    f_q    <= f;
    once_q <= ONCE[round_q + 4'd1];
    step_q <= start_i ? 3'b001 : {step_q[1:0], step_q[2]};
    if (start_i) begin
      round_q <= 4'd0;
      done_q  <= 1'b0;
      state_q <= permuted;
      cd_q    <= {chosen[54:28], chosen[55], chosen[26:0], chosen[27]};
    end else if (!done_q && step_q[2]) begin
      round_q <= round_q + 4'd1;
      done_q  <= round_q == 4'd15;
      state_q <= {state_q[31:0], state_q[63:32] ^ f_q};
      cd_q    <= once_q ? {c[26:0], c[27], d[26:0], d[27]} : {c[25:0], c[27:26], d[25:0], d[27:26]};
    end
  end

endmodule

`default_nettype wire
