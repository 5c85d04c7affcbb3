// SPDX-License-Identifier: Apache-2.0
// A byte into a CRC-16 of polynomial 0x1021, the highest bit first (ITU-T V.41; with a start of
// 0xffff also called CCITT-FALSE). Combinational.

`default_nettype none

module crc16_step (
    input  wire [15:0] crc_i,
    input  wire [ 7:0] byte_i,
    output reg  [15:0] crc_o
);
  integer i;
  always @* begin
    crc_o = crc_i ^ {byte_i, 8'd0};
    for (i = 0; i < 8; i = i + 1) crc_o = {crc_o[14:0], 1'b0} ^ (crc_o[15] ? 16'h1021 : 16'h0000);
  end
endmodule

`default_nettype wire
