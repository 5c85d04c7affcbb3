// SPDX-License-Identifier: Apache-2.0
// 8 tables of 64 bits, all written at the last one's address, read at their own (UG974).

`default_nettype none

module RAM64M8 #(
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
    input  wire [5:0] ADDRA,
    input  wire [5:0] ADDRB,
    input  wire [5:0] ADDRC,
    input  wire [5:0] ADDRD,
    input  wire [5:0] ADDRE,
    input  wire [5:0] ADDRF,
    input  wire [5:0] ADDRG,
    input  wire [5:0] ADDRH,
    input  wire       DIA,
    input  wire       DIB,
    input  wire       DIC,
    input  wire       DID,
    input  wire       DIE,
    input  wire       DIF,
    input  wire       DIG,
    input  wire       DIH,
    output wire       DOA,
    output wire       DOB,
    output wire       DOC,
    output wire       DOD,
    output wire       DOE,
    output wire       DOF,
    output wire       DOG,
    output wire       DOH
);
  lut_rams #(
      .BITS(6),
      .WIDTH(1),
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
