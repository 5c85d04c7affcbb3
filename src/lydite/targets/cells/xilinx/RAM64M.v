// SPDX-License-Identifier: Apache-2.0
// 4 tables of 64 bits, all written at the last one's address, read at their own (UG953).

`default_nettype none

module RAM64M #(
    parameter [63:0] INIT_A = 64'd0,
    parameter [63:0] INIT_B = 64'd0,
    parameter [63:0] INIT_C = 64'd0,
    parameter [63:0] INIT_D = 64'd0,
    parameter IS_WCLK_INVERTED = 0
) (
    input  wire       WCLK,
    input  wire       WE,
    input  wire [5:0] ADDRA,
    input  wire [5:0] ADDRB,
    input  wire [5:0] ADDRC,
    input  wire [5:0] ADDRD,
    input  wire       DIA,
    input  wire       DIB,
    input  wire       DIC,
    input  wire       DID,
    output wire       DOA,
    output wire       DOB,
    output wire       DOC,
    output wire       DOD
);
  lut_rams #(
      .BITS(6),
      .WIDTH(1),
      .COUNT(4),
      .INIT({INIT_D, INIT_C, INIT_B, INIT_A}),
      .INVERTED(IS_WCLK_INVERTED)
  ) u_rams (
      .clk(WCLK),
      .we(WE),
      .at_i({ADDRD, ADDRC, ADDRB, ADDRA}),
      .data_i({DID, DIC, DIB, DIA}),
      .data_o({DOD, DOC, DOB, DOA})
  );
endmodule

`default_nettype wire
