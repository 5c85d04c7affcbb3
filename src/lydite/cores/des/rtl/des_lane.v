// SPDX-License-Identifier: Apache-2.0
//
// A lane of the key search: a counter of its own and a few engines on keys that differ in their
// lowest bits only, which say which engine; so they share what else there is of a key.
//
// Interface: load_i brings the number of the first group of keys, and both blocks after IP; a cycle
// later all of it is at the lane's outputs, for the next lane. From then on a group enters each
// cycle. match_o, group_o and first_o leave 33 cycles after load_i: which engines' keys agree, the
// number of their group, and whether it is the first since load_i. Reset: load and first.

`default_nettype none

module des_lane #(
    // Bits of a group's number.
    parameter HIGH = 54,
    // Engines of this lane, and the number of its first one.
    parameter ENGINES = 4,
    parameter FIRST = 0
) (
    input  wire               clk,
    input  wire               rst,
    input  wire               load_i,
    input  wire [HIGH-1:0]    start_i,
    input  wire [63:0]        block_i,
    input  wire [63:0]        cipher_i,
    output wire               load_o,
    output wire [HIGH-1:0]    start_o,
    output wire [63:0]        block_o,
    output wire [63:0]        cipher_o,
    output wire [ENGINES-1:0] match_o,
    output wire [HIGH-1:0]    group_o,
    output wire               first_o
);

  localparam LOW = 56 - HIGH;
  localparam HALF = 26;  // bits of the counter's lower part

  reg            load_q;
  reg [HIGH-1:0] start_q;
  reg [63:0]     block_q;
  reg [63:0]     cipher_q;

  always @(posedge clk) begin
    load_q   <= load_i && !rst;
    start_q  <= start_i;
    block_q  <= block_i;
    cipher_q <= cipher_i;
  end

  assign load_o   = load_q;
  assign start_o  = start_q;
  assign block_o  = block_q;
  assign cipher_o = cipher_q;

  // ---- the counter, in two parts, and what becomes of a group from cycle to cycle ----

  reg [HIGH-1:0] group_q[1:32];
  reg [32:1]     first_q;
  reg            carry_q;  // the lower part is all ones

  wire [HALF-1:0]      lower = group_q[1][HALF-1:0];
  wire [HIGH-HALF-1:0] upper = group_q[1][HIGH-1:HALF];

  always @(posedge clk) begin
    if (load_q) begin
      group_q[1] <= start_q;
      carry_q    <= start_q[HALF-1:0] == {HALF{1'b1}};
    end else begin
      group_q[1][HALF-1:0]    <= lower + {{HALF - 1{1'b0}}, 1'b1};
      group_q[1][HIGH-1:HALF] <= upper + {{HIGH - HALF - 1{1'b0}}, carry_q};
      carry_q                 <= lower == {{HALF - 1{1'b1}}, 1'b0};
    end
    first_q <= rst ? 32'd0 : {first_q[31:1], load_q};
  end

  genvar i;
  genvar n;
  generate
    for (n = 2; n <= 32; n = n + 1) begin : g_group
      always @(posedge clk) group_q[n] <= group_q[n-1];
    end
  endgenerate

  assign group_o = group_q[32];
  assign first_o = first_q[32];

  // ---- engines ----

  generate
    for (i = 0; i < ENGINES; i = i + 1) begin : g_engine
      localparam [31:0] NUMBER = FIRST + i;

      wire [1567:0] cd;

      for (n = 0; n < 28; n = n + 1) begin : g_key
        wire [55:0] tried;

        if (LOW == 0) begin : g_one
          assign tried = group_q[n+1];
        end else begin : g_several
          assign tried = {group_q[n+1], NUMBER[LOW-1:0]};
        end

        des_pc1 u_pc1 (
            .key_i({tried[55:49], 1'b0, tried[48:42], 1'b0, tried[41:35], 1'b0, tried[34:28], 1'b0,
                    tried[27:21], 1'b0, tried[20:14], 1'b0, tried[13:7], 1'b0, tried[6:0], 1'b0}),
            .cd_o (cd[56*n +: 56])
        );
      end

      des_engine u_engine (
          .clk     (clk),
          .block_i (block_q),
          .cipher_i(cipher_q),
          .cd_i    (cd),
          .match_o (match_o[i])
      );
    end
  endgenerate

endmodule

`default_nettype wire
