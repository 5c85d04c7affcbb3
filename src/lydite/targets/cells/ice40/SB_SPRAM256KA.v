// SPDX-License-Identifier: Apache-2.0
// iCE40 UltraPlus' large RAM (FPGA-TN-02022): 16,384 words of 16 bits, one port, a write enable for
// each four bits. What it puts out at a write is not told: here the complement of the data. Power
// modes are not simulated.

`default_nettype none

module SB_SPRAM256KA (
    input  wire [13:0] ADDRESS,
    input  wire [15:0] DATAIN,
    input  wire [ 3:0] MASKWREN,
    input  wire        WREN,
    input  wire        CHIPSELECT,
    input  wire        CLOCK,
    input  wire        STANDBY,
    input  wire        SLEEP,
    input  wire        POWEROFF,
    output wire [15:0] DATAOUT
);
  reg [15:0] words[0:16383];
  reg [15:0] data_q;
  integer i;
  always @(posedge CLOCK) begin
    if (STANDBY | SLEEP | !POWEROFF) $stop;
    if (CHIPSELECT) begin
      data_q <= WREN ? ~DATAIN : words[ADDRESS];
      if (WREN)
        for (i = 0; i < 4; i = i + 1)
          if (MASKWREN[i]) words[ADDRESS][4*i+:4] <= DATAIN[4*i+:4];
    end
  end
  assign DATAOUT = data_q;
endmodule

`default_nettype wire
