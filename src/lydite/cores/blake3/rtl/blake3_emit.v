// SPDX-License-Identifier: Apache-2.0
//
// Blocks of the root's output (BLAKE3, 2.6) into beats of m_axis_*. A block of 1 to 64 bytes is
// ceil(8 * bytes / DATA_BITS) beats; one of none, which only an empty output has, a beat without
// bytes. Bytes that do not count are zero. block_ready_o depends on registers: between two blocks
// there is a cycle. Where a block is a beat, block_bytes_i is steady from the cycle before
// block_valid_i on. Resets: control.

`default_nettype none

module blake3_emit #(
    // Bits of a beat: 64 or 512.
    parameter DATA_BITS = 64
) (
    input  wire                   clk,
    input  wire                   rst,
    input  wire [511:0]           block_i,
    input  wire [6:0]             block_bytes_i,
    input  wire                   block_last_i,
    input  wire                   block_valid_i,
    output wire                   block_ready_o,
    output wire [DATA_BITS-1:0]   m_axis_tdata,
    output wire [DATA_BITS/8-1:0] m_axis_tkeep,
    output wire                   m_axis_tlast,
    output wire                   m_axis_tvalid,
    input  wire                   m_axis_tready
);

  localparam BYTES = DATA_BITS / 8;
  localparam [6:0] BEAT_BYTES = BYTES[6:0];

  reg  [511:0]       block_q;
  reg  [6:0]         bytes_q;
  reg                last_q;
  reg                valid_q;

  wire               ends = bytes_q <= BEAT_BYTES;
  wire               go = valid_q && m_axis_tready;
  wire [511:0]       first;
  wire [511:0]       next;
  // Of the beat that is made: the bytes that count, by whole eighths of a block and one in part.
  wire [6:0]         bytes;
  wire [BYTES/8-1:0] whole = ~({BYTES/8{1'b1}} << bytes[6:3]);
  wire [7:0]         part = ~(8'hff << bytes[2:0]);
  wire [BYTES-1:0]   keep;

  assign block_ready_o = !valid_q;
  assign m_axis_tvalid = valid_q;
  assign m_axis_tlast  = last_q && ends;

  genvar i;
  generate
    for (i = 0; i < BYTES; i = i + 1) begin : g_keep
      localparam [6:0] AT = i;
      assign keep[i] = whole[i/8] || (bytes[6:3] == AT[6:3] && part[i%8]);
    end

    if (DATA_BITS == 512) begin : g_whole
      // Where a block is a beat, bytes that do not count do not come in. They are known before.
      reg [BYTES-1:0] next_keep_q;
      reg [BYTES-1:0] keep_q;
      always @(posedge clk) begin
        next_keep_q <= keep;
        if (!valid_q) keep_q <= next_keep_q;
      end
      assign bytes = block_bytes_i;
      assign m_axis_tkeep = keep_q;
      assign m_axis_tdata = block_q;
      assign next = block_q;
      for (i = 0; i < BYTES; i = i + 1) begin : g_byte
        assign first[8*i +: 8] = next_keep_q[i] ? block_i[8*i +: 8] : 8'h00;
      end
    end else begin : g_part
      assign bytes = bytes_q;
      assign m_axis_tkeep = keep;
      assign first = block_i;
      assign next = {{DATA_BITS{1'b0}}, block_q[511:DATA_BITS]};
      for (i = 0; i < BYTES; i = i + 1) begin : g_byte
        assign m_axis_tdata[8*i +: 8] = m_axis_tkeep[i] ? block_q[8*i +: 8] : 8'h00;
      end
    end
  endgenerate

  always @(posedge clk) begin
    if (!valid_q) begin
      block_q <= first;
      bytes_q <= block_bytes_i;
      last_q  <= block_last_i;
    end else if (m_axis_tready) begin
      block_q <= next;
      bytes_q <= bytes_q - BEAT_BYTES;
    end
    if (rst) valid_q <= 1'b0;
    else if (!valid_q) valid_q <= block_valid_i;
    else valid_q <= !(go && ends);
  end

endmodule

`default_nettype wire
