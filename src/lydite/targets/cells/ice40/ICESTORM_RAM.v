// SPDX-License-Identifier: Apache-2.0
// iCE40's block RAM as place and route calls its pins; see ram40.v.

`default_nettype none

module ICESTORM_RAM #(
    parameter WRITE_MODE = 0,
    parameter READ_MODE = 0,
    parameter NEG_CLK_R = 0,
    parameter NEG_CLK_W = 0,
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
    input wire
        RADDR_10, RADDR_9, RADDR_8, RADDR_7, RADDR_6, RADDR_5, RADDR_4, RADDR_3, RADDR_2,
        RADDR_1, RADDR_0, WADDR_10, WADDR_9, WADDR_8, WADDR_7, WADDR_6, WADDR_5, WADDR_4,
        WADDR_3, WADDR_2, WADDR_1, WADDR_0, MASK_15, MASK_14, MASK_13, MASK_12, MASK_11, MASK_10,
        MASK_9, MASK_8, MASK_7, MASK_6, MASK_5, MASK_4, MASK_3, MASK_2, MASK_1, MASK_0, WDATA_15,
        WDATA_14, WDATA_13, WDATA_12, WDATA_11, WDATA_10, WDATA_9, WDATA_8, WDATA_7, WDATA_6,
        WDATA_5, WDATA_4, WDATA_3, WDATA_2, WDATA_1, WDATA_0, RCLK, RCLKE, RE, WCLK, WCLKE, WE,
    output wire
        RDATA_15, RDATA_14, RDATA_13, RDATA_12, RDATA_11, RDATA_10, RDATA_9, RDATA_8, RDATA_7,
        RDATA_6, RDATA_5, RDATA_4, RDATA_3, RDATA_2, RDATA_1, RDATA_0
);
  ram40 #(
      .WRITE_MODE(WRITE_MODE),
      .READ_MODE(READ_MODE),
      .CONTENT({
        INIT_F, INIT_E, INIT_D, INIT_C, INIT_B, INIT_A, INIT_9, INIT_8, INIT_7, INIT_6, INIT_5,
        INIT_4, INIT_3, INIT_2, INIT_1, INIT_0
      })
  ) u_ram (
      .rclk(NEG_CLK_R ? ~RCLK : RCLK),
      .rclke(RCLKE),
      .re(RE),
      .raddr({
        RADDR_10, RADDR_9, RADDR_8, RADDR_7, RADDR_6, RADDR_5, RADDR_4, RADDR_3, RADDR_2,
        RADDR_1, RADDR_0
      }),
      .rdata({
        RDATA_15, RDATA_14, RDATA_13, RDATA_12, RDATA_11, RDATA_10, RDATA_9, RDATA_8, RDATA_7,
        RDATA_6, RDATA_5, RDATA_4, RDATA_3, RDATA_2, RDATA_1, RDATA_0
      }),
      .wclk(NEG_CLK_W ? ~WCLK : WCLK),
      .wclke(WCLKE),
      .we(WE),
      .waddr({
        WADDR_10, WADDR_9, WADDR_8, WADDR_7, WADDR_6, WADDR_5, WADDR_4, WADDR_3, WADDR_2,
        WADDR_1, WADDR_0
      }),
      .mask({
        MASK_15, MASK_14, MASK_13, MASK_12, MASK_11, MASK_10, MASK_9, MASK_8, MASK_7, MASK_6,
        MASK_5, MASK_4, MASK_3, MASK_2, MASK_1, MASK_0
      }),
      .wdata({
        WDATA_15, WDATA_14, WDATA_13, WDATA_12, WDATA_11, WDATA_10, WDATA_9, WDATA_8, WDATA_7,
        WDATA_6, WDATA_5, WDATA_4, WDATA_3, WDATA_2, WDATA_1, WDATA_0
      })
  );
endmodule

`default_nettype wire
