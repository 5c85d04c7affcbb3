// SPDX-License-Identifier: Apache-2.0
// A PLL of ECP5 (FPGA-TN-02200): output CLKOP closes the loop, CLKOS is the clock. Parameters are
// those that `lydite.targets.pll` computes. Charge pump and filter as Project Trellis sets them.
// It has no twin in behaviour: simulations give both clocks.

`default_nettype none

module pll_ecp5 #(
    parameter CLKI_DIV  = 1,
    parameter CLKFB_DIV = 1,
    parameter CLKOP_DIV = 1,
    parameter CLKOS_DIV = 1
) (
    input  wire crystal_i,
    output wire clk_o,      // the crystal's clock
    output wire core_clk_o,
    output wire locked_o
);
  wire loop;
  /* verilator lint_off UNUSEDSIGNAL */
  wire inner;  // another way of feedback
  /* verilator lint_on UNUSEDSIGNAL */
  assign clk_o = crystal_i;

  (* ICP_CURRENT="12" *) (* LPF_RESISTOR="8" *) (* MFG_ENABLE_FILTEROPAMP="1" *)
  (* MFG_GMCREF_SEL="2" *)
  EHXPLLL #(
      .PLLRST_ENA("DISABLED"),
      .INTFB_WAKE("DISABLED"),
      .STDBY_ENABLE("DISABLED"),
      .DPHASE_SOURCE("DISABLED"),
      .OUTDIVIDER_MUXA("DIVA"),
      .OUTDIVIDER_MUXB("DIVB"),
      .OUTDIVIDER_MUXC("DIVC"),
      .OUTDIVIDER_MUXD("DIVD"),
      .CLKI_DIV(CLKI_DIV),
      .CLKFB_DIV(CLKFB_DIV),
      .CLKOP_ENABLE("ENABLED"),
      .CLKOP_DIV(CLKOP_DIV),
      .CLKOP_CPHASE(0),
      .CLKOP_FPHASE(0),
      .CLKOS_ENABLE("ENABLED"),
      .CLKOS_DIV(CLKOS_DIV),
      .CLKOS_CPHASE(0),
      .CLKOS_FPHASE(0),
      .FEEDBK_PATH("CLKOP")
  ) u_pll (
      .RST(1'b0),
      .STDBY(1'b0),
      .CLKI(crystal_i),
      .CLKFB(loop),
      .CLKINTFB(inner),
      .CLKOP(loop),
      .CLKOS(core_clk_o),
      .PHASESEL0(1'b0),
      .PHASESEL1(1'b0),
      .PHASEDIR(1'b1),
      .PHASESTEP(1'b1),
      .PHASELOADREG(1'b1),
      .PLLWAKESYNC(1'b0),
      .ENCLKOP(1'b0),
      .ENCLKOS(1'b0),
      .LOCK(locked_o)
  );
endmodule

`default_nettype wire
