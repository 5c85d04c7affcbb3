// SPDX-License-Identifier: Apache-2.0
// The slice of arithmetic of the 7 series (UG479) and of UltraScale (UG579): (D +- A) times B, then
// a sum of up to four. Not here: units of 12 and 24 bits, logic, patterns, carries out, a carry in
// from CARRYINSEL.

`default_nettype none

module dsp48 #(
    parameter A_WIDTH = 25,  // of the multiplier's and of D
    parameter ACASCREG = 1,
    parameter ADREG = 1,
    parameter ALUMODEREG = 1,
    parameter AREG = 1,
    parameter A_CASCADED = 0,  // operands from the neighbour
    parameter BCASCREG = 1,
    parameter BREG = 1,
    parameter B_CASCADED = 0,
    parameter CARRYINREG = 1,
    parameter CREG = 1,
    parameter DREG = 1,
    parameter INMODEREG = 1,
    parameter MREG = 1,
    parameter OPMODEREG = 1,
    parameter PREG = 1,
    parameter A_FROM_ADDER = 0,  // operands of the multiplier
    parameter B_FROM_ADDER = 0,
    parameter ADDER_TAKES_B = 0,
    parameter [47:0] RND = 48'd0
) (
    input  wire               clk,
    input  wire [       29:0] a_i,
    input  wire [       29:0] acin,
    input  wire [       17:0] b_i,
    input  wire [       17:0] bcin,
    input  wire [       47:0] c_i,
    input  wire [A_WIDTH-1:0] d_i,
    input  wire [       47:0] pcin,
    input  wire               carry_i,
    input  wire [        3:0] alumode_i,
    input  wire [        4:0] inmode_i,
    input  wire [        8:0] opmode_i,
    // A1, A2, AD, ALUMODE, B1, B2, C, carry, control, D, INMODE, M, P, the highest first
    input  wire [       12:0] ce,
    // A, carry, ALUMODE, B, C, control, D, INMODE, M, P
    input  wire [        9:0] rst,
    output wire [       29:0] acout,
    output wire [       17:0] bcout,
    output wire [       47:0] pcout,
    output wire [       47:0] p_o
);
  wire [29:0] a1, a2;
  wire [17:0] b1, b2;
  wire [47:0] c, p;
  wire [A_WIDTH-1:0] d, sum;
  wire [3:0] alumode;
  wire [4:0] inmode;
  wire [8:0] opmode;
  wire carry;
  dsp_stage #(.WIDTH(30), .DEPTH(AREG)) u_a (
      .clk(clk), .ce_first(ce[12]), .ce_second(ce[11]), .rst(rst[9]),
      .data_i(A_CASCADED ? acin : a_i), .first_o(a1), .data_o(a2)
  );
  dsp_stage #(.WIDTH(18), .DEPTH(BREG)) u_b (
      .clk(clk), .ce_first(ce[8]), .ce_second(ce[7]), .rst(rst[6]),
      .data_i(B_CASCADED ? bcin : b_i), .first_o(b1), .data_o(b2)
  );
  dsp_stage #(.WIDTH(48), .DEPTH(CREG)) u_c (
      .clk(clk), .ce_first(1'b0), .ce_second(ce[6]), .rst(rst[5]),
      .data_i(c_i), .first_o(), .data_o(c)
  );
  dsp_stage #(.WIDTH(A_WIDTH), .DEPTH(DREG)) u_d (
      .clk(clk), .ce_first(1'b0), .ce_second(ce[3]), .rst(rst[3]),
      .data_i(d_i), .first_o(), .data_o(d)
  );
  dsp_stage #(.WIDTH(4), .DEPTH(ALUMODEREG)) u_alumode (
      .clk(clk), .ce_first(1'b0), .ce_second(ce[9]), .rst(rst[7]),
      .data_i(alumode_i), .first_o(), .data_o(alumode)
  );
  dsp_stage #(.WIDTH(5), .DEPTH(INMODEREG)) u_inmode (
      .clk(clk), .ce_first(1'b0), .ce_second(ce[2]), .rst(rst[2]),
      .data_i(inmode_i), .first_o(), .data_o(inmode)
  );
  dsp_stage #(.WIDTH(9), .DEPTH(OPMODEREG)) u_opmode (
      .clk(clk), .ce_first(1'b0), .ce_second(ce[4]), .rst(rst[4]),
      .data_i(opmode_i), .first_o(), .data_o(opmode)
  );
  dsp_stage #(.WIDTH(1), .DEPTH(CARRYINREG)) u_carry (
      .clk(clk), .ce_first(1'b0), .ce_second(ce[5]), .rst(rst[8]),
      .data_i(carry_i), .first_o(), .data_o(carry)
  );

  // The adder before the multiplier.
  wire [29:0] a_chosen = inmode[0] ? a1 : a2;
  wire [17:0] b_chosen = inmode[4] ? b1 : b2;
  wire [A_WIDTH-1:0] a_operand = inmode[1] && !ADDER_TAKES_B ? 0 : a_chosen[A_WIDTH-1:0];
  wire [17:0] b_operand = inmode[1] && ADDER_TAKES_B ? 18'd0 : b_chosen;
  wire [A_WIDTH-1:0] side =
      ADDER_TAKES_B ? {{A_WIDTH - 18{b_operand[17]}}, b_operand} : a_operand;
  wire [A_WIDTH-1:0] other = inmode[2] ? d : 0;
  dsp_stage #(.WIDTH(A_WIDTH), .DEPTH(ADREG)) u_sum (
      .clk(clk), .ce_first(1'b0), .ce_second(ce[10]), .rst(rst[3]),
      .data_i(inmode[3] ? other - side : other + side), .first_o(), .data_o(sum)
  );

  wire signed [A_WIDTH-1:0] left = A_FROM_ADDER ? sum : a_operand;
  wire signed [17:0] right = B_FROM_ADDER ? sum[17:0] : b_operand;
  wire signed [A_WIDTH+17:0] product = left * right;
  wire [47:0] m;
  dsp_stage #(.WIDTH(48), .DEPTH(MREG)) u_m (
      .clk(clk), .ce_first(1'b0), .ce_second(ce[1]), .rst(rst[1]),
      .data_i({{30 - A_WIDTH{product[A_WIDTH+17]}}, product}), .first_o(), .data_o(m)
  );

  // The sum: X and Y are the two halves of the product together where both ask for it.
  reg [47:0] w, x, y, z, total;
  always @* begin
    case (opmode[8:7])
      2'd0: w = 48'd0;
      2'd1: w = p;
      2'd2: w = RND;
      default: w = c;
    endcase
    case (opmode[1:0])
      2'd0: x = 48'd0;
      2'd1: x = m;
      2'd2: x = p;
      default: x = {a2, b2};
    endcase
    case (opmode[3:2])
      2'd2: y = {48{1'b1}};
      2'd3: y = c;
      default: y = 48'd0;
    endcase
    case (opmode[6:4])
      3'd0: z = 48'd0;
      3'd1: z = pcin;
      3'd2, 3'd4: z = p;
      3'd3: z = c;
      3'd5: z = {{17{pcin[47]}}, pcin[47:17]};
      default: z = {{17{p[47]}}, p[47:17]};
    endcase
    case (alumode[1:0])
      2'd0: total = z + w + x + y + {47'd0, carry};
      2'd1: total = ~z + w + x + y + {47'd0, carry};
      2'd2: total = ~(z + w + x + y + {47'd0, carry});
      default: total = z - (w + x + y + {47'd0, carry});
    endcase
  end
  // Without it P would be of P.
  dsp_stage #(.WIDTH(48), .DEPTH(PREG)) u_p (
      .clk(clk), .ce_first(1'b0), .ce_second(ce[0]), .rst(rst[0]),
      .data_i(total), .first_o(), .data_o(p_o)
  );
  assign p = PREG ? p_o : 48'd0;
  assign pcout = p_o;
  assign acout = ACASCREG == AREG ? a2 : a1;
  assign bcout = BCASCREG == BREG ? b2 : b1;
endmodule

`default_nettype wire
