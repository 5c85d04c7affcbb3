// SPDX-License-Identifier: Apache-2.0
//
// f2 of BMW-256 ("Blue Midnight Wish", 2009, table 1.5), the folding: the next double pipe of a
// block and the quadruple pipe. Combinational. Word i in bits 32 i to 32 i + 31.

`default_nettype none

module bmw_f2 (
    input  wire [511:0]  m_i,
    input  wire [1023:0] q_i,
    output wire [511:0]  h_o
);

  wire [31:0] q [0:31];
  wire [31:0] h [0:15];

  wire [31:0] xl = q[16] ^ q[17] ^ q[18] ^ q[19] ^ q[20] ^ q[21] ^ q[22] ^ q[23];
  wire [31:0] xh = xl ^ q[24] ^ q[25] ^ q[26] ^ q[27] ^ q[28] ^ q[29] ^ q[30] ^ q[31];

  // What XH and a word of Q are shifted by.
  wire [31:0] low [0:7];
  assign low[0] = (xh << 5) ^ (q[16] >> 5);
  assign low[1] = (xh >> 7) ^ (q[17] << 8);
  assign low[2] = (xh >> 5) ^ (q[18] << 5);
  assign low[3] = (xh >> 1) ^ (q[19] << 5);
  assign low[4] = (xh >> 3) ^ q[20];
  assign low[5] = (xh << 6) ^ (q[21] >> 6);
  assign low[6] = (xh >> 4) ^ (q[22] << 6);
  assign low[7] = (xh >> 11) ^ (q[23] << 2);

  // XL shifted, and a word of Q.
  wire [31:0] high [0:7];
  assign high[0] = (xl << 8) ^ q[23];
  assign high[1] = (xl >> 6) ^ q[16];
  assign high[2] = (xl << 6) ^ q[17];
  assign high[3] = (xl << 4) ^ q[18];
  assign high[4] = (xl >> 3) ^ q[19];
  assign high[5] = (xl >> 4) ^ q[20];
  assign high[6] = (xl >> 7) ^ q[21];
  assign high[7] = (xl >> 2) ^ q[22];

  genvar i;
  generate
    for (i = 0; i < 32; i = i + 1) begin : g_q
      assign q[i] = q_i[32*i +: 32];
    end

    for (i = 0; i < 8; i = i + 1) begin : g_low
      assign h[i] = (low[i] ^ m_i[32*i +: 32]) + (xl ^ q[24+i] ^ q[i]);
    end

    for (i = 0; i < 8; i = i + 1) begin : g_high
      wire [31:0] below = h[(i+4)%8];
      assign h[8+i] = {below[22-i:0], below[31:23-i]} + (xh ^ q[24+i] ^ m_i[256+32*i +: 32]) +
                      (high[i] ^ q[8+i]);
    end

    for (i = 0; i < 16; i = i + 1) begin : g_h
      assign h_o[32*i +: 32] = h[i];
    end
  endgenerate

endmodule

`default_nettype wire
