// SPDX-License-Identifier: Apache-2.0
//
// The constant-addition and substitution layers of Ascon (NIST SP 800-232, 3.2 and 3.3), five bits
// to five. Combinational. round_i is the round of Ascon-p[12], 0 to 11.

`default_nettype none

module ascon_substitute (
    input  wire [3:0]   round_i,
    input  wire [319:0] state_i,
    output wire [319:0] state_o
);

  wire [63:0] x0 = state_i[63:0];
  wire [63:0] x1 = state_i[127:64];
  // The constants go down from f0 by 0f.
  wire [63:0] x2 = {state_i[191:136], state_i[135:128] ^ {~round_i, round_i}};
  wire [63:0] x3 = state_i[255:192];
  wire [63:0] x4 = state_i[319:256];

  wire [63:0] a0 = x0 ^ x4;
  wire [63:0] a2 = x2 ^ x1;
  wire [63:0] a4 = x4 ^ x3;
  wire [63:0] b0 = a0 ^ (~x1 & a2);
  wire [63:0] b1 = x1 ^ (~a2 & x3);
  wire [63:0] b2 = a2 ^ (~x3 & a4);
  wire [63:0] b3 = x3 ^ (~a4 & a0);
  wire [63:0] b4 = a4 ^ (~a0 & x1);

  assign state_o = {b4, b3 ^ b2, ~b2, b1 ^ b0, b0 ^ b4};

endmodule

`default_nettype wire
