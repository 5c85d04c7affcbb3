// SPDX-License-Identifier: Apache-2.0
//
// Keccak-f[1600] of four states at once with AVX2: a 64-bit lane of each in a vector. What
// keccak_rounds.h wants, but for RC(round), which who includes this defines.

#ifndef LYDITE_CORES_COMMON_SW_KECCAK_AVX2_H_
#define LYDITE_CORES_COMMON_SW_KECCAK_AVX2_H_

#include <immintrin.h>

#define LANE __m256i
#define XOR(a, b) _mm256_xor_si256(a, b)
#define XOR3(a, b, c) XOR(XOR(a, b), c)
#define XOR5(a, b, c, d, e) XOR(XOR(XOR(a, b), XOR(c, d)), e)
#define CHI(a, b, c) _mm256_xor_si256(a, _mm256_andnot_si256(b, c))
#define ROL(a, n) rotate_left_x4(a, n)

// Whole bytes go by one shuffle, 1 by an addition, which more units can do than a shift.
static inline __attribute__((always_inline)) __m256i rotate_left_x4(__m256i lane, const int n) {
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

#include "keccak_rounds.h"

#endif  // LYDITE_CORES_COMMON_SW_KECCAK_AVX2_H_
