// SPDX-License-Identifier: Apache-2.0
// Block RAM of 36 kbit (UltraScale, UG573); see ramb_cell.v.

`default_nettype none

module RAMB36E2 #(
    parameter READ_WIDTH_A = 0,
    parameter READ_WIDTH_B = 0,
    parameter WRITE_WIDTH_A = 0,
    parameter WRITE_WIDTH_B = 0,
    parameter WRITE_MODE_A = "WRITE_FIRST",
    parameter WRITE_MODE_B = "WRITE_FIRST",
    parameter DOA_REG = 0,
    parameter DOB_REG = 0,
    parameter [35:0] INIT_A = 0,
    parameter [35:0] INIT_B = 0,
    parameter [35:0] SRVAL_A = 0,
    parameter [35:0] SRVAL_B = 0,
    `include "ramb36_init.vh"
) (
    input  wire       CLKARDCLK,
    input  wire       ENARDEN,
    input  wire       RSTRAMARSTRAM,
    input  wire       REGCEAREGCE,
    input  wire       RSTREGARSTREG,
    input  wire [3:0] WEA,
    input  wire [14:0] ADDRARDADDR,
    input  wire [31:0] DINADIN,
    input  wire [3:0] DINPADINP,
    output wire [31:0] DOUTADOUT,
    output wire [3:0] DOUTPADOUTP,
    input  wire       ADDRENA,
    input  wire       CLKBWRCLK,
    input  wire       ENBWREN,
    input  wire       RSTRAMB,
    input  wire       REGCEB,
    input  wire       RSTREGB,
    input  wire [7:0] WEBWE,
    input  wire [14:0] ADDRBWRADDR,
    input  wire [31:0] DINBDIN,
    input  wire [3:0] DINPBDINP,
    output wire [31:0] DOUTBDOUT,
    output wire [3:0] DOUTPBDOUTP,
    input  wire       ADDRENB,
    input  wire       SLEEP
);
  `include "ramb36_words.vh"
  ramb_cell #(
      .BITS(15),
      .READ_A(READ_WIDTH_A),
      .READ_B(READ_WIDTH_B),
      .WRITE_A(WRITE_WIDTH_A),
      .WRITE_B(WRITE_WIDTH_B),
      .MODE_A(WRITE_MODE_A),
      .MODE_B(WRITE_MODE_B),
      .INIT_A(INIT_A),
      .INIT_B(INIT_B),
      .RESET_A(SRVAL_A),
      .RESET_B(SRVAL_B),
      .CONTENT(CONTENT),
      .PARITY(PARITY)
  ) u_cell (
      .clk_a(CLKARDCLK),
      .en_a(ENARDEN),
      .rst_a(RSTRAMARSTRAM),
      .we_a(WEA),
      .at_a(ADDRARDADDR),
      .di_a(DINADIN),
      .dip_a(DINPADINP),
      .do_a(DOUTADOUT),
      .dop_a(DOUTPADOUTP),
      .clk_b(CLKBWRCLK),
      .en_b(ENBWREN),
      .rst_b(RSTRAMB),
      .we_b(WEBWE),
      .at_b(ADDRBWRADDR),
      .di_b(DINBDIN),
      .dip_b(DINPBDINP),
      .do_b(DOUTBDOUT),
      .dop_b(DOUTPBDOUTP)
  );
endmodule

`default_nettype wire
