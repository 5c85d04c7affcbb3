// SPDX-License-Identifier: Apache-2.0
// Resets of a board: of the bridge when the part wakes or the button is held, of streams and core
// on each clear, too. Their resets stand for 256 cycles of the crystal's clock, which are four of a
// core's clock that is up to 64 times slower, as long as FIFOs ask for.
//
// Registers of these parts begin with the value that the configuration gives; nothing else here
// relies on one.

`default_nettype none

module board_reset (
    input  wire clk,
    input  wire core_clk,
    input  wire button_i,
    input  wire clear_i,    // stands until cleared_o
    output wire cleared_o,
    output wire rst_o,      // of the bridge
    output wire clear_rst_o,
    output wire core_rst_o  // as clear_rst_o, of the core's clock
);
  reg [3:0] woken_q;
  initial woken_q = 4'd0;
  (* ASYNC_REG = "TRUE" *) reg button_q;
  (* ASYNC_REG = "TRUE" *) reg button_q2;
  reg rst_q;
  reg clear_q;
  reg [8:0] count_q;
  reg clear_rst_q;

  assign rst_o       = rst_q;
  assign clear_rst_o = clear_rst_q;
  assign cleared_o   = clear_q & (count_q == 9'd511);

  always @(posedge clk) begin
    woken_q  <= (woken_q == 4'd15) ? 4'd15 : woken_q + 4'd1;
    button_q <= button_i;
    button_q2 <= button_q;
    rst_q    <= (woken_q != 4'd15) | button_q2;
    clear_q  <= clear_i;
    if (rst_q | (clear_i & ~clear_q)) count_q <= 9'd0;
    else if (count_q != 9'd511) count_q <= count_q + 9'd1;
    clear_rst_q <= rst_q | ~count_q[8];
  end

  crossing u_core (
      .src_clk(clk),
      .src_rst(1'b0),
      .src_data_i(clear_rst_q),
      .dst_clk(core_clk),
      .dst_data_o(core_rst_o)
  );
endmodule

`default_nettype wire
