// SPDX-License-Identifier: Apache-2.0
//
// A lane of the key search: a counter of its own and a few engines on keys that differ in their
// lowest bits only, which say which engine; so they share what else there is of a key.
//
// Interface: load_i brings the number of the first group of keys; upper_i, the bits of a key above
// the counter's, and both blocks after IP stand still from then on. A cycle later all of it is at
// the lane's outputs, the number one higher, for the next lane. From then on a group enters each
// cycle, every STEPth one. match_o leaves 33 cycles after load_i: which engines' keys agree. Behind
// its last number the counter begins again with 0. Nothing is reset.

`default_nettype none

module des_lane #(
    // Bits of the counter, at most 32.
    parameter COUNT = 20,
    // Engines of this lane: 1, 2 or 4.
    parameter ENGINES = 4,
    // Lanes that share the groups.
    parameter STEP = 1
) (
    input  wire                                clk,
    input  wire                                load_i,
    input  wire [COUNT-1:0]                    start_i,
    input  wire [55-$clog2(ENGINES)-COUNT:0]   upper_i,
    input  wire [63:0]                         block_i,
    input  wire [63:0]                         cipher_i,
    output wire                                load_o,
    output wire [COUNT-1:0]                    start_o,
    output wire [55-$clog2(ENGINES)-COUNT:0]   upper_o,
    output wire [63:0]                         block_o,
    output wire [63:0]                         cipher_o,
    output wire [ENGINES-1:0]                  match_o
);

  localparam LOW = $clog2(ENGINES);
  localparam [COUNT-1:0] ONE = 1;
  localparam [31:0] LANES = STEP;
  localparam [COUNT-1:0] STRIDE = LANES[COUNT-1:0];

  reg                     load_q;
  reg [COUNT-1:0]         start_q;
  reg [55-LOW-COUNT:0]    upper_q;
  reg [63:0]              block_q;
  reg [63:0]              cipher_q;
  reg [COUNT-1:0]         count_q[1:28];  // a group's number, from cycle to cycle

  always @(posedge clk) begin
    load_q     <= load_i;
    start_q    <= start_i;
    upper_q    <= upper_i;
    block_q    <= block_i;
    cipher_q   <= cipher_i;
    count_q[1] <= load_q ? start_q : count_q[1] + STRIDE;
  end

  assign load_o   = load_q;
  assign start_o  = start_q + ONE;
  assign upper_o  = upper_q;
  assign block_o  = block_q;
  assign cipher_o = cipher_q;

  genvar i;
  genvar n;
  generate
    for (n = 2; n <= 28; n = n + 1) begin : g_count
      always @(posedge clk) count_q[n] <= count_q[n-1];
    end

    for (i = 0; i < ENGINES; i = i + 1) begin : g_engine
      localparam [31:0] NUMBER = i;

      wire [1567:0] cd;

      for (n = 0; n < 28; n = n + 1) begin : g_key
        wire [55:0] tried;

        if (LOW == 0) begin : g_one
          assign tried = {upper_q, count_q[n+1]};
        end else begin : g_several
          assign tried = {upper_q, count_q[n+1], NUMBER[LOW-1:0]};
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
