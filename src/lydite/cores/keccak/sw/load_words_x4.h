// SPDX-License-Identifier: Apache-2.0
//
// Transposition of words for the variants that hash four messages at once (AVX2 is enough).

#ifndef LYDITE_CORES_KECCAK_SW_LOAD_WORDS_X4_H_
#define LYDITE_CORES_KECCAK_SW_LOAD_WORDS_X4_H_

#include <immintrin.h>
#include <stddef.h>
#include <stdint.h>

#define LANES 4
#define LANE __m256i
#define WORDS 2
#define VECTOR_LOAD(p) _mm256_load_si256((const void *)(p))
#define VECTOR_STORE(p, v) _mm256_store_si256((void *)(p), v)

// Two words of messages i and j.
static inline __m256i load_pair(const uint8_t *i, const uint8_t *j) {
  const __m128i low = _mm_loadu_si128((const void *)i);
  const __m128i high = _mm_loadu_si128((const void *)j);
  return _mm256_inserti128_si256(_mm256_castsi128_si256(low), high, 1);
}

static inline void load_words(__m256i w[2], const uint8_t *const in[4], size_t offset) {
  const __m256i m02 = load_pair(in[0] + offset, in[2] + offset);
  const __m256i m13 = load_pair(in[1] + offset, in[3] + offset);
  w[0] = _mm256_unpacklo_epi64(m02, m13);
  w[1] = _mm256_unpackhi_epi64(m02, m13);
}

#endif  // LYDITE_CORES_KECCAK_SW_LOAD_WORDS_X4_H_
