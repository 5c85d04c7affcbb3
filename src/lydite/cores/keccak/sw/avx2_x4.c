// SPDX-License-Identifier: Apache-2.0
//
// SHA-3 and SHAKE (FIPS 202), four messages at once with AVX2.

#include <immintrin.h>

#include "keccak.h"
#include "load_words_x4.h"

#define XOR(a, b) _mm256_xor_si256(a, b)
#define XOR3(a, b, c) XOR(XOR(a, b), c)
#define XOR5(a, b, c, d, e) XOR(XOR(XOR(a, b), XOR(c, d)), e)
#define CHI(a, b, c) _mm256_xor_si256(a, _mm256_andnot_si256(b, c))
#define ROL(a, n) rotate_left(a, n)
#define RC(round) _mm256_set1_epi64x((long long)keccak_rc[round])

// Whole bytes go by one shuffle, 1 by an addition, which more units can do than a shift.
static inline __attribute__((always_inline)) __m256i rotate_left(__m256i lane, const int n) {
  if (n == 8) {
    return _mm256_shuffle_epi8(lane, _mm256_set_epi64x(0x0e0d0c0b0a09080f, 0x0605040302010007,
                                                       0x0e0d0c0b0a09080f, 0x0605040302010007));
  }
  if (n == 56) {
    return _mm256_shuffle_epi8(lane, _mm256_set_epi64x(0x080f0e0d0c0b0a09, 0x0007060504030201,
                                                       0x080f0e0d0c0b0a09, 0x0007060504030201));
  }
  const __m256i left = n == 1 ? _mm256_add_epi64(lane, lane) : _mm256_slli_epi64(lane, n);
  return _mm256_or_si256(left, _mm256_srli_epi64(lane, 64 - n));
}

#define KECCAK_IMPL "avx2-x4"
#define KECCAK_CPU_FLAGS "avx2"

#include "sponge_multi.h"
