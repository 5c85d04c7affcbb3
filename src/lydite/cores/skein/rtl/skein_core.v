// SPDX-License-Identifier: Apache-2.0
//
// Threefish-512 under UBI for Skein-512-256 ("The Skein Hash Function Family", 3.3 to 3.5),
// four rounds and the addition of their subkey a cycle: 18 cycles, and one in which the last subkey
// and the block are added, and the next block comes in. Behind the last block of a message comes
// one more, of zeros, for the output.
//
// A subkey is made in the cycle before it is added. In the cycle that ends a block the core waits,
// if it has to, for the next one, or for room for a digest.
//
// Interface: the block_* of message_head, and digest_out. Resets: control.

`default_nettype none

module skein_core #(
    // Version 1.MINOR of the document: 2, 3.
    parameter MINOR = 2
) (
    input  wire         clk,
    input  wire         rst,
    input  wire [511:0] block_i,  // word i in bits 64 i to 64 i + 63
    input  wire         final_i,
    input  wire [60:0]  bytes_i,
    input  wire         full_i,
    output wire         take_o,
    output wire [255:0] digest_o,  // byte 0 lowest
    output wire         load_o,
    input  wire         free_i
);

  `include "skein_version.vh"

  localparam [4:0]  ENDS = 5'd18;
  // 3.5.1: the types of blocks, and what all blocks of the output have.
  localparam [5:0]  TYPE_MESSAGE = 6'd48;
  localparam [5:0]  TYPE_OUTPUT = 6'd63;
  localparam [63:0] OUTPUT_BYTES = 64'd8;

  // ---- control --------------------------------------------------------------------------------

  reg  [4:0] step_q;  // subkey that is added; ENDS waits for what is next
  reg        ends_q;  // step_q is ENDS
  reg        idle_q;  // no message
  reg        final_q;  // the block is the last one
  reg        out_q;  // it is the one of the output
  reg        first_q;  // the next block is the first one

  wire give = ends_q && !idle_q && out_q && free_i;
  wire open = ends_q && (idle_q || !final_q);
  wire take = open && full_i;
  wire turn = ends_q && !idle_q && final_q && !out_q;  // the output's block begins
  wire go = take || turn;

  assign take_o = take;
  assign load_o = give;

  always @(posedge clk) begin
    if (rst) begin
      step_q  <= ENDS;
      ends_q  <= 1'b1;
      idle_q  <= 1'b1;
      final_q <= 1'b0;
      out_q   <= 1'b0;
      first_q <= 1'b1;
    end else begin
      step_q  <= go ? 5'd0 : ends_q ? ENDS : step_q + 5'd1;
      ends_q  <= !go && (ends_q || step_q == ENDS - 5'd1);
      idle_q  <= !go && (idle_q || give);
      if (go) final_q <= turn || final_i;
      if (go) out_q <= turn;
      if (take) first_q <= 1'b0;
      else if (give) first_q <= 1'b1;
    end
  end

  // ---- the chain value, and the block behind it -------------------------------------------------

  reg  [511:0] v_q;  // what is encrypted
  reg  [511:0] m_q;  // the block
  reg  [511:0] subkey_q;  // that of step_q
  wire [511:0] sum;
  wire [511:0] chain = idle_q ? IV : sum ^ m_q;

  genvar i;
  generate
    for (i = 0; i < 8; i = i + 1) begin : g_sum
      assign sum[64*i +: 64] = v_q[64*i +: 64] + subkey_q[64*i +: 64];
    end
  endgenerate

  assign digest_o = chain[255:0];

  always @(posedge clk) begin
    if (go) m_q <= turn ? 512'd0 : block_i;
  end

  // ---- the rounds -----------------------------------------------------------------------------

  wire [511:0] mixed[0:4];
  assign mixed[0] = sum;

  generate
    for (i = 0; i < 4; i = i + 1) begin : g_round
      skein_mix #(
          .ROUND(i)
      ) u_mix (
          .later_i(step_q[0]),
          .words_i(mixed[i]),
          .words_o(mixed[i+1])
      );
    end
  endgenerate

  always @(posedge clk) begin
    if (go) v_q <= turn ? 512'd0 : block_i;
    else if (!ends_q) v_q <= mixed[4];
  end

  // ---- the key schedule -----------------------------------------------------------------------

  // Words go round, so that those of the subkey that is made always stand in the same places. The
  // ninth word of the key is made beside subkey 1, of which it is the last one.
  reg  [511:0] key_q;  // the first eight words of the last subkey
  reg  [63:0]  ninth_q;  // the one before them
  reg  [191:0] tweak_q;  // for word 5, for word 6, and the third one
  wire [63:0]  t0 = turn ? OUTPUT_BYTES : {3'd0, bytes_i};
  wire [63:0]  t1 = {turn || final_i, turn || first_q, turn ? TYPE_OUTPUT : TYPE_MESSAGE, 56'd0};
  wire [63:0]  parity = PARITY ^ key_q[0 +: 64] ^ key_q[64 +: 64] ^ key_q[128 +: 64] ^
                        key_q[192 +: 64] ^ key_q[256 +: 64] ^ key_q[320 +: 64] ^
                        key_q[384 +: 64] ^ key_q[448 +: 64];
  wire [63:0]  ninth = step_q == 5'd0 ? parity : ninth_q;
  wire [511:0] key = go ? chain : {ninth, key_q[511:64]};
  wire [191:0] tweak = go ? {t0 ^ t1, t1, t0} : tweak_q;
  wire [63:0]  number = {59'd0, go ? 5'd0 : step_q + 5'd1};

  always @(posedge clk) begin
    if (go || !ends_q) begin
      key_q    <= key;
      ninth_q  <= key_q[63:0];
      tweak_q  <= {tweak[63:0], tweak[191:64]};
      subkey_q <= {key[448 +: 64] + number, key[384 +: 64] + tweak[64 +: 64],
                   key[320 +: 64] + tweak[0 +: 64], key[319:0]};
    end
  end

endmodule

`default_nettype wire
