// SPDX-License-Identifier: Apache-2.0
// Tables as a RAM of 128 bits, read at another address, too (UG953, UG974).

`default_nettype none

module RAM128X1D #(
    parameter [127:0] INIT = 0,
    parameter IS_WCLK_INVERTED = 0
) (
    input  wire       WCLK,
    input  wire       WE,
    input  wire       D,
    input  wire [6:0] A,
    input  wire [6:0] DPRA,
    output wire       SPO,
    output wire       DPO
);
  lut_rams #(
      .BITS(7),
      .WIDTH(1),
      .COUNT(2),
      .INIT({INIT, INIT}),
      .INVERTED(IS_WCLK_INVERTED)
  ) u_rams (
      .clk(WCLK),
      .we(WE),
      .at_i({A, DPRA}),
      .data_i({D, D}),
      .data_o({SPO, DPO})
  );
endmodule

`default_nettype wire
