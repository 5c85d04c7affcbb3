// SPDX-License-Identifier: Apache-2.0
//
// The expansion of Hamsi-256 ("The Hash Function Hamsi", 2009): eight words that a linear code over
// GF(4) makes of one, whose elements are pairs of bits. Combinational. Byte 0 of the word lowest,
// word 0 of the expanded ones.

`default_nettype none

module hamsi_expand (
    input  wire [31:0]  word_i,
    output wire [255:0] words_o
);

  // What comes of a one in each element, that of element 0 lowest: the bits of 1 in the lower four
  // words, those of w in the upper ones.
  localparam [4095:0] CODE = {
    256'h58f8485f_9e6a837e_b26e3344_171c0000_b8a92831_fe739301_2079397d_a8ae0008,
    256'h76acc733_98321c3d_40ebf9aa_6ba90000_af4a29da_9dc5b050_8c768f77_d0080004,
    256'h1298bd46_79e22a4c_25e30f14_51ac0000_8d75f7f1_99e585aa_5fe7a7b3_88230002,
    256'h539cbdbf_6bf648a4_0b2de782_c8f10000_b5a4c63b_ae0ebb05_33b9c010_c04e0001,
    256'hb772b42b_d14e094b_4ab753eb_39a60000_f362b233_c2c46c55_450f18ec_5bd20080,
    256'h727784cb_5d5ca0f7_a0cd5a34_78ab0000_23633a05_36656ba8_3b5bec7e_4dce0040,
    256'h63e92178_79a90df9_c9bacd12_5c720000_e2afa0c0_f9ce4c04_81e7e5f6_a2b80020,
    256'hb1f490bc_3cd406fc_64dd6689_2e390000_71575061_fce72602_40f372fb_515c0010,
    256'h1b666a73_bf1283d3_5459887d_e18b0000_a6bf9f96_71852ac7_288350fe_de320800,
    256'h247febe6_6a72e5bb_2fba37ff_14bd0000_898d2cd6_6fc548e1_0d9dc877_8f3e0400,
    256'h3bf3ab2c_80c2d68f_124b683e_ee260000_9e147576_60e5f9f2_1f128433_a7b80200,
    256'h6ee56854_a29d1297_956fa7d6_734c0000_e6c46464_8589d8ab_8a1f31d8_b7a40100,
    256'h731ebdc2_62fc79d0_9c4a93c9_045f0000_29cc5edf_b5fb2452_859673c1_e4788000,
    256'h1041003e_848598ba_4bb33a25_e6570000_ce36cc72_8dfacfab_5b17d9e8_121b4000,
    256'ha1ec5ec1_77b9e80f_204f6ed3_97530000_3dc90524_11fa3a57_b4578cfc_e92a2000,
    256'hd0f4af61_bbdcf407_90273769_cba90000_1ee68292_88fd1d2b_5a2b467e_74951000
  };

  // Element (a, b) is a + b w; w times it is b + (a + b) w.
  function [255:0] expand(input [31:0] word);
    reg [127:0] a;
    reg [127:0] b;
    integer     i;
    begin
      expand = 256'd0;
      for (i = 0; i < 16; i = i + 1) begin
        a = CODE[256*i +: 128];
        b = CODE[256*i+128 +: 128];
        if (word[2*i]) expand = expand ^ {b, a};
        if (word[2*i+1]) expand = expand ^ {a ^ b, b};
      end
    end
  endfunction

  assign words_o = expand(word_i);

endmodule

`default_nettype wire
