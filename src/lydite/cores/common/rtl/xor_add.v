// SPDX-License-Identifier: Apache-2.0
//
// sum_o = a_i + (b_i ^ c_i). Combinational.
//
// The tables of a carry chain of ECP5 have inputs to spare: a sum modulo 2 in front of an addition
// is free there, and Yosys does not use that. With CELLS = 1 it is written in cells (CCU2C, Lattice
// FPGA-TN-02200) where Yosys reads it, and for that family alone. Simulation reads the line that
// says what it does; the proof of the netlist has the cells.

`default_nettype none

module xor_add #(
    // Even where CELLS is 1.
    parameter WIDTH = 32,
    // 1 for cells of ECP5. Only Yosys reads them: simulation by cells would take longer.
    // verilator lint_off UNUSEDPARAM
    parameter CELLS = 0
    // verilator lint_on UNUSEDPARAM
) (
    input  wire [WIDTH-1:0] a_i,
    input  wire [WIDTH-1:0] b_i,
    input  wire [WIDTH-1:0] c_i,
    output wire [WIDTH-1:0] sum_o
);

`ifdef YOSYS
  generate
    if (CELLS != 0 && WIDTH % 2 != 0) begin : g_width
      ERROR_width_must_be_even u_error ();
    end
    if (CELLS != 0) begin : g_cells
      // With D at 1 a table gives a ^ b ^ c, which propagates a carry or not; its lowest quarter,
      // which the cell reads where it does not, gives a.
      wire [WIDTH/2:0] carry;
      assign carry[0] = 1'b0;
      genvar i;
      for (i = 0; i < WIDTH / 2; i = i + 1) begin : g_pair
        CCU2C #(
            .INIT0    (16'h96aa),
            .INIT1    (16'h96aa),
            .INJECT1_0("NO"),
            .INJECT1_1("NO")
        ) u_pair (
            .CIN (carry[i]),
            .A0  (a_i[2*i]),
            .B0  (b_i[2*i]),
            .C0  (c_i[2*i]),
            .D0  (1'b1),
            .A1  (a_i[2*i+1]),
            .B1  (b_i[2*i+1]),
            .C1  (c_i[2*i+1]),
            .D1  (1'b1),
            .S0  (sum_o[2*i]),
            .S1  (sum_o[2*i+1]),
            .COUT(carry[i+1])
        );
      end
    end else begin : g_plain
      assign sum_o = a_i + (b_i ^ c_i);
    end
  endgenerate
`else
  assign sum_o = a_i + (b_i ^ c_i);
`endif

endmodule

`default_nettype wire
