// SPDX-License-Identifier: Apache-2.0
//
// Bytes of a message into words with the bytes that end it: domain suffix and the first bit of
// pad10*1 (FIPS 202, 5.1 and B.2), or the four bytes of round 2 of the SHA-3 contest. SUFFIX stands
// behind the last byte of the message. The bytes after it are zero, and the last one of pad10*1 is
// left to the block buffer, which knows where the block ends.
//
// Interface: s_axis_* as in keccak_stream; word_* is a stream of words without a byte mask, in
// which word_end_o marks the one that holds the last byte of SUFFIX. A message whose last beat has
// no room for all of it gets one word more, during which s_axis_tready is low; all other words pass
// in the cycle of their beat. Resets: the one flag. Length: s_axis_tuser of the last beat, kept
// until the next last beat.

`default_nettype none

module keccak_pad #(
    // Bits of a word of the stream.
    parameter        DATA_BITS    = 64,
    // Bytes of SUFFIX: 1 to 4, at most those of a word.
    parameter        SUFFIX_BYTES = 1,
    // The first one lowest. 8'h06 SHA3, 8'h1F SHAKE: domain suffix and first bit of the padding.
    parameter [31:0] SUFFIX       = 32'h06
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

  // A beat with this byte has no room for SUFFIX; with this one, not in its lower half.
  localparam ROOM = BYTES - SUFFIX_BYTES;
  localparam ROOM_LOW = (BYTES / 2 > SUFFIX_BYTES) ? BYTES / 2 - SUFFIX_BYTES : 0;

  generate
    if (SUFFIX_BYTES < 1 || SUFFIX_BYTES > 4 || SUFFIX_BYTES > BYTES) begin : g_suffix_bytes
      ERROR_suffix_bytes_must_be_1_to_4_and_in_a_word u_error ();
    end
  endgenerate

  // The last beat had no room for all of SUFFIX: what is left goes into the next word.
  reg                    extra_q;
  reg [SUFFIX_BYTES-1:0] placed_q;  // one hot: how many bytes of SUFFIX it had room for
  reg [15:0]             length_q;

  wire                    beat = s_axis_tvalid && s_axis_tready;
  wire                    full = s_axis_tkeep[BYTES-1];
  wire                    room = !s_axis_tkeep[ROOM];
  // Bytes are valid from 0 upwards without gaps, so the first one that is not comes right after
  // one that is. Beats before the last one are full: they hold no such byte.
  wire [BYTES-1:0]        first = {s_axis_tkeep[BYTES-2:0], 1'b1} & ~s_axis_tkeep;
  wire [SUFFIX_BYTES-1:0] placed;

  assign s_axis_tready = word_ready_i && !extra_q;

  genvar i;
  genvar k;
  generate
    for (i = 0; i < BYTES; i = i + 1) begin : g_byte
      wire [8*SUFFIX_BYTES-1:0] here;  // byte k of SUFFIX, if it stands here
      wire [8*SUFFIX_BYTES-1:0] left;
      reg  [7:0]                value;
      integer                   j;

      for (k = 0; k < SUFFIX_BYTES; k = k + 1) begin : g_suffix
        if (k <= i) begin : g_here
          assign here[8*k +: 8] = first[i-k] ? SUFFIX[8*k +: 8] : 8'h00;
        end else begin : g_elsewhere
          assign here[8*k +: 8] = 8'h00;
        end
        if (i + k < SUFFIX_BYTES) begin : g_left
          assign left[8*k +: 8] = placed_q[k] ? SUFFIX[8*(i+k) +: 8] : 8'h00;
        end else begin : g_none
          assign left[8*k +: 8] = 8'h00;
        end
      end

      always @* begin
        value = 8'h00;
        for (j = 0; j < SUFFIX_BYTES; j = j + 1) begin
          value = value | (extra_q ? left[8*j +: 8] : here[8*j +: 8]);
        end
      end

      assign word_o[8*i +: 8] = !extra_q && s_axis_tkeep[i] ? s_axis_tdata[8*i +: 8] : value;
    end

    for (k = 0; k < SUFFIX_BYTES; k = k + 1) begin : g_placed
      if (k == 0) begin : g_all
        assign placed[k] = full;
      end else begin : g_some
        assign placed[k] = first[BYTES-k];
      end
    end
  endgenerate

  assign word_valid_o   = s_axis_tvalid || extra_q;
  assign word_end_o     = extra_q || (s_axis_tlast && room);
  assign word_end_low_o = extra_q || (s_axis_tlast && !s_axis_tkeep[ROOM_LOW]);
  assign length_o       = length_q;

  always @(posedge clk) begin
    if (rst) extra_q <= 1'b0;
    else if (word_ready_i) extra_q <= beat && s_axis_tlast && !room;
  end

  always @(posedge clk) begin
    if (beat) placed_q <= placed;
  end

  always @(posedge clk) begin
    if (beat && s_axis_tlast) length_q <= s_axis_tuser;
  end

endmodule

`default_nettype wire
