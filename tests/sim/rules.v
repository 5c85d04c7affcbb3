// SPDX-License-Identifier: Apache-2.0
// The sum of the bytes of an AXI4-Stream message, 16 bits, in two beats, low byte first; and, by
// the environment variable LYDITE_FAULT, one fault of many: a test of what watches the rules.

`default_nettype none

module rules (
    input  wire       clk,
    input  wire       rst,
    input  wire [7:0] s_axis_tdata,
    input  wire       s_axis_tkeep,
    input  wire       s_axis_tlast,
    input  wire       s_axis_tvalid,
    output wire       s_axis_tready,
    output wire [7:0] m_axis_tdata,
    output wire       m_axis_tkeep,
    output wire       m_axis_tlast,
    output wire       m_axis_tvalid,
    input  wire       m_axis_tready
);
  integer fault;
  initial fault = $c32("std::atoi(std::getenv(\"LYDITE_FAULT\"))");

  reg [15:0] sum_q;
  reg [15:0] mixed_q;  // any of 65,536 values, each as often as another
  reg        giving_q;
  reg        second_q;
  reg        seen_q;   // tready was high since the output is there
  reg        again_q;  // the message was given once
  reg [ 7:0] quiet_q;  // cycles since the last beat
  reg        just_q;   // the cycle after a reset

  wire take = s_axis_tvalid && s_axis_tready;
  wire give = m_axis_tvalid && m_axis_tready;
  wire late = fault == 13 && quiet_q == 8'd100;

  assign s_axis_tready = !giving_q && !(fault == 1 && !s_axis_tvalid);
  assign m_axis_tvalid =
      fault == 2 ? giving_q && m_axis_tready :
      fault == 3 ? giving_q && seen_q :
      fault == 4 ? giving_q && !(second_q && quiet_q[0]) :
      fault == 11 ? giving_q || rst :
      fault == 12 ? giving_q || (just_q && !rst) :
      giving_q || late;
  wire [7:0] data = second_q ? sum_q[15:8] : sum_q[7:0];
  assign m_axis_tdata =
      fault == 5 ? data ^ {7'd0, quiet_q[0] && second_q} :
      fault == 6 ? data ^ {7'd0, !m_axis_tready} :
      fault == 14 ? data ^ {7'd0, mixed_q == 16'hbeef && second_q == sum_q[0]} : data;
  assign m_axis_tkeep = !(fault == 7 && !second_q) && !(fault == 8 && second_q);
  assign m_axis_tlast = fault == 9 ? 1'b0 : fault == 10 ? 1'b1 : second_q;

  always @(posedge clk) begin
    seen_q  <= giving_q && (seen_q || m_axis_tready);
    just_q  <= rst;
    quiet_q <= take || give ? 8'd0 : quiet_q + {7'd0, !(&quiet_q)};
    if (rst) begin
      sum_q    <= 16'd0;
      mixed_q  <= 16'd0;
      giving_q <= 1'b0;
      second_q <= 1'b0;
      again_q  <= 1'b0;
      quiet_q  <= 8'd128;
    end else if (take) begin
      if (s_axis_tkeep) sum_q <= sum_q + {8'd0, s_axis_tdata};
      mixed_q  <= {mixed_q[10:0], mixed_q[15:11]} * 16'd5 + {8'd77, s_axis_tdata};
      giving_q <= s_axis_tlast;
    end else if (give) begin
      second_q <= !second_q && !(fault == 10);
      if (second_q || fault == 10) begin
        giving_q <= fault == 15 && !again_q;
        again_q  <= !again_q;
        sum_q    <= 16'd0;
        mixed_q  <= 16'd0;
      end
    end
  end
endmodule

`default_nettype wire
