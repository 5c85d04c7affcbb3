// SPDX-License-Identifier: Apache-2.0
// A register of a Nexus multiplier, or none (FPGA-TN-02096).

`default_nettype none

module dsp_register #(
    parameter W = 18,
    parameter USED = "REGISTER",  // or BYPASS
    parameter RESETMODE = "SYNC"  // or ASYNC
) (
    input  wire         clk,
    input  wire         ce,
    input  wire         rst,
    input  wire [W-1:0] data_i,
    output wire [W-1:0] data_o
);
  reg [W-1:0] data_q = {W{1'b0}};
  generate
    if (USED == "BYPASS") begin : g_none
      assign data_o = data_i;
    end else begin : g_register
      if (RESETMODE == "ASYNC") begin : g_async
        always @(posedge clk or posedge rst)
          if (rst) data_q <= {W{1'b0}};
          else if (ce) data_q <= data_i;
      end else begin : g_sync
        always @(posedge clk)
          if (rst) data_q <= {W{1'b0}};
          else if (ce) data_q <= data_i;
      end
      assign data_o = data_q;
    end
  endgenerate
endmodule

`default_nettype wire
