// SPDX-License-Identifier: Apache-2.0
//
// CRC-32 (ISO/IEC 13239, 4.2.5.3) by carry-less multiplication of 512 bits, 256 bytes at a time.

#include "fold.h"

static inline __m512i fold_512(__m512i sum, __m512i by, __m512i more) {
  const __m512i low = _mm512_clmulepi64_epi128(sum, by, 0x00);
  const __m512i high = _mm512_clmulepi64_epi128(sum, by, 0x11);
  return _mm512_ternarylogic_epi64(low, high, more, 0x96);
}

static inline __m512i fold_by(long long low, long long high) {
  return _mm512_set_epi64(high, low, high, low, high, low, high, low);
}

// The four parts of 512 bits, each 128 bits before the next.
static inline __m128i fold_parts(__m512i sum) {
  const __m128i next = _mm_set_epi64x(FOLD_128_HIGH, FOLD_128_LOW);
  __m128i found = _mm512_castsi512_si128(sum);
  found = fold_128(found, next, _mm512_extracti32x4_epi32(sum, 1));
  found = fold_128(found, next, _mm512_extracti32x4_epi32(sum, 2));
  return fold_128(found, next, _mm512_extracti32x4_epi32(sum, 3));
}

static uint32_t crc32(const uint8_t *message, size_t bytes) {
  if (bytes < 64) return ~crc32_bytes(0xffffffffU, message, bytes);
  const __m512i by_512 = fold_by(FOLD_512_LOW, FOLD_512_HIGH);
  const __m512i start = _mm512_zextsi128_si512(_mm_cvtsi32_si128(-1));
  __m512i last = _mm512_xor_si512(_mm512_loadu_si512(message), start);
  size_t at = 64;
  if (bytes >= 256) {
    const __m512i by = fold_by(FOLD_2048_LOW, FOLD_2048_HIGH);
    __m512i sum0 = last, sum1 = _mm512_loadu_si512(message + 64);
    __m512i sum2 = _mm512_loadu_si512(message + 128), sum3 = _mm512_loadu_si512(message + 192);
    for (at = 256; at + 256 <= bytes; at += 256) {
      sum0 = fold_512(sum0, by, _mm512_loadu_si512(message + at));
      sum1 = fold_512(sum1, by, _mm512_loadu_si512(message + at + 64));
      sum2 = fold_512(sum2, by, _mm512_loadu_si512(message + at + 128));
      sum3 = fold_512(sum3, by, _mm512_loadu_si512(message + at + 192));
    }
    last = fold_512(fold_512(fold_512(sum0, by_512, sum1), by_512, sum2), by_512, sum3);
  }
  for (; at + 64 <= bytes; at += 64) {
    last = fold_512(last, by_512, _mm512_loadu_si512(message + at));
  }
  return ~fold_rest(fold_parts(last), message + at, bytes - at);
}

const char *lydite_impl(void) { return "vpclmul"; }

const char *lydite_cpu_flags(void) { return "avx512f vpclmulqdq pclmulqdq"; }

void lydite_checksum(const struct lydite_batch *batch) { crc32_batch(batch, crc32); }
