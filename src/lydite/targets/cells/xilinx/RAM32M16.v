// SPDX-License-Identifier: Apache-2.0
// 8 tables of 32 words of 2 bits, all written at the last one's address, read at their own (UG974).

`default_nettype none

module RAM32M16 #(
    parameter [63:0] INIT_A = 64'd0,
    parameter [63:0] INIT_B = 64'd0,
    parameter [63:0] INIT_C = 64'd0,
    parameter [63:0] INIT_D = 64'd0,
    parameter [63:0] INIT_E = 64'd0,
    parameter [63:0] INIT_F = 64'd0,
    parameter [63:0] INIT_G = 64'd0,
    parameter [63:0] INIT_H = 64'd0,
    parameter IS_WCLK_INVERTED = 0
) (
    input  wire       WCLK,
    input  wire       WE,
    input  wire [4:0] ADDRA,
    input  wire [4:0] ADDRB,
    input  wire [4:0] ADDRC,
    input  wire [4:0] ADDRD,
    input  wire [4:0] ADDRE,
    input  wire [4:0] ADDRF,
    input  wire [4:0] ADDRG,
    input  wire [4:0] ADDRH,
    input  wire [1:0] DIA,
    input  wire [1:0] DIB,
    input  wire [1:0] DIC,
    input  wire [1:0] DID,
    input  wire [1:0] DIE,
    input  wire [1:0] DIF,
    input  wire [1:0] DIG,
    input  wire [1:0] DIH,
    output wire [1:0] DOA,
    output wire [1:0] DOB,
    output wire [1:0] DOC,
    output wire [1:0] DOD,
    output wire [1:0] DOE,
    output wire [1:0] DOF,
    output wire [1:0] DOG,
    output wire [1:0] DOH
);
  lut_rams #(
      .BITS(5),
      .WIDTH(2),
      .COUNT(8),
      .INIT({INIT_H, INIT_G, INIT_F, INIT_E, INIT_D, INIT_C, INIT_B, INIT_A}),
      .INVERTED(IS_WCLK_INVERTED)
  ) u_rams (
      .clk(WCLK),
      .we(WE),
      .at_i({ADDRH, ADDRG, ADDRF, ADDRE, ADDRD, ADDRC, ADDRB, ADDRA}),
      .data_i({DIH, DIG, DIF, DIE, DID, DIC, DIB, DIA}),
      .data_o({DOH, DOG, DOF, DOE, DOD, DOC, DOB, DOA})
  );
endmodule

`default_nettype wire
