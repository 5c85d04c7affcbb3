// SPDX-License-Identifier: Apache-2.0
//
// BLAKE3, four chunks or parents at once with SSE4.1.

#include <immintrin.h>

#include "blake3.h"

#define LANES 4
#define VECTOR __m128i
#define LANE_ADD(a, b) _mm_add_epi32(a, b)
#define LANE_XOR(a, b) _mm_xor_si128(a, b)
#define LANE_ALL(word) _mm_set1_epi32((int)(word))
#define LANE_LOAD(from) _mm_loadu_si128((const void *)(from))
#define LANE_ROR(a, n) rotate(a, n)
#define BLAKE3_IMPL "sse41-x4"
#define BLAKE3_CPU_FLAGS "sse4_1"

static inline __m128i rotate(__m128i a, int bits) {
  const __m128i by_16 = _mm_set_epi8(13, 12, 15, 14, 9, 8, 11, 10, 5, 4, 7, 6, 1, 0, 3, 2);
  const __m128i by_8 = _mm_set_epi8(12, 15, 14, 13, 8, 11, 10, 9, 4, 7, 6, 5, 0, 3, 2, 1);
  if (bits == 16) return _mm_shuffle_epi8(a, by_16);
  if (bits == 8) return _mm_shuffle_epi8(a, by_8);
  return _mm_or_si128(_mm_srli_epi32(a, bits), _mm_slli_epi32(a, 32 - bits));
}

static inline void transpose(__m128i m[4]) {
  const __m128i a = _mm_unpacklo_epi32(m[0], m[1]), b = _mm_unpackhi_epi32(m[0], m[1]);
  const __m128i c = _mm_unpacklo_epi32(m[2], m[3]), d = _mm_unpackhi_epi32(m[2], m[3]);
  m[0] = _mm_unpacklo_epi64(a, c);
  m[1] = _mm_unpackhi_epi64(a, c);
  m[2] = _mm_unpacklo_epi64(b, d);
  m[3] = _mm_unpackhi_epi64(b, d);
}

#include "lanes.h"
#include "tree.h"
