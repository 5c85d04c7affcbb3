// SPDX-License-Identifier: Apache-2.0
// Cuts records into bytes, the lowest first. The highest bit of each says whether there was one
// when its first byte was taken; without one all its bytes are 0.

`default_nettype none

module record_out #(
    parameter BYTES = 2  // of a record with that bit, at least 2
) (
    input  wire               clk,
    input  wire               start_i,   // the next byte is the first of a record
    input  wire [8*BYTES-2:0] record_i,
    input  wire               valid_i,
    output wire               ready_o,
    output wire [        7:0] byte_o,
    input  wire               take_i     // the byte is taken
);
  localparam [BYTES-1:0] FIRST = 1;

  reg [8*BYTES-9:0] rest_q;
  reg [BYTES-1:0] place_q;  // of the byte, one hot
  wire [8*BYTES-1:0] whole = {valid_i, record_i & {8 * BYTES - 1{valid_i}}};

  assign byte_o  = place_q[0] ? whole[7:0] : rest_q[7:0];
  assign ready_o = place_q[0] & take_i;

  always @(posedge clk) begin
    if (start_i) place_q <= FIRST;
    else if (take_i) place_q <= {place_q[BYTES-2:0], place_q[BYTES-1]};
    if (take_i) rest_q <= place_q[0] ? whole[8*BYTES-1:8] : rest_q >> 8;
  end
endmodule

`default_nettype wire
