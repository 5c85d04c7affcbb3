// SPDX-License-Identifier: Apache-2.0
//
// Bytes of a message into words with the four bytes of SUFFIX behind it, and zeros behind those:
// the padding of Keccak in round 2 of the SHA-3 contest ("Keccak specifications", version 2).
//
// Interface: s_axis_* as in keccak_r2_stream; word_* is a stream of words without a byte mask, in
// which word_end_o marks the one that holds the last byte of SUFFIX, and word_end_low_o also says
// that its lower half does. A message whose last beat has no room for all of it gets one word more,
// during which s_axis_tready is low; all other words pass in the cycle of their beat. Resets: the
// one flag.

`default_nettype none

module keccak_r2_pad #(
    // Bits of a word of the stream: 64, 128.
    parameter        DATA_BITS = 64,
    // The first byte lowest.
    parameter [31:0] SUFFIX    = 32'h01_88_20_01
) (
    input  wire                   clk,
    input  wire                   rst,
    input  wire [DATA_BITS-1:0]   s_axis_tdata,
    input  wire [DATA_BITS/8-1:0] s_axis_tkeep,
    input  wire                   s_axis_tlast,
    input  wire                   s_axis_tvalid,
    output wire                   s_axis_tready,
    output wire [DATA_BITS-1:0]   word_o,
    output wire                   word_end_o,
    output wire                   word_end_low_o,
    output wire                   word_valid_o,
    input  wire                   word_ready_i
);

  localparam BYTES = DATA_BITS / 8;

  reg           extra_q;  // the last beat had no room for all of SUFFIX: what is left comes alone
  reg [31:0]    rest_q;

  wire          beat = s_axis_tvalid && s_axis_tready;
  wire          room = !s_axis_tkeep[BYTES-4];
  // Bytes are valid from 0 upwards without gaps, so SUFFIX begins at the one that is not and comes
  // right after one that is. Beats before the last one are full: nothing of it stands in them.
  wire [BYTES:0] start = {s_axis_tkeep, 1'b1} & ~{1'b0, s_axis_tkeep};

  reg [DATA_BITS-1:0]  kept;
  reg [DATA_BITS+31:0] marks;
  integer              i;

  always @* begin
    marks = {DATA_BITS + 32{1'b0}};
    for (i = 0; i <= BYTES; i = i + 1) begin
      if (start[i]) marks = marks | {{DATA_BITS{1'b0}}, SUFFIX} << (8 * i);
    end
    for (i = 0; i < BYTES; i = i + 1) begin
      kept[8*i +: 8] = s_axis_tkeep[i] ? s_axis_tdata[8*i +: 8] : 8'h00;
    end
  end

  assign s_axis_tready  = word_ready_i && !extra_q;
  assign word_o         = extra_q ? {{(DATA_BITS - 32) {1'b0}}, rest_q} :
                                    kept | marks[DATA_BITS-1:0];
  assign word_valid_o   = s_axis_tvalid || extra_q;
  assign word_end_o     = extra_q || (s_axis_tlast && room);
  assign word_end_low_o = extra_q || (s_axis_tlast && !s_axis_tkeep[BYTES/2-4]);

  always @(posedge clk) begin
    if (rst) extra_q <= 1'b0;
    else if (word_ready_i) extra_q <= beat && s_axis_tlast && !room;
  end

  always @(posedge clk) begin
    if (beat) rest_q <= marks[DATA_BITS +: 32];
  end

endmodule

`default_nettype wire
