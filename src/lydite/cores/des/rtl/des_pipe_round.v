// SPDX-License-Identifier: Apache-2.0
//
// A round of des_pipe with its round key (FIPS 46-3, KS). A block that passes goes through the
// round; C and D of a key that pass, in the low bits of a block whose halves may be in each other's
// place, only change places, and with load_i leave their round key here.
//
// Interface: what stands in block_i comes out in block_o in the same cycle; the register behind it
// is the pipeline's. A key that is loaded with en_i serves from the next cycle on. Resets nothing.

`default_nettype none

module des_pipe_round #(
    // Round of the pass, 1 to 16.
    parameter ROUND   = 1,
    // 1: a pass that decrypts in an encryption, as the middle one of three does.
    parameter REVERSE = 0,
    // 1: what comes in as a key has its halves in each other's place.
    parameter SWAPPED = 0,
    // 1: there is decryption; 0: decrypt_i is taken as 0.
    parameter DECRYPT = 1
) (
    input  wire        clk,
    input  wire        en_i,
    input  wire [63:0] block_i,
    input  wire        key_slot_i,
    input  wire        load_i,
    input  wire        decrypt_i,
    output wire [63:0] block_o
);

  // Turns of C and D up to and with each round, round 16 on top.
  localparam [95:0] TURNS = {
      6'd28, 6'd27, 6'd25, 6'd23, 6'd21, 6'd19, 6'd17, 6'd15,
      6'd14, 6'd12, 6'd10, 6'd8,  6'd6,  6'd4,  6'd2,  6'd1
  };
  localparam [31:0] FORWARD  = {26'd0, TURNS[6*(ROUND - 1) +: 6]};
  localparam [31:0] BACKWARD = {26'd0, TURNS[6*(16 - ROUND) +: 6]};

  wire [55:0] cd = (SWAPPED == 0) ? block_i[55:0] : {block_i[23:0], block_i[63:32]};
  wire [47:0] key_encrypt;
  wire [47:0] key_decrypt;
  reg  [47:0] key_q;

  des_round_key #(
      .TURN((REVERSE != 0) ? BACKWARD : FORWARD)
  ) u_encrypt (
      .cd_i (cd),
      .key_o(key_encrypt)
  );

  des_round_key #(
      .TURN((REVERSE != 0) ? FORWARD : BACKWARD)
  ) u_decrypt (
      .cd_i (cd),
      .key_o(key_decrypt)
  );

  always @(posedge clk) begin
    if (en_i && load_i) key_q <= ((DECRYPT != 0) && decrypt_i) ? key_decrypt : key_encrypt;
  end

  des_round u_round (
      .block_i(block_i),
      .key_i  (key_q),
      .pass_i (key_slot_i),
      .block_o(block_o)
  );

endmodule

`default_nettype wire
