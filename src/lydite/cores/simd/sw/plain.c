// SPDX-License-Identifier: Apache-2.0
//
// SIMD-256, one message, portable C, in loops that compilers make vectors of.

#include "rounds.h"
#include "transform.h"

static inline uint32_t left(uint32_t word, unsigned count) {
  return word << count | word >> (32 - count);
}

#define CHOOSE(a, b, c) ((((b) ^ (c)) & (a)) ^ (c))
#define MAJORITY(a, b, c) (((a) & (b)) | (((a) | (b)) & (c)))
// A step takes in words, and makes d of itself and the three others, which is then the first row.
#define STEP(function, a, b, c, d, w, r, t, other)                         \
  do {                                                                     \
    uint32_t turned[4];                                                    \
    for (size_t i = 0; i < 4; i++) turned[i] = left((a)[i], r);            \
    for (size_t i = 0; i < 4; i++) {                                       \
      const uint32_t sum = (d)[i] + (w)[i] + function((a)[i], (b)[i], (c)[i]); \
      (d)[i] = left(sum, t) + turned[i ^ (other)];                         \
    }                                                                      \
    for (size_t i = 0; i < 4; i++) (a)[i] = turned[i];                     \
  } while (0)

static void compress(uint32_t state[16], const uint8_t block[SIMD_BLOCK_BYTES], int final) {
  uint32_t w[4][64], s[16];
  expand(w, block, final);
  for (size_t i = 0; i < 16; i++) s[i] = state[i] ^ load32_le(block + 4 * i);
  uint32_t *const a = s, *const b = s + 4, *const c = s + 8, *const d = s + 12;
  ROUNDS(state, state + 4, state + 8, state + 12);
  memcpy(state, s, sizeof s);
}

#define HASH_IMPL "plain"
#define HASH_CPU_FLAGS ""
#include "single.h"
