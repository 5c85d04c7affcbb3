// SPDX-License-Identifier: Apache-2.0
// A toy of an authenticated cipher, a byte in two cycles, for the tests of the harness. Each byte
// is xored with the key; the tag is the key plus all plaintext bytes, each turned one bit more.
// Packets in: key, text, and when opening the tag; out: text, then the tag or the verdict.
// s_axis_tuser: 0 seals, 1 opens.
`default_nettype none

module toy (
    input  wire       clk,
    input  wire       rst,
    input  wire [7:0] s_axis_tdata,
    input  wire       s_axis_tkeep,
    input  wire       s_axis_tlast,
    input  wire       s_axis_tuser,
    input  wire       s_axis_tvalid,
    output wire       s_axis_tready,
    output wire [7:0] m_axis_tdata,
    output wire       m_axis_tkeep,
    output wire       m_axis_tlast,
    output wire       m_axis_tvalid,
    input  wire       m_axis_tready
);

  localparam [1:0] ST_KEY = 2'd0;
  localparam [1:0] ST_TEXT = 2'd1;
  localparam [1:0] ST_TAG = 2'd2;   // the tag comes in
  localparam [1:0] ST_END = 2'd3;   // tag or verdict goes out

  reg [1:0] state_q;
  reg [7:0] key_q, sum_q, data_q;
  reg       opens_q, right_q, keep_q, last_q, full_q;

  wire free = !full_q || m_axis_tready;
  wire take = s_axis_tvalid && s_axis_tready;
  wire [7:0] text = s_axis_tdata ^ key_q;
  wire [7:0] plain = opens_q ? text : s_axis_tdata;
  wire [7:0] turned = {sum_q[6:0], sum_q[7]};

  // Only while there is room for the beat that it makes: of a register alone.
  assign s_axis_tready = !full_q && state_q != ST_END;
  assign m_axis_tdata = data_q;
  assign m_axis_tkeep = keep_q;
  assign m_axis_tlast = last_q;
  assign m_axis_tvalid = full_q;

  always @(posedge clk) begin
    if (rst) begin
      state_q <= ST_KEY;
      full_q  <= 1'b0;
    end else begin
      if (m_axis_tready) full_q <= 1'b0;
      case (state_q)
        ST_KEY:
        if (take) begin
          if (s_axis_tkeep) begin
            key_q <= s_axis_tdata;
            sum_q <= s_axis_tdata;
          end
          opens_q <= s_axis_tuser;
          right_q <= 1'b1;
          if (s_axis_tlast) state_q <= ST_TEXT;
        end
        ST_TEXT:
        if (take) begin
          data_q <= text;
          keep_q <= s_axis_tkeep;
          last_q <= s_axis_tlast;
          full_q <= s_axis_tkeep || s_axis_tlast;
          if (s_axis_tkeep) sum_q <= turned ^ plain;
          if (s_axis_tlast) state_q <= opens_q ? ST_TAG : ST_END;
        end
        ST_TAG:
        if (take) begin
          if (s_axis_tkeep) right_q <= s_axis_tdata == sum_q;
          if (s_axis_tlast) state_q <= ST_END;
        end
        default:
        if (free) begin
          data_q  <= opens_q ? {7'd0, right_q} : sum_q;
          keep_q  <= 1'b1;
          last_q  <= 1'b1;
          full_q  <= 1'b1;
          state_q <= ST_KEY;
        end
      endcase
    end
  end

endmodule

`default_nettype wire
