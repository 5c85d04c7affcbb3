// SPDX-License-Identifier: Apache-2.0
//
// Round keys of AES-128 on the fly (FIPS 197, 5.2), one a cycle, up or down from a base: the key,
// or the last round key, from which they go down.
//
// Interface: the key is stored with load_i. primed_o: step_i may start from the base. step_i with
// start_i gives in the next cycle in key_o the one after the base, step_i alone the one after that
// in key_o. back_i, with step_i, says which way; next_base_i must be set with the step before last
// and as long as none follows, else 0, so that the S-boxes look at the base then; it may come late,
// start_i and back_i should not. store_i makes key_o the base. base_back_i: steps from the base go
// down. Resets primed_o.

`default_nettype none

module aes_keys #(
    // 1: block RAM, 0: logic, for the S-boxes.
    parameter MEMORY  = 1,
    // 1: down, too; 0: back_i and base_back_i are taken as 0.
    parameter INVERSE = 1
) (
    input  wire         clk,
    input  wire         rst,
    input  wire [127:0] key_i,
    input  wire         load_i,
    input  wire         store_i,
    input  wire         step_i,
    input  wire         start_i,
    input  wire         back_i,
    input  wire         base_back_i,
    input  wire         next_base_i,
    output wire [127:0] base_o,
    output wire [127:0] key_o,
    output wire         primed_o
);

  wire back      = (INVERSE != 0) && back_i;
  wire base_back = (INVERSE != 0) && base_back_i;

  reg [127:0] base_q;
  reg [127:0] key_q;
  reg [7:0]   constant_q;  // Rcon of the next step
  reg         primed_q;

  assign base_o   = base_q;
  assign key_o    = key_q;
  assign primed_o = primed_q;

  // ---- a step ----

  wire [127:0] from = start_i ? base_q : key_q;
  wire [31:0]  w0   = from[31:0];
  wire [31:0]  w1   = from[63:32];
  wire [31:0]  w2   = from[95:64];
  wire [31:0]  w3   = from[127:96];

  // RotWord, SubWord, Rcon. All words go up by the same, which comes late; the rest is added first.
  wire [31:0]  substituted;
  wire [127:0] key_d;
  wire [31:0]  change = {substituted[7:0], substituted[31:8]} ^ {24'd0, constant_q};
  wire [31:0]  up     = back ? 32'd0 : change;
  wire [31:0]  sum1   = w0 ^ w1;
  wire [31:0]  sum2   = sum1 ^ w2;
  wire [31:0]  sum3   = sum2 ^ w3;

  assign key_d[31:0]   = w0 ^ change;
  assign key_d[63:32]  = (back ? w0 ^ w1 : sum1) ^ up;
  assign key_d[95:64]  = (back ? w1 ^ w2 : sum2) ^ up;
  assign key_d[127:96] = (back ? w2 ^ w3 : sum3) ^ up;

  // The S-boxes look at the last word: going down, at that of the key to be found, which is the sum
  // of the last two words of key_d, and so of the second and the last one now.
  wire [31:0] last = next_base_i ? base_q[127:96] ^ (base_back ? base_q[95:64] : 32'd0)
                                 : (back ? w1 ^ w3 : sum3) ^ up;

  aes_sbox_pair #(
      .MEMORY (MEMORY),
      .INVERSE(0)
  ) u_sbox_low (
      .clk     (clk),
      .en_i    (1'b1),
      .invert_i(1'b0),
      .a_i     (last[7:0]),
      .b_i     (last[15:8]),
      .a_o     (substituted[7:0]),
      .b_o     (substituted[15:8])
  );

  aes_sbox_pair #(
      .MEMORY (MEMORY),
      .INVERSE(0)
  ) u_sbox_high (
      .clk     (clk),
      .en_i    (1'b1),
      .invert_i(1'b0),
      .a_i     (last[23:16]),
      .b_i     (last[31:24]),
      .a_o     (substituted[23:16]),
      .b_o     (substituted[31:24])
  );

  // FIPS 197, 4.2: times x, and over x.
  wire [7:0] constant_up   = {constant_q[6:0], 1'b0} ^ (constant_q[7] ? 8'h1b : 8'h00);
  wire [7:0] constant_down = {1'b0, constant_q[7:1]} ^ (constant_q[0] ? 8'h8d : 8'h00);

  always @(posedge clk) begin
    if (load_i) base_q <= key_i;
    else if (store_i) base_q <= key_q;
    if (step_i) key_q <= key_d;
    if (next_base_i) constant_q <= base_back ? 8'h36 : 8'h01;
    else if (step_i) constant_q <= back ? constant_down : constant_up;
  end

  always @(posedge clk) begin
    if (rst) primed_q <= 1'b0;
    else primed_q <= next_base_i && !load_i && !store_i;
  end

endmodule

`default_nettype wire
