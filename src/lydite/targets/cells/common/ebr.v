// SPDX-License-Identifier: Apache-2.0
// The block RAM of Lattice ECP5 (FPGA-TN-02204) and Nexus (FPGA-TN-02094): 512 words of 36 bits, of
// which a port takes a bit, two, four, a ninth (9), two (18) or four (36) at its address. Words of
// 18 and 36 take a write enable for each nine bits from the lowest address bits. Both ports read
// and write. No output registers. Of bits that the other port writes at that edge the old ones are
// read, or where BESIDE is 0, and nobody says what is read, wrong ones.

`default_nettype none

module ebr #(
    parameter WIDTH_A = 18,
    parameter WIDTH_B = 18,
    parameter MODE_A = "NORMAL",  // output at a write: as it was; WRITETHROUGH; READBEFOREWRITE
    parameter MODE_B = "NORMAL",
    parameter RESET_A = "SYNC",  // the output becomes 0 at an edge, or ASYNC
    parameter RESET_B = "SYNC",
    parameter GATED = 0,  // 1: at an edge only if enabled, and writes go on; 0: it blocks them
    parameter BESIDE = 0,
    parameter HALF = 9,  // where the second nine bits of each 20 of CONTENT begin
    parameter [20479:0] CONTENT = 20480'd0
) (
    input  wire        clk_a,
    input  wire        en_a,
    input  wire        we_a,
    input  wire        rst_a,
    input  wire [13:0] ad_a,
    input  wire [35:0] di_a,
    output wire [35:0] do_a,
    input  wire        clk_b,
    input  wire        en_b,
    input  wire        we_b,
    input  wire        rst_b,
    input  wire [13:0] ad_b,
    input  wire [35:0] di_b,
    output wire [35:0] do_b
);
  reg [35:0] words[0:511];
  integer k;
  initial
    for (k = 0; k < 2048; k = k + 1)
      words[k/4][9*(k%4)+:9] = CONTENT[20*(k/2)+HALF*(k%2)+:9];

  // Where in 36 bits an address begins.
  function [5:0] place(input integer width, input [4:0] low);
    case (width)
      1: place = 6'd9 * low[4:3] + low[2:0];
      2: place = 6'd9 * low[4:3] + {low[2:1], 1'b0};
      4: place = 6'd9 * low[4:3] + {low[2], 2'b00};
      9: place = 6'd9 * low[4:3];
      18: place = 6'd18 * low[4];
      default: place = 6'd0;
    endcase
  endfunction

  // The bits of a word that are written.
  function [35:0] lanes(input integer width, input [3:0] enables);
    case (width)
      1: lanes = 36'h1;
      2: lanes = 36'h3;
      4: lanes = 36'hf;
      9: lanes = 36'h1ff;
      18: lanes = {18'd0, {9{enables[1]}}, {9{enables[0]}}};
      default: lanes = {{9{enables[3]}}, {9{enables[2]}}, {9{enables[1]}}, {9{enables[0]}}};
    endcase
  endfunction

  wire [ 5:0] at_a = place(WIDTH_A, ad_a[4:0]);
  wire [ 5:0] at_b = place(WIDTH_B, ad_b[4:0]);
  wire [35:0] mask_a = lanes(WIDTH_A, ad_a[3:0]) << at_a;
  wire [35:0] mask_b = lanes(WIDTH_B, ad_b[3:0]) << at_b;
  wire [35:0] new_a = di_a << at_a;
  wire [35:0] new_b = di_b << at_b;
  wire        hold_a = RESET_A == "SYNC" & rst_a & !GATED;
  wire        hold_b = RESET_B == "SYNC" & rst_b & !GATED;
  wire        writes_a = en_a & we_a & !hold_a;
  wire        writes_b = en_b & we_b & !hold_b;
  // Edges of a clock and of its inverse are apart.
  wire        meet = ad_a[13:5] == ad_b[13:5] & clk_a == clk_b & !BESIDE;
  wire [35:0] seen_a = words[ad_a[13:5]] ^ (mask_b & {36{meet & writes_b}});
  wire [35:0] seen_b = words[ad_b[13:5]] ^ (mask_a & {36{meet & writes_a}});
  integer     i;
  always @(posedge clk_a)
    if (writes_a)
      for (i = 0; i < 36; i = i + 1) if (mask_a[i]) words[ad_a[13:5]][i] <= new_a[i];
  integer j;
  always @(posedge clk_b)
    if (writes_b)
      for (j = 0; j < 36; j = j + 1) if (mask_b[j]) words[ad_b[13:5]][j] <= new_b[j];

  ebr_output #(
      .WIDTH(WIDTH_A),
      .MODE (MODE_A),
      .RESET(RESET_A),
      .GATED(GATED)
  ) u_a (
      .clk   (clk_a),
      .en    (en_a),
      .we    (we_a),
      .rst   (rst_a),
      .old_i (seen_a >> at_a),
      .new_i ((seen_a & ~mask_a | new_a & mask_a) >> at_a),
      .data_o(do_a)
  );
  ebr_output #(
      .WIDTH(WIDTH_B),
      .MODE (MODE_B),
      .RESET(RESET_B),
      .GATED(GATED)
  ) u_b (
      .clk   (clk_b),
      .en    (en_b),
      .we    (we_b),
      .rst   (rst_b),
      .old_i (seen_b >> at_b),
      .new_i ((seen_b & ~mask_b | new_b & mask_b) >> at_b),
      .data_o(do_b)
  );
endmodule

`default_nettype wire
