// SPDX-License-Identifier: Apache-2.0
// Block RAM of 18 kbit (UltraScale, UG573); see ramb.v. As a word of 36 bits port A reads and
// port B writes, the upper half at the pins of B.

`default_nettype none

module RAMB18E2 #(
    parameter READ_WIDTH_A = 0,
    parameter READ_WIDTH_B = 0,
    parameter WRITE_WIDTH_A = 0,
    parameter WRITE_WIDTH_B = 0,
    parameter WRITE_MODE_A = "WRITE_FIRST",
    parameter WRITE_MODE_B = "WRITE_FIRST",
    parameter DOA_REG = 0,
    parameter DOB_REG = 0,
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
    input  wire [15:0] DINADIN,
    input  wire [1:0] DINPADINP,
    output wire [15:0] DOUTADOUT,
    output wire [1:0] DOUTPADOUTP,
    input  wire       ADDRENA,
    input  wire       CLKBWRCLK,
    input  wire       ENBWREN,
    input  wire       RSTRAMB,
    input  wire       REGCEB,
    input  wire       RSTREGB,
    input  wire [3:0] WEBWE,
    input  wire [13:0] ADDRBWRADDR,
    input  wire [15:0] DINBDIN,
    input  wire [1:0] DINPBDINP,
    output wire [15:0] DOUTBDOUT,
    output wire [1:0] DOUTPBDOUTP,
    input  wire       ADDRENB,
    input  wire       SLEEP
);
  `include "ramb18_words.vh"
  localparam WIDE_READ = READ_WIDTH_A == 36, WIDE_WRITE = WRITE_WIDTH_B == 36;

  // A value of a width, parity above data, as {8 parity bits, 64 data bits}.
  function [71:0] spread(input integer width, input [71:0] value);
    case (width)
      9: spread = {7'd0, value[8], 56'd0, value[7:0]};
      18: spread = {6'd0, value[17:16], 48'd0, value[15:0]};
      36: spread = {4'd0, value[35:32], 32'd0, value[31:0]};
      default: spread = {8'd0, value[63:0]};
    endcase
  endfunction
  function [71:0] joined(input [17:0] high, input [17:0] low);
    joined = {
      4'd0, high[17:16], low[17:16],
      32'd0, high[15:0], low[15:0]
    };
  endfunction

  wire [63:0] out_a, out_b;
  wire [7:0] parity_a, parity_b;
  wire [63:0] in_b = WIDE_WRITE ? {32'd0, DINBDIN, DINADIN} : {48'd0, DINBDIN};
  wire [7:0] in_parity_b =
      WIDE_WRITE ? {4'd0, DINPBDINP, DINPADINP} : {6'd0, DINPBDINP};
  ramb #(
      .BITS(14),
      .READ_A(READ_WIDTH_A),
      .READ_B(READ_WIDTH_B),
      .WRITE_A(WRITE_WIDTH_A),
      .WRITE_B(WRITE_WIDTH_B),
      .MODE_A(WRITE_MODE_A),
      .MODE_B(WRITE_MODE_B),
      .INIT_A(WIDE_READ ? joined(INIT_B, INIT_A) : spread(READ_WIDTH_A, {54'd0, INIT_A})),
      .INIT_B(spread(READ_WIDTH_B, {54'd0, INIT_B})),
      .RESET_A(WIDE_READ ? joined(SRVAL_B, SRVAL_A) : spread(READ_WIDTH_A, {54'd0, SRVAL_A})),
      .RESET_B(spread(READ_WIDTH_B, {54'd0, SRVAL_B})),
      .CONTENT(CONTENT),
      .PARITY(PARITY)
  ) u_ramb (
      .clk_a(CLKARDCLK),
      .en_a(ENARDEN),
      .rst_a(RSTRAMARSTRAM),
      .we_a({6'd0, WEA}),
      .at_a(ADDRARDADDR[13:0]),
      .di_a({48'd0, DINADIN}),
      .dip_a({6'd0, DINPADINP}),
      .do_a(out_a),
      .dop_a(parity_a),
      .clk_b(CLKBWRCLK),
      .en_b(ENBWREN),
      .rst_b(RSTRAMB),
      .we_b({4'd0, WEBWE}),
      .at_b(ADDRBWRADDR[13:0]),
      .di_b(in_b),
      .dip_b(in_parity_b),
      .do_b(out_b),
      .dop_b(parity_b)
  );
  assign DOUTADOUT = out_a[15:0];
  assign DOUTPADOUTP = parity_a[1:0];
  assign DOUTBDOUT = WIDE_READ ? out_a[31:16] : out_b[15:0];
  assign DOUTPBDOUTP = WIDE_READ ? parity_a[3:2] : parity_b[1:0];
endmodule

`default_nettype wire
