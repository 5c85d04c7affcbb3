// SPDX-License-Identifier: Apache-2.0
// A look-up table of ECP5 as RAM: 16 words of a bit, one port that writes and one that reads
// without a clock (FPGA-TN-02204). Bits 0 to 3 of the address that is read are D, B, C, A.

`default_nettype none

module TRELLIS_COMB_DPRAM #(
    parameter WCKMUX = "WCK",
    parameter WREMUX = "WRE",
    parameter [15:0] INITVAL = 16'd0
) (
    input  wire A, B, C, D, WD, WAD0, WAD1, WAD2, WAD3, WRE, WCK,
    input  wire M, FXA, FXB, F1, FCI, DI0, DI1,  // of other uses
    output wire F
);
  wire clock = WCKMUX == "INV" ? ~WCK : WCK;
  wire write = WREMUX == "1" | (WREMUX == "INV" ? ~WRE : WREMUX == "WRE" & WRE);
  reg [15:0] words_q = INITVAL;

  always @(posedge clock) if (write) words_q[{WAD3, WAD2, WAD1, WAD0}] <= WD;
  assign F = words_q[{A, C, B, D}];
endmodule

`default_nettype wire
