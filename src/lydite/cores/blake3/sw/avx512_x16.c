// SPDX-License-Identifier: Apache-2.0
//
// BLAKE3, 16 chunks or parents at once with AVX-512. BLAKE3_THREADS = 1: in as many threads as the
// machine has processors.

#include <immintrin.h>

#include "blake3.h"

#define LANES 16
#define LANE_LOAD_BLOCKS load_blocks
#define VECTOR __m512i
#define LANE_ADD(a, b) _mm512_add_epi32(a, b)
#define LANE_XOR(a, b) _mm512_xor_si512(a, b)
#define LANE_ALL(word) _mm512_set1_epi32((int)(word))
#define LANE_LOAD(from) _mm512_loadu_si512((const void *)(from))
#define LANE_ROR(a, n) _mm512_ror_epi32(a, n)
#if BLAKE3_THREADS
#define BLAKE3_IMPL "avx512-x16-threads"
#else
#define BLAKE3_IMPL "avx512-x16"
#endif
#define BLAKE3_CPU_FLAGS "avx512f"

#include "prefetch.h"

// Quarter q of vector i: words 4 (i / 4) to 4 (i / 4) + 3 of the block of input i % 4 + 4 q. What
// masks put together on the way in needs no shuffle, for which there is one port.
static inline __m512i load_row(const uint8_t *const in[16], size_t i, size_t at) {
  const uint8_t *const *lane = in + i % 4;
  const size_t part = at + 16 * (i / 4);
  const __m512i row = _mm512_castsi128_si512(_mm_loadu_si128((const void *)(lane[0] + part)));
  const __m128i second = _mm_loadu_si128((const void *)(lane[4] + part));
  const __m128i third = _mm_loadu_si128((const void *)(lane[8] + part));
  const __m128i fourth = _mm_loadu_si128((const void *)(lane[12] + part));
  const __m512i two = _mm512_mask_broadcast_i32x4(row, 0x00f0, second);
  const __m512i three = _mm512_mask_broadcast_i32x4(two, 0x0f00, third);
  return _mm512_mask_broadcast_i32x4(three, 0xf000, fourth);
}

// Four rows become four words before the next are loaded, without a loop: registers hold the 16
// words and the chaining values, and no row has to wait on the stack.
static inline void load_blocks(__m512i m[16], const uint8_t *const in[16], size_t at) {
#pragma GCC unroll 4
  for (size_t q = 0; q < 16; q += 4) {
    __m512i rows[4], pairs[4];
#pragma GCC unroll 4
    for (size_t i = 0; i < 4; i++) {
      LANE_PREFETCH(in[q + i] + at);
      rows[i] = load_row(in, q + i, at);
    }
    for (size_t i = 0; i < 4; i += 2) {
      pairs[i] = _mm512_unpacklo_epi32(rows[i], rows[i + 1]);
      pairs[i + 1] = _mm512_unpackhi_epi32(rows[i], rows[i + 1]);
    }
    m[q] = _mm512_unpacklo_epi64(pairs[0], pairs[2]);
    m[q + 1] = _mm512_unpackhi_epi64(pairs[0], pairs[2]);
    m[q + 2] = _mm512_unpacklo_epi64(pairs[1], pairs[3]);
    m[q + 3] = _mm512_unpackhi_epi64(pairs[1], pairs[3]);
  }
}

#include "lanes.h"
#include "tree.h"
