// SPDX-License-Identifier: Apache-2.0
// Block RAM of 36 kbit (7 series, UG473); see ramb.v. As a word of 72 bits port A reads and
// port B writes, the upper half at the pins of B.

`default_nettype none

module RAMB36E1 #(
    parameter READ_WIDTH_A = 0,
    parameter READ_WIDTH_B = 0,
    parameter WRITE_WIDTH_A = 0,
    parameter WRITE_WIDTH_B = 0,
    parameter WRITE_MODE_A = "WRITE_FIRST",
    parameter WRITE_MODE_B = "WRITE_FIRST",
    parameter DOA_REG = 0,
    parameter DOB_REG = 0,
    parameter RAM_MODE = "TDP",
    parameter RAM_EXTENSION_A = "NONE",
    parameter RAM_EXTENSION_B = "NONE",
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
    input  wire [15:0] ADDRARDADDR,
    input  wire [31:0] DIADI,
    input  wire [3:0] DIPADIP,
    output wire [31:0] DOADO,
    output wire [3:0] DOPADOP,
    input  wire       CLKBWRCLK,
    input  wire       ENBWREN,
    input  wire       RSTRAMB,
    input  wire       REGCEB,
    input  wire       RSTREGB,
    input  wire [7:0] WEBWE,
    input  wire [15:0] ADDRBWRADDR,
    input  wire [31:0] DIBDI,
    input  wire [3:0] DIPBDIP,
    output wire [31:0] DOBDO,
    output wire [3:0] DOPBDOP
);
  `include "ramb36_words.vh"
  localparam WIDE_READ = READ_WIDTH_A == 72, WIDE_WRITE = WRITE_WIDTH_B == 72;

  // A value of a width, parity above data, as {8 parity bits, 64 data bits}.
  function [71:0] spread(input integer width, input [71:0] value);
    case (width)
      9: spread = {7'd0, value[8], 56'd0, value[7:0]};
      18: spread = {6'd0, value[17:16], 48'd0, value[15:0]};
      36: spread = {4'd0, value[35:32], 32'd0, value[31:0]};
      default: spread = {8'd0, value[63:0]};
    endcase
  endfunction
  function [71:0] joined(input [35:0] high, input [35:0] low);
    joined = {
      high[35:32], low[35:32],
      high[31:0], low[31:0]
    };
  endfunction

  wire [63:0] out_a, out_b;
  wire [7:0] parity_a, parity_b;
  wire [63:0] in_b = WIDE_WRITE ? {DIBDI, DIADI} : {32'd0, DIBDI};
  wire [7:0] in_parity_b =
      WIDE_WRITE ? {DIPBDIP, DIPADIP} : {4'd0, DIPBDIP};
  ramb #(
      .BITS(15),
      .READ_A(READ_WIDTH_A),
      .READ_B(READ_WIDTH_B),
      .WRITE_A(WRITE_WIDTH_A),
      .WRITE_B(WRITE_WIDTH_B),
      .MODE_A(WRITE_MODE_A),
      .MODE_B(WRITE_MODE_B),
      .INIT_A(WIDE_READ ? joined(INIT_B, INIT_A) : spread(READ_WIDTH_A, {36'd0, INIT_A})),
      .INIT_B(spread(READ_WIDTH_B, {36'd0, INIT_B})),
      .RESET_A(WIDE_READ ? joined(SRVAL_B, SRVAL_A) : spread(READ_WIDTH_A, {36'd0, SRVAL_A})),
      .RESET_B(spread(READ_WIDTH_B, {36'd0, SRVAL_B})),
      .CONTENT(CONTENT),
      .PARITY(PARITY)
  ) u_ramb (
      .clk_a(CLKARDCLK),
      .en_a(ENARDEN),
      .rst_a(RSTRAMARSTRAM),
      .we_a({4'd0, WEA}),
      .at_a(ADDRARDADDR[14:0]),
      .di_a({32'd0, DIADI}),
      .dip_a({4'd0, DIPADIP}),
      .do_a(out_a),
      .dop_a(parity_a),
      .clk_b(CLKBWRCLK),
      .en_b(ENBWREN),
      .rst_b(RSTRAMB),
      .we_b(WEBWE),
      .at_b(ADDRBWRADDR[14:0]),
      .di_b(in_b),
      .dip_b(in_parity_b),
      .do_b(out_b),
      .dop_b(parity_b)
  );
  assign DOADO = out_a[31:0];
  assign DOPADOP = parity_a[3:0];
  assign DOBDO = WIDE_READ ? out_a[63:32] : out_b[31:0];
  assign DOPBDOP = WIDE_READ ? parity_a[7:4] : parity_b[3:0];
endmodule

`default_nettype wire
