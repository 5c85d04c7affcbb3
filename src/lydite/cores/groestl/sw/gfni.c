// SPDX-License-Identifier: Apache-2.0
//
// Groestl-256, one message, with GFNI of AVX-512: rows 0 to 3 of both permutations in one register,
// 4 to 7 in another. A row is a lane of 128 bits, P in its lower half, Q in its upper one.

#include <immintrin.h>

#include "groestl.h"

typedef struct {
  __m512i h[2];  // zeros in the place of Q
} chain;

#define XOR(a, b) _mm512_xor_si512(a, b)
#define XOR3(a, b, c) _mm512_ternarylogic_epi64(a, b, c, 0x96)
// Multiples of the S-box of AES: inversion, a matrix of bits, and a sum.
#define INVERT(a, matrix, sum) \
  _mm512_gf2p8affineinv_epi64_epi8(a, _mm512_set1_epi64((long long)(matrix)), sum)
#define TWICE(a) INVERT(a, 0xf809e33f771f3e7c, 0xc6)
#define THRICE(a) INVERT(a, 0x09ea24b068214284, 0xa5)
#define FIVE(a) INVERT(a, 0x8d67ce105c4963c6, 0xf4)
// In the place of every row of a half the one `count` rows on from it.
#define ROWS_ON(x, half, count) _mm512_alignr_epi64(x[1 - (half)], x[half], 2 * (count))

// The constants of a round: P has one in the first byte of row 0, Q one in that of row 7.
static inline void constants(__m512i c[2], unsigned round) {
  c[0] = _mm512_maskz_set1_epi64(0x01, round);
  c[1] = _mm512_maskz_set1_epi64(0x80, round ^ 0xff);
}

// ShiftBytes, SubBytes and MixBytes; then the constants of the next round are added. MixBytes
// (3.4.4) makes row i of the rows from i on, 2, 2, 3, 4, 5, 3, 5 and 7 times each. Those four rows
// apart are added up first, 2 and 5 times, 2 and 3, 3 and 5, 4 and 7; the last of these pairs is a
// sum of what is there.
static inline void round_of(__m512i x[2], const __m512i next[2]) {
  const __m512i turns[2] = {_mm512_set_epi64(24, 24, 16, 16, 8, 8, 0, 0),
                            _mm512_set_epi64(56, 56, 48, 48, 40, 40, 32, 32)};
  __m512i two[2], three[2], five[2], pair0[2], pair1[2], pair2[2], pair3[2];
  for (size_t half = 0; half < 2; half++) {
    x[half] = _mm512_rorv_epi64(x[half], turns[half]);
    two[half] = TWICE(x[half]);
  }
  for (size_t half = 0; half < 2; half++) three[half] = THRICE(x[half]);
  for (size_t half = 0; half < 2; half++) five[half] = FIVE(x[half]);
  for (size_t half = 0; half < 2; half++) {
    pair0[half] = XOR(two[half], five[1 - half]);
    pair1[half] = XOR(two[half], three[1 - half]);
    pair2[half] = XOR(three[half], five[1 - half]);
  }
  for (size_t half = 0; half < 2; half++) pair3[half] = XOR3(pair0[0], pair0[1], three[half]);
  for (size_t half = 0; half < 2; half++) {
    const __m512i sum = XOR3(next[half], pair0[half], ROWS_ON(pair1, half, 1));
    x[half] = XOR3(sum, ROWS_ON(pair2, half, 2), ROWS_ON(pair3, half, 3));
  }
}

// The constants of round 0 were added before, where they matter.
static inline void permute_both(__m512i x[2]) {
  __m512i next[2];
#pragma GCC unroll 10
  for (unsigned round = 1; round < GROESTL_ROUNDS; round++) {
    constants(next, round);
    round_of(x, next);
  }
  next[0] = next[1] = _mm512_setzero_si512();
  round_of(x, next);
}

// Where the bytes of a row are in a block, and those of a column of P in the two registers.
#define EIGHT(from, step)                                                                 \
  (from), (from) + (step), (from) + 2 * (step), (from) + 3 * (step), (from) + 4 * (step), \
      (from) + 5 * (step), (from) + 6 * (step), (from) + 7 * (step)
#define ROW(i) EIGHT(i, 8)
#define COLUMN(j) EIGHT(j, 16)

static void start(chain *c) {
  c->h[0] = _mm512_setzero_si512();
  c->h[1] = _mm512_maskz_set1_epi64(0x10, 1LL << 56);  // 256, the bits of the digest: row 6
}

static void compress(chain *c, const uint8_t *in, size_t blocks) {
  static const uint8_t rows[2][64] = {
      {ROW(0), ROW(0), ROW(1), ROW(1), ROW(2), ROW(2), ROW(3), ROW(3)},
      {ROW(4), ROW(4), ROW(5), ROW(5), ROW(6), ROW(6), ROW(7), ROW(7)},
  };
  __m512i h[2] = {c->h[0], c->h[1]}, first[2];
  constants(first, 0);
  for (; blocks != 0; blocks--, in += GROESTL_BLOCK_BYTES) {
    const __m512i block = _mm512_loadu_si512(in);
    __m512i x[2];
    for (size_t half = 0; half < 2; half++) {
      x[half] = _mm512_permutexvar_epi8(_mm512_loadu_si512(rows[half]), block);
      x[half] = XOR3(x[half], h[half], first[half]);
    }
    permute_both(x);
    for (size_t half = 0; half < 2; half++) {
      const __m512i q = _mm512_unpackhi_epi64(x[half], x[half]);
      h[half] = _mm512_mask_ternarylogic_epi64(h[half], 0x55, x[half], q, 0x96);
    }
  }
  c->h[0] = h[0];
  c->h[1] = h[1];
}

// The output transformation (3.3), of which the digest is the last four columns. Nothing reads Q.
static void finish(uint8_t *out, const chain *c) {
  static const uint8_t columns[64] = {COLUMN(4), COLUMN(5), COLUMN(6), COLUMN(7)};
  __m512i x[2] = {c->h[0], c->h[1]};
  permute_both(x);
  x[0] = XOR(x[0], c->h[0]);
  x[1] = XOR(x[1], c->h[1]);
  const __m512i digest = _mm512_permutex2var_epi8(x[0], _mm512_loadu_si512(columns), x[1]);
  _mm256_storeu_si256((void *)out, _mm512_castsi512_si256(digest));
}

#define HASH_IMPL "gfni"
#define HASH_CPU_FLAGS "avx512f avx512vbmi gfni"
#include "single.h"
