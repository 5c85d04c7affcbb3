// SPDX-License-Identifier: Apache-2.0
//
// Products modulo q and the number theoretic transform (FIPS 204, 7.5, 7.6) over vectors of eight
// 32-bit coefficients (AVX2). Transformed polynomials have an order of their own: of each 64
// coefficients, coefficient 8 g + i of the standard's order is at 8 i + g (`transpose`).

#ifndef LYDITE_CORES_DILITHIUM_SW_AVX2_NTT_H_
#define LYDITE_CORES_DILITHIUM_SW_AVX2_NTT_H_

#include <immintrin.h>

#include "../c/ntt.h"
#include "avx2_roots.h"

#define ALWAYS_INLINE static inline __attribute__((always_inline))

// A factor of many products: its even and its odd lanes, and these times 1/q modulo 2^32.
typedef struct {
  __m256i even, odd, even_low, odd_low;
} factor;

ALWAYS_INLINE __m256i load_x8(const int32_t *in) { return _mm256_load_si256((const void *)in); }

ALWAYS_INLINE void store_x8(int32_t *out, __m256i v) { _mm256_store_si256((void *)out, v); }

// The odd lanes in the place of the even ones.
ALWAYS_INLINE __m256i odd_lanes(__m256i v) {
  return _mm256_castps_si256(_mm256_movehdup_ps(_mm256_castsi256_ps(v)));
}

// The upper halves of the even lanes' 64-bit numbers and of the odd lanes'.
ALWAYS_INLINE __m256i upper_halves(__m256i even, __m256i odd) {
  return _mm256_blend_epi32(odd_lanes(even), odd, 0xaa);
}

ALWAYS_INLINE factor factor_of(__m256i value, __m256i low) {
  return (factor){value, odd_lanes(value), low, odd_lanes(low)};
}

// One factor for all lanes; the compiler knows constants' second part.
ALWAYS_INLINE factor factor_of_all(int32_t value, int32_t low) {
  const __m256i values = _mm256_set1_epi32(value), lows = _mm256_set1_epi32(low);
  return (factor){values, values, lows, lows};
}

ALWAYS_INLINE factor factor_constant(int32_t value) {
  return factor_of_all(value, (int32_t)((uint32_t)value * (uint32_t)Q_INVERSE));
}

// a b / 2^32 modulo q in (-q, q) of each lane, for |a b| < 2^31 q (algorithm 49): what the quotient
// takes away is known before the product is.
ALWAYS_INLINE __m256i product_x8(__m256i a, factor b) {
  const __m256i q = _mm256_set1_epi32(Q), a_odd = odd_lanes(a);
  const __m256i even_quotient = _mm256_mul_epi32(a, b.even_low);
  const __m256i odd_quotient = _mm256_mul_epi32(a_odd, b.odd_low);
  const __m256i even = _mm256_mul_epi32(a, b.even), odd = _mm256_mul_epi32(a_odd, b.odd);
  return upper_halves(_mm256_sub_epi64(even, _mm256_mul_epi32(even_quotient, q)),
                      _mm256_sub_epi64(odd, _mm256_mul_epi32(odd_quotient, q)));
}

// A butterfly of the transform, and one of the transform back.
ALWAYS_INLINE void butterfly(__m256i *a, __m256i *b, factor zeta) {
  const __m256i t = product_x8(*b, zeta);
  *b = _mm256_sub_epi32(*a, t);
  *a = _mm256_add_epi32(*a, t);
}

ALWAYS_INLINE void butterfly_back(__m256i *a, __m256i *b, factor zeta) {
  const __m256i t = _mm256_sub_epi32(*b, *a);
  *a = _mm256_add_epi32(*a, *b);
  *b = product_x8(t, zeta);
}

// Eight vectors as rows become columns.
ALWAYS_INLINE void transpose(__m256i v[8]) {
  __m256i pair[8], four[8];
  for (int i = 0; i < 8; i += 2) {
    pair[i] = _mm256_unpacklo_epi32(v[i], v[i + 1]);
    pair[i + 1] = _mm256_unpackhi_epi32(v[i], v[i + 1]);
  }
  for (int i = 0; i < 8; i += 4) {
    four[i] = _mm256_unpacklo_epi64(pair[i], pair[i + 2]);
    four[i + 1] = _mm256_unpackhi_epi64(pair[i], pair[i + 2]);
    four[i + 2] = _mm256_unpacklo_epi64(pair[i + 1], pair[i + 3]);
    four[i + 3] = _mm256_unpackhi_epi64(pair[i + 1], pair[i + 3]);
  }
  for (int i = 0; i < 4; i++) {
    v[i] = _mm256_permute2x128_si256(four[i], four[i + 4], 0x20);
    v[i + 4] = _mm256_permute2x128_si256(four[i], four[i + 4], 0x31);
  }
}

// One of the roots between vectors.
ALWAYS_INLINE factor root(unsigned k) { return factor_of_all(zetas[k], roots_low[k]); }

// Roots of the last layers of a block.
ALWAYS_INLINE factor inner_root(unsigned block, unsigned k) {
  return factor_of(load_x8(roots_inner[block][k]), load_x8(roots_inner_low[block][k]));
}

// The same for the transform back, which takes blocks, groups and roots from the end.
ALWAYS_INLINE factor inner_root_back(unsigned block, unsigned k) {
  const __m256i turned_round = _mm256_setr_epi32(7, 6, 5, 4, 3, 2, 1, 0);
  const int32_t *value = roots_inner[3 - block][k], *low = roots_inner_low[3 - block][k];
  return factor_of(_mm256_permutevar8x32_epi32(load_x8(value), turned_round),
                   _mm256_permutevar8x32_epi32(load_x8(low), turned_round));
}

// Algorithm 41: inputs in (-q, q), outputs in (-9q, 9q). out may be in.
static void ntt_x8(int32_t out[N], const int32_t in[N]) {
  for (unsigned i = 0; i < 64; i += 8) {
    __m256i a = load_x8(in + i), b = load_x8(in + 64 + i);
    __m256i c = load_x8(in + 128 + i), d = load_x8(in + 192 + i);
    butterfly(&a, &c, factor_constant(zetas[1]));
    butterfly(&b, &d, factor_constant(zetas[1]));
    butterfly(&a, &b, factor_constant(zetas[2]));
    butterfly(&c, &d, factor_constant(zetas[3]));
    store_x8(out + i, a);
    store_x8(out + 64 + i, b);
    store_x8(out + 128 + i, c);
    store_x8(out + 192 + i, d);
  }
  for (unsigned block = 0; block < 4; block++) {
    int32_t *at = out + 64 * block;
    __m256i v[8];
    for (int i = 0; i < 8; i++) v[i] = load_x8(at + 8 * i);
    for (int i = 0; i < 4; i++) butterfly(&v[i], &v[i + 4], root(4 + block));
    for (int i = 0; i < 4; i++) {
      butterfly(&v[i + (i & 2)], &v[i + (i & 2) + 2], root(8 + 2 * block + (unsigned)i / 2));
    }
    for (int i = 0; i < 4; i++) {
      butterfly(&v[2 * i], &v[2 * i + 1], root(16 + 4 * block + (unsigned)i));
    }
    transpose(v);
    for (int i = 0; i < 4; i++) butterfly(&v[i], &v[i + 4], inner_root(block, 0));
    for (int i = 0; i < 4; i++) {
      butterfly(&v[i + (i & 2)], &v[i + (i & 2) + 2], inner_root(block, 1 + (unsigned)i / 2));
    }
    for (int i = 0; i < 4; i++) {
      butterfly(&v[2 * i], &v[2 * i + 1], inner_root(block, 3 + (unsigned)i));
    }
    for (int i = 0; i < 8; i++) store_x8(at + 8 * i, v[i]);
  }
}

// Algorithm 42, in place, times 2^32: the transform back. Inputs and outputs in (-q, q). Nothing is
// reduced between: sums double in each of eight layers, and 2^8 q is less than 2^31.
static void inverse_ntt_x8(int32_t a[N]) {
  for (unsigned block = 0; block < 4; block++) {
    int32_t *at = a + 64 * block;
    __m256i v[8];
    for (int i = 0; i < 8; i++) v[i] = load_x8(at + 8 * i);
    for (int i = 0; i < 4; i++) {
      butterfly_back(&v[2 * i], &v[2 * i + 1], inner_root_back(block, 6 - (unsigned)i));
    }
    for (int i = 0; i < 4; i++) {
      butterfly_back(&v[i + (i & 2)], &v[i + (i & 2) + 2],
                     inner_root_back(block, 2 - (unsigned)i / 2));
    }
    for (int i = 0; i < 4; i++) butterfly_back(&v[i], &v[i + 4], inner_root_back(block, 0));
    transpose(v);
    for (int i = 0; i < 4; i++) {
      butterfly_back(&v[2 * i], &v[2 * i + 1], root(31 - 4 * block - (unsigned)i));
    }
    for (int i = 0; i < 4; i++) {
      butterfly_back(&v[i + (i & 2)], &v[i + (i & 2) + 2],
                     root(15 - 2 * block - (unsigned)i / 2));
    }
    for (int i = 0; i < 4; i++) butterfly_back(&v[i], &v[i + 4], root(7 - block));
    for (int i = 0; i < 8; i++) store_x8(at + 8 * i, v[i]);
  }
  const factor scale = factor_constant(SCALE);
  const factor scaled_root = factor_constant(product(zetas[1], SCALE));
  for (unsigned i = 0; i < 64; i += 8) {
    __m256i v[4];
    for (unsigned k = 0; k < 4; k++) v[k] = load_x8(a + 64 * k + i);
    butterfly_back(&v[0], &v[1], factor_constant(zetas[3]));
    butterfly_back(&v[2], &v[3], factor_constant(zetas[2]));
    butterfly_back(&v[0], &v[2], scaled_root);
    butterfly_back(&v[1], &v[3], scaled_root);
    store_x8(a + i, product_x8(v[0], scale));
    store_x8(a + 64 + i, product_x8(v[1], scale));
    store_x8(a + 128 + i, v[2]);
    store_x8(a + 192 + i, v[3]);
  }
}

// From the standard's order of a transformed polynomial to the order here. out may be in.
static void order_x8(int32_t out[N], const int32_t in[N]) {
  for (unsigned block = 0; block < N; block += 64) {
    __m256i v[8];
    for (unsigned i = 0; i < 8; i++) {
      v[i] = _mm256_loadu_si256((const void *)(in + block + 8 * i));
    }
    transpose(v);
    for (unsigned i = 0; i < 8; i++) store_x8(out + block + 8 * i, v[i]);
  }
}

// The sum of the products of `count` pairs of transformed polynomials, which lie behind each other,
// divided by 2^32: in (-q, q), where the sum of the products is less than 2^31 q.
ALWAYS_INLINE void dot_x8(int32_t out[N], const int32_t *a, const int32_t *b, unsigned count) {
  const __m256i q = _mm256_set1_epi32(Q), q_inverse = _mm256_set1_epi32(Q_INVERSE);
  for (unsigned i = 0; i < N; i += 8) {
    __m256i even = _mm256_setzero_si256(), odd = even;
    for (unsigned k = 0; k < count; k++) {
      const __m256i x = load_x8(a + N * k + i), y = load_x8(b + N * k + i);
      even = _mm256_add_epi64(even, _mm256_mul_epi32(x, y));
      odd = _mm256_add_epi64(odd, _mm256_mul_epi32(odd_lanes(x), odd_lanes(y)));
    }
    const __m256i even_quotient = _mm256_mul_epi32(even, q_inverse);
    const __m256i odd_quotient = _mm256_mul_epi32(odd, q_inverse);
    store_x8(out + i, upper_halves(_mm256_sub_epi64(even, _mm256_mul_epi32(even_quotient, q)),
                                   _mm256_sub_epi64(odd, _mm256_mul_epi32(odd_quotient, q))));
  }
}

#endif  // LYDITE_CORES_DILITHIUM_SW_AVX2_NTT_H_
