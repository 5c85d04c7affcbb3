// SPDX-License-Identifier: Apache-2.0
//
// The step chi of Keccak (FIPS 202, 3.2.4) on all 25 lanes, or on the same few bits of each.
// Combinational, no state. Lane (x, y) is the LANE_BITS bits from LANE_BITS * (5 * y + x).

`default_nettype none

module keccak_chi #(
    // Bits of every lane: 64 for the whole state, less for a group of slices.
    parameter LANE_BITS = 64
) (
    input  wire [25*LANE_BITS-1:0] state_i,
    output wire [25*LANE_BITS-1:0] state_o
);

  genvar x, y;
  generate
    for (y = 0; y < 5; y = y + 1) begin : g_plane
      for (x = 0; x < 5; x = x + 1) begin : g_lane
        assign state_o[LANE_BITS*(5*y+x) +: LANE_BITS] =
            state_i[LANE_BITS*(5*y+x) +: LANE_BITS] ^
            (~state_i[LANE_BITS*(5*y+(x+1)%5) +: LANE_BITS] &
             state_i[LANE_BITS*(5*y+(x+2)%5) +: LANE_BITS]);
      end
    end
  endgenerate

endmodule

`default_nettype wire
