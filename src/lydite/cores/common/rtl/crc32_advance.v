// SPDX-License-Identifier: Apache-2.0
//
// Remainders of CRC-32 (ISO/IEC 13239, 4.2.5.3; bit 31 - i for x**i) times a power of x: behind so
// many bits of zeros, or, backwards, before them. The rows are found at elaboration. Combinational.

`default_nettype none

module crc32_advance #(
    // Bits of the polynomial that comes in, the first one lowest: 32, or more behind each other.
    parameter IN_BITS = 32,
    // Bits behind the last one that comes in; backwards where it is negative.
    parameter BITS    = 8
) (
    input  wire [IN_BITS-1:0] in_i,
    output wire [31:0]        out_o
);

  localparam [31:0] POLYNOMIAL = 32'hedb88320;

  // The remainder of what `value` is, so many bits later or earlier.
  function [31:0] moved(input [31:0] value, input integer bits);
    integer i;
    begin
      moved = value;
      for (i = 0; i < bits; i = i + 1) begin
        moved = {1'b0, moved[31:1]} ^ (moved[0] ? POLYNOMIAL : 32'd0);
      end
      // What was shifted out is told by bit 31: only the polynomial has it.
      for (i = 0; i < -bits; i = i + 1) begin
        moved = moved[31] ? {moved[30:0] ^ POLYNOMIAL[30:0], 1'b1} : {moved[30:0], 1'b0};
      end
    end
  endfunction

  // Bit 0 of the input is x**31 of what comes IN_BITS - 32 bits before the end.
  wire [32*IN_BITS-1:0] terms;

  genvar i;
  genvar j;
  generate
    for (i = 0; i < IN_BITS; i = i + 1) begin : g_bit
      localparam [31:0] ROW = moved(32'd1 << (i % 32), BITS + 32 * ((IN_BITS - 1 - i) / 32));
      for (j = 0; j < 32; j = j + 1) begin : g_out
        assign terms[IN_BITS*j+i] = ROW[j] && in_i[i];
      end
    end
    for (j = 0; j < 32; j = j + 1) begin : g_sum
      assign out_o[j] = ^terms[IN_BITS*j +: IN_BITS];
    end
  endgenerate

endmodule

`default_nettype wire
