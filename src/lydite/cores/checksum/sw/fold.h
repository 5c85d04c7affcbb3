// SPDX-License-Identifier: Apache-2.0
//
// Folding for CRC-32 (V. Gopal et al., Fast CRC Computation for Generic Polynomials Using PCLMULQDQ
// Instruction, Intel, 2009), polynomials with bit 0 for their highest power, as they are stored.
//
// What stands D bits before the end of 128 bits is multiplied by x**D: its half with the higher
// powers, which is stored low, by x**(D + 32) modulo the polynomial, the other by x**(D - 32); one
// place more on the left, since a product of 64 by 64 bits has 127.

#ifndef LYDITE_CORES_CHECKSUM_SW_FOLD_H_
#define LYDITE_CORES_CHECKSUM_SW_FOLD_H_

#include <immintrin.h>

#include "checksum.h"

// x**(D + 32) and x**(D - 32).
#define FOLD_4096_LOW 0x01072db28LL
#define FOLD_4096_HIGH 0x1d741f35cLL
#define FOLD_512_LOW 0x154442bd4LL
#define FOLD_512_HIGH 0x1c6e41596LL
#define FOLD_128_LOW 0x1751997d0LL
#define FOLD_128_HIGH 0x0ccaa009eLL
// x**64, the polynomial, and x**64 over it.
#define FOLD_64 0x163cd6124LL
#define FOLD_POLYNOMIAL 0x1db710641LL
#define FOLD_QUOTIENT 0x1f7011641LL

static inline __m128i fold_128(__m128i sum, __m128i by, __m128i more) {
  const __m128i low = _mm_clmulepi64_si128(sum, by, 0x00);
  const __m128i high = _mm_clmulepi64_si128(sum, by, 0x11);
  return _mm_xor_si128(_mm_xor_si128(low, high), more);
}

static inline __m128i fold_load(const uint8_t *in) { return _mm_loadu_si128((const void *)in); }

// 128 bits to the remainder: x**64 of one half, x**32 of a quarter, and Barrett's reduction.
static inline uint32_t fold_end(__m128i sum) {
  const __m128i low_word = _mm_set_epi64x(0, 0xffffffff);
  const __m128i by = _mm_set_epi64x(FOLD_128_HIGH, FOLD_64);
  sum = _mm_xor_si128(_mm_srli_si128(sum, 8), _mm_clmulepi64_si128(sum, by, 0x10));
  sum = _mm_xor_si128(_mm_srli_si128(sum, 4),
                      _mm_clmulepi64_si128(_mm_and_si128(sum, low_word), by, 0x00));
  const __m128i barrett = _mm_set_epi64x(FOLD_QUOTIENT, FOLD_POLYNOMIAL);
  const __m128i quotient = _mm_clmulepi64_si128(_mm_and_si128(sum, low_word), barrett, 0x10);
  const __m128i product = _mm_clmulepi64_si128(_mm_and_si128(quotient, low_word), barrett, 0x00);
  return (uint32_t)_mm_extract_epi32(_mm_xor_si128(sum, product), 1);
}

// What is left behind a sum: by 16 bytes, and by tables.
static inline uint32_t fold_rest(__m128i sum, const uint8_t *in, size_t bytes) {
  const __m128i by = _mm_set_epi64x(FOLD_128_HIGH, FOLD_128_LOW);
  for (; bytes >= 16; bytes -= 16, in += 16) sum = fold_128(sum, by, fold_load(in));
  return crc32_bytes(fold_end(sum), in, bytes);
}

#endif  // LYDITE_CORES_CHECKSUM_SW_FOLD_H_
