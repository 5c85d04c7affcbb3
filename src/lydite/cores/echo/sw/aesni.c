// SPDX-License-Identifier: Apache-2.0
//
// ECHO-256, one message, with the AES instructions of x86: a word of the state is a register.

#include <tmmintrin.h>
#include <wmmintrin.h>

#include "echo.h"

// 2 times each byte (FIPS 197, 4.2).
static inline __m128i twice(__m128i a) {
  const __m128i carries = _mm_cmpgt_epi8(_mm_setzero_si128(), a);
  return _mm_xor_si128(_mm_add_epi8(a, a), _mm_and_si128(carries, _mm_set1_epi8(0x1b)));
}

// MixColumns (FIPS 197, 5.1.3) of four words, from the sums of neighbours: row i is
// 2 (a_i + a_i+1) + a_i+1 + (a_i+2 + a_i+3).
static inline void mix(__m128i *a, __m128i *b, __m128i *c, __m128i *d) {
  const __m128i ab = _mm_xor_si128(*a, *b), bc = _mm_xor_si128(*b, *c);
  const __m128i cd = _mm_xor_si128(*c, *d), da = _mm_xor_si128(*d, *a);
  const __m128i first = *a;
  *a = _mm_xor_si128(_mm_xor_si128(*b, twice(ab)), cd);
  *b = _mm_xor_si128(_mm_xor_si128(*c, twice(bc)), da);
  *c = _mm_xor_si128(_mm_xor_si128(*d, twice(cd)), ab);
  *d = _mm_xor_si128(_mm_xor_si128(first, twice(da)), bc);
}

// The key of a word is the counter, which goes on by one with each.
static inline void big_round(__m128i w[ECHO_WORDS], __m128i key) {
  __m128i old[ECHO_WORDS];
#pragma GCC unroll 16
  for (size_t i = 0; i < ECHO_WORDS; i++) {
    old[i] = _mm_aesenc_si128(_mm_aesenc_si128(w[i], key), _mm_setzero_si128());
    key = _mm_add_epi64(key, _mm_set_epi64x(0, 1));
  }
#pragma GCC unroll 16
  for (size_t i = 0; i < ECHO_WORDS; i++) w[i] = old[(4 * (i / 4 + i % 4) + i % 4) % 16];
  for (size_t c = 0; c < ECHO_WORDS; c += 4) mix(w + c, w + c + 1, w + c + 2, w + c + 3);
}

static void compress(uint8_t chain[ECHO_CHAIN_BYTES], const uint8_t block[ECHO_BLOCK_BYTES],
                     uint64_t bits) {
  __m128i w[ECHO_WORDS], sums[4];
  memcpy(w, chain, ECHO_CHAIN_BYTES);
  memcpy(w + 4, block, ECHO_BLOCK_BYTES);
  for (size_t i = 0; i < 4; i++) {
    sums[i] = _mm_xor_si128(_mm_xor_si128(w[i], w[i + 4]), _mm_xor_si128(w[i + 8], w[i + 12]));
  }
  __m128i key = _mm_set_epi64x(0, (long long)bits);
  for (size_t round = 0; round < ECHO_ROUNDS; round++) {
    big_round(w, key);
    key = _mm_add_epi64(key, _mm_set_epi64x(0, ECHO_WORDS));
  }
  for (size_t i = 0; i < 4; i++) {
    const __m128i left = _mm_xor_si128(w[i], w[i + 4]), right = _mm_xor_si128(w[i + 8], w[i + 12]);
    sums[i] = _mm_xor_si128(sums[i], _mm_xor_si128(left, right));
  }
  memcpy(chain, sums, ECHO_CHAIN_BYTES);
}

#define HASH_IMPL "aesni"
#define HASH_CPU_FLAGS "aes ssse3"
#include "single.h"
