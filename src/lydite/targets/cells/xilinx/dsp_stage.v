// SPDX-License-Identifier: Apache-2.0
// Up to two registers in a row of a DSP48 (UG479, UG579), or none.

`default_nettype none

module dsp_stage #(
    parameter WIDTH = 1,
    parameter DEPTH = 0  // registers; of one, it is the second
) (
    input  wire             clk,
    input  wire             ce_first,
    input  wire             ce_second,
    input  wire             rst,
    input  wire [WIDTH-1:0] data_i,
    output wire [WIDTH-1:0] first_o,  // behind the first
    output wire [WIDTH-1:0] data_o
);
  reg [WIDTH-1:0] first_q = {WIDTH{1'b0}}, second_q = {WIDTH{1'b0}};
  wire [WIDTH-1:0] between = DEPTH == 2 ? first_q : data_i;
  always @(posedge clk) begin
    if (rst) first_q <= {WIDTH{1'b0}};
    else if (ce_first) first_q <= data_i;
    if (rst) second_q <= {WIDTH{1'b0}};
    else if (ce_second) second_q <= between;
  end
  assign first_o = DEPTH == 2 ? first_q : data_i;
  assign data_o = DEPTH == 0 ? data_i : second_q;
endmodule

`default_nettype wire
