// SPDX-License-Identifier: Apache-2.0
// Tables as a RAM of 256 bits (UG953, UG974).

`default_nettype none

module RAM256X1S #(
    parameter [255:0] INIT = 0,
    parameter IS_WCLK_INVERTED = 0
) (
    input  wire       WCLK,
    input  wire       WE,
    input  wire       D,
    input  wire [7:0] A,
    output wire       O
);
  wire [7:0] address = A;
  lut_ram #(
      .BITS(8),
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
