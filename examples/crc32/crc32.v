// SPDX-License-Identifier: Apache-2.0
// CRC-32 (ISO-HDLC: polynomial 0x04c11db7, reflected, initial value and final xor all ones) of an
// AXI4-Stream message, a byte a cycle. The four bytes of the CRC follow, least significant first.
// Latency from the first byte taken to the last byte given: bytes + 4 cycles. The next message is
// taken once the CRC has been given. Reset clears control and the register.

`default_nettype none

module crc32 (
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
  localparam [31:0] POLYNOMIAL = 32'hedb88320;  // reflected

  reg [31:0] crc_q;
  reg        giving_q;
  reg [ 1:0] given_q;

  reg [31:0] crc_d;
  integer    i;
  always @* begin
    crc_d = crc_q ^ {24'd0, s_axis_tdata};
    for (i = 0; i < 8; i = i + 1) crc_d = {1'b0, crc_d[31:1]} ^ (crc_d[0] ? POLYNOMIAL : 32'd0);
  end

  wire take = s_axis_tvalid && s_axis_tready;
  wire give = m_axis_tvalid && m_axis_tready;

  assign s_axis_tready = !giving_q;
  assign m_axis_tvalid = giving_q;
  assign m_axis_tdata  = ~crc_q[7:0];
  assign m_axis_tkeep  = 1'b1;
  assign m_axis_tlast  = given_q == 2'd3;

  always @(posedge clk) begin
    if (rst) begin
      crc_q    <= 32'hffffffff;
      giving_q <= 1'b0;
      given_q  <= 2'd0;
    end else if (take) begin
      if (s_axis_tkeep) crc_q <= crc_d;
      giving_q <= s_axis_tlast;
    end else if (give) begin
      // Ones shift in, so that the register is ready for the next message after four bytes.
      crc_q    <= {8'hff, crc_q[31:8]};
      giving_q <= !m_axis_tlast;
      given_q  <= given_q + 2'd1;
    end
  end
endmodule

`default_nettype wire
