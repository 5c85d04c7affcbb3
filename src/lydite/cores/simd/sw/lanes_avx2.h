// SPDX-License-Identifier: Apache-2.0
//
// The operations of SIMD-256 on eight messages: AVX2 multiplies the two halves of a lane by two
// factors, and adds the products.

#ifndef LYDITE_CORES_SIMD_SW_LANES_AVX2_H_
#define LYDITE_CORES_SIMD_SW_LANES_AVX2_H_

#define GROUPS 4  // of the eight bytes of a class
typedef int16_t factor;

// Bytes c, c + 8, c + 16 and so on of a block are class c, two in a lane.
static inline void to_classes(lanes32 x[8][GROUPS], const lanes32 m[16]) {
  for (size_t odd = 0; odd < 2; odd++) {
    for (size_t g = 0; g < GROUPS; g++) {
      const lanes32 *const w = m + 4 * g + odd;
      const lanes32 low = (w[0] & 0xffff) | w[2] << 16, high = w[0] >> 16 | (w[2] & 0xffff0000);
      x[4 * odd][g] = low & 0x00ff00ff;
      x[4 * odd + 1][g] = low >> 8 & 0x00ff00ff;
      x[4 * odd + 2][g] = high & 0x00ff00ff;
      x[4 * odd + 3][g] = high >> 8 & 0x00ff00ff;
    }
  }
}

static inline lanes32 add_products(lanes32 sum, lanes32 inputs, lanes32 factors) {
  return sum + (lanes32)_mm256_madd_epi16((__m256i)inputs, (__m256i)factors);
}

// The bytes of each lane times 3, -3, 3 and -3.
static inline lanes32 alternating_sum(lanes32 added, lanes32 x) {
  const __m256i pairs = _mm256_maddubs_epi16((__m256i)x, _mm256_set1_epi16((short)0xfd03));
  return add_products(added, (lanes32)pairs, lanes32_all(0x00010001));
}

static inline halves pack(lanes32 a, lanes32 b) {
  return (halves)_mm256_packus_epi32((__m256i)a, (__m256i)b);
}

// Lanes of a half of a and one of b, the inverse of `pack`.
static inline void unpack(lanes32 *first, lanes32 *second, halves a, halves b) {
  *first = (lanes32)_mm256_unpacklo_epi16((__m256i)a, (__m256i)b);
  *second = (lanes32)_mm256_unpackhi_epi16((__m256i)a, (__m256i)b);
}

// The upper 16 bits of the product.
static inline halves high_product(halves a, uint16_t b) {
  return (halves)_mm256_mulhi_epu16((__m256i)a, _mm256_set1_epi16((short)b));
}

static inline lanes32 choose(lanes32 a, lanes32 b, lanes32 c) { return ((b ^ c) & a) ^ c; }

static inline lanes32 majority(lanes32 a, lanes32 b, lanes32 c) { return ((b ^ c) & (a ^ c)) ^ c; }

#define HASH_IMPL LANES32_IMPL
#define HASH_CPU_FLAGS LANES32_CPU_FLAGS

#endif  // LYDITE_CORES_SIMD_SW_LANES_AVX2_H_
