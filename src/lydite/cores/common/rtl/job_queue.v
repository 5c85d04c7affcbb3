// SPDX-License-Identifier: Apache-2.0
// Gives calls, which come one after the other, to slices: all words of a call under the number of
// one slice. Calls go to slices in turn, or by a hash of their stream, which is what the first word
// begins with: a CRC-16 of its first 8 bytes, or of as many as it has. What is of one stream then
// goes to one slice. For each call the order gives the slice and its packets to come, so that
// results can be put in the order of the calls.
//
// A word a cycle; one cycle of latency, by hash two.

`default_nettype none

module job_queue #(
    parameter SLICES = 2,       // at least 2
    parameter ID_BITS = 1,      // of their numbers
    parameter BYTES = 4,        // of a word
    parameter USER_BITS = 0,    // of tuser
    parameter PACKET_BITS = 2,  // of the packets of a call
    parameter HASH = 0          // by hash, not in turn
) (
    input  wire                         clk,
    input  wire                         rst,
    input  wire                         in_valid_i,
    output wire                         in_ready_o,
    input  wire [  9*BYTES+USER_BITS:0] in_word_i,      // tuser, tlast, tkeep, tdata
    output wire                         on_valid_o,
    input  wire                         on_ready_i,
    output wire [  9*BYTES+USER_BITS:0] on_word_o,
    output wire [          ID_BITS-1:0] on_id_o,
    input  wire [      PACKET_BITS-1:0] takes_i,        // of a call that begins with on_word_o,
    input  wire [      PACKET_BITS-1:0] gives_i,        // by its tuser
    output wire                         order_valid_o,
    input  wire                         order_ready_i,
    output wire [ID_BITS+PACKET_BITS-1:0] order_word_o  // packets to come, slice
);
  localparam WIDTH = 9 * BYTES + 1 + USER_BITS;
  localparam [PACKET_BITS-1:0] ONE = 1;
  localparam [31:0] ALL = SLICES;
  localparam [31:0] LAST_ID = SLICES - 1;

  wire valid;
  wire ready;
  wire [ID_BITS-1:0] chosen;
  reg inside_q;  // a call
  reg [ID_BITS-1:0] id_q;
  reg [PACKET_BITS-1:0] left_q;
  wire go = inside_q | order_ready_i;
  wire [PACKET_BITS-1:0] left = inside_q ? left_q : takes_i;
  wire last = on_word_o[9*BYTES];
  wire pass = valid & ready;

  assign ready         = on_ready_i & go;
  assign on_valid_o    = valid & go;
  assign on_id_o       = inside_q ? id_q : chosen;
  assign order_valid_o = valid & ~inside_q & on_ready_i;
  assign order_word_o  = {gives_i, chosen};

  always @(posedge clk) begin
    if (rst) inside_q <= 1'b0;
    else if (pass) inside_q <= ~(last & (left == ONE));
    if (pass) begin
      id_q   <= on_id_o;
      left_q <= last ? left - ONE : left;
    end
  end

  generate
    if (HASH != 0) begin : g_hash
      localparam FEW = BYTES < 8 ? BYTES : 8;
      wire first_valid;
      wire first_ready;
      wire [WIDTH-1:0] first_word;
      wire [15:0] hash;
      wire [16*FEW+15:0] crc;
      assign crc[15:0] = 16'hffff;
      genvar k;
      for (k = 0; k < FEW; k = k + 1) begin : g_byte
        wire [15:0] next;
        crc16_step u_step (
            .crc_i(crc[16*k+:16]),
            .byte_i(first_word[8*k+:8]),
            .crc_o(next)
        );
        assign crc[16*k+16+:16] = first_word[8*BYTES+k] ? next : crc[16*k+:16];
      end
      stream_stage #(
          .WIDTH(WIDTH)
      ) u_first (
          .clk(clk),
          .rst(rst),
          .in_valid_i(in_valid_i),
          .in_ready_o(in_ready_o),
          .in_word_i(in_word_i),
          .out_valid_o(first_valid),
          .out_ready_i(first_ready),
          .out_word_o(first_word)
      );
      stream_stage #(
          .WIDTH(16 + WIDTH)
      ) u_second (
          .clk(clk),
          .rst(rst),
          .in_valid_i(first_valid),
          .in_ready_o(first_ready),
          .in_word_i({crc[16*FEW+:16], first_word}),
          .out_valid_o(valid),
          .out_ready_i(ready),
          .out_word_o({hash, on_word_o})
      );
      // A part of the range of hashes for each slice.
      localparam [ID_BITS:0] COUNT = ALL[ID_BITS:0];
      /* verilator lint_off UNUSEDSIGNAL */  // the highest part of it is a number
      wire [ID_BITS+16:0] product = {{ID_BITS + 1{1'b0}}, hash} * {16'd0, COUNT};
      /* verilator lint_on UNUSEDSIGNAL */
      assign chosen = product[16+:ID_BITS];
    end else begin : g_turn
      localparam [ID_BITS-1:0] STEP = 1;
      reg [ID_BITS-1:0] next_q;
      assign chosen = next_q;
      always @(posedge clk) begin
        if (rst) next_q <= {ID_BITS{1'b0}};
        else if (pass & ~inside_q) begin
          next_q <= next_q == LAST_ID[ID_BITS-1:0] ? {ID_BITS{1'b0}} : next_q + STEP;
        end
      end
      stream_stage #(
          .WIDTH(WIDTH)
      ) u_first (
          .clk(clk),
          .rst(rst),
          .in_valid_i(in_valid_i),
          .in_ready_o(in_ready_o),
          .in_word_i(in_word_i),
          .out_valid_o(valid),
          .out_ready_i(ready),
          .out_word_o(on_word_o)
      );
    end
  endgenerate
endmodule

`default_nettype wire
