// SPDX-License-Identifier: Apache-2.0
// iCE40's block RAM (FPGA-TN-02002): 256 words of 16 bits; one port writes, one reads. In mode m a
// port takes one of 2**m interleaved parts of a word; the address above bit 8 says which. Nobody
// says what is read of bits that are written at that edge: here wrong ones.

`default_nettype none

module ram40 #(
    parameter WRITE_MODE = 0,
    parameter READ_MODE = 0,
    parameter [4095:0] CONTENT = 4096'd0
) (
    input  wire        rclk,
    input  wire        rclke,
    input  wire        re,
    input  wire [10:0] raddr,
    output wire [15:0] rdata,
    input  wire        wclk,
    input  wire        wclke,
    input  wire        we,
    input  wire [10:0] waddr,
    input  wire [15:0] mask,  // mode 0 only: these bits are not written
    input  wire [15:0] wdata
);
  reg [15:0] words[0:255];
  integer k;
  initial for (k = 0; k < 256; k = k + 1) words[k] = CONTENT[16*k+:16];

  // Where the data of a part stand among its bits, and which bit of a part an address means.
  localparam integer WPARTS = 1 << WRITE_MODE, RPARTS = 1 << READ_MODE;
  localparam integer WPIN = WRITE_MODE < 2 ? 0 : WPARTS / 2 - 1;
  localparam integer RPIN = READ_MODE < 2 ? 0 : RPARTS / 2 - 1;
  wire [2:0] wpart = waddr[10:8] & (WPARTS - 1);
  reg  [2:0] rpart_q;
  wire [15:0] written;
  // Edges of a clock and of its inverse are apart.
  wire        meet = raddr[7:0] == waddr[7:0] & rclk == wclk;
  integer    i;
  always @(posedge wclk)
    for (i = 0; i < 16; i = i + 1)
      if (written[i]) words[waddr[7:0]][i] <= wdata[i/WPARTS*WPARTS+WPIN];

  reg [15:0] word_q;
  always @(posedge rclk)
    if (re & rclke) begin
      word_q  <= words[raddr[7:0]] ^ (written & {16{meet}});
      rpart_q <= raddr[10:8] & (RPARTS - 1);
    end
  genvar g;
  generate
    for (g = 0; g < 16; g = g + 1) begin : g_bit
      assign written[g] = we & wclke & (WRITE_MODE == 0 ? !mask[g] : g % WPARTS == wpart);
      assign rdata[g] = g % RPARTS == RPIN & word_q[g/RPARTS*RPARTS+rpart_q];
    end
  endgenerate
endmodule

`default_nettype wire
