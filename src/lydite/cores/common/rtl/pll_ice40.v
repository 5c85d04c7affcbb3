// SPDX-License-Identifier: Apache-2.0
// A PLL of iCE40 (FPGA-TN-02052), simple feedback. Parameters are those that `lydite.targets.pll`
// computes. Where the crystal's pin is the PLL's own pad, its clock comes through the PLL, too.
// It has no twin in behaviour: simulations give both clocks.

`default_nettype none

module pll_ice40 #(
    parameter [3:0] DIVR = 4'd0,
    parameter [6:0] DIVF = 7'd63,
    parameter [2:0] DIVQ = 3'd4,
    parameter [2:0] FILTER_RANGE = 3'd1,
    parameter PAD = 0  // 1: the crystal's pin is the PLL's pad
) (
    input  wire crystal_i,
    output wire clk_o,      // the crystal's clock
    output wire core_clk_o,
    output wire locked_o
);
  generate
    if (PAD != 0) begin : g_pad
      SB_PLL40_2_PAD #(
          .FEEDBACK_PATH("SIMPLE"),
          .PLLOUT_SELECT_PORTB("GENCLK"),
          .DIVR(DIVR),
          .DIVF(DIVF),
          .DIVQ(DIVQ),
          .FILTER_RANGE(FILTER_RANGE)
      ) u_pll (
          .PACKAGEPIN(crystal_i),
          .PLLOUTGLOBALA(clk_o),
          .PLLOUTGLOBALB(core_clk_o),
          .LOCK(locked_o),
          .BYPASS(1'b0),
          .RESETB(1'b1)
      );
    end else begin : g_core
      assign clk_o = crystal_i;
      SB_PLL40_CORE #(
          .FEEDBACK_PATH("SIMPLE"),
          .PLLOUT_SELECT("GENCLK"),
          .DIVR(DIVR),
          .DIVF(DIVF),
          .DIVQ(DIVQ),
          .FILTER_RANGE(FILTER_RANGE)
      ) u_pll (
          .REFERENCECLK(crystal_i),
          .PLLOUTGLOBAL(core_clk_o),
          .LOCK(locked_o),
          .BYPASS(1'b0),
          .RESETB(1'b1)
      );
    end
  endgenerate
endmodule

`default_nettype wire
