// SPDX-License-Identifier: Apache-2.0
//
// The cell of ECP5 that is two bits of a carry chain (Lattice FPGA-TN-02200), as
// targets/cells/ecp5.toml has it: two tables whose lowest quarters generate a carry where the whole
// does not propagate one. Yosys reads its ports alone, and later takes its own; simulation reads
// what it does. Combinational.

`default_nettype none

(* blackbox *)
module CCU2C #(
    // Tables, of inputs A lowest to D.
    parameter [15:0] INIT0 = 16'h0000,
    parameter [15:0] INIT1 = 16'h0000,
    // "NO" where a carry counts in sum and carry.
    parameter INJECT1_0 = "YES",
    parameter INJECT1_1 = "YES"
) (
    input  wire CIN,
    input  wire A0,
    input  wire B0,
    input  wire C0,
    input  wire D0,
    input  wire A1,
    input  wire B1,
    input  wire C1,
    input  wire D1,
    output wire S0,
    output wire S1,
    output wire COUT
);

  localparam CHAIN0 = INJECT1_0 == "NO";
  localparam CHAIN1 = INJECT1_1 == "NO";

  wire table0 = INIT0[{D0, C0, B0, A0}];
  wire table1 = INIT1[{D1, C1, B1, A1}];
  wire carry = table0 ? CIN : CHAIN0 && INIT0[{2'b00, B0, A0}];

  assign S0 = table0 ^ (CHAIN0 && CIN);
  assign S1 = table1 ^ (CHAIN1 && carry);
  assign COUT = table1 ? carry : CHAIN1 && INIT1[{2'b00, B1, A1}];

endmodule

`default_nettype wire
