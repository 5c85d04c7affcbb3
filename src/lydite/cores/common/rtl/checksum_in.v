// SPDX-License-Identifier: Apache-2.0
//
// Beats of s_axis_* for a checksum of BYTES bytes a cycle: bytes that tkeep does not count become
// zeros, and are counted. Registers behind; nothing waits here, since a beat is only taken when
// there is room for what comes of it (checksum_out.v).
//
// Interface: AXI4-Stream, byte 0 in tdata[7:0]. A beat taken comes out in the next cycle. Its bytes
// count if some_o is set; last_o is the last one of a message, which lacks missing_o bytes of a
// whole beat, 0 if it has none. Resets: some_o, last_o.

`default_nettype none

module checksum_in #(
    // Bytes of a beat: 8, 16, 32.
    parameter BYTES = 8
) (
    input  wire                     clk,
    input  wire                     rst,
    input  wire [8*BYTES-1:0]       s_axis_tdata,
    input  wire [BYTES-1:0]         s_axis_tkeep,
    input  wire                     s_axis_tlast,
    input  wire                     s_axis_tvalid,
    input  wire                     s_axis_tready,
    output wire [8*BYTES-1:0]       data_o,
    output wire                     some_o,
    output wire                     last_o,
    output wire [$clog2(BYTES)-1:0] missing_o
);

  localparam LOG = $clog2(BYTES);

  reg  [8*BYTES-1:0] data_q;
  reg                some_q;
  reg                last_q;
  reg  [LOG-1:0]     missing_q;
  wire [LOG-1:0]     missing;

  wire               take = s_axis_tvalid && s_axis_tready;

  genvar i;
  generate
    // tkeep is ones from the lowest: what is missing by halving what is looked at.
    for (i = LOG - 1; i >= 0; i = i - 1) begin : g_half
      wire [2*(1<<i)-1:0] whole;
      if (i == LOG - 1) begin : g_all
        assign whole = s_axis_tkeep;
      end else begin : g_part
        assign whole = missing[i+1] ? g_half[i+1].whole[0 +: 2*(1<<i)]
                                    : g_half[i+1].whole[2*(1<<i) +: 2*(1<<i)];
      end
      assign missing[i] = !whole[1<<i] && s_axis_tkeep[0];
      wire unused = &{1'b0, whole};
    end

    for (i = 0; i < BYTES; i = i + 1) begin : g_byte
      always @(posedge clk) begin
        data_q[8*i +: 8] <= s_axis_tkeep[i] ? s_axis_tdata[8*i +: 8] : 8'd0;
      end
    end
  endgenerate

  always @(posedge clk) begin
    if (rst) begin
      some_q <= 1'b0;
      last_q <= 1'b0;
    end else begin
      some_q <= take && s_axis_tkeep[0];
      last_q <= take && s_axis_tlast;
    end
  end

  always @(posedge clk) missing_q <= missing;

  assign data_o    = data_q;
  assign some_o    = some_q;
  assign last_o    = last_q;
  assign missing_o = missing_q;

endmodule

`default_nettype wire
