// SPDX-License-Identifier: Apache-2.0
// The toy with a stream for keys beside that for texts, tags by a stream of their own, and what it
// adds to each byte in a register: for the tests of the harness. Seals only.
`default_nettype none

module pair (
    input  wire       clk,
    input  wire       rst,
    input  wire [7:0] shift_i,
    input  wire [7:0] s_axis_key_tdata,
    input  wire       s_axis_key_tkeep,
    input  wire       s_axis_key_tlast,
    input  wire       s_axis_key_tvalid,
    output wire       s_axis_key_tready,
    input  wire [7:0] s_axis_tdata,
    input  wire       s_axis_tkeep,
    input  wire       s_axis_tlast,
    input  wire       s_axis_tvalid,
    output wire       s_axis_tready,
    output wire [7:0] m_axis_tdata,
    output wire       m_axis_tkeep,
    output wire       m_axis_tlast,
    output wire       m_axis_tvalid,
    input  wire       m_axis_tready,
    output wire [7:0] m_axis_tag_tdata,
    output wire       m_axis_tag_tkeep,
    output wire       m_axis_tag_tlast,
    output wire       m_axis_tag_tvalid,
    input  wire       m_axis_tag_tready
);

  reg [7:0] key_q, sum_q, data_q;
  reg [3:0] head_q;  // bytes of the header that are still to come
  reg [7:0] left_q;  // of the text, as the header says
  reg       keyed_q, full_q, keep_q, last_q, tag_q, fresh_q;

  wire take_key = s_axis_key_tvalid && s_axis_key_tready;
  wire take = s_axis_tvalid && s_axis_tready;

  assign s_axis_key_tready = !keyed_q && !tag_q;
  assign s_axis_tready = keyed_q && !full_q;
  assign m_axis_tdata = data_q;
  assign m_axis_tkeep = keep_q;
  assign m_axis_tlast = last_q;
  assign m_axis_tvalid = full_q;
  assign m_axis_tag_tdata = sum_q + left_q;
  assign m_axis_tag_tkeep = 1'b1;
  assign m_axis_tag_tlast = 1'b1;
  assign m_axis_tag_tvalid = tag_q;

  always @(posedge clk) begin
    if (rst) begin
      keyed_q <= 1'b0;
      full_q  <= 1'b0;
      tag_q   <= 1'b0;
      head_q  <= 4'd8;
    end else begin
      if (m_axis_tready) full_q <= 1'b0;
      if (m_axis_tag_tready) tag_q <= 1'b0;
      if (take_key) begin
        if (s_axis_key_tkeep) key_q <= s_axis_key_tdata;
        if (s_axis_key_tkeep) sum_q <= s_axis_key_tdata;
        if (s_axis_key_tlast) keyed_q <= 1'b1;
      end
      if (take && head_q != 4'd0) begin
        // Operation, then the length of the text: words of 32 bits, the lowest byte first.
        if (s_axis_tkeep && head_q == 4'd4) left_q <= s_axis_tdata;
        if (s_axis_tkeep && head_q != 4'd1) head_q <= head_q - 4'd1;
        if (s_axis_tlast) head_q <= 4'd0;
      end else if (take) begin
        data_q <= (s_axis_tdata ^ key_q) + shift_i;
        keep_q <= s_axis_tkeep;
        last_q <= s_axis_tlast;
        full_q <= s_axis_tkeep || s_axis_tlast;
        if (s_axis_tkeep) sum_q <= {sum_q[6:0], sum_q[7]} ^ s_axis_tdata;
        if (s_axis_tkeep) left_q <= left_q - 8'd1;
        if (s_axis_tlast) begin
          keyed_q <= 1'b0;
          head_q  <= 4'd8;
          tag_q   <= 1'b1;
        end
      end
    end
  end

endmodule

`default_nettype wire
