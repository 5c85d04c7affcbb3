// SPDX-License-Identifier: Apache-2.0
//
// The functions s0 to s5 of BMW-256 ("Blue Midnight Wish", 2009, table 1.3). Combinational.

`default_nettype none

module bmw_s #(
    // 0 to 5.
    parameter NUMBER = 0
) (
    input  wire [31:0] word_i,
    output wire [31:0] word_o
);

  localparam RIGHT = (NUMBER == 2 || NUMBER == 3 || NUMBER == 5) ? 2 : 1;
  localparam LEFT = (NUMBER == 0) ? 3 : (NUMBER == 2) ? 1 : 2;
  localparam FIRST = (NUMBER == 0) ? 4 : (NUMBER == 1) ? 8 : (NUMBER == 2) ? 12 : 15;
  localparam SECOND = (NUMBER == 0) ? 19 : (NUMBER == 1) ? 23 : (NUMBER == 2) ? 25 : 29;

  generate
    if (NUMBER >= 4) begin : g_short
      assign word_o = (word_i >> RIGHT) ^ word_i;
    end else begin : g_long
      assign word_o = (word_i >> RIGHT) ^ (word_i << LEFT) ^
                      {word_i[31-FIRST:0], word_i[31:32-FIRST]} ^
                      {word_i[31-SECOND:0], word_i[31:32-SECOND]};
    end
  endgenerate

endmodule

`default_nettype wire
