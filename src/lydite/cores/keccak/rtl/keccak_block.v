// SPDX-License-Identifier: Apache-2.0
//
// One block of the sponge, collected word by word while the one before it is permuted, with the
// last bit of pad10*1 (FIPS 202, 5.1).
//
// Interface: word_* from keccak_pad; the block is there when full_q is set, full_next_o says so a
// cycle ahead. The core takes it with take_i, and the first word of the next block may come in
// that same cycle, so that a bus that never pauses is never stopped. The first word of a block, and
// every block has one, clears all others, so that a block that ends early needs no zeros written.
// Resets: position and flags.

`default_nettype none

module keccak_block #(
    // Bits of a word.
    parameter DATA_BITS  = 64,
    // Bytes of a block.
    parameter RATE_BYTES = 136
) (
    input  wire                    clk,
    input  wire                    rst,
    input  wire [DATA_BITS-1:0]    word_i,
    input  wire                    word_end_i,
    input  wire                    word_valid_i,
    output wire                    word_ready_o,
    output wire [8*RATE_BYTES-1:0] block_o,
    output wire                    final_o,
    output wire                    full_next_o,
    input  wire                    take_i
);

  localparam BLOCK_BITS = 8 * RATE_BYTES;
  localparam WORDS = (BLOCK_BITS + DATA_BITS - 1) / DATA_BITS;

  reg  [WORDS-1:0]      place_q;  // one hot: where the next word goes
  reg                   full_q;
  reg                   final_q;
  reg  [BLOCK_BITS-1:0] block_q;

  reg  [WORDS-1:0]      place_d;
  reg                   full_d;

  wire write = word_valid_i && word_ready_o;
  wire done = write && (word_end_i || place_q[WORDS-1]);

  assign word_ready_o = !full_q || take_i;
  assign full_next_o  = full_d;
  assign final_o      = final_q;
  assign block_o      = {block_q[BLOCK_BITS-1] | final_q, block_q[BLOCK_BITS-2:0]};

  always @* begin
    full_d = done || (full_q && !take_i);
    place_d = place_q;
    if (done) place_d = {{(WORDS - 1) {1'b0}}, 1'b1};
    else if (write) place_d = {place_q[WORDS-2:0], 1'b0};
  end

  always @(posedge clk) begin
    if (rst) begin
      place_q <= {{(WORDS - 1) {1'b0}}, 1'b1};
      full_q  <= 1'b0;
    end else begin
      place_q <= place_d;
      full_q  <= full_d;
    end
  end

  always @(posedge clk) begin
    if (done) final_q <= word_end_i;
  end

  genvar i;
  generate
    for (i = 0; i < WORDS; i = i + 1) begin : g_word
      localparam LOW = DATA_BITS * i;
      localparam BITS = (BLOCK_BITS - LOW < DATA_BITS) ? BLOCK_BITS - LOW : DATA_BITS;
      if (i == 0) begin : g_first
        always @(posedge clk) begin
          if (write && place_q[i]) block_q[LOW +: BITS] <= word_i[BITS-1:0];
        end
      end else begin : g_later
        always @(posedge clk) begin
          if (write && place_q[0]) block_q[LOW +: BITS] <= {BITS{1'b0}};
          else if (write && place_q[i]) block_q[LOW +: BITS] <= word_i[BITS-1:0];
        end
      end
    end
  endgenerate

`ifdef LYDITE_ASSERT
  place_is_one_hot : assert property (@(posedge clk) disable iff (rst) $onehot(place_q));
  taken_block_is_full : assert property (@(posedge clk) disable iff (rst) take_i |-> full_q);
`endif

endmodule

`default_nettype wire
