// SPDX-License-Identifier: Apache-2.0
// Nexus' block RAM, both ports reading and writing; see ebr.v. Of a write nothing is read.

`default_nettype none

module DP16K #(
    parameter DATA_WIDTH_A = "X18",
    parameter DATA_WIDTH_B = "X18",
    parameter OUTREG_A = "BYPASSED",
    parameter OUTREG_B = "BYPASSED",
    parameter RESETMODE_A = "SYNC",
    parameter RESETMODE_B = "SYNC",
    parameter CSDECODE_A = "111",
    parameter CSDECODE_B = "111",
    parameter [319:0] INITVAL_00 = 320'd0,
    parameter [319:0] INITVAL_01 = 320'd0,
    parameter [319:0] INITVAL_02 = 320'd0,
    parameter [319:0] INITVAL_03 = 320'd0,
    parameter [319:0] INITVAL_04 = 320'd0,
    parameter [319:0] INITVAL_05 = 320'd0,
    parameter [319:0] INITVAL_06 = 320'd0,
    parameter [319:0] INITVAL_07 = 320'd0,
    parameter [319:0] INITVAL_08 = 320'd0,
    parameter [319:0] INITVAL_09 = 320'd0,
    parameter [319:0] INITVAL_0A = 320'd0,
    parameter [319:0] INITVAL_0B = 320'd0,
    parameter [319:0] INITVAL_0C = 320'd0,
    parameter [319:0] INITVAL_0D = 320'd0,
    parameter [319:0] INITVAL_0E = 320'd0,
    parameter [319:0] INITVAL_0F = 320'd0,
    parameter [319:0] INITVAL_10 = 320'd0,
    parameter [319:0] INITVAL_11 = 320'd0,
    parameter [319:0] INITVAL_12 = 320'd0,
    parameter [319:0] INITVAL_13 = 320'd0,
    parameter [319:0] INITVAL_14 = 320'd0,
    parameter [319:0] INITVAL_15 = 320'd0,
    parameter [319:0] INITVAL_16 = 320'd0,
    parameter [319:0] INITVAL_17 = 320'd0,
    parameter [319:0] INITVAL_18 = 320'd0,
    parameter [319:0] INITVAL_19 = 320'd0,
    parameter [319:0] INITVAL_1A = 320'd0,
    parameter [319:0] INITVAL_1B = 320'd0,
    parameter [319:0] INITVAL_1C = 320'd0,
    parameter [319:0] INITVAL_1D = 320'd0,
    parameter [319:0] INITVAL_1E = 320'd0,
    parameter [319:0] INITVAL_1F = 320'd0,
    parameter [319:0] INITVAL_20 = 320'd0,
    parameter [319:0] INITVAL_21 = 320'd0,
    parameter [319:0] INITVAL_22 = 320'd0,
    parameter [319:0] INITVAL_23 = 320'd0,
    parameter [319:0] INITVAL_24 = 320'd0,
    parameter [319:0] INITVAL_25 = 320'd0,
    parameter [319:0] INITVAL_26 = 320'd0,
    parameter [319:0] INITVAL_27 = 320'd0,
    parameter [319:0] INITVAL_28 = 320'd0,
    parameter [319:0] INITVAL_29 = 320'd0,
    parameter [319:0] INITVAL_2A = 320'd0,
    parameter [319:0] INITVAL_2B = 320'd0,
    parameter [319:0] INITVAL_2C = 320'd0,
    parameter [319:0] INITVAL_2D = 320'd0,
    parameter [319:0] INITVAL_2E = 320'd0,
    parameter [319:0] INITVAL_2F = 320'd0,
    parameter [319:0] INITVAL_30 = 320'd0,
    parameter [319:0] INITVAL_31 = 320'd0,
    parameter [319:0] INITVAL_32 = 320'd0,
    parameter [319:0] INITVAL_33 = 320'd0,
    parameter [319:0] INITVAL_34 = 320'd0,
    parameter [319:0] INITVAL_35 = 320'd0,
    parameter [319:0] INITVAL_36 = 320'd0,
    parameter [319:0] INITVAL_37 = 320'd0,
    parameter [319:0] INITVAL_38 = 320'd0,
    parameter [319:0] INITVAL_39 = 320'd0,
    parameter [319:0] INITVAL_3A = 320'd0,
    parameter [319:0] INITVAL_3B = 320'd0,
    parameter [319:0] INITVAL_3C = 320'd0,
    parameter [319:0] INITVAL_3D = 320'd0,
    parameter [319:0] INITVAL_3E = 320'd0,
    parameter [319:0] INITVAL_3F = 320'd0
) (
    input  wire        CLKA,
    input  wire        CEA,
    input  wire        WEA,
    input  wire        RSTA,
    input  wire [ 2:0] CSA,
    input  wire [13:0] ADA,
    input  wire [17:0] DIA,
    output wire [17:0] DOA,
    input  wire        CLKB,
    input  wire        CEB,
    input  wire        WEB,
    input  wire        RSTB,
    input  wire [ 2:0] CSB,
    input  wire [13:0] ADB,
    input  wire [17:0] DIB,
    output wire [17:0] DOB
);
  localparam WIDTH_A =
      DATA_WIDTH_A == "X36" ? 36 :
      DATA_WIDTH_A == "X18" ? 18 :
      DATA_WIDTH_A == "X9" ? 9 :
      DATA_WIDTH_A == "X4" ? 4 : DATA_WIDTH_A == "X2" ? 2 : 1;
  localparam WIDTH_B =
      DATA_WIDTH_B == "X36" ? 36 :
      DATA_WIDTH_B == "X18" ? 18 :
      DATA_WIDTH_B == "X9" ? 9 :
      DATA_WIDTH_B == "X4" ? 4 : DATA_WIDTH_B == "X2" ? 2 : 1;
  localparam [20479:0] CONTENT = {
    INITVAL_3F, INITVAL_3E, INITVAL_3D, INITVAL_3C, INITVAL_3B, INITVAL_3A, INITVAL_39,
    INITVAL_38, INITVAL_37, INITVAL_36, INITVAL_35, INITVAL_34, INITVAL_33, INITVAL_32,
    INITVAL_31, INITVAL_30, INITVAL_2F, INITVAL_2E, INITVAL_2D, INITVAL_2C, INITVAL_2B,
    INITVAL_2A, INITVAL_29, INITVAL_28, INITVAL_27, INITVAL_26, INITVAL_25, INITVAL_24,
    INITVAL_23, INITVAL_22, INITVAL_21, INITVAL_20, INITVAL_1F, INITVAL_1E, INITVAL_1D,
    INITVAL_1C, INITVAL_1B, INITVAL_1A, INITVAL_19, INITVAL_18, INITVAL_17, INITVAL_16,
    INITVAL_15, INITVAL_14, INITVAL_13, INITVAL_12, INITVAL_11, INITVAL_10, INITVAL_0F,
    INITVAL_0E, INITVAL_0D, INITVAL_0C, INITVAL_0B, INITVAL_0A, INITVAL_09, INITVAL_08,
    INITVAL_07, INITVAL_06, INITVAL_05, INITVAL_04, INITVAL_03, INITVAL_02, INITVAL_01,
    INITVAL_00
  };
  wire [35:0] out_a, out_b;
  ebr #(
      .WIDTH_A(WIDTH_A),
      .WIDTH_B(WIDTH_B),
      .RESET_A(RESETMODE_A),
      .RESET_B(RESETMODE_B),
      .GATED  (1),
      .HALF   (10),
      .CONTENT(CONTENT)
  ) u_ebr (
      .clk_a(CLKA),
      .en_a (CEA & CSA == 3'd7),
      .we_a (WEA),
      .rst_a(RSTA),
      .ad_a (ADA),
      .di_a ({18'd0, DIA}),
      .do_a (out_a),
      .clk_b(CLKB),
      .en_b (CEB & CSB == 3'd7),
      .we_b (WEB),
      .rst_b(RSTB),
      .ad_b (ADB),
      .di_b ({18'd0, DIB}),
      .do_b (out_b)
  );
  assign DOA = out_a[17:0];
  assign DOB = out_b[17:0];
endmodule

`default_nettype wire
