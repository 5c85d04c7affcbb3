// SPDX-License-Identifier: Apache-2.0
// iCE40's multiplier with two accumulators (FPGA-TN-02007): a product of 16 by 16 bits, or two of 8
// by 8; above and below an adder of 16 bits each, alone or as one of 32.

`default_nettype none

module SB_MAC16 #(
    parameter [0:0] NEG_TRIGGER = 0,
    parameter [0:0] C_REG = 0,
    parameter [0:0] A_REG = 0,
    parameter [0:0] B_REG = 0,
    parameter [0:0] D_REG = 0,
    parameter [0:0] TOP_8x8_MULT_REG = 0,
    parameter [0:0] BOT_8x8_MULT_REG = 0,
    parameter [0:0] PIPELINE_16x16_MULT_REG1 = 0,
    parameter [0:0] PIPELINE_16x16_MULT_REG2 = 0,
    parameter [1:0] TOPOUTPUT_SELECT = 0,
    parameter [1:0] TOPADDSUB_LOWERINPUT = 0,
    parameter [0:0] TOPADDSUB_UPPERINPUT = 0,
    parameter [1:0] TOPADDSUB_CARRYSELECT = 0,
    parameter [1:0] BOTOUTPUT_SELECT = 0,
    parameter [1:0] BOTADDSUB_LOWERINPUT = 0,
    parameter [0:0] BOTADDSUB_UPPERINPUT = 0,
    parameter [1:0] BOTADDSUB_CARRYSELECT = 0,
    parameter [0:0] MODE_8x8 = 0,
    parameter [0:0] A_SIGNED = 0,
    parameter [0:0] B_SIGNED = 0
) (
    input  wire        CLK,
    input  wire        CE,
    input  wire [15:0] C,
    input  wire [15:0] A,
    input  wire [15:0] B,
    input  wire [15:0] D,
    input  wire AHOLD, BHOLD, CHOLD, DHOLD, IRSTTOP, IRSTBOT, ORSTTOP, ORSTBOT, OLOADTOP, OLOADBOT,
    input  wire ADDSUBTOP, ADDSUBBOT, OHOLDTOP, OHOLDBOT, CI, ACCUMCI, SIGNEXTIN,
    output wire [31:0] O,
    output wire CO, ACCUMCO, SIGNEXTOUT
);
  wire clock = CLK ^ NEG_TRIGGER;
  reg [15:0] a_q = 0, b_q = 0, c_q = 0, d_q = 0, high_q = 0, low_q = 0;
  reg [15:0] sum_top_q = 0, sum_bot_q = 0;
  reg [31:0] mixed_q = 0, product_q = 0;  // mixed: {a low by b high, a high by b low}
  wire [15:0] a = A_REG ? a_q : A, b = B_REG ? b_q : B, c = C_REG ? c_q : C, d = D_REG ? d_q : D;

  // Four products of bytes. The low bytes have a sign only where they are operands of their own.
  wire signed [8:0] a_high = {A_SIGNED & a[15], a[15:8]};
  wire signed [8:0] b_high = {B_SIGNED & b[15], b[15:8]};
  wire signed [8:0] a_low = {A_SIGNED & MODE_8x8 & a[7], a[7:0]};
  wire signed [8:0] b_low = {B_SIGNED & MODE_8x8 & b[7], b[7:0]};
  wire signed [17:0] high_d = a_high * b_high, low_d = a_low * b_low;
  wire signed [17:0] mixed_j = $signed({1'b0, a[7:0]}) * b_high;
  wire signed [17:0] mixed_k = a_high * $signed({1'b0, b[7:0]});
  wire [15:0] high = TOP_8x8_MULT_REG ? high_q : high_d[15:0];
  wire [15:0] low = BOT_8x8_MULT_REG ? low_q : low_d[15:0];
  wire [31:0] mixed = PIPELINE_16x16_MULT_REG1 ? mixed_q : {mixed_j[15:0], mixed_k[15:0]};
  wire [31:0] product_d = {high, 16'd0} + {16'd0, low}
      + {{8{B_SIGNED & mixed[31]}}, mixed[31:16], 8'd0}
      + {{8{A_SIGNED & mixed[15]}}, mixed[15:0], 8'd0};
  wire [31:0] product = PIPELINE_16x16_MULT_REG2 ? product_q : product_d;

  always @(posedge clock or posedge IRSTTOP)
    if (IRSTTOP) begin
      {a_q, c_q, high_q} <= 48'd0;
      mixed_q[31:16] <= 16'd0;
    end else if (CE) begin
      if (!AHOLD) a_q <= A;
      if (!CHOLD) c_q <= C;
      high_q <= high_d[15:0];
      if (!MODE_8x8) mixed_q[31:16] <= mixed_j[15:0];
    end
  always @(posedge clock or posedge IRSTBOT)
    if (IRSTBOT) begin
      {b_q, d_q, low_q} <= 48'd0;
      mixed_q[15:0] <= 16'd0;
      product_q <= 32'd0;
    end else if (CE) begin
      if (!BHOLD) b_q <= B;
      if (!DHOLD) d_q <= D;
      low_q <= low_d[15:0];
      if (!MODE_8x8) mixed_q[15:0] <= mixed_k[15:0];
      if (!MODE_8x8) product_q <= product_d;
    end

  // The adder below: an operand, plus or minus it from the other one, which may be its own result.
  wire [15:0] z = BOTADDSUB_LOWERINPUT == 0 ? b : BOTADDSUB_LOWERINPUT == 1 ? low
      : BOTADDSUB_LOWERINPUT == 2 ? product[15:0] : {16{SIGNEXTIN}};
  wire [15:0] y = BOTADDSUB_UPPERINPUT ? d : sum_bot_q;
  wire carry_bot = BOTADDSUB_CARRYSELECT == 0 ? 1'b0 : BOTADDSUB_CARRYSELECT == 1 ? 1'b1
      : BOTADDSUB_CARRYSELECT == 2 ? ACCUMCI : CI;
  wire [16:0] sum_bot = {1'b0, z} + {1'b0, y ^ {16{ADDSUBBOT}}} + {16'd0, carry_bot};
  wire [15:0] bot_d = OLOADBOT ? d : sum_bot[15:0] ^ {16{ADDSUBBOT}};

  wire [15:0] x = TOPADDSUB_LOWERINPUT == 0 ? a : TOPADDSUB_LOWERINPUT == 1 ? high
      : TOPADDSUB_LOWERINPUT == 2 ? product[31:16] : {16{z[15]}};
  wire [15:0] w = TOPADDSUB_UPPERINPUT ? c : sum_top_q;
  wire carry_top = TOPADDSUB_CARRYSELECT == 0 ? 1'b0 : TOPADDSUB_CARRYSELECT == 1 ? 1'b1
      : TOPADDSUB_CARRYSELECT == 2 ? sum_bot[16] : sum_bot[16] ^ ADDSUBBOT;
  wire [16:0] sum_top = {1'b0, x} + {1'b0, w ^ {16{ADDSUBTOP}}} + {16'd0, carry_top};
  wire [15:0] top_d = OLOADTOP ? c : sum_top[15:0] ^ {16{ADDSUBTOP}};

  always @(posedge clock or posedge ORSTTOP)
    if (ORSTTOP) sum_top_q <= 16'd0;
    else if (CE & !OHOLDTOP) sum_top_q <= top_d;
  always @(posedge clock or posedge ORSTBOT)
    if (ORSTBOT) sum_bot_q <= 16'd0;
    else if (CE & !OHOLDBOT) sum_bot_q <= bot_d;

  assign O[31:16] = TOPOUTPUT_SELECT == 0 ? top_d : TOPOUTPUT_SELECT == 1 ? sum_top_q
      : TOPOUTPUT_SELECT == 2 ? high : product[31:16];
  assign O[15:0] = BOTOUTPUT_SELECT == 0 ? bot_d : BOTOUTPUT_SELECT == 1 ? sum_bot_q
      : BOTOUTPUT_SELECT == 2 ? low : product[15:0];
  assign ACCUMCO = sum_top[16];
  assign CO = sum_top[16] ^ ADDSUBTOP;
  assign SIGNEXTOUT = x[15];
endmodule

`default_nettype wire
