// SPDX-License-Identifier: Apache-2.0
// The output of one port of a block RAM; see ebr.v.

`default_nettype none

module ebr_output #(
    parameter WIDTH = 18,
    parameter MODE  = "NORMAL",
    parameter RESET = "SYNC",
    parameter GATED = 0
) (
    input  wire        clk,
    input  wire        en,
    input  wire        we,
    input  wire        rst,
    input  wire [35:0] old_i,
    input  wire [35:0] new_i,
    output wire [35:0] data_o
);
  localparam [35:0] ONES = ~(36'hfffffffff << WIDTH);

  reg [35:0] data_q = 36'd0;
  wire [35:0] taken = !we | MODE == "READBEFOREWRITE" ? old_i : MODE == "NORMAL" ? data_q : new_i;
  generate
    if (RESET == "ASYNC") begin : g_async
      always @(posedge clk or posedge rst)
        if (rst) data_q <= 36'd0;
        else if (en) data_q <= taken & ONES;
    end else begin : g_sync
      always @(posedge clk)
        if (rst & (en | !GATED)) data_q <= 36'd0;
        else if (en) data_q <= taken & ONES;
    end
  endgenerate
  assign data_o = data_q;
endmodule

`default_nettype wire
