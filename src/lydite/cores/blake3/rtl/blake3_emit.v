// SPDX-License-Identifier: Apache-2.0
//
// Blocks of the root's output (BLAKE3, 2.6) into beats of m_axis_*. A block of 1 to 64 bytes is
// ceil(8 * bytes / DATA_BITS) beats; one of none, which only an empty output has, a beat without
// bytes. Bytes that do not count are zero. block_ready_o depends on registers: between two blocks
// there is a cycle. Resets: control.

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

  reg  [511:0] block_q;
  reg  [6:0]   bytes_q;
  reg          last_q;
  reg          valid_q;

  wire         ends = bytes_q <= BEAT_BYTES;
  wire         go = valid_q && m_axis_tready;
  wire [511:0] next;

  assign block_ready_o = !valid_q;
  assign m_axis_tvalid = valid_q;
  assign m_axis_tlast  = last_q && ends;

  genvar i;
  generate
    if (DATA_BITS == 512) begin : g_whole
      assign next = block_q;
    end else begin : g_part
      assign next = {{DATA_BITS{1'b0}}, block_q[511:DATA_BITS]};
    end

    for (i = 0; i < BYTES; i = i + 1) begin : g_byte
      localparam [6:0] PLACE = i;
      assign m_axis_tkeep[i] = bytes_q > PLACE;
      assign m_axis_tdata[8*i +: 8] = m_axis_tkeep[i] ? block_q[8*i +: 8] : 8'h00;
    end
  endgenerate

  always @(posedge clk) begin
    if (!valid_q) begin
      block_q <= block_i;
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
