// SPDX-License-Identifier: Apache-2.0
//
// A subround of Fugue-256 ("The Hash Function Fugue", 2009): what is added, turning, CMIX, SMIX.
// Combinational. The bytes of a column have row 0 lowest, and column 0 of the state is lowest. A
// digest is columns 1 to 4 and 15 to 18 behind what is added.

`default_nettype none

module fugue_subround (
    input  wire [959:0] state_i,
    input  wire [31:0]  word_i,
    input  wire         first_i,  // of a word
    input  wire         last_i,   // adds what the last rounds do, which the digest has as well
    input  wire         late_i,   // turns as they do, without CMIX
    input  wire         odd_i,    // the second one of a round
    output wire [959:0] state_o,
    output wire [255:0] digest_o
);

  // ---- what is added before the columns are turned --------------------------------------------

  wire [959:0] added;

  genvar i;
  generate
    for (i = 0; i < 30; i = i + 1) begin : g_add
      wire [31:0] old = state_i[32*i +: 32];
      if (i == 0) begin : g_0
        assign added[32*i +: 32] = first_i ? word_i : old;
      end else if (i == 1) begin : g_1
        assign added[32*i +: 32] = old ^ (first_i ? state_i[32*24 +: 32] : 32'd0);
      end else if (i == 4) begin : g_4
        assign added[32*i +: 32] = old ^ (last_i ? state_i[31:0] : 32'd0);
      end else if (i == 8) begin : g_8
        assign added[32*i +: 32] = old ^ (first_i ? word_i : 32'd0);
      end else if (i == 10) begin : g_10
        assign added[32*i +: 32] = old ^ (first_i ? state_i[31:0] : 32'd0);
      end else if (i == 15) begin : g_15
        assign added[32*i +: 32] = old ^ (last_i && !odd_i ? state_i[31:0] : 32'd0);
      end else if (i == 16) begin : g_16
        assign added[32*i +: 32] = old ^ (last_i && odd_i ? state_i[31:0] : 32'd0);
      end else begin : g_other
        assign added[32*i +: 32] = old;
      end
    end
  endgenerate

  // ---- turning, CMIX, SMIX --------------------------------------------------------------------

  wire [959:0] turned;
  wire [127:0] mixed;

  generate
    for (i = 0; i < 30; i = i + 1) begin : g_turn
      wire [31:0] third = added[32*((i+27)%30) +: 32];
      wire [31:0] half = odd_i ? added[32*((i+16)%30) +: 32] : added[32*((i+15)%30) +: 32];
      if (i < 3 || (i >= 15 && i < 18)) begin : g_cmix
        // Columns 4, 5, 6.
        wire [31:0] other = added[32*(1+i%3) +: 32];
        assign turned[32*i +: 32] = late_i ? half : third ^ other;
      end else begin : g_plain
        assign turned[32*i +: 32] = late_i ? half : third;
      end
    end
  endgenerate

  fugue_smix u_smix (
      .columns_i(turned[127:0]),
      .columns_o(mixed)
  );

  assign state_o  = {turned[959:128], mixed};
  assign digest_o = {added[32*15 +: 128], added[32*1 +: 128]};

endmodule

`default_nettype wire
