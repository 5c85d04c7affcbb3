// SPDX-License-Identifier: Apache-2.0
//
// Bytes of a message into words with the four bytes of SUFFIX behind it, and zeros behind those:
// the padding of Keccak in round 2 of the SHA-3 contest ("Keccak specifications", version 2).
//
// Interface: s_axis_* as in keccak_r2_stream; word_* is a stream of words without a byte mask, in
// which word_end_o marks the one that holds the last byte of SUFFIX. A message whose last beat has
// no room for all of it gets one word more, during which s_axis_tready is low; all other words pass
// in the cycle of their beat. Resets: the one flag.

`default_nettype none

module keccak_r2_pad #(
    // The first byte lowest.
    parameter [31:0] SUFFIX = 32'h01_88_20_01
) (
    input  wire        clk,
    input  wire        rst,
    input  wire [63:0] s_axis_tdata,
    input  wire [7:0]  s_axis_tkeep,
    input  wire        s_axis_tlast,
    input  wire        s_axis_tvalid,
    output wire        s_axis_tready,
    output wire [63:0] word_o,
    output wire        word_end_o,
    output wire        word_valid_o,
    input  wire        word_ready_i
);

  reg        extra_q;  // the last beat had no room for all of SUFFIX: what is left comes alone
  reg [31:0] rest_q;

  wire       beat = s_axis_tvalid && s_axis_tready;
  wire       room = !s_axis_tkeep[4];
  // Bytes are valid from 0 upwards without gaps, so SUFFIX begins at the one that is not and comes
  // right after one that is. Beats before the last one are full: nothing of it stands in them.
  wire [8:0] start = {s_axis_tkeep, 1'b1} & ~{1'b0, s_axis_tkeep};

  reg [63:0] kept;
  reg [95:0] marks;
  integer    i;

  always @* begin
    marks = 96'd0;
    for (i = 0; i <= 8; i = i + 1) begin
      if (start[i]) marks = marks | {64'd0, SUFFIX} << (8 * i);
    end
    for (i = 0; i < 8; i = i + 1) begin
      kept[8*i +: 8] = s_axis_tkeep[i] ? s_axis_tdata[8*i +: 8] : 8'h00;
    end
  end

  assign s_axis_tready = word_ready_i && !extra_q;
  assign word_o        = extra_q ? {32'd0, rest_q} : kept | marks[63:0];
  assign word_valid_o  = s_axis_tvalid || extra_q;
  assign word_end_o    = extra_q || (s_axis_tlast && room);

  always @(posedge clk) begin
    if (rst) extra_q <= 1'b0;
    else if (word_ready_i) extra_q <= beat && s_axis_tlast && !room;
  end

  always @(posedge clk) begin
    if (beat) rest_q <= marks[95:64];
  end

endmodule

`default_nettype wire
