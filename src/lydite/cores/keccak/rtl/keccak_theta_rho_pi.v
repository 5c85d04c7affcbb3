// SPDX-License-Identifier: Apache-2.0
//
// The linear half of a Keccak round: theta, rho, pi (FIPS 202, 3.2.1 to 3.2.3) on the whole
// state, but for the parities of the columns, C[x, z] of theta at 64 * x + z, which come with it.
// Combinational; rho and pi are wires. Lane (x, y) is bits 64 * (5 * y + x) + z.

`default_nettype none

module keccak_theta_rho_pi (
    input  wire [1599:0] state_i,
    input  wire [ 319:0] parity_i,
    output wire [1599:0] state_o
);

  // Offset of rho for lane (x, y), modulo the lane length: the walk of FIPS 202, Algorithm 2.
  function integer rho_offset(input integer lane_x, input integer lane_y);
    integer t, x, y, y_next;
    begin
      rho_offset = 0;
      x = 1;
      y = 0;
      for (t = 0; t < 24; t = t + 1) begin
        if (x == lane_x && y == lane_y) rho_offset = ((t + 1) * (t + 2) / 2) % 64;
        y_next = (2 * x + 3 * y) % 5;
        x = y;
        y = y_next;
      end
    end
  endfunction

  genvar x, y;
  generate
    for (x = 0; x < 5; x = x + 1) begin : g_sheet
      localparam LEFT = (x + 4) % 5;
      localparam RIGHT = (x + 1) % 5;

      for (y = 0; y < 5; y = y + 1) begin : g_lane
        localparam OFFSET = rho_offset(x, y);
        localparam TARGET = 5 * ((2 * x + 3 * y) % 5) + y;
        wire [63:0] theta =
            state_i[64*(5*y+x) +: 64] ^ parity_i[64*LEFT +: 64] ^
            {parity_i[64*RIGHT +: 63], parity_i[64*RIGHT+63]};

        assign state_o[64*TARGET +: 64] = (theta << OFFSET) | (theta >> (64 - OFFSET));
      end
    end
  endgenerate

endmodule

`default_nettype wire
