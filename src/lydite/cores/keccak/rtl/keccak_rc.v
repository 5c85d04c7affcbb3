// SPDX-License-Identifier: Apache-2.0
//
// Round constants of iota (FIPS 202, 3.2.5): a combinational table by the step of the caller. Step
// s reads the constant of round (STRIDE * s + OFFSET) mod 24. The table is filled at elaboration
// from the LFSR of Algorithm 5; only bits 2**j - 1 of a constant can be one.

`default_nettype none

module keccak_rc #(
    // Rounds between two steps of the caller.
    parameter STRIDE    = 1,
    // Round of step 0.
    parameter OFFSET    = 0,
    // Bits of the step number.
    parameter STEP_BITS = 5
) (
    input  wire [STEP_BITS-1:0] step_i,
    output wire [63:0]          rc_o
);

  // Bit 2**j - 1 of the constants of rounds 0 to 23: rc(j + 7 * round), R[0] of the LFSR at the
  // right.
  function [23:0] rounds(input integer j);
    reg [7:0] lfsr;
    integer t;
    begin
      rounds = 24'd0;
      lfsr = 8'h01;
      for (t = 0; t < 168; t = t + 1) begin
        if (t % 7 == j) rounds[t/7] = lfsr[0];
        lfsr = {lfsr[6:0], 1'b0} ^ (lfsr[7] ? 8'h71 : 8'h00);
      end
    end
  endfunction

  wire [6:0] bits;

  genvar j, step;
  generate
    for (j = 0; j < 7; j = j + 1) begin : g_bit
      localparam [23:0] ROUNDS = rounds(j);
      wire [(1<<STEP_BITS)-1:0] table_bits;
      for (step = 0; step < (1 << STEP_BITS); step = step + 1) begin : g_step
        assign table_bits[step] = ROUNDS[(STRIDE*step+OFFSET)%24];
      end
      assign bits[j] = table_bits[step_i];
    end
  endgenerate

  assign rc_o = {bits[6], 31'd0, bits[5], 15'd0, bits[4], 7'd0, bits[3], 3'd0, bits[2], 1'b0,
                 bits[1:0]};

endmodule

`default_nettype wire
