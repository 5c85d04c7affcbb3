// SPDX-License-Identifier: Apache-2.0
// A block RAM of the 7 series (UG473) and of UltraScale (UG573): bytes of nine bits, the ninth a
// parity bit in content of its own. A port takes 1, 2 or 4 bits of a byte, or 1, 2, 4 or 8 bytes,
// at its address in bits. Without output registers and error correction. Of a word that the other
// port writes at that edge the old value is read.

`default_nettype none

module ramb #(
    parameter BITS = 14,  // of an address: 14 for 16 kbit, 15 for 32 kbit, without parity
    parameter READ_A = 0,  // widths with parity; 0: unused
    parameter READ_B = 0,
    parameter WRITE_A = 0,
    parameter WRITE_B = 0,
    parameter MODE_A = "WRITE_FIRST",  // at a write the port reads that; READ_FIRST; NO_CHANGE
    parameter MODE_B = "WRITE_FIRST",
    parameter [71:0] INIT_A = 0,
    parameter [71:0] INIT_B = 0,
    parameter [71:0] RESET_A = 0,
    parameter [71:0] RESET_B = 0,
    parameter [(1<<BITS)-1:0] CONTENT = 0,
    parameter [(1<<BITS)/8-1:0] PARITY = 0
) (
    input  wire            clk_a,
    input  wire            en_a,
    input  wire            rst_a,
    input  wire [     7:0] we_a,
    input  wire [BITS-1:0] at_a,
    input  wire [    63:0] di_a,
    input  wire [     7:0] dip_a,
    output wire [    63:0] do_a,
    output wire [     7:0] dop_a,
    input  wire            clk_b,
    input  wire            en_b,
    input  wire            rst_b,
    input  wire [     7:0] we_b,
    input  wire [BITS-1:0] at_b,
    input  wire [    63:0] di_b,
    input  wire [     7:0] dip_b,
    output wire [    63:0] do_b,
    output wire [     7:0] dop_b
);
  localparam BYTES = (1 << BITS) / 8;
  reg [8:0] bytes[0:BYTES-1];
  integer k;
  initial for (k = 0; k < BYTES; k = k + 1) bytes[k] = {PARITY[k], CONTENT[8*k+:8]};

  // The word of a port: {parity, data}. `fresh` is what it writes just now, if it reads that.
  function [71:0] word(input integer width, input [BITS-1:0] at, input [71:0] fresh,
                       input [7:0] taken);
    integer n;
    reg [8:0] one;
    begin
      word = 72'd0;
      if (width < 9) begin
        one = bytes[at[BITS-1:3]];
        for (n = 0; n < width; n = n + 1) word[n] = taken[0] ? fresh[n] : one[at[2:0]+n[2:0]];
      end else
        for (n = 0; n < width / 9; n = n + 1) begin
          one = bytes[at[BITS-1:3]+n[BITS-4:0]];
          word[8*n+:8] = taken[n] ? fresh[8*n+:8] : one[7:0];
          word[64+n] = taken[n] ? fresh[64+n] : one[8];
        end
    end
  endfunction

  // An address without the bits that a width leaves open.
  function [BITS-1:0] aligned(input integer width, input [BITS-1:0] at);
    case (width)
      2: aligned = {at[BITS-1:1], 1'd0};
      4: aligned = {at[BITS-1:2], 2'd0};
      9: aligned = {at[BITS-1:3], 3'd0};
      18: aligned = {at[BITS-1:4], 4'd0};
      36: aligned = {at[BITS-1:5], 5'd0};
      72: aligned = {at[BITS-1:6], 6'd0};
      default: aligned = at;
    endcase
  endfunction

  // A port that reads and writes words of one width can read what it writes.
  localparam FRESH_A = MODE_A == "WRITE_FIRST" && READ_A == WRITE_A;
  localparam FRESH_B = MODE_B == "WRITE_FIRST" && READ_B == WRITE_B;
  wire [71:0] in_a = {dip_a, di_a}, in_b = {dip_b, di_b};
  wire [7:0] write_a = WRITE_A == 0 ? 8'd0 : we_a, write_b = WRITE_B == 0 ? 8'd0 : we_b;
  reg [71:0] out_a = INIT_A, out_b = INIT_B;
  integer i, j;

  always @(posedge clk_a)
    if (en_a) begin
      if (rst_a) out_a <= RESET_A;
      else if (MODE_A != "NO_CHANGE" || write_a == 8'd0)
        out_a <= word(READ_A, aligned(READ_A, at_a), in_a, FRESH_A ? write_a : 8'd0);
      if (WRITE_A < 9) begin
        for (i = 0; i < WRITE_A; i = i + 1)
          if (write_a[0]) bytes[at_a[BITS-1:3]][(aligned(WRITE_A, at_a) & 7) + i] <= in_a[i];
      end else
        for (i = 0; i < WRITE_A / 9; i = i + 1)
          if (write_a[i])
            bytes[(aligned(WRITE_A, at_a) >> 3) + i] <= {in_a[64+i], in_a[8*i+:8]};
    end

  always @(posedge clk_b)
    if (en_b) begin
      if (rst_b) out_b <= RESET_B;
      else if (MODE_B != "NO_CHANGE" || write_b == 8'd0)
        out_b <= word(READ_B, aligned(READ_B, at_b), in_b, FRESH_B ? write_b : 8'd0);
      if (WRITE_B < 9) begin
        for (j = 0; j < WRITE_B; j = j + 1)
          if (write_b[0]) bytes[at_b[BITS-1:3]][(aligned(WRITE_B, at_b) & 7) + j] <= in_b[j];
      end else
        for (j = 0; j < WRITE_B / 9; j = j + 1)
          if (write_b[j])
            bytes[(aligned(WRITE_B, at_b) >> 3) + j] <= {in_b[64+j], in_b[8*j+:8]};
    end

  assign {dop_a, do_a} = out_a;
  assign {dop_b, do_b} = out_b;
endmodule

`default_nettype wire
