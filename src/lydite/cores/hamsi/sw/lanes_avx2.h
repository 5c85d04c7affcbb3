// SPDX-License-Identifier: Apache-2.0
//
// The code and the S-box of Hamsi-256 for eight messages: tables give the eight words of a message,
// which are then turned into words of eight messages.

#ifndef LYDITE_CORES_HAMSI_SW_LANES_AVX2_H_
#define LYDITE_CORES_HAMSI_SW_LANES_AVX2_H_

#include "table.h"

// The eight words of a message. What is added has the constants of the first round.
static inline __m256i expanded(const uint8_t word[4], __m256i added) {
#pragma GCC unroll 4
  for (size_t byte = 0; byte < 4; byte++) {
    added ^= _mm256_loadu_si256((const void *)hamsi_table[byte][word[byte]]);
  }
  return added;
}

static inline void expand(lanes32 m[8], lanes32 word) {
  uint8_t bytes[LANES][4];
  memcpy(bytes, &word, sizeof bytes);
  uint32_t constants[8];
  for (size_t i = 0; i < 8; i++) {
    constants[i] = hamsi_alpha[0][code_places[i] / 4][code_places[i] % 4];
  }
  const __m256i added = _mm256_loadu_si256((const void *)constants);
  __m256i t[8], u[8];
#pragma GCC unroll 8
  for (size_t i = 0; i < 8; i++) u[i] = expanded(bytes[i], added);
#pragma GCC unroll 4
  for (size_t i = 0; i < 8; i += 2) {
    t[i] = _mm256_unpacklo_epi32(u[i], u[i + 1]);
    t[i + 1] = _mm256_unpackhi_epi32(u[i], u[i + 1]);
  }
#pragma GCC unroll 2
  for (size_t i = 0; i < 8; i += 4) {
    u[i] = _mm256_unpacklo_epi64(t[i], t[i + 2]);
    u[i + 1] = _mm256_unpackhi_epi64(t[i], t[i + 2]);
    u[i + 2] = _mm256_unpacklo_epi64(t[i + 1], t[i + 3]);
    u[i + 3] = _mm256_unpackhi_epi64(t[i + 1], t[i + 3]);
  }
#pragma GCC unroll 4
  for (size_t i = 0; i < 4; i++) {
    m[i] = (lanes32)_mm256_permute2x128_si256(u[i], u[i + 4], 0x20);
    m[i + 4] = (lanes32)_mm256_permute2x128_si256(u[i], u[i + 4], 0x31);
  }
}

// A circuit of fifteen operations.
static inline void substitute(lanes32 *w0, lanes32 *w1, lanes32 *w2, lanes32 *w3) {
  const lanes32 a = *w0, b = *w1, c = *w2, d = *w3;
  const lanes32 ac = a & c, bc = b ^ c, p = d ^ ac;
  const lanes32 q = a ^ c ^ (b & ~p), r = (b | ac) ^ (bc & ~d);
  *w0 = p ^ bc;
  *w2 = p ^ (q & ~r);
  *w1 = r ^ (q & *w2);
  *w3 = ~q;
}

#define HASH_IMPL LANES32_IMPL
#define HASH_CPU_FLAGS LANES32_CPU_FLAGS

#endif  // LYDITE_CORES_HAMSI_SW_LANES_AVX2_H_
