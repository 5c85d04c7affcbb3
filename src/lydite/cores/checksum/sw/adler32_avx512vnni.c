// SPDX-License-Identifier: Apache-2.0
//
// Adler-32 (RFC 1950, 8.2) with the dot products of AVX-512 VNNI, 128 bytes at a time.

#include <immintrin.h>

#include "checksum.h"

// Pairs of 64 bytes, before a word of 32 bits overflows.
#define MOST_PAIRS 2048

static uint64_t total(__m512i words) {
  const __m512i low = _mm512_and_si512(words, _mm512_set1_epi64(0xffffffff));
  return (uint64_t)_mm512_reduce_add_epi64(_mm512_add_epi64(low, _mm512_srli_epi64(words, 32)));
}

static uint32_t adler32(const uint8_t *message, size_t bytes) {
  const __m512i ones = _mm512_set1_epi8(1), zero = _mm512_setzero_si512();
  uint8_t weight[64];
  for (int i = 0; i < 64; i++) weight[i] = (uint8_t)(64 - i);
  const __m512i weights = _mm512_loadu_si512(weight);
  uint64_t s1 = 1, s2 = 0;
  while (bytes >= 128) {
    const size_t pairs = bytes / 128 < MOST_PAIRS ? bytes / 128 : MOST_PAIRS;
    __m512i sums0 = zero, sums1 = zero, before0 = zero, before1 = zero;
    __m512i weighted0 = zero, weighted1 = zero;
    for (size_t i = 0; i < pairs; i++, message += 128) {
      const __m512i data0 = _mm512_loadu_si512(message);
      const __m512i data1 = _mm512_loadu_si512(message + 64);
      before0 = _mm512_add_epi32(before0, sums0);
      before1 = _mm512_add_epi32(before1, sums1);
      sums0 = _mm512_dpbusd_epi32(sums0, data0, ones);
      sums1 = _mm512_dpbusd_epi32(sums1, data1, ones);
      weighted0 = _mm512_dpbusd_epi32(weighted0, data0, weights);
      weighted1 = _mm512_dpbusd_epi32(weighted1, data1, weights);
    }
    // Each byte counts once more for each behind it: of a pair's first half all of its second.
    s2 += 128 * (s1 * pairs + total(before0) + total(before1)) + 64 * total(sums0);
    s2 += total(weighted0) + total(weighted1);
    s1 += total(sums0) + total(sums1);
    s1 %= ADLER32_MODULUS;
    s2 %= ADLER32_MODULUS;
    bytes -= 128 * pairs;
  }
  return adler32_bytes((uint32_t)s1, (uint32_t)s2, message, bytes);
}

const char *lydite_impl(void) { return "avx512vnni"; }

const char *lydite_cpu_flags(void) { return "avx512f avx512bw avx512_vnni"; }

void lydite_checksum(const struct lydite_batch *batch) { adler32_batch(batch, adler32); }
