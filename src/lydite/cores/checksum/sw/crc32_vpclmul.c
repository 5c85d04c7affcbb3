// SPDX-License-Identifier: Apache-2.0
//
// CRC-32 (ISO/IEC 13239, 4.2.5.3) by carry-less multiplication of 512 bits, 512 bytes at a time.

#include "fold.h"

// Sums beside each other: a product takes as long as the multiplier is busy with the others.
#define SUMS 8

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
  // From the beginning of its line on, so that no load is of two. Zeros before a message change
  // nothing; what its first four bytes are added to has to be in this line.
  const size_t in_line = (uintptr_t)message % 64;
  const size_t before = in_line <= 60 ? in_line : 0;
  message -= before;
  bytes += before;
  const __m512i start = _mm512_maskz_set1_epi8((__mmask64)0xf << before, -1);
  __m512i last = _mm512_maskz_loadu_epi8(~(__mmask64)0 << before, message);
  last = _mm512_xor_si512(last, start);
  size_t at = 64;
  if (bytes >= 64 * SUMS) {
    const __m512i by = fold_by(FOLD_4096_LOW, FOLD_4096_HIGH);
    __m512i sums[SUMS] = {last};
#pragma GCC unroll 8
    for (int i = 1; i < SUMS; i++) sums[i] = _mm512_loadu_si512(message + 64 * i);
    for (at = 64 * SUMS; at + 64 * SUMS <= bytes; at += 64 * SUMS) {
#pragma GCC unroll 8
      for (int i = 0; i < SUMS; i++) {
        sums[i] = fold_512(sums[i], by, _mm512_loadu_si512(message + at + 64 * i));
      }
    }
    last = sums[0];
#pragma GCC unroll 8
    for (int i = 1; i < SUMS; i++) last = fold_512(last, by_512, sums[i]);
  }
  for (; at + 64 <= bytes; at += 64) {
    last = fold_512(last, by_512, _mm512_loadu_si512(message + at));
  }
  return ~fold_rest(fold_parts(last), message + at, bytes - at);
}

const char *lydite_impl(void) { return "vpclmul"; }

const char *lydite_cpu_flags(void) { return "avx512f avx512bw vpclmulqdq pclmulqdq"; }

void lydite_checksum(const struct lydite_batch *batch) { crc32_batch(batch, crc32); }
