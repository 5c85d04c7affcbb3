// SPDX-License-Identifier: Apache-2.0
// Output FIFO of the testbed: from the core's clock to that of the DMA. A transfer gives so many
// packets, the first word so many cycles after it is ready; what is there beyond waits for the next
// transfer. After the output FIFO of F. Farahmand's Zynq testbed (George Mason University, 2016),
// whose length is in words: here packets tell where they end.

`default_nettype none

module fifo_out #(
    parameter WIDTH = 8,      // bits of a word with all that goes with it, at least 1
    parameter DEPTH_BITS = 4  // 2**DEPTH_BITS words, at least 2
) (
    input  wire             wr_clk,
    input  wire             wr_rst,
    input  wire             wr_valid_i,
    output wire             wr_ready_o,
    input  wire [WIDTH-1:0] wr_data_i,
    input  wire             wr_last_i,
    input  wire             rd_clk,
    input  wire             rd_rst,
    input  wire             start_i,     // a transfer begins: one cycle
    input  wire [     31:0] length_i,    // its packets
    input  wire [     31:0] delay_i,     // cycles before its first word
    output wire             sent_o,      // no transfer runs
    output wire             rd_valid_o,
    input  wire             rd_ready_i,
    output wire [WIDTH-1:0] rd_data_o,
    output wire             rd_last_o
);
  wire there;
  wire open;
  wire pass = rd_valid_o & rd_ready_i;

  fifo_async #(
      .WIDTH(WIDTH + 1),
      .DEPTH_BITS(DEPTH_BITS)
  ) u_fifo (
      .wr_clk(wr_clk),
      .wr_rst(wr_rst),
      .wr_valid_i(wr_valid_i),
      .wr_ready_o(wr_ready_o),
      .wr_data_i({wr_last_i, wr_data_i}),
      .rd_clk(rd_clk),
      .rd_rst(rd_rst),
      .rd_valid_o(there),
      .rd_ready_i(open & rd_ready_i),
      .rd_data_o({rd_last_o, rd_data_o})
  );

  // The transfer.
  reg [31:0] left_q;
  reg [31:0] wait_q;
  assign open       = (left_q != 32'd0) & (wait_q == 32'd0);
  assign rd_valid_o = there & open;
  assign sent_o     = left_q == 32'd0;

  always @(posedge rd_clk) begin
    if (rd_rst) left_q <= 32'd0;
    else if (start_i) left_q <= length_i;
    else if (pass & rd_last_o) left_q <= left_q - 32'd1;
    if (start_i) wait_q <= delay_i;
    else if (there & (wait_q != 32'd0)) wait_q <= wait_q - 32'd1;
  end
endmodule

`default_nettype wire
