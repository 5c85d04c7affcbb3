// SPDX-License-Identifier: Apache-2.0
//
// SHA-3 and SHAKE (FIPS 202), eight messages at once with AVX-512.

#include <immintrin.h>

#include "keccak.h"

#define LANES 8
#define LANE __m512i
#define WORDS 8
#define XOR(a, b) _mm512_xor_si512(a, b)
#define XOR3(a, b, c) _mm512_ternarylogic_epi64(a, b, c, 0x96)
#define XOR5(a, b, c, d, e) XOR3(XOR(a, b), XOR(c, d), e)
#define CHI(a, b, c) _mm512_ternarylogic_epi64(a, b, c, 0xd2)
#define ROL(a, n) _mm512_rol_epi64(a, n)
#define RC(round) _mm512_set1_epi64((long long)keccak_rc[round])
#define VECTOR_LOAD(p) _mm512_load_si512(p)
#define VECTOR_STORE(p, v) _mm512_store_si512(p, v)

// Four words of messages i and j.
static inline __m512i load_pair(const uint8_t *i, const uint8_t *j) {
  const __m256i low = _mm256_loadu_si256((const void *)i);
  const __m256i high = _mm256_loadu_si256((const void *)j);
  return _mm512_inserti64x4(_mm512_castsi256_si512(low), high, 1);
}

// Transposes 8 words of 8 messages. The pairs are chosen so that the two shuffles leave the
// messages in order.
static inline void load_words(__m512i w[8], const uint8_t *const in[8], size_t offset) {
  for (size_t half = 0; half < 2; half++) {
    const size_t at = offset + 32 * half;
    const __m512i m02 = load_pair(in[0] + at, in[2] + at);
    const __m512i m13 = load_pair(in[1] + at, in[3] + at);
    const __m512i m46 = load_pair(in[4] + at, in[6] + at);
    const __m512i m57 = load_pair(in[5] + at, in[7] + at);
    const __m512i even_low = _mm512_unpacklo_epi64(m02, m13);
    const __m512i odd_low = _mm512_unpackhi_epi64(m02, m13);
    const __m512i even_high = _mm512_unpacklo_epi64(m46, m57);
    const __m512i odd_high = _mm512_unpackhi_epi64(m46, m57);
    w[4 * half + 0] = _mm512_shuffle_i64x2(even_low, even_high, 0x88);
    w[4 * half + 1] = _mm512_shuffle_i64x2(odd_low, odd_high, 0x88);
    w[4 * half + 2] = _mm512_shuffle_i64x2(even_low, even_high, 0xdd);
    w[4 * half + 3] = _mm512_shuffle_i64x2(odd_low, odd_high, 0xdd);
  }
}

#define KECCAK_IMPL "avx512-x8"
#define KECCAK_CPU_FLAGS "avx512f"

#include "sponge_multi.h"
