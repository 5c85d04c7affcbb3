// SPDX-License-Identifier: Apache-2.0
//
// The S-boxes of JH ("The Hash Function JH", 2.1), S0 or S1 as a bit of the round's constant says,
// as formulas: a table is a ROM to Yosys, which puts it in front of the registers of its address,
// so that both S-boxes of an element are there, and a register more for each of their bits.
// `jh-256/rtl` took 7,980 LUT4 and 4,952 FF that way. The first bit of an element is highest.

`default_nettype none

module jh_sbox (
    input  wire [3:0] element_i,
    input  wire       constant_i,
    output wire [3:0] element_o
);

  wire p = element_i[3] ^ (!element_i[1] & constant_i);
  wire q = p ^ (element_i[1] & !element_i[0]);
  wire r = !element_i[0] ^ (!element_i[2] & element_i[1]);
  wire s = element_i[2] ^ (q & element_i[1]);
  wire t = element_i[1] ^ (!r & q);
  wire u = constant_i ^ (p & element_i[2]);
  wire first = q ^ (r | s);

  assign element_o = {first, s ^ (u & first), t ^ u, r ^ (s & t)};

endmodule

`default_nettype wire
