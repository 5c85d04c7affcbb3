// SPDX-License-Identifier: Apache-2.0
//
// The expansion of SIMD-256 ("SIMD Is a Message Digest", 2009, tweaked version): 128 points of a
// block, modulo 257 and from -128 to 128. Folded: a cycle takes in one of eight columns, points
// 8 i + column for i from 0 to 15, with 16 multipliers, and five cycles later they are there. With
// FOLD = 2 it takes in half of a column, its even b below, then its odd ones, with 8 multipliers;
// points of i from 0 to 7 are there five cycles behind the second half, the others in the next.
//
// Bytes x of the block are the first 64 inputs; with e = 139, of order 128, point 8 i + c is the
// sum over b < 16 of 2^(b i) e^(b c) times the sum over a < 8 of 4^(a c) x_(16 a + b). Powers of 4
// and of 2 are shifts and signs, since 256 is -1. Of the inputs behind the block that of place 127
// is one, in the final block that of place 125, too. Resets nothing.

`default_nettype none

module simd_points #(
    // Cycles of a column: 1 or 2.
    parameter FOLD = 1
) (
    input  wire                clk,
    input  wire [511:0]        block_i,  // byte i in bits 8 i to 8 i + 7
    input  wire                final_i,
    input  wire [2:0]          column_i,
    input  wire                half_i,   // the second half of a column; 0 if there are none
    output wire [144/FOLD-1:0] points_o  // i, or i modulo 8, in bits 9 i to 9 i + 8
);

  generate
    if (FOLD != 1 && FOLD != 2) begin : g_fold
      ERROR_fold_must_be_1_or_2 u_error ();
    end
  endgenerate

  localparam ROWS = 16 / FOLD;

  // Functions leave bits of what they compute with unused.
  /* verilator lint_off UNUSEDSIGNAL */

  // From -128 to 128: a power of e.
  function integer power(input integer exponent);
    integer k;
    begin
      power = 1;
      for (k = 0; k < exponent % 128; k = k + 1) power = (power * 139) % 257;
      if (power > 128) power = power - 257;
    end
  endfunction

  // Factors between the two transforms, that of column 0 lowest.
  function [71:0] twiddles(input integer b);
    integer k;
    integer value;
    for (k = 0; k < 8; k = k + 1) begin
      value = power(b * k);
      twiddles[9*k +: 9] = value[8:0];
    end
  endfunction

  // x + a, or x - a.
  function [15:0] plus(input [15:0] x, input [15:0] a, input negative);
    reg [16:0] sum;
    begin
      sum  = {x, 1'b1} + {a ^ {16{negative}}, negative};
      plus = sum[16:1];
    end
  endfunction

  /* verilator lint_on UNUSEDSIGNAL */

  // The same modulo 257, some 8 bits less: 256 is -1.
  function [9:0] reduce(input [17:0] x);
    reg [9:0] upper;
    begin
      upper  = x[17:8];
      reduce = {2'd0, x[7:0]} - upper;
    end
  endfunction

  function [17:0] wide(input [9:0] x);
    wide = {{8{x[9]}}, x};
  endfunction

  reg  [2:0]         column_q;
  reg  [4:0]         half_q;      // of the last five cycles, the latest lowest
  reg  [10*ROWS-1:0] sums_q;      // values of 10 bits with a sign
  reg  [18*ROWS-1:0] products_q;  // of 18 bits
  reg  [10*ROWS-1:0] scaled_q;
  reg  [10*ROWS-1:0] stage_q;     // behind two stages of the transform of 16
  reg  [17*ROWS-1:0] whole_q;     // of 17 bits

  always @(posedge clk) begin
    column_q <= column_i;
    half_q   <= {half_q[3:0], half_i};
  end

  wire unused = &{1'b0, half_q[4]};

  // ---- sums of four bytes, scaled -------------------------------------------------------------

  wire [1:0] low = column_i[1:0];
  wire [2:0] shift_1 = {low, 1'b0};
  wire [2:0] shift_2 = {low[0], 2'd0};
  wire [2:0] shift_3 = {-low, 1'b0};
  wire       minus_1 = column_i[2];
  wire       minus_2 = column_i[1];
  wire       minus_3 = column_i[2] ^ (low == 2'd2);
  wire       minus_7 = column_i[2] ^ (low != 2'd0);  // 4^(7 c) is 64^c but for its sign

  // Of b: all, or the even ones and then the odd ones.
  wire         odd = (FOLD == 1) || half_i;
  wire [127:0] bytes[0:3];

  genvar b;
  generate
    for (b = 0; b < 4; b = b + 1) begin : g_bytes
      assign bytes[b] = block_i[128*b +: 128];
    end

    for (b = 0; b < ROWS; b = b + 1) begin : g_input
      localparam EVEN = FOLD * b;
      localparam ODD = EVEN + FOLD - 1;
      localparam [71:0] TWIDDLES = twiddles(EVEN);
      localparam [71:0] TWIDDLES_ODD = twiddles(ODD);
      wire [7:0]  byte_0 = odd ? bytes[0][8*ODD +: 8] : bytes[0][8*EVEN +: 8];
      wire [7:0]  byte_1 = odd ? bytes[1][8*ODD +: 8] : bytes[1][8*EVEN +: 8];
      wire [7:0]  byte_2 = odd ? bytes[2][8*ODD +: 8] : bytes[2][8*EVEN +: 8];
      wire [7:0]  byte_3 = odd ? bytes[3][8*ODD +: 8] : bytes[3][8*EVEN +: 8];
      wire [15:0] x0 = {8'd0, byte_0};
      wire [15:0] x1 = {8'd0, byte_1} << shift_1;
      wire [15:0] x2 = {8'd0, byte_2} << shift_2;
      wire [15:0] x3 = {8'd0, byte_3} << shift_3;
      wire [15:0] x7 = {15'd0, odd && ((ODD == 15) || (ODD == 13 && final_i))} << shift_3;
      wire [15:0] sum = plus(plus(plus(x0, x7, minus_7), x2, minus_2),
                             plus(x1, x3, minus_1 ^ minus_3), minus_1);
      wire signed [9:0]  term = sums_q[10*b +: 10];
      wire signed [8:0]  factor = ((FOLD == 1) || half_q[0]) ? TWIDDLES_ODD[9*column_q +: 9]
                                                            : TWIDDLES[9*column_q +: 9];
      wire signed [17:0] product = products_q[18*b +: 18];
      wire [9:0] once = reduce(product);

      always @(posedge clk) begin
        sums_q[10*b +: 10]     <= reduce({{2{sum[15]}}, sum});
        products_q[18*b +: 18] <= term * factor;
        scaled_q[10*b +: 10]   <= reduce(wide(once));
      end
    end
  endgenerate

  // ---- transforms of 16: the order of inputs is that of their bits turned round ---------------

  wire [11*ROWS-1:0] first;  // of 11 bits
  wire [10*ROWS-1:0] third;
  wire [17*ROWS-1:0] whole;

  genvar i;
  generate
    for (i = 0; i < ROWS; i = i + 1) begin : g_point
      // Where a row stands in the order of turned bits, and the pairs of each stage.
      localparam EVEN = i - i % 2;
      localparam TURNED = 4 * (EVEN / 2 % 2) + 2 * (EVEN / 4 % 2) + EVEN / 8;
      localparam FROM = TURNED / FOLD;
      localparam TWO = i - i % 4 + i % 2;
      localparam FOUR = i - i % 8 + i % 4;

      wire [9:0]  x1 = scaled_q[10*FROM +: 10];
      wire [9:0]  y1 = scaled_q[10*(FROM+8/FOLD) +: 10];
      wire [10:0] x2 = first[11*TWO +: 11];
      wire [10:0] y2 = first[11*(TWO+2) +: 11];
      wire [9:0]  x3 = stage_q[10*FOUR +: 10];
      wire [9:0]  y3 = stage_q[10*(FOUR+4) +: 10];

      wire [14:0] scaled_2 = {{4{y2[10]}}, y2} << 4 * (i % 2);
      wire [15:0] scaled_3 = {{6{y3[9]}}, y3} << 2 * (i % 4);
      wire [14:0] sum_2;
      wire [15:0] sum_3;

      if (i % 2 == 0) begin : g_upper_1
        assign first[11*i +: 11] = {x1[9], x1} + {y1[9], y1};
      end else begin : g_lower_1
        assign first[11*i +: 11] = {x1[9], x1} - {y1[9], y1};
      end
      if (i % 4 < 2) begin : g_upper_2
        assign sum_2 = {{4{x2[10]}}, x2} + scaled_2;
      end else begin : g_lower_2
        assign sum_2 = {{4{x2[10]}}, x2} - scaled_2;
      end
      if (i % 8 < 4) begin : g_upper_3
        assign sum_3 = {{6{x3[9]}}, x3} + scaled_3;
      end else begin : g_lower_3
        assign sum_3 = {{6{x3[9]}}, x3} - scaled_3;
      end

      assign third[10*i +: 10] = reduce({{2{sum_3[15]}}, sum_3});

      always @(posedge clk) begin
        stage_q[10*i +: 10] <= reduce({{3{sum_2[14]}}, sum_2});
        whole_q[17*i +: 17] <= whole[17*i +: 17];
      end

      wire [9:0] once = reduce({whole_q[17*i+16], whole_q[17*i +: 17]});
      wire [9:0] point = reduce(wide(once));  // from -1 to 256
      wire       above = !point[9] && (point[8] || (point[7] && point[6:0] != 7'd0));

      assign points_o[9*i +: 9] = point[8:0] - (above ? 9'd257 : 9'd0);
    end

    // The fourth stage: rows of the odd b to those of the even ones, and from them.
    if (FOLD == 1) begin : g_fourth
      for (i = 0; i < 8; i = i + 1) begin : g_pair
        wire [9:0]  x4 = third[10*i +: 10];
        wire [9:0]  y4 = third[10*(i+8) +: 10];
        wire [16:0] scaled_4 = {{7{y4[9]}}, y4} << i;

        assign whole[17*i +: 17]     = {{7{x4[9]}}, x4} + scaled_4;
        assign whole[17*(i+8) +: 17] = {{7{x4[9]}}, x4} - scaled_4;
      end
    end else begin : g_fourth
      // The even half waits for the odd one, which waits for a cycle, too: sums, then differences.
      reg  [79:0] even_q;
      reg  [79:0] odd_q;
      wire        minus = half_q[4];

      always @(posedge clk) begin
        if (!half_q[3]) even_q <= third;
        odd_q <= third;
      end

      for (i = 0; i < 8; i = i + 1) begin : g_pair
        wire [9:0]  x4 = even_q[10*i +: 10];
        wire [9:0]  y4 = minus ? odd_q[10*i +: 10] : third[10*i +: 10];
        wire [16:0] scaled_4 = {{7{y4[9]}}, y4} << i;
        wire [17:0] sum_4 = {{7{x4[9]}}, x4, 1'b1} + {scaled_4 ^ {17{minus}}, minus};

        wire        unused_4 = &{1'b0, sum_4[0]};

        assign whole[17*i +: 17] = sum_4[17:1];
      end
    end
  endgenerate

endmodule

`default_nettype wire
