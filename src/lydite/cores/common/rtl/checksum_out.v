// SPDX-License-Identifier: Apache-2.0
//
// Checksums into packets of four bytes on m_axis_*, and room for those that are on their way:
// room_o says whether the last beat of one more message may be taken, so that nothing before need
// wait.
//
// Interface: end_i for each message taken, while room_o; its checksum comes with valid_i, within
// any number of cycles. A checksum goes out two cycles behind valid_i at the earliest. Resets: all
// but data.

`default_nettype none

module checksum_out (
    input  wire        clk,
    input  wire        rst,
    input  wire        end_i,
    output wire        room_o,
    input  wire        valid_i,
    input  wire [31:0] checksum_i,
    output wire [31:0] m_axis_tdata,
    output wire [3:0]  m_axis_tkeep,
    output wire        m_axis_tlast,
    output wire        m_axis_tvalid,
    input  wire        m_axis_tready
);

  // More than cycles from a message's end to its checksum: messages may follow each other.
  localparam LOG = 5;
  localparam [LOG:0] DEPTH = {1'b1, {LOG{1'b0}}};
  localparam [LOG:0] ONE = {{LOG{1'b0}}, 1'b1};

  reg  [31:0]  stored_q[0:(1<<LOG)-1];
  reg  [LOG:0] write_q;
  reg  [LOG:0] read_q;
  reg  [LOG:0] owed_q;   // messages taken whose checksums were not
  reg          room_q;
  reg  [31:0]  data_q;
  reg          valid_q;
  reg  [LOG:0] owed_d;

  wire         give = valid_q && m_axis_tready;
  wire         move = (!valid_q || m_axis_tready) && read_q != write_q;

  always @* begin
    owed_d = owed_q;
    if (end_i && !give) owed_d = owed_q + ONE;
    if (!end_i && give) owed_d = owed_q - ONE;
  end

  always @(posedge clk) begin
    if (rst) begin
      write_q <= {(LOG + 1) {1'b0}};
      read_q  <= {(LOG + 1) {1'b0}};
      owed_q  <= {(LOG + 1) {1'b0}};
      room_q  <= 1'b0;
      valid_q <= 1'b0;
    end else begin
      if (valid_i) write_q <= write_q + ONE;
      if (move) read_q <= read_q + ONE;
      owed_q <= owed_d;
      room_q <= owed_d != DEPTH;
      if (move) valid_q <= 1'b1;
      else if (m_axis_tready) valid_q <= 1'b0;
    end
  end

  always @(posedge clk) begin
    if (valid_i) stored_q[write_q[LOG-1:0]] <= checksum_i;
    if (move) data_q <= stored_q[read_q[LOG-1:0]];
  end

  assign room_o        = room_q;
  assign m_axis_tdata  = data_q;
  assign m_axis_tkeep  = 4'hf;
  assign m_axis_tlast  = 1'b1;
  assign m_axis_tvalid = valid_q;

endmodule

`default_nettype wire
