// SPDX-License-Identifier: Apache-2.0
//
// Fields of s_axis_* into blocks of 64 bytes, zeros behind the last byte, and what BLAKE3 must know
// of each when it is compressed: how many bytes it has, and whether it is the field's last.
//
// A field may end in a beat without bytes behind a whole block, so that a whole block is given only
// once the next beat is there, in a register of its own. Beats follow each other without a gap
// where blocks are taken as they come: 512 / DATA_BITS cycles a block. s_axis_tready depends on a
// register and on block_ready_i. An empty field is one block without bytes. Resets: control.

`default_nettype none

module blake3_blocks #(
    // Bits of a beat: 64 or 512.
    parameter DATA_BITS = 64
) (
    input  wire                   clk,
    input  wire                   rst,
    input  wire [DATA_BITS-1:0]   s_axis_tdata,
    input  wire [DATA_BITS/8-1:0] s_axis_tkeep,
    input  wire [31:0]            s_axis_tuser,
    input  wire                   s_axis_tlast,
    input  wire                   s_axis_tvalid,
    output wire                   s_axis_tready,
    output wire [511:0]           block_o,
    output wire [6:0]             block_bytes_o,
    output wire                   block_last_o,
    output wire [31:0]            block_user_o,
    output wire                   block_valid_o,
    input  wire                   block_ready_i
);

  localparam BYTES = DATA_BITS / 8;
  localparam BEATS = 512 / DATA_BITS;

  generate
    if (DATA_BITS != 64 && DATA_BITS != 512) begin : g_data_bits
      ERROR_data_bits_must_be_64_or_512 u_error ();
    end
  endgenerate

  // ---- the beat that is next ------------------------------------------------------------------

  reg  [DATA_BITS-1:0] data_q;
  reg  [6:0]           bytes_q;
  reg  [31:0]          user_q;
  reg                  last_q;
  reg                  some_q;
  reg                  valid_q;
  reg  [6:0]           bytes;
  wire [DATA_BITS-1:0] data;
  reg                  hold_q;    // the beat waits for the block to be taken

  // Of the next cycle.
  wire                 valid = s_axis_tready ? s_axis_tvalid : valid_q;
  wire                 some = s_axis_tready ? s_axis_tkeep[0] : some_q;

  assign s_axis_tready = !hold_q || block_ready_i;

  // tkeep has no gaps: bit k of how many it has is whether an odd number of multiples of 2^k are
  // among the places that it counts.
  integer k;
  integer n;
  always @* begin
    bytes = 7'd0;
    for (k = 0; k < 7; k = k + 1) begin
      for (n = 1 << k; n <= BYTES; n = n + (1 << k)) bytes[k] = bytes[k] ^ s_axis_tkeep[n-1];
    end
  end

  genvar i;
  generate
    for (i = 0; i < BYTES; i = i + 1) begin : g_byte
      assign data[8*i +: 8] = s_axis_tkeep[i] ? s_axis_tdata[8*i +: 8] : 8'h00;
    end
  endgenerate

  always @(posedge clk) begin
    if (s_axis_tready) begin
      data_q  <= data;
      bytes_q <= bytes;
      user_q  <= s_axis_tuser;
      last_q  <= s_axis_tlast;
      some_q  <= s_axis_tkeep[0];
    end
    if (rst) valid_q <= 1'b0;
    else valid_q <= valid;
  end

  // ---- the block ------------------------------------------------------------------------------

  reg [511:0] block_q;
  reg [6:0]   block_bytes_q;
  reg [31:0]  block_user_q;
  reg         full_q;    // all that it may have: 64 bytes, or the end of the field
  reg         end_q;
  reg [3:0]   count_q;   // beats of it

  wire taken = block_valid_o && block_ready_i;
  // A beat that only says that the field has ended before.
  wire ends = valid_q && full_q && !end_q && !some_q;
  wire fill = valid_q && (!full_q || (block_ready_i && (end_q || some_q)));
  wire first = full_q || count_q == 4'd0;
  wire last_beat = first ? BEATS == 1 : count_q == BEATS[3:0] - 4'd1;
  // Of the next cycle.
  wire full = fill ? last_q || last_beat : full_q && !taken;
  wire ended = fill ? last_q : end_q ? !taken : ends;

  assign block_valid_o = full_q && (end_q || (valid_q && some_q));
  assign block_o = block_q;
  assign block_bytes_o = block_bytes_q;
  assign block_last_o = end_q;
  assign block_user_o = block_user_q;

  generate
    for (i = 0; i < BEATS; i = i + 1) begin : g_beat
      localparam [3:0] PLACE = i;
      wire here = first ? PLACE == 4'd0 : count_q == PLACE;
      always @(posedge clk) begin
        if (fill && here) block_q[DATA_BITS*i +: DATA_BITS] <= data_q;
        else if (fill && first) block_q[DATA_BITS*i +: DATA_BITS] <= {DATA_BITS{1'b0}};
      end
    end
  endgenerate

  always @(posedge clk) begin
    if (fill) begin
      block_bytes_q <= (first ? 7'd0 : block_bytes_q) + bytes_q;
      block_user_q  <= user_q;
    end
    if (rst) begin
      full_q  <= 1'b0;
      end_q   <= 1'b0;
      hold_q  <= 1'b0;
      count_q <= 4'd0;
    end else begin
      full_q <= full;
      end_q  <= ended;
      hold_q <= valid && full && (ended || some);
      if (fill) count_q <= (first ? 4'd0 : count_q) + 4'd1;
      else if (taken) count_q <= 4'd0;
    end
  end

endmodule

`default_nettype wire
