// SPDX-License-Identifier: Apache-2.0
//
// A round of aes_pipe with its round key (FIPS 197, 5.1, 5.2). A block that passes is encrypted
// under it; a key that passes, the round key of the round before, leaves the next one here.
//
// Interface: what stands in state_i with en_i comes out in state_o STAGES cycles with en_i later;
// key_slot_i says in the cycle of state_o whether it is a key. Of a key only bytes 12 to 15 come in
// and go out; all of it is read from before_i, the register of the round before, which must keep it
// until then: two keys are at least two cycles with en_i apart. Resets nothing.

`default_nettype none

module aes_pipe_round #(
    // Round, 1 to 10; the last one has no MixColumns.
    parameter ROUND  = 1,
    // 1: block RAM, 0: logic, for the S-boxes.
    parameter MEMORY = 1,
    // 1: S-boxes and the rest in one cycle; 2: a register in between.
    parameter STAGES = 2
) (
    input  wire         clk,
    input  wire         en_i,
    input  wire [127:0] state_i,
    input  wire [127:0] before_i,
    input  wire         key_slot_i,
    output wire [127:0] key_o,
    output wire [127:0] state_o
);

  // FIPS 197, 5.2, table 5.
  localparam [79:0] CONSTANTS = 80'h36_1b_80_40_20_10_08_04_02_01;
  localparam [7:0]  CONSTANT  = CONSTANTS[8*(ROUND - 1) +: 8];

  // ---- SubBytes ----

  wire [127:0] looked_up;
  wire [127:0] bytes;

  genvar i;
  generate
    for (i = 0; i < 8; i = i + 1) begin : g_sbox
      aes_sbox_pair #(
          .MEMORY (MEMORY),
          .INVERSE(0)
      ) u_sbox (
          .clk     (clk),
          .en_i    (en_i),
          .invert_i(1'b0),
          .a_i     (state_i[16*i +: 8]),
          .b_i     (state_i[16*i + 8 +: 8]),
          .a_o     (looked_up[16*i +: 8]),
          .b_o     (looked_up[16*i + 8 +: 8])
      );
    end

    if (STAGES == 2) begin : g_register
      reg [127:0] bytes_q;

      always @(posedge clk) begin
        if (en_i) bytes_q <= looked_up;
      end

      assign bytes = bytes_q;
    end else begin : g_no_register
      assign bytes = looked_up;
    end
  endgenerate

  // ---- the round key ----

  reg  [127:0] key_q;
  wire [127:0] key_d;

  // RotWord, SubWord, Rcon. What comes late is added last.
  wire [31:0] change = {bytes[103:96], bytes[127:104]} ^ {24'd0, CONSTANT};
  wire [31:0] sum1   = before_i[31:0] ^ before_i[63:32];
  wire [31:0] sum2   = sum1 ^ before_i[95:64];
  wire [31:0] sum3   = sum2 ^ before_i[127:96];

  assign key_d = {sum3 ^ change, sum2 ^ change, sum1 ^ change, before_i[31:0] ^ change};
  assign key_o = key_q;

  always @(posedge clk) begin
    if (en_i && key_slot_i) key_q <= key_d;
  end

  // ---- the rest of the round ----

  wire [127:0] round;
  wire [127:0] last;

  aes_round #(
      .INVERSE(0)
  ) u_round (
      .invert_i(1'b0),
      .bytes_i (bytes),
      .key_i   (key_q),
      .state_o (round),
      .last_o  (last)
  );

  assign state_o[95:0]   = (ROUND == 10) ? last[95:0] : round[95:0];
  assign state_o[127:96] = (ROUND == 10) ? last[127:96]
                                         : key_slot_i ? key_d[127:96] : round[127:96];

endmodule

`default_nettype wire
