// SPDX-License-Identifier: Apache-2.0
//
// The padded blocks of messages for Shabal, in LUT RAM for two of them: one comes in while the
// other one is read.
//
// Interface: word_* from message_pad; zeros are written behind the last word, up to a whole block.
// full_o: a block is there, final_o: it is the last of its message. Number addr_i of its groups of
// WORDS words of 32 bits stands at word_o in the same cycle; done_i sets it free. Resets: control.

`default_nettype none

module shabal_words #(
    // Words that are read at once: 1, 2.
    parameter WORDS     = 1,
    // Bits of the number of such a group in a block: log2 of 16 / WORDS.
    parameter ADDR_BITS = 4
) (
    input  wire                 clk,
    input  wire                 rst,
    input  wire [63:0]          word_i,
    input  wire                 word_end_i,
    input  wire                 word_valid_i,
    output wire                 word_ready_o,
    output wire                 full_o,
    output wire                 final_o,
    input  wire [ADDR_BITS-1:0] addr_i,
    output wire [32*WORDS-1:0]  word_o,
    input  wire                 done_i
);

  reg  [31:0] low_q[0:15];
  reg  [31:0] high_q[0:15];
  reg  [3:0]  write_q;  // block, and word of it
  reg         read_q;  // block
  reg  [1:0]  full_q;  // of each block
  reg  [1:0]  final_q;
  reg         pad_q;  // the message has ended within the block

  wire        room = !full_q[write_q[3]];
  wire        write = room && (pad_q || word_valid_i);
  wire        whole = write && (&write_q[2:0]);
  wire        ended = pad_q || word_end_i;
  wire [63:0] data = pad_q ? 64'd0 : word_i;
  wire [3:0]  addr = {read_q, addr_i[ADDR_BITS-1 -: 3]};
  wire [31:0] low = low_q[addr];
  wire [31:0] high = high_q[addr];

  assign word_ready_o = room && !pad_q;
  assign full_o       = full_q[read_q];
  assign final_o      = final_q[read_q];

  generate
    if (WORDS == 1) begin : g_word
      assign word_o = addr_i[0] ? high : low;
    end else begin : g_pair
      assign word_o = {high, low};
    end
  endgenerate

  always @(posedge clk) begin
    if (write) begin
      low_q[write_q]  <= data[31:0];
      high_q[write_q] <= data[63:32];
    end
  end

  always @(posedge clk) begin
    if (rst) begin
      write_q <= 4'd0;
      read_q  <= 1'b0;
      full_q  <= 2'b00;
      pad_q   <= 1'b0;
    end else begin
      if (write) write_q <= write_q + 4'd1;
      if (write) pad_q <= ended && !whole;
      if (done_i) begin
        full_q[read_q] <= 1'b0;
        read_q         <= !read_q;
      end
      if (whole) full_q[write_q[3]] <= 1'b1;
    end
  end

  always @(posedge clk) begin
    if (whole) final_q[write_q[3]] <= ended;
  end

endmodule

`default_nettype wire
