// SPDX-License-Identifier: Apache-2.0
// iCE40's block RAM, at the falling edges; see ram40.v.

`default_nettype none

module SB_RAM40_4KNRNW #(
    parameter WRITE_MODE = 0,
    parameter READ_MODE = 0,
    parameter [255:0] INIT_0 = 256'd0,
    parameter [255:0] INIT_1 = 256'd0,
    parameter [255:0] INIT_2 = 256'd0,
    parameter [255:0] INIT_3 = 256'd0,
    parameter [255:0] INIT_4 = 256'd0,
    parameter [255:0] INIT_5 = 256'd0,
    parameter [255:0] INIT_6 = 256'd0,
    parameter [255:0] INIT_7 = 256'd0,
    parameter [255:0] INIT_8 = 256'd0,
    parameter [255:0] INIT_9 = 256'd0,
    parameter [255:0] INIT_A = 256'd0,
    parameter [255:0] INIT_B = 256'd0,
    parameter [255:0] INIT_C = 256'd0,
    parameter [255:0] INIT_D = 256'd0,
    parameter [255:0] INIT_E = 256'd0,
    parameter [255:0] INIT_F = 256'd0
) (
    output wire [15:0] RDATA,
    input  wire        RCLKN,
    input  wire        RCLKE,
    input  wire        RE,
    input  wire [10:0] RADDR,
    input  wire        WCLKN,
    input  wire        WCLKE,
    input  wire        WE,
    input  wire [10:0] WADDR,
    input  wire [15:0] MASK,
    input  wire [15:0] WDATA
);
  ram40 #(
      .WRITE_MODE(WRITE_MODE),
      .READ_MODE(READ_MODE),
      .CONTENT({
        INIT_F, INIT_E, INIT_D, INIT_C, INIT_B, INIT_A, INIT_9, INIT_8, INIT_7, INIT_6, INIT_5,
        INIT_4, INIT_3, INIT_2, INIT_1, INIT_0
      })
  ) u_ram (
      .rclk(~RCLKN),
      .rclke(RCLKE),
      .re(RE),
      .raddr(RADDR),
      .rdata(RDATA),
      .wclk(~WCLKN),
      .wclke(WCLKE),
      .we(WE),
      .waddr(WADDR),
      .mask(MASK),
      .wdata(WDATA)
  );
endmodule

`default_nettype wire
