// SPDX-License-Identifier: Apache-2.0
//
// BLAKE3, eight chunks or parents at once with AVX2. BLAKE3_THREADS = 1: in as many threads as the
// machine has processors.

#include <immintrin.h>

#include "blake3.h"

#define LANES 8
#define VECTOR __m256i
#define LANE_ADD(a, b) _mm256_add_epi32(a, b)
#define LANE_XOR(a, b) _mm256_xor_si256(a, b)
#define LANE_ALL(word) _mm256_set1_epi32((int)(word))
#define LANE_LOAD(from) _mm256_loadu_si256((const void *)(from))
#define LANE_ROR(a, n) rotate(a, n)
#if BLAKE3_THREADS
#define BLAKE3_IMPL "avx2-x8-threads"
#else
#define BLAKE3_IMPL "avx2-x8"
#endif
#define BLAKE3_CPU_FLAGS "avx2"

static inline __m256i rotate(__m256i a, int bits) {
  const __m256i by_16 =
      _mm256_set_epi8(13, 12, 15, 14, 9, 8, 11, 10, 5, 4, 7, 6, 1, 0, 3, 2,  //
                      13, 12, 15, 14, 9, 8, 11, 10, 5, 4, 7, 6, 1, 0, 3, 2);
  const __m256i by_8 =
      _mm256_set_epi8(12, 15, 14, 13, 8, 11, 10, 9, 4, 7, 6, 5, 0, 3, 2, 1,  //
                      12, 15, 14, 13, 8, 11, 10, 9, 4, 7, 6, 5, 0, 3, 2, 1);
  if (bits == 16) return _mm256_shuffle_epi8(a, by_16);
  if (bits == 8) return _mm256_shuffle_epi8(a, by_8);
  return _mm256_or_si256(_mm256_srli_epi32(a, bits), _mm256_slli_epi32(a, 32 - bits));
}

static inline void transpose(__m256i m[8]) {
  __m256i pairs[8], fours[8];
  for (int i = 0; i < 8; i += 2) {
    pairs[i] = _mm256_unpacklo_epi32(m[i], m[i + 1]);
    pairs[i + 1] = _mm256_unpackhi_epi32(m[i], m[i + 1]);
  }
  for (int i = 0; i < 8; i += 4) {
    fours[i] = _mm256_unpacklo_epi64(pairs[i], pairs[i + 2]);
    fours[i + 1] = _mm256_unpackhi_epi64(pairs[i], pairs[i + 2]);
    fours[i + 2] = _mm256_unpacklo_epi64(pairs[i + 1], pairs[i + 3]);
    fours[i + 3] = _mm256_unpackhi_epi64(pairs[i + 1], pairs[i + 3]);
  }
  for (int i = 0; i < 4; i++) {
    m[i] = _mm256_permute2x128_si256(fours[i], fours[i + 4], 0x20);
    m[i + 4] = _mm256_permute2x128_si256(fours[i], fours[i + 4], 0x31);
  }
}

#include "lanes.h"
#include "tree.h"
