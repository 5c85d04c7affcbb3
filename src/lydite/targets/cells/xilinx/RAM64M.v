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
  lut_ram #(
      .BITS(6),
      .WIDTH(1),
      .INIT(INIT_A),
      .INVERTED(IS_WCLK_INVERTED)
  ) u_a (
      .clk(WCLK),
      .we(WE),
      .write_at(ADDRD),
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
      .write_at(ADDRD),
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
      .write_at(ADDRD),
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
      .write_at(ADDRD),
      .data_i(DID),
      .read_at(ADDRD),
      .data_o(DOD)
  );
endmodule

`default_nettype wire
