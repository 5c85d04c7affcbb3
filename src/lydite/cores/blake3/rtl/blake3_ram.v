// SPDX-License-Identifier: Apache-2.0
//
// A memory with a port to write and one to read, whose data come a cycle after their address: block
// RAM. What is written can be read from the next cycle on; who reads and writes a place in the same
// cycle gets what nobody may look at. Resets nothing.

`default_nettype none

module blake3_ram #(
    parameter WIDTH     = 256,
    // 2^ADDR_BITS words.
    parameter ADDR_BITS = 6
) (
    input  wire                 clk,
    input  wire                 write_i,
    input  wire [ADDR_BITS-1:0] write_addr_i,
    input  wire [WIDTH-1:0]     write_data_i,
    input  wire [ADDR_BITS-1:0] read_addr_i,
    output wire [WIDTH-1:0]     read_data_o
);

  // Block RAM also where LUT RAM would do, and no logic to give the old word when ports meet.
  (* ram_style = "block", no_rw_check *)
  reg [WIDTH-1:0] ram_q[0:(1<<ADDR_BITS)-1];
  reg [WIDTH-1:0] data_q;

  assign read_data_o = data_q;

  always @(posedge clk) begin
    if (write_i) ram_q[write_addr_i] <= write_data_i;
    data_q <= ram_q[read_addr_i];
  end

endmodule

`default_nettype wire
