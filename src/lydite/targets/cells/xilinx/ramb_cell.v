// SPDX-License-Identifier: Apache-2.0
// A block RAM as the cells of both families have it: ports of half the widest word, values with
// parity on top. As a word of twice that port A reads and port B writes, the upper half at the
// pins of B.

`default_nettype none

module ramb_cell #(
    parameter BITS = 14,  // of an address: 14 for 18 kbit, 15 for 36 kbit
    parameter READ_A = 0,
    parameter READ_B = 0,
    parameter WRITE_A = 0,
    parameter WRITE_B = 0,
    parameter MODE_A = "WRITE_FIRST",
    parameter MODE_B = "WRITE_FIRST",
    parameter [35:0] INIT_A = 0,
    parameter [35:0] INIT_B = 0,
    parameter [35:0] RESET_A = 0,
    parameter [35:0] RESET_B = 0,
    parameter [(1<<BITS)-1:0] CONTENT = 0,
    parameter [(1<<BITS)/8-1:0] PARITY = 0,
    parameter HALF = 1 << (BITS - 10),  // not to be set: data bits of a port
    parameter ODD = HALF / 8  // and parity bits
) (
    input  wire             clk_a,
    input  wire             en_a,
    input  wire             rst_a,
    input  wire [  ODD-1:0] we_a,
    input  wire [ BITS-1:0] at_a,
    input  wire [ HALF-1:0] di_a,
    input  wire [  ODD-1:0] dip_a,
    output wire [ HALF-1:0] do_a,
    output wire [  ODD-1:0] dop_a,
    input  wire             clk_b,
    input  wire             en_b,
    input  wire             rst_b,
    input  wire [2*ODD-1:0] we_b,
    input  wire [ BITS-1:0] at_b,
    input  wire [ HALF-1:0] di_b,
    input  wire [  ODD-1:0] dip_b,
    output wire [ HALF-1:0] do_b,
    output wire [  ODD-1:0] dop_b
);
  localparam WIDEST = 2 * (HALF + ODD);
  localparam WIDE_READ = READ_A == WIDEST, WIDE_WRITE = WRITE_B == WIDEST;

  // A value of a width, parity above data, as {8 parity bits, 64 data bits}.
  function [71:0] spread(input integer width, input [35:0] value);
    case (width)
      9: spread = {7'd0, value[8], 56'd0, value[7:0]};
      18: spread = {6'd0, value[17:16], 48'd0, value[15:0]};
      36: spread = {4'd0, value[35:32], 32'd0, value[31:0]};
      default: spread = {36'd0, value};
    endcase
  endfunction
  function [71:0] joined(input [35:0] high, input [35:0] low);
    begin
      joined = 72'd0;
      joined[0+:HALF] = low[0+:HALF];
      joined[HALF+:HALF] = high[0+:HALF];
      joined[64+:ODD] = low[HALF+:ODD];
      joined[64+ODD+:ODD] = high[HALF+:ODD];
    end
  endfunction

  wire [63:0] out_a, out_b;
  wire [7:0] parity_a, parity_b;
  ramb #(
      .BITS(BITS),
      .READ_A(READ_A),
      .READ_B(READ_B),
      .WRITE_A(WRITE_A),
      .WRITE_B(WRITE_B),
      .MODE_A(MODE_A),
      .MODE_B(MODE_B),
      .INIT_A(WIDE_READ ? joined(INIT_B, INIT_A) : spread(READ_A, INIT_A)),
      .INIT_B(spread(READ_B, INIT_B)),
      .RESET_A(WIDE_READ ? joined(RESET_B, RESET_A) : spread(READ_A, RESET_A)),
      .RESET_B(spread(READ_B, RESET_B)),
      .CONTENT(CONTENT),
      .PARITY(PARITY)
  ) u_ramb (
      .clk_a(clk_a),
      .en_a(en_a),
      .rst_a(rst_a),
      .we_a({{8 - ODD{1'b0}}, we_a}),
      .at_a(at_a),
      .di_a({{64 - HALF{1'b0}}, di_a}),
      .dip_a({{8 - ODD{1'b0}}, dip_a}),
      .do_a(out_a),
      .dop_a(parity_a),
      .clk_b(clk_b),
      .en_b(en_b),
      .rst_b(rst_b),
      .we_b(8'd0 | we_b),
      .at_b(at_b),
      .di_b(64'd0 | (WIDE_WRITE ? {di_b, di_a} : {{HALF{1'b0}}, di_b})),
      .dip_b(8'd0 | (WIDE_WRITE ? {dip_b, dip_a} : {{ODD{1'b0}}, dip_b})),
      .do_b(out_b),
      .dop_b(parity_b)
  );
  assign do_a = out_a[0+:HALF];
  assign dop_a = parity_a[0+:ODD];
  assign do_b = WIDE_READ ? out_a[HALF+:HALF] : out_b[0+:HALF];
  assign dop_b = WIDE_READ ? parity_a[ODD+:ODD] : parity_b[0+:ODD];
endmodule

`default_nettype wire
