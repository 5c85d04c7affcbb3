// SPDX-License-Identifier: Apache-2.0
//
// Bytes of a message into words that MARK ends: it stands in the byte after the last one of the
// message, as 8'h80 for the bit 1 of most hash functions, and the bytes after it are zero. With
// MARK = 0 only the zeros are there.
//
// Interface: s_axis_* as docs/cores.md has it; word_* is a stream of words without a byte mask.
// word_end_o marks the one that holds MARK, word_bytes_o says how many of its bytes are of the
// message, word_full_o that all of a word's are. A message that fills its last beat gets one word
// more if there is a MARK, during which s_axis_tready is low; all other words pass in the cycle of
// their beat. With MARK = 0 word_full_o and word_end_o may stand together.
// Resets: the one flag.

`default_nettype none

module message_pad #(
    // Bits of a word of the stream: a power of 2, at least 16.
    parameter       DATA_BITS = 64,
    // The byte behind the message; 0 for none.
    parameter [7:0] MARK      = 8'h80
) (
    input  wire                           clk,
    input  wire                           rst,
    input  wire [DATA_BITS-1:0]           s_axis_tdata,
    input  wire [DATA_BITS/8-1:0]         s_axis_tkeep,
    input  wire                           s_axis_tlast,
    input  wire                           s_axis_tvalid,
    output wire                           s_axis_tready,
    output wire [DATA_BITS-1:0]           word_o,
    output wire                           word_full_o,
    output wire [$clog2(DATA_BITS/8)-1:0] word_bytes_o,
    output wire                           word_end_o,
    output wire                           word_valid_o,
    input  wire                           word_ready_i
);

  localparam BYTES = DATA_BITS / 8;
  localparam BYTES_BITS = $clog2(BYTES);
  localparam MARKED = (MARK != 8'h00) ? 1 : 0;

  reg extra_q;  // the last beat was full: MARK goes alone into the next word

  wire             beat = s_axis_tvalid && s_axis_tready;
  wire             full = s_axis_tkeep[BYTES-1];
  wire [BYTES-1:0] keep_before = {s_axis_tkeep[BYTES-2:0], 1'b1};
  // Bytes are kept from 0 upwards without gaps, so the first one that is not comes right after one
  // that is. Beats before the last one are full: they hold no such byte.
  wire [BYTES-1:0] mark_here = keep_before & ~s_axis_tkeep;

  reg [BYTES_BITS-1:0] bytes;
  integer              j;

  assign s_axis_tready = word_ready_i && !extra_q;

  genvar i;
  generate
    for (i = 0; i < BYTES; i = i + 1) begin : g_byte
      localparam [7:0] EXTRA = (i == 0) ? MARK : 8'h00;
      assign word_o[8*i +: 8] = extra_q ? EXTRA :
                                s_axis_tkeep[i] ? s_axis_tdata[8*i +: 8] :
                                mark_here[i] ? MARK : 8'h00;
    end
  endgenerate

  always @* begin
    bytes = {BYTES_BITS{1'b0}};
    for (j = 1; j < BYTES; j = j + 1) begin
      if (mark_here[j] && !extra_q) bytes = bytes | j[BYTES_BITS-1:0];
    end
  end

  assign word_full_o  = full && !extra_q;
  assign word_bytes_o = bytes;
  assign word_valid_o = s_axis_tvalid || extra_q;
  assign word_end_o   = extra_q || (s_axis_tlast && (MARKED == 0 || !full));

  always @(posedge clk) begin
    if (rst) extra_q <= 1'b0;
    else if (word_ready_i) extra_q <= MARKED == 1 && beat && s_axis_tlast && full;
  end

endmodule

`default_nettype wire
