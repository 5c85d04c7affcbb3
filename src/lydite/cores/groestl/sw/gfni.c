// SPDX-License-Identifier: Apache-2.0
//
// Groestl-256, one message, with AES-NI and GFNI: a row of both permutations in each register, P in
// its lower half, Q in its upper one.

#include <immintrin.h>

#include "groestl.h"

typedef struct {
  __m128i h[8];  // rows, in the lower half
} chain;

// Row i moves to the left by i in both halves. Before that the bytes go where ShiftRows of AES,
// which comes with its S-box, takes them from.
static const uint8_t shift[8][16] = {
    {0, 13, 10, 7, 4, 1, 14, 11, 8, 5, 2, 15, 12, 9, 6, 3},
    {1, 14, 11, 0, 5, 2, 15, 12, 9, 6, 3, 8, 13, 10, 7, 4},
    {2, 15, 12, 1, 6, 3, 8, 13, 10, 7, 4, 9, 14, 11, 0, 5},
    {3, 8, 13, 2, 7, 4, 9, 14, 11, 0, 5, 10, 15, 12, 1, 6},
    {4, 9, 14, 3, 0, 5, 10, 15, 12, 1, 6, 11, 8, 13, 2, 7},
    {5, 10, 15, 4, 1, 6, 11, 8, 13, 2, 7, 12, 9, 14, 3, 0},
    {6, 11, 8, 5, 2, 7, 12, 9, 14, 3, 0, 13, 10, 15, 4, 1},
    {7, 12, 9, 6, 3, 0, 13, 10, 15, 4, 1, 14, 11, 8, 5, 2},
};

#define XOR(a, b) _mm_xor_si128(a, b)
#define XOR3(a, b, c) _mm_ternarylogic_epi32(a, b, c, 0x96)

// What MixBytes makes row i of: multiples of rows k on from it. 2 and 4 times in GF(2^8) of AES.
#define MIXED(i)                                                                               \
  XOR3(XOR3(x[(i + 2) % 8], t[(i + 4) % 8], t[(i + 6) % 8]),                                   \
       _mm_gf2p8mul_epi8(XOR3(t[i], XOR(x[(i + 2) % 8], x[(i + 5) % 8]), x[(i + 7) % 8]), two), \
       _mm_gf2p8mul_epi8(XOR(t[(i + 3) % 8], t[(i + 6) % 8]), four))

// SubBytes, ShiftBytes and MixBytes; the constants of the round are added to rows 0 and 7 before.
static inline __attribute__((always_inline)) void round_of(__m128i x[8]) {
  const __m128i two = _mm_set1_epi8(2), four = _mm_set1_epi8(4);
  __m128i t[8];
  for (size_t i = 0; i < 8; i++) {
    const __m128i moved = _mm_shuffle_epi8(x[i], _mm_loadu_si128((const void *)shift[i]));
    x[i] = _mm_aesenclast_si128(moved, _mm_setzero_si128());
  }
  for (size_t i = 0; i < 8; i++) t[i] = XOR(x[i], x[(i + 1) % 8]);
  const __m128i y[8] = {MIXED(0), MIXED(1), MIXED(2), MIXED(3),
                        MIXED(4), MIXED(5), MIXED(6), MIXED(7)};
  for (size_t i = 0; i < 8; i++) x[i] = y[i];
}

static inline __attribute__((always_inline)) void permute_both(__m128i x[8]) {
  for (int round = 0; round < GROESTL_ROUNDS; round++) {
    // P adds to the first byte of row 0, Q to that of row 7.
    x[0] = XOR(x[0], _mm_cvtsi32_si128(round));
    x[7] = XOR(x[7], _mm_slli_si128(_mm_cvtsi32_si128(round ^ 0xff), 8));
    round_of(x);
  }
}

// Eight columns become eight rows, in the lower halves.
static inline void rows_of(__m128i rows[8], const uint8_t in[GROESTL_BLOCK_BYTES]) {
  uint8_t turned[8][8];
  for (size_t j = 0; j < 8; j++) {
    for (size_t i = 0; i < 8; i++) turned[i][j] = in[8 * j + i];
  }
  for (size_t i = 0; i < 8; i++) rows[i] = _mm_loadl_epi64((const void *)turned[i]);
}

static void start(chain *c) {
  uint8_t initial[GROESTL_BLOCK_BYTES] = {0};
  initial[GROESTL_BLOCK_BYTES - 2] = 1;  // the bits of the digest, 256
  rows_of(c->h, initial);
}

static void compress(chain *c, const uint8_t *in, size_t blocks) {
  __m128i h[8];
  memcpy(h, c->h, sizeof h);
  for (; blocks != 0; blocks--, in += GROESTL_BLOCK_BYTES) {
    __m128i x[8];
    rows_of(x, in);
    for (size_t i = 0; i < 8; i++) x[i] = _mm_unpacklo_epi64(XOR(x[i], h[i]), x[i]);
    permute_both(x);
    for (size_t i = 0; i < 8; i++) h[i] = XOR3(h[i], x[i], _mm_unpackhi_epi64(x[i], x[i]));
  }
  memcpy(c->h, h, sizeof h);
}

static void finish(uint8_t *out, const chain *c) {
  __m128i x[8];
  memcpy(x, c->h, sizeof x);
  permute_both(x);
  uint8_t rows[8][16];
  for (size_t i = 0; i < 8; i++) _mm_storeu_si128((void *)rows[i], XOR(x[i], c->h[i]));
  for (size_t j = 4; j < 8; j++) {
    for (size_t i = 0; i < 8; i++) out[8 * (j - 4) + i] = rows[i][j];
  }
}

#define HASH_IMPL "gfni"
#define HASH_CPU_FLAGS "aes avx512f avx512vl gfni ssse3"
#include "single.h"
