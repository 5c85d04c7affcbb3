// SPDX-License-Identifier: Apache-2.0
// ECP5's RAM in logic: 16 words of four bits, one port that writes and one that reads without a
// clock (FPGA-TN-02204).

`default_nettype none

module TRELLIS_DPR16X4 #(
    parameter WCKMUX = "WCK",
    parameter WREMUX = "WRE",
    parameter [63:0] INITVAL = 64'd0  // word 0 in the lowest bits
) (
    input  wire [3:0] DI,
    input  wire [3:0] WAD,
    input  wire       WRE,
    input  wire       WCK,
    input  wire [3:0] RAD,
    output wire [3:0] DO
);
  wire clock = WCKMUX == "INV" ? ~WCK : WCK;
  wire write = WREMUX == "1" | (WREMUX == "INV" ? ~WRE : WREMUX == "WRE" & WRE);
  reg [3:0] words [0:15];
  integer k;
  initial for (k = 0; k < 16; k = k + 1) words[k] = INITVAL[4*k+:4];

  always @(posedge clock) if (write) words[WAD] <= DI;
  assign DO = words[RAD];
endmodule

`default_nettype wire
