// SPDX-License-Identifier: Apache-2.0
//
// Lanes of output into beats of m_axis_*: half a lane, one, or two of them. Bytes that lane_bytes_i
// does not count are zero in tdata and tkeep. All outputs are registers; they change when nothing
// waits or m_axis_tready is set.
//
// A lane passes in one cycle if the sink takes a beat a cycle (32 bits: a cycle for each half that
// has bytes). Resets: tvalid and the half.

`default_nettype none

module keccak_emit #(
    // Bits of a beat: 32, 64 or 128.
    parameter DATA_BITS = 64
) (
    input  wire                   clk,
    input  wire                   rst,
    input  wire [63:0]            lane_i,
    input  wire [3:0]             lane_bytes_i,
    input  wire                   lane_last_i,
    input  wire                   lane_valid_i,
    output wire                   lane_ready_o,
    output wire [DATA_BITS-1:0]   m_axis_tdata,
    output wire [DATA_BITS/8-1:0] m_axis_tkeep,
    output wire                   m_axis_tlast,
    output wire                   m_axis_tvalid,
    input  wire                   m_axis_tready
);

  wire [7:0]  keep;
  wire [63:0] data;

  reg [DATA_BITS-1:0]   data_q;
  reg [DATA_BITS/8-1:0] keep_q;
  reg                   last_q;
  reg                   valid_q;

  wire go = !valid_q || m_axis_tready;

  genvar i;
  generate
    for (i = 0; i < 8; i = i + 1) begin : g_byte
      localparam [3:0] PLACE = i;
      assign keep[i] = lane_bytes_i > PLACE;
      assign data[8*i +: 8] = keep[i] ? lane_i[8*i +: 8] : 8'h00;
    end
  endgenerate

  assign m_axis_tdata  = data_q;
  assign m_axis_tkeep  = keep_q;
  assign m_axis_tlast  = last_q;
  assign m_axis_tvalid = valid_q;

  generate
    if (DATA_BITS == 64) begin : g_whole
      assign lane_ready_o = go;

      always @(posedge clk) begin
        if (rst) valid_q <= 1'b0;
        else if (go) valid_q <= lane_valid_i;
      end

      always @(posedge clk) begin
        if (go) begin
          data_q <= data;
          keep_q <= keep;
          last_q <= lane_last_i;
        end
      end
    end else if (DATA_BITS == 32) begin : g_half
      reg  high_q;  // the low half is out
      wire more = !high_q && keep[4];

      assign lane_ready_o = go && !more;

      always @(posedge clk) begin
        if (rst) begin
          valid_q <= 1'b0;
          high_q  <= 1'b0;
        end else if (go) begin
          valid_q <= lane_valid_i;
          high_q  <= lane_valid_i && more;
        end
      end

      always @(posedge clk) begin
        if (go) begin
          data_q <= high_q ? data[63:32] : data[31:0];
          keep_q <= high_q ? keep[7:4] : keep[3:0];
          last_q <= lane_last_i && !more;
        end
      end
    end else begin : g_pair
      reg  high_q;  // the low half is there and waits for the high one
      wire whole = high_q || lane_last_i;

      assign lane_ready_o = go;

      always @(posedge clk) begin
        if (rst) begin
          valid_q <= 1'b0;
          high_q  <= 1'b0;
        end else if (go) begin
          valid_q <= lane_valid_i && whole;
          if (lane_valid_i) high_q <= !whole;
        end
      end

      always @(posedge clk) begin
        if (go && lane_valid_i) begin
          if (!high_q) begin
            data_q[63:0] <= data;
            keep_q[7:0]  <= keep;
          end
          data_q[127:64] <= high_q ? data : 64'd0;
          keep_q[15:8]   <= high_q ? keep : 8'd0;
          last_q         <= lane_last_i;
        end
      end
    end
  endgenerate

endmodule

`default_nettype wire
