// SPDX-License-Identifier: Apache-2.0
//
// ROUNDS rounds of the permutation Ascon-p (NIST SP 800-232, 3), cut between substitution and
// diffusion: substitutions at both ends, so that what is added to the state between two calls goes
// into the diffusion of the caller. Combinational. step_i counts calls: this one has the rounds
// ROUNDS * step_i and on of Ascon-p[12].

`default_nettype none

module ascon_rounds #(
    // Rounds in one call: a divisor of 12.
    parameter ROUNDS = 1
) (
    input  wire [3:0]   step_i,
    input  wire [319:0] state_i,
    output wire [319:0] state_o
);

  generate
    if (ROUNDS < 1 || 12 % ROUNDS != 0) begin : g_rounds
      ERROR_rounds_must_divide_12 u_error ();
    end
  endgenerate

  localparam [3:0] STRIDE = ROUNDS[3:0];

  wire [319:0] result[0:ROUNDS-1];

  genvar i;
  generate
    for (i = 0; i < ROUNDS; i = i + 1) begin : g_round
      localparam [3:0] OFFSET = i;
      wire [3:0]   round = step_i * STRIDE + OFFSET;
      wire [319:0] state;

      if (i == 0) begin : g_first
        assign state = state_i;
      end else begin : g_later
        ascon_diffuse u_diffuse (
            .state_i (result[i-1]),
            .addend_i(320'd0),
            .state_o (state)
        );
      end

      ascon_substitute u_substitute (
          .round_i(round),
          .state_i(state),
          .state_o(result[i])
      );
    end
  endgenerate

  assign state_o = result[ROUNDS-1];

endmodule

`default_nettype wire
