// SPDX-License-Identifier: Apache-2.0
//
// The subkeys of SHAvite-3-256 ("The SHAvite-3 Hash Function", 2009, 3.1, with the tweak): the
// first four are the block, and each next one is made of the four before it, by turns four with a
// round of AES and four without. No salt.
//
// Interface: load_i brings a block; in the cycles after it key_o is subkey 0, and the next one
// behind each cycle with en_i; next_o is the one after it. step_i is the number of key_o, counter_i
// the bits of the message so far; both must stand while subkeys are made. With ROUND = 0 mixed_i is
// what a round of AES makes of word_o; it counts in a cycle with en_i where bit 2 of step_i is 0.
// Resets nothing.

`default_nettype none

module shavite_keys #(
    // 1: a round of AES of its own; 0: one outside.
    parameter ROUND = 1
) (
    input  wire         clk,
    input  wire         load_i,
    input  wire         en_i,
    input  wire [511:0] block_i,  // byte i in bits 8 i to 8 i + 7
    input  wire [5:0]   step_i,
    input  wire [63:0]  counter_i,
    input  wire [127:0] mixed_i,
    output wire [127:0] word_o,
    output wire [127:0] key_o,
    output wire [127:0] next_o
);

  reg  [511:0] keys_q;  // key_o lowest
  wire [127:0] mixed;
  wire [127:0] plain;
  wire [31:0]  low = counter_i[31:0];
  wire [31:0]  high = counter_i[63:32];
  reg  [127:0] counter;

  // Words 1, 2, 3, 0 of the subkey four before.
  assign word_o = {keys_q[31:0], keys_q[127:32]};

  generate
    if (ROUND == 1) begin : g_round
      wire unused = &{1'b0, mixed_i};

      aes_round u_round (
          .word_i(word_o),
          .word_o(mixed)
      );
    end else begin : g_outside
      assign mixed = mixed_i;
    end
  endgenerate

  // Word i adds the word three before it: the last one, the first of its own subkey.
  assign plain = keys_q[127:0] ^ {keys_q[31:0] ^ keys_q[447:416], keys_q[511:416]};

  // What subkeys 4, 14, 21 and 31 have of the counter.
  always @* begin
    case (step_i)
      6'd0: counter = {64'd0, ~high, low};
      6'd10: counter = {32'd0, ~low, high, 32'd0};
      6'd17: counter = {~low, high, 64'd0};
      6'd27: counter = {~high, 64'd0, low};
      default: counter = 128'd0;
    endcase
  end

  always @(posedge clk) begin
    if (load_i) keys_q <= block_i;
    else if (en_i) begin
      keys_q <= {step_i[2] ? plain : mixed ^ keys_q[511:384] ^ counter, keys_q[511:128]};
    end
  end

  assign key_o  = keys_q[127:0];
  assign next_o = keys_q[255:128];

endmodule

`default_nettype wire
