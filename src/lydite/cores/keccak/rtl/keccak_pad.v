// SPDX-License-Identifier: Apache-2.0
//
// Bytes of a message into words with domain suffix and the first bit of pad10*1 (FIPS 202, 5.1
// and B.2): SUFFIX stands in the byte after the last one of the message. The bytes after it are
// zero, and the last one of pad10*1 is left to the block buffer, which knows where the block ends.
//
// Interface: s_axis_* as in keccak_stream; word_* is a stream of words without a byte mask, in
// which word_end_o marks the one that holds SUFFIX. A message that fills its last beat gets one
// word more, during which s_axis_tready is low; all other words pass in the cycle of their beat.
// Resets: the one flag. Length: s_axis_tuser of the last beat, kept until the next last beat.

`default_nettype none

module keccak_pad #(
    // Bits of a word of the stream.
    parameter       DATA_BITS = 64,
    // Domain suffix and first bit of the padding: 8'h06 SHA3, 8'h1F SHAKE, 8'h01 none (Keccak).
    parameter [7:0] SUFFIX    = 8'h06
) (
    input  wire                   clk,
    input  wire                   rst,
    input  wire [DATA_BITS-1:0]   s_axis_tdata,
    input  wire [DATA_BITS/8-1:0] s_axis_tkeep,
    input  wire                   s_axis_tlast,
    input  wire [15:0]            s_axis_tuser,
    input  wire                   s_axis_tvalid,
    output wire                   s_axis_tready,
    output wire [DATA_BITS-1:0]   word_o,
    output wire                   word_end_o,
    output wire                   word_end_low_o,
    output wire                   word_valid_o,
    input  wire                   word_ready_i,
    output wire [15:0]            length_o
);

  localparam BYTES = DATA_BITS / 8;

  reg         extra_q;  // the last beat was full: SUFFIX goes alone into the next word
  reg  [15:0] length_q;

  wire             beat = s_axis_tvalid && s_axis_tready;
  wire             full = s_axis_tkeep[BYTES-1];
  wire [BYTES-1:0] keep_before = {s_axis_tkeep[BYTES-2:0], 1'b1};

  assign s_axis_tready = word_ready_i && !extra_q;

  // Bytes are valid from 0 upwards without gaps, so the first one that is not comes right after
  // one that is. Beats before the last one are full: they hold no such byte.
  genvar i;
  generate
    for (i = 0; i < BYTES; i = i + 1) begin : g_byte
      localparam [7:0] EXTRA = (i == 0) ? SUFFIX : 8'h00;
      assign word_o[8*i +: 8] = extra_q ? EXTRA :
                                s_axis_tkeep[i] ? s_axis_tdata[8*i +: 8] :
                                keep_before[i] ? SUFFIX : 8'h00;
    end
  endgenerate

  assign word_valid_o   = s_axis_tvalid || extra_q;
  assign word_end_o     = extra_q || (s_axis_tlast && !full);
  assign word_end_low_o = extra_q || (s_axis_tlast && !s_axis_tkeep[BYTES/2-1]);
  assign length_o       = length_q;

  always @(posedge clk) begin
    if (rst) extra_q <= 1'b0;
    else if (word_ready_i) extra_q <= beat && s_axis_tlast && full;
  end

  always @(posedge clk) begin
    if (beat && s_axis_tlast) length_q <= s_axis_tuser;
  end

endmodule

`default_nettype wire
