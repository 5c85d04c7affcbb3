// SPDX-License-Identifier: Apache-2.0
// Counts cycles from the end of a reset, in three parts of eight bits, each a cycle behind the one
// below, so that no carry limits the clock. What stands there is two cycles old.

`default_nettype none

module board_stamp (
    input  wire        clk,
    input  wire        rst,
    output wire [23:0] cycles_o
);
  reg [7:0] low_q;
  reg [7:0] low_q2;
  reg [7:0] low_q3;
  reg [7:0] middle_q;
  reg [7:0] middle_q2;
  reg [7:0] high_q;
  reg carry_low_q;
  reg carry_middle_q;

  assign cycles_o = {high_q, middle_q2, low_q3};

  always @(posedge clk) begin
    low_q          <= rst ? 8'd0 : low_q + 8'd1;
    carry_low_q    <= ~rst & (low_q == 8'hff);
    low_q2         <= low_q;
    middle_q       <= rst ? 8'd0 : middle_q + {7'd0, carry_low_q};
    carry_middle_q <= ~rst & carry_low_q & (middle_q == 8'hff);
    low_q3         <= low_q2;
    middle_q2      <= middle_q;
    high_q         <= rst ? 8'd0 : high_q + {7'd0, carry_middle_q};
  end
endmodule

`default_nettype wire
