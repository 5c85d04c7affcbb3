// SPDX-License-Identifier: Apache-2.0
//
// The expansion of SIMD-256 ("SIMD Is a Message Digest", tweaked version, 2009) in loops that
// compilers make vectors of: 128 points modulo 257 as 8 by 16, whose roots are powers of 4 and 2.

#ifndef LYDITE_CORES_SIMD_SW_TRANSFORM_H_
#define LYDITE_CORES_SIMD_SW_TRANSFORM_H_

#include "simd.h"

#define ALPHA 139  // of order 128; to the power of 8 it is 2

// Powers of ALPHA: in row c what column b is multiplied by between the transforms; and what the
// ones behind the block make of each point, before the final block and in it.
static int32_t twiddle[8][16], ones[2][SIMD_POINTS];

// Runs when this library is loaded, before any other thread can call it.
__attribute__((constructor)) static void fill_tables(void) {
  int32_t powers[SIMD_POINTS] = {1};
  for (size_t i = 1; i < SIMD_POINTS; i++) powers[i] = powers[i - 1] * ALPHA % 257;
  for (size_t i = 0; i < SIMD_POINTS; i++) {
    twiddle[i / 16][i % 16] = powers[i / 16 * (i % 16)];
    ones[0][i] = powers[127 * i % SIMD_POINTS];
    ones[1][i] = ones[0][i] + powers[125 * i % SIMD_POINTS];
  }
}

// The same modulo 257, since 256 is -1: some 8 bits less.
static inline int32_t reduce(int32_t x) { return (x & 0xff) - (x >> 8); }

// Row b of 16 against row a, which takes in 2 to the power of `shift` of it.
static inline void butterfly(int32_t a[8], int32_t b[8], unsigned shift) {
  for (size_t c = 0; c < 8; c++) {
    const int32_t x = a[c], y = b[c] * (1 << shift);
    a[c] = x + y;
    b[c] = x - y;
  }
}

// Row i of 16 is point 8 i + c in column c; rows begin in the order of their bits turned round.
static inline void transform16(int32_t v[16][8]) {
  for (size_t i = 0; i < 16; i += 2) butterfly(v[i], v[i + 1], 0);
  for (size_t i = 0; i < 16; i += 4) {
    butterfly(v[i], v[i + 2], 0);
    butterfly(v[i + 1], v[i + 3], 4);
  }
  for (size_t i = 0; i < 16; i += 8) {
    for (size_t k = 0; k < 4; k++) butterfly(v[i + k], v[i + k + 4], (unsigned)(2 * k));
  }
  for (size_t k = 0; k < 8; k++) butterfly(v[k], v[k + 8], (unsigned)k);
}

// What the steps take in: of rounds 0 and 1 in the order of the points, of rounds 2 and 3 pairs of
// points that are half of all apart, the even ones first.
static inline void expand(uint32_t w[4][64], const uint8_t x[SIMD_BLOCK_BYTES], int final) {
  static const uint8_t turned[16] = {0, 8, 4, 12, 2, 10, 6, 14, 1, 9, 5, 13, 3, 11, 7, 15};
  int32_t t[8][16], v[16][8], y[SIMD_POINTS];
  for (size_t b = 0; b < 16; b++) {
    // Sums of x_a by powers of 4, whose eighth one is 1, and whose fourth one is -1.
    const int32_t x0 = x[b], x1 = x[16 + b], x2 = x[32 + b], x3 = x[48 + b];
    const int32_t even0 = x0 + x2, odd0 = x1 + x3, even2 = x0 - x2, odd2 = 16 * (x1 - x3);
    const int32_t even1 = x0 + 16 * x2, odd1 = 4 * x1 + 64 * x3;
    const int32_t even3 = x0 - 16 * x2, odd3 = 64 * x1 + 4 * x3;
    t[0][b] = even0 + odd0;
    t[4][b] = even0 - odd0;
    t[1][b] = even1 + odd1;
    t[5][b] = even1 - odd1;
    t[2][b] = even2 + odd2;
    t[6][b] = even2 - odd2;
    t[3][b] = even3 + odd3;
    t[7][b] = even3 - odd3;
  }
  for (size_t c = 0; c < 8; c++) {
    for (size_t b = 0; b < 16; b++) t[c][b] = reduce(reduce(t[c][b] * twiddle[c][b]));
  }
  for (size_t b = 0; b < 16; b++) {
    for (size_t c = 0; c < 8; c++) v[b][c] = t[c][turned[b]];
  }
  transform16(v);
  for (size_t i = 0; i < SIMD_POINTS; i++) {
    const int32_t point = reduce(reduce(reduce(v[i / 8][i % 8] + ones[final][i])));
    // From -128 to 128.
    y[i] = point > 128 ? point - 257 : point < -128 ? point + 257 : point;
  }
  for (size_t i = 0; i < 64; i++) {
    w[0][i] = ((uint32_t)(185 * y[2 * i]) & 0xffff) | (uint32_t)(185 * y[2 * i + 1]) << 16;
    w[1][i] = ((uint32_t)(233 * y[i]) & 0xffff) | (uint32_t)(233 * y[i + 64]) << 16;
  }
  for (size_t i = 0; i < 32; i++) {
    w[2][i] = w[1][2 * i];
    w[3][i] = w[1][2 * i + 1];
  }
}

// The four words of a step.
static inline const uint32_t *words_of(uint32_t w[4][64], size_t round, size_t step) {
  return w[round < 2 ? 0 : round] + 4 * simd_order[round][step];
}

#endif  // LYDITE_CORES_SIMD_SW_TRANSFORM_H_
