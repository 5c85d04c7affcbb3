// SPDX-License-Identifier: Apache-2.0
// Joins bytes to records, the lowest byte first. A record is given for one cycle, and lost where it
// is not taken: lost_o stays until the reset.

`default_nettype none

module record_in #(
    parameter BYTES = 2  // of a record, at least 2
) (
    input  wire               clk,
    input  wire               rst,
    input  wire [        7:0] byte_i,
    input  wire               valid_i,
    output wire [8*BYTES-1:0] record_o,
    output wire               valid_o,
    input  wire               ready_i,
    output wire               lost_o
);
  localparam [BYTES-1:0] FIRST = 1;

  reg [8*BYTES-1:0] record_q;
  reg [BYTES-1:0] place_q;  // of the next byte, one hot
  reg valid_q;
  reg lost_q;

  assign record_o = record_q;
  assign valid_o  = valid_q;
  assign lost_o   = lost_q;

  always @(posedge clk) begin
    if (valid_i) record_q <= {byte_i, record_q[8*BYTES-1:8]};
    if (rst) place_q <= FIRST;
    else if (valid_i) place_q <= {place_q[BYTES-2:0], place_q[BYTES-1]};
    valid_q <= ~rst & valid_i & place_q[BYTES-1];
    lost_q  <= ~rst & (lost_q | (valid_q & ~ready_i));
  end
endmodule

`default_nettype wire
