// SPDX-License-Identifier: Apache-2.0
//
// Of a beat of BYTES bytes their sum, and the sum with the first byte BYTES times, the next one
// time less, and so on: what a beat adds to the two sums of Adler-32 (RFC 1950, 8.2). A tree of
// adders, a register on each level: log2(BYTES) cycles.

`default_nettype none

module adler32_sums #(
    // Bytes of a beat: 8, 16, 32.
    parameter BYTES = 8
) (
    input  wire                       clk,
    input  wire [8*BYTES-1:0]         data_i,
    output wire [$clog2(BYTES)+7:0]   sum_o,
    output wire [2*$clog2(BYTES)+7:0] weighted_o
);

  localparam LOG = $clog2(BYTES);

  genvar i;
  genvar j;
  generate
    for (i = 0; i <= LOG; i = i + 1) begin : g_level
      // Of 2**i bytes each.
      localparam COUNT = BYTES >> i;
      wire [(8+i)*COUNT-1:0]   sum;
      wire [(8+2*i)*COUNT-1:0] weighted;

      if (i == 0) begin : g_bytes
        assign sum      = data_i;
        assign weighted = data_i;
      end else begin : g_pairs
        localparam S = 7 + i;
        localparam T = 6 + 2 * i;
        for (j = 0; j < COUNT; j = j + 1) begin : g_pair
          wire [S-1:0] first  = g_level[i-1].sum[S*2*j +: S];
          wire [S-1:0] second = g_level[i-1].sum[S*(2*j+1) +: S];
          reg  [S:0]   sum_q;
          reg  [T+1:0] weighted_q;

          // The first half has all of the second half behind it once more.
          always @(posedge clk) begin
            sum_q      <= {1'b0, first} + {1'b0, second};
            weighted_q <= {2'd0, g_level[i-1].weighted[T*2*j +: T]}
                + {2'd0, g_level[i-1].weighted[T*(2*j+1) +: T]}
                + ({{(T + 2 - S) {1'b0}}, first} << (i - 1));
          end

          assign sum[(8+i)*j +: 8+i]          = sum_q;
          assign weighted[(8+2*i)*j +: 8+2*i] = weighted_q;
        end
      end
    end
  endgenerate

  assign sum_o      = g_level[LOG].sum;
  assign weighted_o = g_level[LOG].weighted;

endmodule

`default_nettype wire
