// SPDX-License-Identifier: Apache-2.0
//
// The compression function of Groestl-256 of rounds 1 and 2 ("Groestl, a SHA-3 candidate", 3.2) on
// one round for both permutations: P and Q go through it by turns, each half a round a cycle. One
// half adds the constant and looks up the S-boxes, which are registers behind tables; the other
// half is ShiftBytes and MixBytes. 20 cycles for ten rounds of both, and one in which what has
// become of them is added to the chain value, and the next block comes in. Behind the last block P
// alone runs once more, for the output.
//
// The core waits in the cycle that ends a block, if it has to, for the next one or for room for a
// digest.
//
// Interface: the block_* of message_head, and digest_out. Resets: control and the chain value.

`default_nettype none

module groestl_core (
    input  wire         clk,
    input  wire         rst,
    input  wire [511:0] block_i,  // byte i in bits 8 i to 8 i + 7
    input  wire         final_i,
    input  wire         full_i,
    output wire         take_o,
    output wire [255:0] digest_o,  // byte 0 lowest
    output wire         load_o,
    input  wire         free_i
);

  localparam [4:0]   ENDS = 5'd20;
  localparam [511:0] IV = {8'h00, 8'h01, 496'd0};  // 256 as the last bytes

  // ---- control --------------------------------------------------------------------------------

  reg  [4:0]  step_q;  // half rounds: even ones of P, odd ones of Q have their S-boxes
  reg         ends_q;  // step_q is ENDS
  reg         idle_q;  // no message; the chain value is the first one
  reg         final_q;  // the block is the last one
  reg         out_q;  // the output is made
  reg  [63:0] count_q;  // blocks of the message, this one included

  wire give = ends_q && out_q && free_i;
  wire turn = ends_q && final_q && !out_q;  // the output begins
  wire go = ends_q && (idle_q || !final_q) && full_i;  // a block begins
  wire begins = go || turn;

  // The block is wanted for another cycle, since Q begins with it.
  reg  late_q;
  assign take_o = late_q;
  assign load_o = give;

  always @(posedge clk) begin
    if (rst) begin
      step_q  <= ENDS;
      ends_q  <= 1'b1;
      idle_q  <= 1'b1;
      final_q <= 1'b0;
      out_q   <= 1'b0;
      late_q  <= 1'b0;
    end else begin
      step_q  <= begins ? 5'd0 : ends_q ? ENDS : step_q + 5'd1;
      ends_q  <= !begins && (ends_q || step_q == ENDS - 5'd1);
      idle_q  <= !begins && (idle_q || give);
      if (begins) final_q <= turn || final_i;
      else if (give) final_q <= 1'b0;
      if (begins) out_q <= turn;
      else if (give) out_q <= 1'b0;
      late_q  <= go;
    end
  end

  // ---- the block ------------------------------------------------------------------------------

  // Behind the last block's padding: the number of blocks.
  wire [63:0]  count = idle_q ? 64'd1 : count_q + 64'd1;
  wire [63:0]  number = late_q ? count_q : count;
  wire [511:0] m;
  genvar i;
  generate
    assign m[447:0] = block_i[447:0];
    for (i = 0; i < 8; i = i + 1) begin : g_count
      assign m[504-8*i +: 8] = block_i[504-8*i +: 8] | (final_i ? number[8*i +: 8] : 8'h00);
    end
  endgenerate

  always @(posedge clk) begin
    if (go) count_q <= count;
  end

  // ---- the permutations -----------------------------------------------------------------------

  reg  [511:0] state_q;
  reg  [511:0] h_q;
  wire [511:0] added;  // with the constant of the round
  wire [511:0] substituted;
  wire [511:0] mixed;
  wire [511:0] sum = state_q ^ mixed;  // what P and Q have become, where they end
  wire [511:0] h_d = h_q ^ (idle_q ? 512'd0 : sum);
  wire [7:0]   round = {4'd0, step_q[4:1]};

  assign added = {state_q[511:64],
                  state_q[63:56] ^ (step_q[0] ? ~round : 8'h00),
                  state_q[55:8],
                  state_q[7:0] ^ (step_q[0] ? 8'h00 : round)};

  generate
    for (i = 0; i < 32; i = i + 1) begin : g_substitute
      aes_sbox_pair #(
          .MEMORY (1),
          .INVERSE(0)
      ) u_pair (
          .clk     (clk),
          .en_i    (!ends_q),
          .invert_i(1'b0),
          .a_i     (added[16*i +: 8]),
          .b_i     (added[16*i+8 +: 8]),
          .a_o     (substituted[16*i +: 8]),
          .b_o     (substituted[16*i+8 +: 8])
      );
    end
  endgenerate

  groestl_mix u_mix (
      .state_i(substituted),
      .state_o(mixed)
  );

  always @(posedge clk) begin
    if (begins) state_q <= h_d ^ (go ? m : 512'd0);
    else if (!ends_q) state_q <= late_q ? m : mixed;
  end

  always @(posedge clk) begin
    if (rst || give) h_q <= IV;
    else if (begins) h_q <= h_d;
  end

  assign digest_o = state_q[511:256] ^ h_q[511:256];

endmodule

`default_nettype wire
