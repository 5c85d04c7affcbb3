// SPDX-License-Identifier: Apache-2.0
// The arithmetic of the 7 series (UG479); see dsp48.v.

`default_nettype none

module DSP48E1 #(
    parameter ACASCREG = 1,
    parameter ADREG = 1,
    parameter ALUMODEREG = 1,
    parameter AREG = 1,
    parameter BCASCREG = 1,
    parameter BREG = 1,
    parameter CARRYINREG = 1,
    parameter CARRYINSELREG = 1,
    parameter CREG = 1,
    parameter DREG = 1,
    parameter INMODEREG = 1,
    parameter MREG = 1,
    parameter OPMODEREG = 1,
    parameter PREG = 1,
    parameter A_INPUT = "DIRECT",
    parameter B_INPUT = "DIRECT",
    parameter USE_DPORT = "FALSE",
    parameter USE_MULT = "MULTIPLY",
    parameter USE_SIMD = "ONE48",
    parameter USE_PATTERN_DETECT = "NO_PATDET"
) (
    input  wire [29:0] A,
    input  wire [29:0] ACIN,
    input  wire [17:0] B,
    input  wire [17:0] BCIN,
    input  wire [47:0] C,
    input  wire [24:0] D,
    input  wire [47:0] PCIN,
    input  wire [3:0] ALUMODE,
    input  wire [2:0] CARRYINSEL,
    input  wire [4:0] INMODE,
    input  wire [6:0] OPMODE,
    input  wire        CLK,
    input  wire        CARRYIN,
    input  wire        CEA1,
    input  wire        CEA2,
    input  wire        CEAD,
    input  wire        CEALUMODE,
    input  wire        CEB1,
    input  wire        CEB2,
    input  wire        CEC,
    input  wire        CECARRYIN,
    input  wire        CECTRL,
    input  wire        CED,
    input  wire        CEINMODE,
    input  wire        CEM,
    input  wire        CEP,
    input  wire        RSTA,
    input  wire        RSTALLCARRYIN,
    input  wire        RSTALUMODE,
    input  wire        RSTB,
    input  wire        RSTC,
    input  wire        RSTCTRL,
    input  wire        RSTD,
    input  wire        RSTINMODE,
    input  wire        RSTM,
    input  wire        RSTP,
    output wire [29:0] ACOUT,
    output wire [17:0] BCOUT,
    output wire [47:0] PCOUT,
    output wire [47:0] P
);
  dsp48 #(
      .A_WIDTH(25),
      .ACASCREG(ACASCREG),
      .ADREG(ADREG),
      .ALUMODEREG(ALUMODEREG),
      .AREG(AREG),
      .BCASCREG(BCASCREG),
      .BREG(BREG),
      .CARRYINREG(CARRYINREG),
      .CREG(CREG),
      .DREG(DREG),
      .INMODEREG(INMODEREG),
      .MREG(MREG),
      .OPMODEREG(OPMODEREG),
      .PREG(PREG),
      .A_CASCADED(A_INPUT == "CASCADE"),
      .B_CASCADED(B_INPUT == "CASCADE"),
      .A_FROM_ADDER(USE_DPORT == "TRUE")
  ) u_dsp (
      .clk(CLK),
      .a_i(A),
      .acin(ACIN),
      .b_i(B),
      .bcin(BCIN),
      .c_i(C),
      .d_i(D),
      .pcin(PCIN),
      .carry_i(CARRYIN),
      .alumode_i(ALUMODE),
      .inmode_i(INMODE),
      .opmode_i({2'd0, OPMODE}),
      .ce({
        CEA1, CEA2, CEAD, CEALUMODE, CEB1, CEB2, CEC, CECARRYIN, CECTRL, CED, CEINMODE, CEM, CEP
      }),
      .rst({
        RSTA, RSTALLCARRYIN, RSTALUMODE, RSTB, RSTC, RSTCTRL, RSTD, RSTINMODE, RSTM, RSTP
      }),
      .acout(ACOUT),
      .bcout(BCOUT),
      .pcout(PCOUT),
      .p_o(P)
  );
endmodule

`default_nettype wire
