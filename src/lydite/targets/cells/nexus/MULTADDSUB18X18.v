// SPDX-License-Identifier: Apache-2.0
// Nexus' multiplier with an adder of 54 bits (FPGA-TN-02096), without registers: C + CIN + A * B,
// or minus the product. Without LOADC the sum would be its own operand, which needs registers.

`default_nettype none

module MULTADDSUB18X18 #(
    parameter REGINPUTA = "REGISTER",
    parameter REGINPUTB = "REGISTER",
    parameter REGINPUTC = "REGISTER",
    parameter REGADDSUB = "REGISTER",
    parameter REGLOADC = "REGISTER",
    parameter REGLOADC2 = "REGISTER",
    parameter REGCIN = "REGISTER",
    parameter REGPIPELINE = "REGISTER",
    parameter REGOUTPUT = "REGISTER",
    parameter RESETMODE = "SYNC"
) (
    input  wire [17:0] A,
    input  wire [17:0] B,
    input  wire [53:0] C,
    input  wire CLK, CEA, RSTA, CEB, RSTB, CEC, RSTC, RSTPIPE, CEPIPE, RSTCTRL, CECTRL, RSTCIN,
    input  wire CECIN, RSTOUT, CEOUT, SIGNED, LOADC, ADDSUB, CIN,
    output wire [53:0] Z
);
  wire signed [18:0] a_signed = {SIGNED & A[17], A};
  wire signed [18:0] b_signed = {SIGNED & B[17], B};
  wire signed [53:0] product = a_signed * b_signed;
  assign Z = (LOADC ? C : 54'd0) + {53'd0, CIN} + (ADDSUB ? -product : product);
  always @* if (!LOADC) $stop;
endmodule

`default_nettype wire
