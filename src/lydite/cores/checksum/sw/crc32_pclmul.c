// SPDX-License-Identifier: Apache-2.0
//
// CRC-32 (ISO/IEC 13239, 4.2.5.3) by carry-less multiplication, 64 bytes at a time.

#include "fold.h"

static uint32_t crc32(const uint8_t *message, size_t bytes) {
  if (bytes < 64) return ~crc32_bytes(0xffffffffU, message, bytes);
  const __m128i by = _mm_set_epi64x(FOLD_512_HIGH, FOLD_512_LOW);
  const __m128i start = _mm_cvtsi32_si128(-1);
  __m128i sum[4];
  for (int i = 0; i < 4; i++) sum[i] = fold_load(message + 16 * i);
  sum[0] = _mm_xor_si128(sum[0], start);
  size_t at = 64;
  for (; at + 64 <= bytes; at += 64) {
    for (size_t i = 0; i < 4; i++) sum[i] = fold_128(sum[i], by, fold_load(message + at + 16 * i));
  }
  const __m128i next = _mm_set_epi64x(FOLD_128_HIGH, FOLD_128_LOW);
  for (int i = 1; i < 4; i++) sum[i] = fold_128(sum[i - 1], next, sum[i]);
  return ~fold_rest(sum[3], message + at, bytes - at);
}

const char *lydite_impl(void) { return "pclmul"; }

const char *lydite_cpu_flags(void) { return "sse4_1 pclmulqdq"; }

void lydite_checksum(const struct lydite_batch *batch) { crc32_batch(batch, crc32); }
