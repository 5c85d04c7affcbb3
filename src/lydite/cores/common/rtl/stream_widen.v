// SPDX-License-Identifier: Apache-2.0
// Joins words of a stream into wider ones, the first in the lowest bytes. What ends a packet
// leaves at once, however full. A word a cycle in, one cycle of latency.

`default_nettype none

module stream_widen #(
    parameter RATIO = 2,     // words that are joined, at least 2
    parameter IN_BYTES = 4,  // of one of them
    parameter USER_BITS = 1  // of tuser, at least 1
) (
    input  wire                        clk,
    input  wire                        rst,
    input  wire [      8*IN_BYTES-1:0] s_axis_tdata,
    input  wire [        IN_BYTES-1:0] s_axis_tkeep,
    input  wire                        s_axis_tlast,
    input  wire [       USER_BITS-1:0] s_axis_tuser,
    input  wire                        s_axis_tvalid,
    output wire                        s_axis_tready,
    output wire [8*RATIO*IN_BYTES-1:0] m_axis_tdata,
    output wire [  RATIO*IN_BYTES-1:0] m_axis_tkeep,
    output wire                        m_axis_tlast,
    output wire [       USER_BITS-1:0] m_axis_tuser,
    output wire                        m_axis_tvalid,
    input  wire                        m_axis_tready
);
  localparam [RATIO-1:0] FIRST = 1;

  reg [8*RATIO*IN_BYTES-1:0] data_q;
  reg [RATIO*IN_BYTES-1:0] keep_q;
  reg [RATIO-1:0] place_q;  // where the next word goes, one hot
  reg last_q;
  reg [USER_BITS-1:0] user_q;
  reg valid_q;
  wire take = s_axis_tvalid & s_axis_tready;
  wire whole = place_q[RATIO-1] | s_axis_tlast;

  assign s_axis_tready = ~valid_q | m_axis_tready;
  assign m_axis_tdata  = data_q;
  assign m_axis_tkeep  = keep_q;
  assign m_axis_tlast  = last_q;
  assign m_axis_tuser  = user_q;
  assign m_axis_tvalid = valid_q;

  integer lane;
  always @(posedge clk) begin
    valid_q <= ~rst & ((take & whole) | (valid_q & ~m_axis_tready));
    if (rst) place_q <= FIRST;
    else if (take) place_q <= whole ? FIRST : place_q << 1;
    if (take) begin
      last_q <= s_axis_tlast;
      user_q <= s_axis_tuser;
      for (lane = 0; lane < RATIO; lane = lane + 1) begin
        if (place_q[lane]) data_q[8*IN_BYTES*lane+:8*IN_BYTES] <= s_axis_tdata;
        if (place_q[lane]) keep_q[IN_BYTES*lane+:IN_BYTES] <= s_axis_tkeep;
        else if (place_q[0]) keep_q[IN_BYTES*lane+:IN_BYTES] <= {IN_BYTES{1'b0}};
      end
    end
  end
endmodule

`default_nettype wire
