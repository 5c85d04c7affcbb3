// SPDX-License-Identifier: Apache-2.0
//
// Adler-32 (RFC 1950, 8.2) with the dot products of AVX-512 VNNI, 256 bytes at a time.

#include <immintrin.h>

#include "checksum.h"

// Sums beside each other: of one only, each would wait for the one before.
#define SUMS 4U
#define STEP (64 * SUMS)
// Steps before a word of 32 bits overflows.
#define MOST_STEPS 2048

static uint64_t total(__m512i words) {
  const __m512i low = _mm512_and_si512(words, _mm512_set1_epi64(0xffffffff));
  return (uint64_t)_mm512_reduce_add_epi64(_mm512_add_epi64(low, _mm512_srli_epi64(words, 32)));
}

static inline __m512i weights(void) {
  uint8_t weight[64];
  for (int i = 0; i < 64; i++) weight[i] = (uint8_t)(64 - i);
  return _mm512_loadu_si512(weight);
}

// Up to 64 bytes before an address.
static inline void add_before(const uint8_t *end, size_t bytes, uint64_t *s1, uint64_t *s2) {
  const __mmask64 mask = bytes ? ~(__mmask64)0 << (64 - bytes) : 0;
  const __m512i data = _mm512_maskz_loadu_epi8(mask, end - 64), zero = _mm512_setzero_si512();
  *s2 += *s1 * bytes + total(_mm512_dpbusd_epi32(zero, data, weights()));
  *s1 += total(_mm512_dpbusd_epi32(zero, data, _mm512_set1_epi8(1)));
}

static uint32_t adler32(const uint8_t *message, size_t bytes) {
  const __m512i ones = _mm512_set1_epi8(1), zero = _mm512_setzero_si512();
  const __m512i by_place = weights();
  uint64_t s1 = 1, s2 = 0;
  if (bytes >= STEP) {
    // Up to the end of its line, so that no load is of two.
    const size_t head = -(uintptr_t)message % 64;
    message += head;
    bytes -= head;
    add_before(message, head, &s1, &s2);
  }
  while (bytes >= STEP) {
    const size_t steps = bytes / STEP < MOST_STEPS ? bytes / STEP : MOST_STEPS;
    __m512i sums[SUMS] = {zero, zero, zero, zero}, before[SUMS] = {zero, zero, zero, zero};
    __m512i weighted[SUMS] = {zero, zero, zero, zero};
    for (size_t i = 0; i < steps; i++, message += STEP) {
#pragma GCC unroll 4
      for (unsigned k = 0; k < SUMS; k++) {
        const __m512i data = _mm512_loadu_si512(message + 64 * k);
        before[k] = _mm512_add_epi32(before[k], sums[k]);
        sums[k] = _mm512_dpbusd_epi32(sums[k], data, ones);
        weighted[k] = _mm512_dpbusd_epi32(weighted[k], data, by_place);
      }
    }
    // Each byte counts once more for each behind it: all of the steps that follow, and of its own
    // what is loaded after it.
    s2 += STEP * s1 * steps;
    for (unsigned k = 0; k < SUMS; k++) {
      const uint64_t sum = total(sums[k]);
      s1 += sum;
      s2 += STEP * total(before[k]) + 64 * (SUMS - 1 - k) * sum + total(weighted[k]);
    }
    s1 %= ADLER32_MODULUS;
    s2 %= ADLER32_MODULUS;
    bytes -= STEP * steps;
  }
  while (bytes > 0) {
    const size_t some = bytes < 64 ? bytes : 64;
    message += some;
    bytes -= some;
    add_before(message, some, &s1, &s2);
  }
  return (uint32_t)(s2 % ADLER32_MODULUS << 16 | s1 % ADLER32_MODULUS);
}

const char *lydite_impl(void) { return "avx512vnni"; }

const char *lydite_cpu_flags(void) { return "avx512f avx512bw avx512_vnni"; }

void lydite_checksum(const struct lydite_batch *batch) { adler32_batch(batch, adler32); }
