// SPDX-License-Identifier: Apache-2.0
//
// The counter block of SP 800-38A, B.1: 128 bits, byte 0 on top, that can go up each cycle. Which
// of its four words change with the next step is known a cycle ahead, so that no carry goes
// through more than one.
//
// Interface: counter_o is right in the cycle after load_i or next_i. Resets nothing: a load comes
// first.

`default_nettype none

module aes_count (
    input  wire         clk,
    input  wire         load_i,
    input  wire [127:0] counter_i,
    input  wire         next_i,
    output wire [127:0] counter_o
);

  reg [31:0] word0_q;  // lowest
  reg [31:0] word1_q;
  reg [31:0] word2_q;
  reg [31:0] word3_q;
  reg [3:1]  carry_q;  // into the words above: all below are ones

  wire [127:0] turned;
  wire [127:0] words = {word3_q, word2_q, word1_q, word0_q};

  // Bytes are turned here, and here alone.
  genvar i;
  generate
    for (i = 0; i < 16; i = i + 1) begin : g_byte
      localparam WORD = i / 4;
      localparam BYTE = i % 4;
      assign turned[8*i +: 8] = counter_i[8*(15 - i) +: 8];
      assign counter_o[8*(15 - i) +: 8] = words[32*WORD + 8*BYTE +: 8];
    end
  endgenerate

  wire ones0     = &turned[31:0];
  wire ones1     = &turned[63:32];
  wire ones2     = &turned[95:64];
  wire next_ones = word0_q == 32'hffff_fffe;

  always @(posedge clk) begin
    if (load_i) begin
      {word3_q, word2_q, word1_q, word0_q} <= turned;
      carry_q <= {ones0 && ones1 && ones2, ones0 && ones1, ones0};
    end else if (next_i) begin
      word0_q <= word0_q + 32'd1;
      word1_q <= word1_q + {31'd0, carry_q[1]};
      word2_q <= word2_q + {31'd0, carry_q[2]};
      word3_q <= word3_q + {31'd0, carry_q[3]};
      // The lowest word becomes all ones now; then the others stay as they are in this step.
      carry_q <= {next_ones && (&word1_q) && (&word2_q), next_ones && (&word1_q), next_ones};
    end
  end

endmodule

`default_nettype wire
