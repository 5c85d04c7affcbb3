// SPDX-License-Identifier: Apache-2.0
//
// Words of 32 bits of several messages, one of each in the lanes of a vector, on which the
// operators of C work (an extension of gcc and clang). The including file defines LANES before: 16
// for AVX-512, 8 for AVX2.

#ifndef LYDITE_CORES_COMMON_SW_LANES32_H_
#define LYDITE_CORES_COMMON_SW_LANES32_H_

#include <immintrin.h>
#include <stddef.h>

#include "bytes.h"
#if LANES == 16
#include "quarters.h"
#endif

typedef uint32_t lanes32 __attribute__((vector_size(4 * LANES)));

static inline lanes32 lanes32_all(uint32_t word) { return (lanes32){0} + word; }

static inline lanes32 lanes32_rotate(lanes32 w, unsigned count) {
  return w << count | w >> (32 - count);
}

// The other order of bytes in each word.
static inline lanes32 lanes32_swap(lanes32 w) {
  return (lanes32_rotate(w, 8) & 0x00ff00ff) | (lanes32_rotate(w, 24) & 0xff00ff00);
}

// Four words of each message, little-endian, from byte `at`. What is loaded of every fourth one
// stands side by side, so that the lanes come out in order.
#if LANES == 16

static inline __m512i lanes32_quads(const uint8_t *const in[LANES], size_t at, size_t first) {
  return load_quarters(in[first] + at, in[first + 4] + at, in[first + 8] + at, in[first + 12] + at);
}

static inline void lanes32_load(lanes32 w[4], const uint8_t *const in[LANES], size_t at) {
  const __m512i m0 = lanes32_quads(in, at, 0), m1 = lanes32_quads(in, at, 1);
  const __m512i m2 = lanes32_quads(in, at, 2), m3 = lanes32_quads(in, at, 3);
  const __m512i low01 = _mm512_unpacklo_epi32(m0, m1), high01 = _mm512_unpackhi_epi32(m0, m1);
  const __m512i low23 = _mm512_unpacklo_epi32(m2, m3), high23 = _mm512_unpackhi_epi32(m2, m3);
  w[0] = (lanes32)_mm512_unpacklo_epi64(low01, low23);
  w[1] = (lanes32)_mm512_unpackhi_epi64(low01, low23);
  w[2] = (lanes32)_mm512_unpacklo_epi64(high01, high23);
  w[3] = (lanes32)_mm512_unpackhi_epi64(high01, high23);
}

#elif LANES == 8

static inline __m256i lanes32_quads(const uint8_t *const in[LANES], size_t at, size_t first) {
  const __m128i low = _mm_loadu_si128((const void *)(in[first] + at));
  const __m128i high = _mm_loadu_si128((const void *)(in[first + 4] + at));
  return _mm256_inserti128_si256(_mm256_castsi128_si256(low), high, 1);
}

static inline void lanes32_load(lanes32 w[4], const uint8_t *const in[LANES], size_t at) {
  const __m256i m0 = lanes32_quads(in, at, 0), m1 = lanes32_quads(in, at, 1);
  const __m256i m2 = lanes32_quads(in, at, 2), m3 = lanes32_quads(in, at, 3);
  const __m256i low01 = _mm256_unpacklo_epi32(m0, m1), high01 = _mm256_unpackhi_epi32(m0, m1);
  const __m256i low23 = _mm256_unpacklo_epi32(m2, m3), high23 = _mm256_unpackhi_epi32(m2, m3);
  w[0] = (lanes32)_mm256_unpacklo_epi64(low01, low23);
  w[1] = (lanes32)_mm256_unpackhi_epi64(low01, low23);
  w[2] = (lanes32)_mm256_unpacklo_epi64(high01, high23);
  w[3] = (lanes32)_mm256_unpackhi_epi64(high01, high23);
}

#endif

// A digest of each message, its words little-endian.
static inline void lanes32_store(uint8_t *const out[LANES], const lanes32 *w, size_t words) {
  for (size_t i = 0; i < words; i++) {
    for (size_t lane = 0; lane < LANES; lane++) store32_le(out[lane] + 4 * i, w[i][lane]);
  }
}

// The answers of lydite_impl and lydite_cpu_flags, where nothing else is needed.
#if LANES == 16
#define LANES32_IMPL "avx512-x16"
#define LANES32_CPU_FLAGS "avx512f"
#else
#define LANES32_IMPL "avx2-x8"
#define LANES32_CPU_FLAGS "avx2"
#endif

#endif  // LYDITE_CORES_COMMON_SW_LANES32_H_
