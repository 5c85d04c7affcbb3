// SPDX-License-Identifier: Apache-2.0
//
// sum_o = a_i + (b_i ^ c_i). Combinational.
//
// The tables of a carry chain of ECP5 have inputs to spare: a sum modulo 2 in front of an addition
// is free there, and Yosys does not use that. With CELLS = 1 it is written in cells (CCU2C, Lattice
// FPGA-TN-02200), for that family alone; both are proven, in simulation and as netlists.

`default_nettype none

module xor_add #(
    // Even where CELLS is 1.
    parameter WIDTH = 32,
    // 1 for cells of ECP5.
    parameter CELLS = 0
) (
    input  wire [WIDTH-1:0] a_i,
    input  wire [WIDTH-1:0] b_i,
    input  wire [WIDTH-1:0] c_i,
    output wire [WIDTH-1:0] sum_o
);

  generate
    if (CELLS != 0 && WIDTH % 2 != 0) begin : g_width
      ERROR_width_must_be_even u_error ();
    end

    if (CELLS != 0) begin : g_cells
      // With D at 1 a table gives a ^ b ^ c, which propagates a carry or not; its lowest quarter,
      // which the cell reads where it does not, gives a.
      wire [WIDTH/2-1:0] carry;
      genvar i;
      for (i = 0; i < WIDTH / 2; i = i + 1) begin : g_pair
        wire from;
        if (i == 0) begin : g_first
          assign from = 1'b0;
        end else begin : g_next
          assign from = carry[i-1];
        end
        CCU2C #(
            .INIT0    (16'h96aa),
            .INIT1    (16'h96aa),
            .INJECT1_0("NO"),
            .INJECT1_1("NO")
        ) u_pair (
            .CIN (from),
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
            .COUT(carry[i])
        );
      end
      // What the highest pair carries out.
      wire _unused = carry[WIDTH/2-1];
    end else begin : g_plain
      assign sum_o = a_i + (b_i ^ c_i);
    end
  endgenerate

endmodule

`default_nettype wire
