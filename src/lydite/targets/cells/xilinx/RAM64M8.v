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
  lut_ram #(
      .BITS(6),
      .WIDTH(1),
      .INIT(INIT_A),
      .INVERTED(IS_WCLK_INVERTED)
  ) u_a (
      .clk(WCLK),
      .we(WE),
      .write_at(ADDRH),
      .data_i(DIA),
      .read_at(ADDRA),
      .data_o(DOA)
  );
  lut_ram #(
      .BITS(6),
      .WIDTH(1),
      .INIT(INIT_B),
      .INVERTED(IS_WCLK_INVERTED)
  ) u_b (
      .clk(WCLK),
      .we(WE),
      .write_at(ADDRH),
      .data_i(DIB),
      .read_at(ADDRB),
      .data_o(DOB)
  );
  lut_ram #(
      .BITS(6),
      .WIDTH(1),
      .INIT(INIT_C),
      .INVERTED(IS_WCLK_INVERTED)
  ) u_c (
      .clk(WCLK),
      .we(WE),
      .write_at(ADDRH),
      .data_i(DIC),
      .read_at(ADDRC),
      .data_o(DOC)
  );
  lut_ram #(
      .BITS(6),
      .WIDTH(1),
      .INIT(INIT_D),
      .INVERTED(IS_WCLK_INVERTED)
  ) u_d (
      .clk(WCLK),
      .we(WE),
      .write_at(ADDRH),
      .data_i(DID),
      .read_at(ADDRD),
      .data_o(DOD)
  );
  lut_ram #(
      .BITS(6),
      .WIDTH(1),
      .INIT(INIT_E),
      .INVERTED(IS_WCLK_INVERTED)
  ) u_e (
      .clk(WCLK),
      .we(WE),
      .write_at(ADDRH),
      .data_i(DIE),
      .read_at(ADDRE),
      .data_o(DOE)
  );
  lut_ram #(
      .BITS(6),
      .WIDTH(1),
      .INIT(INIT_F),
      .INVERTED(IS_WCLK_INVERTED)
  ) u_f (
      .clk(WCLK),
      .we(WE),
      .write_at(ADDRH),
      .data_i(DIF),
      .read_at(ADDRF),
      .data_o(DOF)
  );
  lut_ram #(
      .BITS(6),
      .WIDTH(1),
      .INIT(INIT_G),
      .INVERTED(IS_WCLK_INVERTED)
  ) u_g (
      .clk(WCLK),
      .we(WE),
      .write_at(ADDRH),
      .data_i(DIG),
      .read_at(ADDRG),
      .data_o(DOG)
  );
  lut_ram #(
      .BITS(6),
      .WIDTH(1),
      .INIT(INIT_H),
      .INVERTED(IS_WCLK_INVERTED)
  ) u_h (
      .clk(WCLK),
      .we(WE),
      .write_at(ADDRH),
      .data_i(DIH),
      .read_at(ADDRH),
      .data_o(DOH)
  );
endmodule

`default_nettype wire
