// SPDX-License-Identifier: Apache-2.0
//
// A lane as DEPTH groups of GROUP_BITS bits: one write port, one asynchronous read port at the
// same address. Made to become one LUT RAM. Resets nothing.

`default_nettype none

module keccak_lane_ram #(
    // Bits of a group.
    parameter GROUP_BITS = 4,
    // Groups, a power of two.
    parameter DEPTH      = 16,
    // Bits of an address: log2 of DEPTH.
    parameter ADDR_BITS  = 4
) (
    input  wire                  clk,
    input  wire                  we_i,
    input  wire [ADDR_BITS-1:0]  addr_i,
    input  wire [GROUP_BITS-1:0] data_i,
    output wire [GROUP_BITS-1:0] data_o
);

  reg [GROUP_BITS-1:0] ram_q[0:DEPTH-1];

  assign data_o = ram_q[addr_i];

  always @(posedge clk) begin
    if (we_i) ram_q[addr_i] <= data_i;
  end

endmodule

`default_nettype wire
