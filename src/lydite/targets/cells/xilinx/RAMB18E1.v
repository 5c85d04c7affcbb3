// SPDX-License-Identifier: Apache-2.0
// Block RAM of 18 kbit (7 series, UG473); see ramb_cell.v.

`default_nettype none

module RAMB18E1 #(
    parameter READ_WIDTH_A = 0,
    parameter READ_WIDTH_B = 0,
    parameter WRITE_WIDTH_A = 0,
    parameter WRITE_WIDTH_B = 0,
    parameter WRITE_MODE_A = "WRITE_FIRST",
    parameter WRITE_MODE_B = "WRITE_FIRST",
    parameter DOA_REG = 0,
    parameter DOB_REG = 0,
    parameter RAM_MODE = "TDP",
    parameter [17:0] INIT_A = 0,
    parameter [17:0] INIT_B = 0,
    parameter [17:0] SRVAL_A = 0,
    parameter [17:0] SRVAL_B = 0,
    `include "ramb18_init.vh"
) (
    input  wire       CLKARDCLK,
    input  wire       ENARDEN,
    input  wire       RSTRAMARSTRAM,
    input  wire       REGCEAREGCE,
    input  wire       RSTREGARSTREG,
    input  wire [1:0] WEA,
    input  wire [13:0] ADDRARDADDR,
    input  wire [15:0] DIADI,
    input  wire [1:0] DIPADIP,
    output wire [15:0] DOADO,
    output wire [1:0] DOPADOP,
    input  wire       CLKBWRCLK,
    input  wire       ENBWREN,
    input  wire       RSTRAMB,
    input  wire       REGCEB,
    input  wire       RSTREGB,
    input  wire [3:0] WEBWE,
    input  wire [13:0] ADDRBWRADDR,
    input  wire [15:0] DIBDI,
    input  wire [1:0] DIPBDIP,
    output wire [15:0] DOBDO,
    output wire [1:0] DOPBDOP
);
  `include "ramb18_words.vh"
  ramb_cell #(
      .BITS(14),
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
      .di_a(DIADI),
      .dip_a(DIPADIP),
      .do_a(DOADO),
      .dop_a(DOPADOP),
      .clk_b(CLKBWRCLK),
      .en_b(ENBWREN),
      .rst_b(RSTRAMB),
      .we_b(WEBWE),
      .at_b(ADDRBWRADDR),
      .di_b(DIBDI),
      .dip_b(DIPBDIP),
      .do_b(DOBDO),
      .dop_b(DOPBDOP)
  );
endmodule

`default_nettype wire
