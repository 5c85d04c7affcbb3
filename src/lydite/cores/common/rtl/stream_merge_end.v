// SPDX-License-Identifier: Apache-2.0
//
// Packets whose last beat has bytes: one beat without bytes, which may follow a whole one to end a
// packet, is taken back into it. A packet without bytes stays one beat without bytes.
//
// Interface: two streams as docs/cores.md has them; a beat goes out once the next one is offered,
// or at once if it is the last. One cycle of delay, no pause. Resets: the one flag.

`default_nettype none

module stream_merge_end #(
    // Bits of a beat.
    parameter DATA_BITS = 64
) (
    input  wire                   clk,
    input  wire                   rst,
    input  wire [DATA_BITS-1:0]   s_axis_tdata,
    input  wire [DATA_BITS/8-1:0] s_axis_tkeep,
    input  wire                   s_axis_tlast,
    input  wire                   s_axis_tvalid,
    output wire                   s_axis_tready,
    output wire [DATA_BITS-1:0]   m_axis_tdata,
    output wire [DATA_BITS/8-1:0] m_axis_tkeep,
    output wire                   m_axis_tlast,
    output wire                   m_axis_tvalid,
    input  wire                   m_axis_tready
);

  reg                   held_q;
  reg                   last_q;
  reg [DATA_BITS-1:0]   data_q;
  reg [DATA_BITS/8-1:0] keep_q;

  wire beat = s_axis_tvalid && s_axis_tready;
  wire merge = held_q && !last_q && s_axis_tlast && !s_axis_tkeep[0];

  assign s_axis_tready = !held_q || m_axis_tready;
  assign m_axis_tvalid = held_q && (last_q || s_axis_tvalid);
  assign m_axis_tdata  = data_q;
  assign m_axis_tkeep  = keep_q;
  assign m_axis_tlast  = last_q || merge;

  always @(posedge clk) begin
    if (rst) held_q <= 1'b0;
    else if (beat) held_q <= !merge;
    else if (m_axis_tvalid && m_axis_tready) held_q <= 1'b0;
  end

  always @(posedge clk) begin
    if (beat) begin
      last_q <= s_axis_tlast;
      data_q <= s_axis_tdata;
      keep_q <= s_axis_tkeep;
    end
  end

endmodule

`default_nettype wire
