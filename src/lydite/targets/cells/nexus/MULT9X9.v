// SPDX-License-Identifier: Apache-2.0
// Nexus' multiplier of 9 by 9 bits; see dsp_multiply.v.

`default_nettype none

module MULT9X9 #(
    parameter REGINPUTA = "REGISTER",
    parameter REGINPUTB = "REGISTER",
    parameter REGOUTPUT = "REGISTER",
    parameter RESETMODE = "SYNC"
) (
    input  wire [8:0] A,
    input  wire [8:0] B,
    input  wire CLK, CEA, RSTA, CEB, RSTB, SIGNEDA, SIGNEDB, RSTOUT, CEOUT,
    output wire [17:0] Z
);
  dsp_multiply #(
      .A_WIDTH(9),
      .B_WIDTH(9),
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
      .B(B),
      .SIGNEDB(SIGNEDB),
      .CEB(CEB),
      .RSTB(RSTB),
      .CEOUT(CEOUT),
      .RSTOUT(RSTOUT),
      .Z(Z)
  );
endmodule

`default_nettype wire
