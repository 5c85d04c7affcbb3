// SPDX-License-Identifier: Apache-2.0
//
// JH-256, one message, a variable in each 128-bit register, with the three-way logic of AVX-512VL,
// into which compilers join the operations below.

#include <immintrin.h>

#include "jh.h"

#define LANE __m128i
#define AND(a, b) _mm_and_si128(a, b)
#define OR(a, b) _mm_or_si128(a, b)
#define XOR(a, b) _mm_xor_si128(a, b)
#define NOT_AND(a, b) _mm_andnot_si128(a, b)
#define NOT(a) _mm_ternarylogic_epi32(a, a, a, 0x55)
#define SWAP(a, r) (a) = swap(a, r)
#define CONSTANT(words) _mm_loadu_si128((const void *)(words))

// a, where the mask has ones; else b.
static inline __m128i choose(__m128i mask, __m128i a, __m128i b) {
  return _mm_ternarylogic_epi32(mask, a, b, 0xca);
}

static inline __attribute__((always_inline)) __m128i swap(__m128i a, const unsigned r) {
  switch (r) {
    case 0:
      return choose(_mm_set1_epi8(0x55), _mm_srli_epi16(a, 1), _mm_slli_epi16(a, 1));
    case 1:
      return choose(_mm_set1_epi8(0x33), _mm_srli_epi16(a, 2), _mm_slli_epi16(a, 2));
    case 2:
      return choose(_mm_set1_epi8(0x0f), _mm_srli_epi16(a, 4), _mm_slli_epi16(a, 4));
    case 3:
      return _mm_shuffle_epi8(
          a, _mm_setr_epi8(1, 0, 3, 2, 5, 4, 7, 6, 9, 8, 11, 10, 13, 12, 15, 14));
    case 4:
      return _mm_ror_epi32(a, 16);
    case 5:
      return _mm_shuffle_epi32(a, 0xb1);
    default:
      return _mm_shuffle_epi32(a, 0x4e);
  }
}

#include "bitslice.h"

static void compress(uint64_t h[16], const uint8_t *in, size_t blocks) {
  const __m128i *words = (const void *)h;
  __m128i even[4], odd[4];
  for (size_t i = 0; i < 4; i++) {
    even[i] = _mm_loadu_si128(words + 2 * i);
    odd[i] = _mm_loadu_si128(words + 2 * i + 1);
  }
  for (; blocks != 0; blocks--, in += JH_BLOCK_BYTES) {
    __m128i m[4];
    for (size_t i = 0; i < 4; i++) m[i] = _mm_loadu_si128((const void *)(in + 16 * i));
    for (size_t i = 0; i < 2; i++) {
      even[i] = XOR(even[i], m[2 * i]);
      odd[i] = XOR(odd[i], m[2 * i + 1]);
    }
    jh_bijection(even, odd);
    for (size_t i = 0; i < 2; i++) {
      even[2 + i] = XOR(even[2 + i], m[2 * i]);
      odd[2 + i] = XOR(odd[2 + i], m[2 * i + 1]);
    }
  }
  for (size_t i = 0; i < 4; i++) {
    _mm_storeu_si128((void *)(h + 4 * i), even[i]);
    _mm_storeu_si128((void *)(h + 4 * i + 2), odd[i]);
  }
}

#define HASH_IMPL "avx512vl"
#define HASH_CPU_FLAGS "avx512f avx512vl"
#include "single.h"
