// SPDX-License-Identifier: Apache-2.0
//
// Words of 64 bits of several messages, one of each in the lanes of a vector, on which the
// operators of C work (an extension of gcc and clang). The including file defines LANES before: 8
// for AVX-512, 4 for AVX2.

#ifndef LYDITE_CORES_COMMON_SW_LANES64_H_
#define LYDITE_CORES_COMMON_SW_LANES64_H_

#include <immintrin.h>
#include <stddef.h>

#include "bytes.h"

typedef uint64_t lanes64 __attribute__((vector_size(8 * LANES)));

static inline lanes64 lanes64_all(uint64_t word) { return (lanes64){0} + word; }

static inline lanes64 lanes64_rotate(lanes64 w, unsigned count) {
  return w << count | w >> (64 - count);
}

#if LANES == 8

// Four words of messages i and j.
static inline __m512i lanes64_pair(const uint8_t *i, const uint8_t *j) {
  const __m256i low = _mm256_loadu_si256((const void *)i);
  const __m256i high = _mm256_loadu_si256((const void *)j);
  return _mm512_inserti64x4(_mm512_castsi256_si512(low), high, 1);
}

// Four words of each message, little-endian, from byte `at`. The pairs are chosen so that the two
// shuffles leave the messages in order.
static inline void lanes64_load(lanes64 w[4], const uint8_t *const in[LANES], size_t at) {
  const __m512i m02 = lanes64_pair(in[0] + at, in[2] + at);
  const __m512i m13 = lanes64_pair(in[1] + at, in[3] + at);
  const __m512i m46 = lanes64_pair(in[4] + at, in[6] + at);
  const __m512i m57 = lanes64_pair(in[5] + at, in[7] + at);
  const __m512i even_low = _mm512_unpacklo_epi64(m02, m13);
  const __m512i odd_low = _mm512_unpackhi_epi64(m02, m13);
  const __m512i even_high = _mm512_unpacklo_epi64(m46, m57);
  const __m512i odd_high = _mm512_unpackhi_epi64(m46, m57);
  w[0] = (lanes64)_mm512_shuffle_i64x2(even_low, even_high, 0x88);
  w[1] = (lanes64)_mm512_shuffle_i64x2(odd_low, odd_high, 0x88);
  w[2] = (lanes64)_mm512_shuffle_i64x2(even_low, even_high, 0xdd);
  w[3] = (lanes64)_mm512_shuffle_i64x2(odd_low, odd_high, 0xdd);
}

#elif LANES == 4

// Two words of messages i and j.
static inline __m256i lanes64_pair(const uint8_t *i, const uint8_t *j) {
  const __m128i low = _mm_loadu_si128((const void *)i);
  const __m128i high = _mm_loadu_si128((const void *)j);
  return _mm256_inserti128_si256(_mm256_castsi128_si256(low), high, 1);
}

static inline void lanes64_load(lanes64 w[4], const uint8_t *const in[LANES], size_t at) {
  for (size_t half = 0; half < 2; half++) {
    const __m256i m02 = lanes64_pair(in[0] + at + 16 * half, in[2] + at + 16 * half);
    const __m256i m13 = lanes64_pair(in[1] + at + 16 * half, in[3] + at + 16 * half);
    w[2 * half] = (lanes64)_mm256_unpacklo_epi64(m02, m13);
    w[2 * half + 1] = (lanes64)_mm256_unpackhi_epi64(m02, m13);
  }
}

#endif

// A digest of each message, its words little-endian.
static inline void lanes64_store(uint8_t *const out[LANES], const lanes64 *w, size_t words) {
  for (size_t i = 0; i < words; i++) {
    for (size_t lane = 0; lane < LANES; lane++) store64_le(out[lane] + 8 * i, w[i][lane]);
  }
}

// The answers of lydite_impl and lydite_cpu_flags, where nothing else is needed.
#if LANES == 8
#define LANES64_IMPL "avx512-x8"
#define LANES64_CPU_FLAGS "avx512f"
#else
#define LANES64_IMPL "avx2-x4"
#define LANES64_CPU_FLAGS "avx2"
#endif

#endif  // LYDITE_CORES_COMMON_SW_LANES64_H_
