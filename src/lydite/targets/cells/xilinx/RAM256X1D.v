// SPDX-License-Identifier: Apache-2.0
// Tables as a RAM of 256 bits, read at another address, too (UG953, UG974).

`default_nettype none

module RAM256X1D #(
    parameter [255:0] INIT = 0,
    parameter IS_WCLK_INVERTED = 0
) (
    input  wire       WCLK,
    input  wire       WE,
    input  wire       D,
    input  wire [7:0] A,
    input  wire [7:0] DPRA,
    output wire       SPO,
    output wire       DPO
);
  lut_rams #(
      .BITS(8),
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
