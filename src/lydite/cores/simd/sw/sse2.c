// SPDX-License-Identifier: Apache-2.0
//
// SIMD-256, one message, SSE2: a row of the state is a register.

#include <emmintrin.h>

#include "rounds.h"
#include "transform.h"

typedef __m128i row;

#define LEFT(a, count) _mm_or_si128(_mm_slli_epi32(a, count), _mm_srli_epi32(a, 32 - (count)))
#define CHOOSE(a, b, c) _mm_xor_si128(_mm_and_si128(_mm_xor_si128(b, c), a), c)
#define MAJORITY(a, b, c) \
  _mm_or_si128(_mm_and_si128(a, b), _mm_and_si128(_mm_or_si128(a, b), c))
// Word i of a row is to be in the place i ^ n.
#define SWAP(a, n) _mm_shuffle_epi32(a, (n) == 1 ? 0xb1 : (n) == 2 ? 0x4e : 0x1b)

// A step takes in words, and makes of d the row that is the first one then.
#define STEP(function, a, b, c, d, w, r, t, n)                              \
  do {                                                                      \
    const row turned = LEFT(a, r), words = _mm_loadu_si128((const void *)(w)); \
    const row sum = _mm_add_epi32(_mm_add_epi32(d, words), function(a, b, c)); \
    d = _mm_add_epi32(LEFT(sum, t), SWAP(turned, n));                       \
    a = turned;                                                             \
  } while (0)

static void compress(uint32_t state[16], const uint8_t block[SIMD_BLOCK_BYTES], int final) {
  uint32_t w[4][64];
  row h[4], m[4];
  expand(w, block, final);
  memcpy(h, state, sizeof h);
  memcpy(m, block, sizeof m);
  row a = _mm_xor_si128(h[0], m[0]), b = _mm_xor_si128(h[1], m[1]);
  row c = _mm_xor_si128(h[2], m[2]), d = _mm_xor_si128(h[3], m[3]);
  ROUNDS(h, h + 1, h + 2, h + 3);
  const row made[4] = {a, b, c, d};
  memcpy(state, made, sizeof made);
}

#define HASH_IMPL "sse2"
#define HASH_CPU_FLAGS "sse2"
#include "single.h"
