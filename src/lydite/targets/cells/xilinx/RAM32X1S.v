// SPDX-License-Identifier: Apache-2.0
// Tables as a RAM of 32 bits (UG953, UG974).

`default_nettype none

module RAM32X1S #(
    parameter [31:0] INIT = 0,
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
    output wire       O
);
  wire [4:0] address = {A4, A3, A2, A1, A0};
  lut_ram #(
      .BITS(5),
      .INIT(INIT),
      .INVERTED(IS_WCLK_INVERTED)
  ) u_o (
      .clk(WCLK),
      .we(WE),
      .write_at(address),
      .data_i(D),
      .read_at(address),
      .data_o(O)
  );
endmodule

`default_nettype wire
