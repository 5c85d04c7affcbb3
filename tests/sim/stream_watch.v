// SPDX-License-Identifier: Apache-2.0
//
// A core between AXI4-Stream s_axis and m_axis, and what its input waited: when a packet has come
// out, m_wait tells of the last one that went in, 4 bytes each, lowest first: the longest row of
// cycles in which a beat was offered and not taken between its first beat and its last; the sum of
// all such cycles; its beats; and the cycles from its first beat in to the last one out.
//
// CORE is the module, CORE_CLK and CORE_RST its ports, CORE_PARAMETERS its parameters as an
// instance sets them. Calls come one by one.

`default_nettype none

module stream_watch #(
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
    output wire [DATA_BITS-1:0]   m_axis_tdata,
    output wire [DATA_BITS/8-1:0] m_axis_tkeep,
    output wire                   m_axis_tlast,
    output wire                   m_axis_tvalid,
    input  wire                   m_axis_tready,
    output wire [127:0]           m_wait_tdata,
    output wire [15:0]            m_wait_tkeep,
    output wire                   m_wait_tlast,
    output wire                   m_wait_tvalid,
    input  wire                   m_wait_tready
);

  reg         inside_q;   // a packet has begun and not ended
  reg  [31:0] row_q;
  reg  [31:0] most_q;
  reg  [31:0] sum_q;
  reg  [31:0] beats_q;
  reg  [31:0] cycles_q;
  reg         told_q;

  wire        waits = inside_q && s_axis_tvalid && !s_axis_tready;
  wire        beat = s_axis_tvalid && s_axis_tready;
  wire        first = beat && !inside_q;
  wire        out = m_axis_tvalid && m_axis_tready && m_axis_tlast;

  `CORE `CORE_PARAMETERS u_core (
      .`CORE_CLK    (clk),
      .`CORE_RST    (rst),
      .s_axis_tdata (s_axis_tdata),
      .s_axis_tkeep (s_axis_tkeep),
      .s_axis_tuser (s_axis_tuser),
      .s_axis_tlast (s_axis_tlast),
      .s_axis_tvalid(s_axis_tvalid),
      .s_axis_tready(s_axis_tready),
      .m_axis_tdata (m_axis_tdata),
      .m_axis_tkeep (m_axis_tkeep),
      .m_axis_tlast (m_axis_tlast),
      .m_axis_tvalid(m_axis_tvalid),
      .m_axis_tready(m_axis_tready)
  );

  assign m_wait_tdata = {cycles_q, beats_q, sum_q, most_q};
  assign m_wait_tkeep = 16'hffff;
  assign m_wait_tlast = 1'b1;
  assign m_wait_tvalid = told_q;

  always @(posedge clk) begin
    if (rst) begin
      inside_q <= 1'b0;
      told_q   <= 1'b0;
    end else begin
      if (beat) inside_q <= !s_axis_tlast;
      if (out) told_q <= 1'b1;
      else if (m_wait_tready) told_q <= 1'b0;
    end
    if (first) begin
      row_q    <= 32'd0;
      most_q   <= 32'd0;
      sum_q    <= 32'd0;
      beats_q  <= 32'd1;
      cycles_q <= 32'd2;  // this one, and that in which it is read
    end else begin
      if (!told_q && !out) cycles_q <= cycles_q + 32'd1;
      beats_q <= beats_q + {31'd0, beat};
      sum_q   <= sum_q + {31'd0, waits};
      row_q   <= beat ? 32'd0 : row_q + {31'd0, waits};
      if (waits && row_q >= most_q) most_q <= row_q + 32'd1;
    end
  end

endmodule

`default_nettype wire
