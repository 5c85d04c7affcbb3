// SPDX-License-Identifier: Apache-2.0
//
// The linear diffusion layer of Ascon (NIST SP 800-232, 3.4), and a sum, which comes for nothing:
// three bits of a word and one of the addend for each bit. Combinational. Word i is the 64 bits
// from 64 * i, its bit j the standard's.

`default_nettype none

module ascon_diffuse (
    input  wire [319:0] state_i,
    input  wire [319:0] addend_i,
    output wire [319:0] state_o
);

  // Words by one and by another rotation to the right.
  wire [319:0] first = {
    state_i[262:256], state_i[319:263],
    state_i[201:192], state_i[255:202],
    state_i[128],     state_i[191:129],
    state_i[124:64],  state_i[127:125],
    state_i[18:0],    state_i[63:19]
  };
  wire [319:0] second = {
    state_i[296:256], state_i[319:297],
    state_i[208:192], state_i[255:209],
    state_i[133:128], state_i[191:134],
    state_i[102:64],  state_i[127:103],
    state_i[27:0],    state_i[63:28]
  };

  assign state_o = state_i ^ first ^ second ^ addend_i;

endmodule

`default_nettype wire
