// SPDX-License-Identifier: Apache-2.0
//
// BLAKE, one message, a row of the state in each register of four words: the four G of half a
// round at once. The sixteen words that a round adds are one permutation of the block. Between
// columns and diagonals all rows are turned but b, which is the last to be there.

#include <immintrin.h>

#include "blake.h"

// blake_sigma, ordered as rows want it: the first digits of G_0 to G_3, their second ones, and the
// same of G_7, G_4, G_5, G_6.
static inline __m512i in_rows(const uint8_t sigma[16]) {
  const __m512i order =
      _mm512_setr_epi32(0, 2, 4, 6, 1, 3, 5, 7, 14, 8, 10, 12, 15, 9, 11, 13);
  const __m512i digits = _mm512_cvtepu8_epi32(_mm_loadu_si128((const void *)sigma));
  return _mm512_permutexvar_epi32(order, digits);
}

// The constant beside a word is the one of its neighbour: rows 0 and 1, 2 and 3 exchanged.
static inline __m512i operands_of(__m512i m, size_t round) {
  const __m512i digits = in_rows(blake_sigma[round % BLAKE_SIGMAS]);
  const __m512i neighbours = _mm512_shuffle_i32x4(digits, digits, 0xb1);
  const __m512i constants = _mm512_loadu_si512(blake_constants);
  return _mm512_xor_si512(_mm512_permutexvar_epi32(digits, m),
                          _mm512_permutexvar_epi32(neighbours, constants));
}

// 2.1.2: G on four columns.
#define MIX(first, second)                              \
  do {                                                  \
    a = _mm_add_epi32(_mm_add_epi32(a, first), b);      \
    d = _mm_ror_epi32(_mm_xor_si128(d, a), 16);         \
    c = _mm_add_epi32(c, d);                            \
    b = _mm_ror_epi32(_mm_xor_si128(b, c), 12);         \
    a = _mm_add_epi32(_mm_add_epi32(a, second), b);     \
    d = _mm_ror_epi32(_mm_xor_si128(d, a), 8);          \
    c = _mm_add_epi32(c, d);                            \
    b = _mm_ror_epi32(_mm_xor_si128(b, c), 7);          \
  } while (0)

#define TURN_1(row) row = _mm_shuffle_epi32(row, 0x39)
#define TURN_2(row) row = _mm_shuffle_epi32(row, 0x4e)
#define TURN_3(row) row = _mm_shuffle_epi32(row, 0x93)

static void compress(uint32_t h[8], const uint8_t block[BLAKE_BLOCK_BYTES], uint64_t counter) {
  const __m128i swap = _mm_setr_epi8(3, 2, 1, 0, 7, 6, 5, 4, 11, 10, 9, 8, 15, 14, 13, 12);
  const __m512i m =
      _mm512_shuffle_epi8(_mm512_loadu_si512(block), _mm512_broadcast_i32x4(swap));
  const int low = (int)(uint32_t)counter, high = (int)(uint32_t)(counter >> 32);
  __m128i a = _mm_loadu_si128((const void *)h);
  __m128i b = _mm_loadu_si128((const void *)(h + 4));
  __m128i c = _mm_loadu_si128((const void *)blake_constants);
  __m128i d = _mm_xor_si128(_mm_loadu_si128((const void *)(blake_constants + 4)),
                            _mm_setr_epi32(low, low, high, high));
  const __m128i a0 = a, b0 = b;
#pragma GCC unroll 14
  for (size_t round = 0; round < ROUNDS; round++) {
    const __m512i operands = operands_of(m, round);
    MIX(_mm512_castsi512_si128(operands), _mm512_extracti32x4_epi32(operands, 1));
    TURN_3(a);
    TURN_1(c);
    TURN_2(d);
    MIX(_mm512_extracti32x4_epi32(operands, 2), _mm512_extracti32x4_epi32(operands, 3));
    TURN_1(a);
    TURN_3(c);
    TURN_2(d);
  }
  _mm_storeu_si128((void *)h, _mm_xor_si128(a0, _mm_xor_si128(a, c)));
  _mm_storeu_si128((void *)(h + 4), _mm_xor_si128(b0, _mm_xor_si128(b, d)));
}

#define HASH_IMPL "avx512vl"
#define HASH_CPU_FLAGS "avx512f avx512bw avx512vl"
#include "single.h"
