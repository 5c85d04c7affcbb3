// SPDX-License-Identifier: Apache-2.0
//
// Constants of a step of Luffa's permutations Q0, Q1, Q2 ("Hash Function Luffa: Specification",
// version 2.0.1, appendix): of each, from the lowest, those of the words 0 and 4.

`default_nettype none

module luffa_constants (
    input  wire [2:0]   step_i,
    output reg  [191:0] constants_o
);

  always @* begin
    case (step_i)
      3'd0: constants_o = 192'he25e72c1_fc20d9d2_01685f3d_b6de10ed_e0337818_303994a6;
      3'd1: constants_o = 192'he623bb72_34552e25_05a17cf4_70f47aae_441ba90d_c0e65299;
      3'd2: constants_o = 192'h5c58a4a4_7ad8818f_bd09caca_0707a3d4_7f34d442_6cc33a12;
      3'd3: constants_o = 192'h1e38e2e7_8438764a_f4272b28_1c1e8f51_9389217f_dc56983e;
      3'd4: constants_o = 192'h78e38b9d_bb6de032_144ae5cc_707a3d45_e5a8bce6_1e00108f;
      3'd5: constants_o = 192'h27586719_edb780c8_faa7ae2b_aeb28562_5274baf4_7800423d;
      3'd6: constants_o = 192'h36eda57f_d9847356_2e48f1c1_baca1589_26889ba7_8f5b7882;
      default: constants_o = 192'h703aace7_a2c78434_b923c704_40a46f3e_9a226e9d_96e1db12;
    endcase
  end

endmodule

`default_nettype wire
