// SPDX-License-Identifier: Apache-2.0
// Cuts words of a stream into narrower ones, the lowest bytes first. Parts without bytes are left
// out, but for one that ends a packet of none. A part a cycle, one cycle of latency.

`default_nettype none

module stream_narrow #(
    parameter RATIO = 2,      // parts of a word, at least 2
    parameter OUT_BYTES = 4,  // of a part
    parameter USER_BITS = 1   // of tuser, at least 1
) (
    input  wire                         clk,
    input  wire                         rst,
    input  wire [8*RATIO*OUT_BYTES-1:0] s_axis_tdata,
    input  wire [  RATIO*OUT_BYTES-1:0] s_axis_tkeep,
    input  wire                         s_axis_tlast,
    input  wire [        USER_BITS-1:0] s_axis_tuser,
    input  wire                         s_axis_tvalid,
    output wire                         s_axis_tready,
    output wire [      8*OUT_BYTES-1:0] m_axis_tdata,
    output wire [        OUT_BYTES-1:0] m_axis_tkeep,
    output wire                         m_axis_tlast,
    output wire [        USER_BITS-1:0] m_axis_tuser,
    output wire                         m_axis_tvalid,
    input  wire                         m_axis_tready
);
  localparam IN_BYTES = RATIO * OUT_BYTES;

  reg [8*IN_BYTES-1:0] data_q;
  reg [IN_BYTES-1:0] keep_q;
  reg last_q;
  reg [USER_BITS-1:0] user_q;
  reg valid_q;
  wire more = |keep_q[IN_BYTES-1:OUT_BYTES];
  wire take = s_axis_tvalid & s_axis_tready;

  assign s_axis_tready = ~valid_q | (m_axis_tready & ~more);
  assign m_axis_tdata  = data_q[8*OUT_BYTES-1:0];
  assign m_axis_tkeep  = keep_q[OUT_BYTES-1:0];
  assign m_axis_tlast  = last_q & ~more;
  assign m_axis_tuser  = user_q;
  assign m_axis_tvalid = valid_q;

  always @(posedge clk) begin
    valid_q <= ~rst & (take | (valid_q & (more | ~m_axis_tready)));
    if (take) begin
      data_q <= s_axis_tdata;
      keep_q <= s_axis_tkeep;
      last_q <= s_axis_tlast;
      user_q <= s_axis_tuser;
    end else if (m_axis_tready) begin
      data_q <= data_q >> (8 * OUT_BYTES);
      keep_q <= keep_q >> OUT_BYTES;
    end
  end
endmodule

`default_nettype wire
