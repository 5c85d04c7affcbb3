// SPDX-License-Identifier: Apache-2.0
//
// A round key of DES (FIPS 46-3, KS): C and D turned to the left, then permuted choice 2. Wiring.
// Bit 1 of the standard is the top one.

`default_nettype none

module des_round_key #(
    // Places by which C and D turn, 0 to 28.
    parameter TURN = 0
) (
    input  wire [55:0] cd_i,
    output wire [47:0] key_o
);

  // Source of each bit, bit 1 first, as the standard counts them.
  localparam [287:0] TABLE = {
      6'd14, 6'd17, 6'd11, 6'd24, 6'd1, 6'd5,
      6'd3, 6'd28, 6'd15, 6'd6, 6'd21, 6'd10,
      6'd23, 6'd19, 6'd12, 6'd4, 6'd26, 6'd8,
      6'd16, 6'd7, 6'd27, 6'd20, 6'd13, 6'd2,
      6'd41, 6'd52, 6'd31, 6'd37, 6'd47, 6'd55,
      6'd30, 6'd40, 6'd51, 6'd45, 6'd33, 6'd48,
      6'd44, 6'd49, 6'd39, 6'd56, 6'd34, 6'd53,
      6'd46, 6'd42, 6'd50, 6'd36, 6'd29, 6'd32
  };

  // Bit n of a half, from 0, comes from bit n + TURN.
  genvar i;
  generate
    for (i = 0; i < 48; i = i + 1) begin : g_bit
      localparam [31:0] PLACE = {26'd0, TABLE[6*i +: 6]} - 1;
      localparam [31:0] HALF  = (PLACE < 28) ? 0 : 28;
      localparam [31:0] FROM  = HALF + (PLACE - HALF + TURN) % 28;
      assign key_o[i] = cd_i[55 - FROM];
    end
  endgenerate

  // Choice 2 leaves out eight bits.
  wire unused = &{1'b0, cd_i};

endmodule

`default_nettype wire
