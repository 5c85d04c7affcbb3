// SPDX-License-Identifier: Apache-2.0
//
// The step chi of Keccak (FIPS 202, 3.2.4), and a sum: of iota and of a block, where there is one.
// On all 25 lanes, or on the same few bits of each. Combinational, four inputs for each bit. Lane
// (x, y) is the LANE_BITS bits from LANE_BITS * (5 * y + x).

`default_nettype none

module keccak_chi #(
    // Bits of every lane: 64 for the whole state, less for a group of slices.
    parameter LANE_BITS = 64
) (
    input  wire [25*LANE_BITS-1:0] state_i,
    input  wire [25*LANE_BITS-1:0] addend_i,
    output wire [25*LANE_BITS-1:0] state_o
);

  genvar x, y;
  generate
    for (y = 0; y < 5; y = y + 1) begin : g_plane
      for (x = 0; x < 5; x = x + 1) begin : g_lane
        localparam LANE = LANE_BITS * (5 * y + x);
        localparam RIGHT = LANE_BITS * (5 * y + (x + 1) % 5);
        localparam RIGHT2 = LANE_BITS * (5 * y + (x + 2) % 5);

        assign state_o[LANE +: LANE_BITS] =
            state_i[LANE +: LANE_BITS] ^
            (~state_i[RIGHT +: LANE_BITS] & state_i[RIGHT2 +: LANE_BITS]) ^
            addend_i[LANE +: LANE_BITS];
      end
    end
  endgenerate

endmodule

`default_nettype wire
