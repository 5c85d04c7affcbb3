// SPDX-License-Identifier: Apache-2.0
// A toy of a hash for the tests of the harness: up to three messages at once, told apart by tid.
// Each byte of a message turns its sum by five bits and is added to it; a message can give its
// next byte three cycles later, so that three keep the input busy. The sum goes out lowest byte
// first, and the bytes of several messages by turns.
`default_nettype none

module loom (
    input  wire       clk,
    input  wire       rst,
    input  wire [7:0] s_axis_tdata,
    input  wire       s_axis_tkeep,
    input  wire       s_axis_tlast,
    input  wire [1:0] s_axis_tid,
    input  wire       s_axis_tvalid,
    output wire       s_axis_tready,
    output wire [7:0] m_axis_tdata,
    output wire       m_axis_tkeep,
    output wire       m_axis_tlast,
    output wire [1:0] m_axis_tid,
    output wire       m_axis_tvalid,
    input  wire       m_axis_tready
);

  localparam [31:0] FIRST = 32'h6c796469;

  reg [31:0] sum_q    [0:3];
  reg [31:0] result_q [0:3];
  reg [ 2:0] left_q   [0:3];  // bytes of the result that are still to go out
  reg [ 1:0] rest_q   [0:3];  // cycles until the next byte may come

  reg [7:0] data_q;
  reg [1:0] id_q;
  reg       last_q, full_q;

  assign s_axis_tready = rest_q[s_axis_tid] == 2'd0 && left_q[s_axis_tid] == 3'd0;
  assign m_axis_tdata = data_q;
  assign m_axis_tkeep = 1'b1;
  assign m_axis_tlast = last_q;
  assign m_axis_tid = id_q;
  assign m_axis_tvalid = full_q;

  wire take = s_axis_tvalid && s_axis_tready;
  wire [31:0] sum = sum_q[s_axis_tid];
  wire [31:0] turned = {sum[26:0], sum[31:27]};
  wire [31:0] next = s_axis_tkeep ? turned + {24'd0, s_axis_tdata} : sum;

  // The next message that has something to give, from the one after the last.
  wire [1:0] one = id_q == 2'd2 ? 2'd0 : id_q + 2'd1;
  wire [1:0] two = one == 2'd2 ? 2'd0 : one + 2'd1;
  wire [1:0] turn = left_q[one] != 3'd0 ? one : left_q[two] != 3'd0 ? two : id_q;

  integer i;
  always @(posedge clk) begin
    if (rst) begin
      full_q <= 1'b0;
      id_q   <= 2'd0;
      for (i = 0; i < 4; i = i + 1) begin
        sum_q[i]  <= FIRST;
        left_q[i] <= 3'd0;
        rest_q[i] <= 2'd0;
      end
    end else begin
      for (i = 0; i < 4; i = i + 1) if (rest_q[i] != 2'd0) rest_q[i] <= rest_q[i] - 2'd1;
      if (take) begin
        sum_q[s_axis_tid]  <= s_axis_tlast ? FIRST : next;
        rest_q[s_axis_tid] <= 2'd2;
        if (s_axis_tlast) begin
          result_q[s_axis_tid] <= next;
          left_q[s_axis_tid]   <= 3'd4;
        end
      end
      if (m_axis_tready || !full_q) begin
        full_q <= left_q[turn] != 3'd0;
        if (left_q[turn] != 3'd0) begin
          data_q         <= result_q[turn][7:0];
          result_q[turn] <= result_q[turn] >> 8;
          left_q[turn]   <= left_q[turn] - 3'd1;
          last_q         <= left_q[turn] == 3'd1;
          id_q           <= turn;
        end
      end
    end
  end

endmodule

`default_nettype wire
