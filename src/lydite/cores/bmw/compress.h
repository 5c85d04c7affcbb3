// SPDX-License-Identifier: Apache-2.0
//
// The compression function of BMW-256 ("Blue Midnight Wish", 2009, as tweaked for round 2), for
// software and hardware. Included once, by a file that defines bmw_word before: uint32_t, or a
// vector of them. The double pipe h, the block m, the quadruple pipe q, as the document has them.

#ifndef LYDITE_CORES_BMW_COMPRESS_H_
#define LYDITE_CORES_BMW_COMPRESS_H_

#include <stdint.h>

#define BMW_WORDS 16

static inline bmw_word bmw_rotate(bmw_word word, int count) {
  return word << count | word >> (32 - count);
}

// s0 to s5 (table 1.3).
static inline bmw_word bmw_s(int number, bmw_word x) {
  switch (number) {
    case 0:
      return x >> 1 ^ x << 3 ^ bmw_rotate(x, 4) ^ bmw_rotate(x, 19);
    case 1:
      return x >> 1 ^ x << 2 ^ bmw_rotate(x, 8) ^ bmw_rotate(x, 23);
    case 2:
      return x >> 2 ^ x << 1 ^ bmw_rotate(x, 12) ^ bmw_rotate(x, 25);
    case 3:
      return x >> 2 ^ x << 2 ^ bmw_rotate(x, 15) ^ bmw_rotate(x, 29);
    case 4:
      return x >> 1 ^ x;
    default:
      return x >> 2 ^ x;
  }
}

// The first half of the quadruple pipe (table 1.4).
static inline void bmw_f0(bmw_word q[BMW_WORDS], const bmw_word m[BMW_WORDS],
                          const bmw_word h[BMW_WORDS]) {
  bmw_word x[BMW_WORDS];
  for (int i = 0; i < BMW_WORDS; i++) x[i] = m[i] ^ h[i];
  const bmw_word w[BMW_WORDS] = {
      x[5] - x[7] + x[10] + x[13] + x[14],
      x[6] - x[8] + x[11] + x[14] - x[15],
      x[0] + x[7] + x[9] - x[12] + x[15],
      x[0] - x[1] + x[8] - x[10] + x[13],
      x[1] + x[2] + x[9] - x[11] - x[14],
      x[3] - x[2] + x[10] - x[12] + x[15],
      x[4] - x[0] - x[3] - x[11] + x[13],
      x[1] - x[4] - x[5] - x[12] - x[14],
      x[2] - x[5] - x[6] + x[13] - x[15],
      x[0] - x[3] + x[6] - x[7] + x[14],
      x[8] - x[1] - x[4] - x[7] + x[15],
      x[8] - x[0] - x[2] - x[5] + x[9],
      x[1] + x[3] - x[6] - x[9] + x[10],
      x[2] + x[4] + x[7] + x[10] + x[11],
      x[3] - x[5] + x[8] - x[11] - x[12],
      x[12] - x[4] - x[6] - x[9] + x[13],
  };
  for (int i = 0; i < BMW_WORDS; i++) q[i] = bmw_s(i % 5, w[i]) + h[(i + 1) % BMW_WORDS];
}

// The other half (table 1.5).
static inline void bmw_f1(bmw_word q[2 * BMW_WORDS], const bmw_word m[BMW_WORDS],
                          const bmw_word h[BMW_WORDS]) {
  static const int rotations[7] = {3, 7, 13, 16, 19, 23, 27};
  // The sums of seven words, every second one, that rounds of expand2 have in turn: two rounds
  // later one word has come in, and one is gone.
  bmw_word plain[2] = {q[0], q[1]};
  for (int i = 2; i < 14; i++) plain[i % 2] += q[i];
  for (int j = 0; j < BMW_WORDS; j++) {
    bmw_word added = bmw_rotate(m[j], j + 1) + 0x05555555u * (uint32_t)(j + 16);
    added += bmw_rotate(m[(j + 3) % BMW_WORDS], (j + 3) % BMW_WORDS + 1);
    added -= bmw_rotate(m[(j + 10) % BMW_WORDS], (j + 10) % BMW_WORDS + 1);
    bmw_word sum = added ^ h[(j + 7) % BMW_WORDS];
    if (j < 2) {
      for (int i = 0; i < 15; i++) sum += bmw_s((i + 1) % 4, q[j + i]);
    } else {
      plain[j % 2] += q[j + 12] - q[j - 2];
      for (int i = 1; i < 15; i += 2) sum += bmw_rotate(q[j + i], rotations[i / 2]);
      sum += plain[j % 2] + bmw_s(4, q[j + 14]);
    }
    // The word before comes last: nothing else waits for it.
    q[16 + j] = sum + bmw_s(j < 2 ? 0 : 5, q[j + 15]);
  }
}

// The folding (table 1.5).
static inline void bmw_f2(bmw_word h[BMW_WORDS], const bmw_word m[BMW_WORDS],
                          const bmw_word q[2 * BMW_WORDS]) {
  bmw_word xl = q[16], xh;
  for (int i = 17; i < 24; i++) xl ^= q[i];
  xh = xl;
  for (int i = 24; i < 32; i++) xh ^= q[i];
  h[0] = ((xh << 5) ^ (q[16] >> 5) ^ m[0]) + (xl ^ q[24] ^ q[0]);
  h[1] = ((xh >> 7) ^ (q[17] << 8) ^ m[1]) + (xl ^ q[25] ^ q[1]);
  h[2] = ((xh >> 5) ^ (q[18] << 5) ^ m[2]) + (xl ^ q[26] ^ q[2]);
  h[3] = ((xh >> 1) ^ (q[19] << 5) ^ m[3]) + (xl ^ q[27] ^ q[3]);
  h[4] = ((xh >> 3) ^ q[20] ^ m[4]) + (xl ^ q[28] ^ q[4]);
  h[5] = ((xh << 6) ^ (q[21] >> 6) ^ m[5]) + (xl ^ q[29] ^ q[5]);
  h[6] = ((xh >> 4) ^ (q[22] << 6) ^ m[6]) + (xl ^ q[30] ^ q[6]);
  h[7] = ((xh >> 11) ^ (q[23] << 2) ^ m[7]) + (xl ^ q[31] ^ q[7]);
  h[8] = bmw_rotate(h[4], 9) + (xh ^ q[24] ^ m[8]) + ((xl << 8) ^ q[23] ^ q[8]);
  h[9] = bmw_rotate(h[5], 10) + (xh ^ q[25] ^ m[9]) + ((xl >> 6) ^ q[16] ^ q[9]);
  h[10] = bmw_rotate(h[6], 11) + (xh ^ q[26] ^ m[10]) + ((xl << 6) ^ q[17] ^ q[10]);
  h[11] = bmw_rotate(h[7], 12) + (xh ^ q[27] ^ m[11]) + ((xl << 4) ^ q[18] ^ q[11]);
  h[12] = bmw_rotate(h[0], 13) + (xh ^ q[28] ^ m[12]) + ((xl >> 3) ^ q[19] ^ q[12]);
  h[13] = bmw_rotate(h[1], 14) + (xh ^ q[29] ^ m[13]) + ((xl >> 4) ^ q[20] ^ q[13]);
  h[14] = bmw_rotate(h[2], 15) + (xh ^ q[30] ^ m[14]) + ((xl >> 7) ^ q[21] ^ q[14]);
  h[15] = bmw_rotate(h[3], 16) + (xh ^ q[31] ^ m[15]) + ((xl >> 2) ^ q[22] ^ q[15]);
}

#endif  // LYDITE_CORES_BMW_COMPRESS_H_
