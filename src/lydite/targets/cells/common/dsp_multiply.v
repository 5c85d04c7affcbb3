// SPDX-License-Identifier: Apache-2.0
// The multiplier of Nexus with its registers (FPGA-TN-02096): a times b, each signed or not.

`default_nettype none

module dsp_multiply #(
    parameter A_WIDTH = 18,
    parameter B_WIDTH = 18,
    parameter REGINPUTA = "REGISTER",
    parameter REGINPUTB = "REGISTER",
    parameter REGOUTPUT = "REGISTER",
    parameter RESETMODE = "SYNC"
) (
    input  wire                       CLK,
    input  wire [        A_WIDTH-1:0] A,
    input  wire                       SIGNEDA,
    input  wire                       CEA,
    input  wire                       RSTA,
    input  wire [        B_WIDTH-1:0] B,
    input  wire                       SIGNEDB,
    input  wire                       CEB,
    input  wire                       RSTB,
    input  wire                       CEOUT,
    input  wire                       RSTOUT,
    output wire [A_WIDTH+B_WIDTH-1:0] Z
);
  wire [A_WIDTH:0] a;
  wire [B_WIDTH:0] b;
  dsp_register #(
      .W(A_WIDTH + 1),
      .USED(REGINPUTA),
      .RESETMODE(RESETMODE)
  ) u_a (
      .clk(CLK),
      .ce(CEA),
      .rst(RSTA),
      .data_i({SIGNEDA, A}),
      .data_o(a)
  );
  dsp_register #(
      .W(B_WIDTH + 1),
      .USED(REGINPUTB),
      .RESETMODE(RESETMODE)
  ) u_b (
      .clk(CLK),
      .ce(CEB),
      .rst(RSTB),
      .data_i({SIGNEDB, B}),
      .data_o(b)
  );
  // One bit more than the operand, of its sign, makes both signed.
  wire signed [A_WIDTH:0] a_signed = {a[A_WIDTH] & a[A_WIDTH-1], a[A_WIDTH-1:0]};
  wire signed [B_WIDTH:0] b_signed = {b[B_WIDTH] & b[B_WIDTH-1], b[B_WIDTH-1:0]};
  wire signed [A_WIDTH+B_WIDTH+1:0] product = a_signed * b_signed;
  dsp_register #(
      .W(A_WIDTH + B_WIDTH),
      .USED(REGOUTPUT),
      .RESETMODE(RESETMODE)
  ) u_z (
      .clk(CLK),
      .ce(CEOUT),
      .rst(RSTOUT),
      .data_i(product[A_WIDTH+B_WIDTH-1:0]),
      .data_o(Z)
  );
endmodule

`default_nettype wire
