// SPDX-License-Identifier: Apache-2.0
// 4 tables of 32 words of 2 bits, all written at the last one's address, read at their own (UG953).

`default_nettype none

module RAM32M #(
    parameter [63:0] INIT_A = 64'd0,
    parameter [63:0] INIT_B = 64'd0,
    parameter [63:0] INIT_C = 64'd0,
    parameter [63:0] INIT_D = 64'd0,
    parameter IS_WCLK_INVERTED = 0
) (
    input  wire       WCLK,
    input  wire       WE,
    input  wire [4:0] ADDRA,
    input  wire [4:0] ADDRB,
    input  wire [4:0] ADDRC,
    input  wire [4:0] ADDRD,
    input  wire [1:0] DIA,
    input  wire [1:0] DIB,
    input  wire [1:0] DIC,
    input  wire [1:0] DID,
    output wire [1:0] DOA,
    output wire [1:0] DOB,
    output wire [1:0] DOC,
    output wire [1:0] DOD
);
  lut_rams #(
      .BITS(5),
      .WIDTH(2),
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
