// SPDX-License-Identifier: Apache-2.0
//
// Luffa-256 v2, one message, SSE2: word k of the three blocks of the state in the lanes of register
// k; the fourth lane is idle. With AVX-512VL compilers make one instruction of a rotation, and of
// two logic ones.

#include <emmintrin.h>

#define VECTOR __m128i
#define XOR(a, b) _mm_xor_si128(a, b)
#define AND(a, b) _mm_and_si128(a, b)
#define ANDNOT(a, b) _mm_andnot_si128(a, b)
#define OR(a, b) _mm_or_si128(a, b)
#define NOT(a) _mm_xor_si128(a, _mm_set1_epi32(-1))
#define ROL(a, n) _mm_or_si128(_mm_slli_epi32(a, n), _mm_srli_epi32(a, 32 - (n)))

#include "rounds.h"

static inline __m128i lanes(uint32_t first, uint32_t second, uint32_t third) {
  return _mm_set_epi32(0, (int)third, (int)second, (int)first);
}

// Message injection (3.3), and the rounds of all permutations.
static inline void add_block(__m128i a[8], const uint32_t message[8]) {
  __m128i total[8], added[8];
  for (size_t k = 0; k < 8; k++) {
    const __m128i second = _mm_shuffle_epi32(a[k], _MM_SHUFFLE(3, 0, 2, 1));
    const __m128i third = _mm_shuffle_epi32(a[k], _MM_SHUFFLE(3, 1, 0, 2));
    total[k] = XOR(a[k], XOR(second, third));
    added[k] = _mm_set1_epi32((int)message[k]);
  }
  times_x(total);
  // The message, x and x^2 times it.
  const __m128i not_first = lanes(0, UINT32_MAX, UINT32_MAX), last = lanes(0, 0, UINT32_MAX);
  __m128i power[8];
  memcpy(power, added, sizeof power);
  for (int i = 0; i < 2; i++) {
    times_x(power);
    const __m128i mask = i == 0 ? not_first : last;
    for (size_t k = 0; k < 8; k++) {
      added[k] = OR(ANDNOT(mask, added[k]), AND(mask, power[k]));
    }
  }
  for (size_t k = 0; k < 8; k++) a[k] = XOR(a[k], XOR(total[k], added[k]));
  for (size_t k = 4; k < 8; k++) {  // the tweak (3.4)
    const __m128i once = ROL(a[k], 1), twice = ROL(a[k], 2);
    a[k] = OR(ANDNOT(not_first, a[k]), OR(ANDNOT(last, AND(not_first, once)), AND(last, twice)));
  }
  for (size_t i = 0; i < LUFFA_STEPS; i++) {
    quick_step(a, lanes(luffa_constants0[0][i], luffa_constants0[1][i], luffa_constants0[2][i]),
               lanes(luffa_constants4[0][i], luffa_constants4[1][i], luffa_constants4[2][i]));
  }
}

static inline void add_bytes(__m128i a[8], const uint8_t *block) {
  uint32_t words[8];
  for (size_t k = 0; k < 8; k++) words[k] = load32_be(block + 4 * k);
  add_block(a, words);
}

static void hash(uint8_t *out, const uint8_t *in, size_t in_bytes) {
  __m128i a[8];
  for (size_t k = 0; k < 8; k++) {
    a[k] = lanes(luffa_initial[0][k], luffa_initial[1][k], luffa_initial[2][k]);
  }
  for (size_t i = 0; i < in_bytes / LUFFA_BLOCK_BYTES; i++) {
    add_bytes(a, in + i * LUFFA_BLOCK_BYTES);
  }
  uint8_t last[LUFFA_BLOCK_BYTES];
  luffa_last_block(last, in, in_bytes);
  add_bytes(a, last);
  add_block(a, (const uint32_t[8]){0});
  for (size_t k = 0; k < 8; k++) {
    uint32_t words[4];
    memcpy(words, &a[k], sizeof words);
    store32_be(out + 4 * k, words[0] ^ words[1] ^ words[2]);
  }
}

#define HASH_DIGEST_BYTES LUFFA_DIGEST_BYTES
#define HASH_IMPL "sse2"
#define HASH_CPU_FLAGS "sse2"

#include "../../common/sw/hash_single.h"
