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
  wire [7:0] address = A;
  lut_ram #(
      .BITS(8),
      .INIT(INIT),
      .INVERTED(IS_WCLK_INVERTED)
  ) u_spo (
      .clk(WCLK),
      .we(WE),
      .write_at(address),
      .data_i(D),
      .read_at(address),
      .data_o(SPO)
  );
  lut_ram #(
      .BITS(8),
      .INIT(INIT),
      .INVERTED(IS_WCLK_INVERTED)
  ) u_dpo (
      .clk(WCLK),
      .we(WE),
      .write_at(address),
      .data_i(D),
      .read_at(DPRA),
      .data_o(DPO)
  );
endmodule

`default_nettype wire
