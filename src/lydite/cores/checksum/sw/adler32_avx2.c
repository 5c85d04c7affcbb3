// SPDX-License-Identifier: Apache-2.0
//
// Adler-32 (RFC 1950, 8.2) with AVX2, 32 bytes at a time.

#include <immintrin.h>

#include "checksum.h"

// Blocks of 32 bytes, before a word of 32 bits overflows.
#define MOST_BLOCKS 1024

static uint64_t total(__m256i words) {
  uint32_t word[8];
  _mm256_storeu_si256((void *)word, words);
  uint64_t sum = 0;
  for (int i = 0; i < 8; i++) sum += word[i];
  return sum;
}

static uint32_t adler32(const uint8_t *message, size_t bytes) {
  const __m256i weights =
      _mm256_set_epi8(1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12, 13, 14, 15, 16, 17, 18, 19, 20, 21, 22,
                      23, 24, 25, 26, 27, 28, 29, 30, 31, 32);
  const __m256i ones = _mm256_set1_epi16(1), zero = _mm256_setzero_si256();
  uint64_t s1 = 1, s2 = 0;
  while (bytes >= 32) {
    const size_t blocks = bytes / 32 < MOST_BLOCKS ? bytes / 32 : MOST_BLOCKS;
    __m256i sums = zero, before = zero, weighted = zero;
    for (size_t i = 0; i < blocks; i++, message += 32) {
      const __m256i data = _mm256_loadu_si256((const void *)message);
      before = _mm256_add_epi32(before, sums);
      sums = _mm256_add_epi32(sums, _mm256_sad_epu8(data, zero));
      const __m256i pairs = _mm256_maddubs_epi16(data, weights);
      weighted = _mm256_add_epi32(weighted, _mm256_madd_epi16(pairs, ones));
    }
    // Each byte counts once more for each behind it.
    s2 += 32 * (s1 * blocks + total(before)) + total(weighted);
    s1 += total(sums);
    s1 %= ADLER32_MODULUS;
    s2 %= ADLER32_MODULUS;
    bytes -= 32 * blocks;
  }
  return adler32_bytes((uint32_t)s1, (uint32_t)s2, message, bytes);
}

const char *lydite_impl(void) { return "avx2"; }

const char *lydite_cpu_flags(void) { return "avx2"; }

void lydite_checksum(const struct lydite_batch *batch) { adler32_batch(batch, adler32); }
