// SPDX-License-Identifier: Apache-2.0
//
// The subkeys of SHAvite-3-256 ("The SHAvite-3 Hash Function", 2009, 3.1, with the tweak), one a
// cycle: the first four are the block, and each next one is made of the four before it, by turns
// four with a round of AES and four without. No salt.
//
// Interface: load_i brings a block; in the cycles after it key_o is subkey 0, 1, ..., and next_o
// the one after it. step_i is the number of key_o, counter_i the bits of the message so far; both
// must stand while subkeys are made. Resets nothing.

`default_nettype none

module shavite_keys (
    input  wire         clk,
    input  wire         load_i,
    input  wire [511:0] block_i,  // byte i in bits 8 i to 8 i + 7
    input  wire [5:0]   step_i,
    input  wire [63:0]  counter_i,
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
  aes_round u_round (
      .word_i({keys_q[31:0], keys_q[127:32]}),
      .word_o(mixed)
  );

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
    else keys_q <= {step_i[2] ? plain : mixed ^ keys_q[511:384] ^ counter, keys_q[511:128]};
  end

  assign key_o  = keys_q[127:0];
  assign next_o = keys_q[255:128];

endmodule

`default_nettype wire
