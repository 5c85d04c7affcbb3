// SPDX-License-Identifier: Apache-2.0
// Tables as a RAM of 64 bits, read at another address, too (UG953, UG974).

`default_nettype none

module RAM64X1D #(
    parameter [63:0] INIT = 0,
    parameter IS_WCLK_INVERTED = 0
) (
    input  wire       WCLK,
    input  wire       WE,
    input  wire       D,
    input  wire       A0,
    input  wire       A1,
    input  wire       A2,
    input  wire       A3,
    input  wire       A4,
    input  wire       A5,
    input  wire       DPRA0,
    input  wire       DPRA1,
    input  wire       DPRA2,
    input  wire       DPRA3,
    input  wire       DPRA4,
    input  wire       DPRA5,
    output wire       SPO,
    output wire       DPO
);
  wire [5:0] address = {A5, A4, A3, A2, A1, A0};
  wire [5:0] other = {DPRA5, DPRA4, DPRA3, DPRA2, DPRA1, DPRA0};
  lut_rams #(
      .BITS(6),
      .WIDTH(1),
      .COUNT(2),
      .INIT({INIT, INIT}),
      .INVERTED(IS_WCLK_INVERTED)
  ) u_rams (
      .clk(WCLK),
      .we(WE),
      .at_i({address, other}),
      .data_i({D, D}),
      .data_o({SPO, DPO})
  );
endmodule

`default_nettype wire
