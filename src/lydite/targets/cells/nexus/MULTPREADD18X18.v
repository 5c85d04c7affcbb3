// SPDX-License-Identifier: Apache-2.0
// Nexus' multiplier with a sum of 18 bits as its second operand (FPGA-TN-02096): A * (B + C).

`default_nettype none

module MULTPREADD18X18 #(
    parameter REGINPUTA = "REGISTER",
    parameter REGINPUTB = "REGISTER",
    parameter REGINPUTC = "REGISTER",
    parameter REGOUTPUT = "REGISTER",
    parameter RESETMODE = "SYNC"
) (
    input  wire [17:0] A,
    input  wire [17:0] B,
    input  wire [17:0] C,
    input  wire CLK, CEA, RSTA, CEB, RSTB, CEC, RSTC, SIGNEDA, SIGNEDB, SIGNEDC, RSTOUT, CEOUT,
    output wire [35:0] Z
);
  wire [17:0] sum = B + C;
  dsp_multiply #(
      .REGINPUTA(REGINPUTA),
      .REGINPUTB(REGINPUTB),
      .REGOUTPUT(REGOUTPUT),
      .RESETMODE(RESETMODE)
  ) u_multiply (
      .CLK(CLK),
      .A(A),
      .SIGNEDA(SIGNEDA),
      .CEA(CEA),
      .RSTA(RSTA),
      .B(sum),
      .SIGNEDB(SIGNEDB | SIGNEDC),
      .CEB(CEB),
      .RSTB(RSTB),
      .CEOUT(CEOUT),
      .RSTOUT(RSTOUT),
      .Z(Z)
  );
endmodule

`default_nettype wire
