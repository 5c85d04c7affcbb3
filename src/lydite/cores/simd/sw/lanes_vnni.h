// SPDX-License-Identifier: Apache-2.0
//
// The operations of SIMD-256 on sixteen messages: VNNI of AVX-512 multiplies four bytes of a lane
// by four factors, and adds all to a lane.

#ifndef LYDITE_CORES_SIMD_SW_LANES_VNNI_H_
#define LYDITE_CORES_SIMD_SW_LANES_VNNI_H_

#define GROUPS 2  // of the eight bytes of a class
typedef int8_t factor;

// Bytes c, c + 8, c + 16 and so on of a block are class c, four in a lane.
static inline void to_classes(lanes32 x[8][GROUPS], const lanes32 m[16]) {
  for (size_t odd = 0; odd < 2; odd++) {
    for (size_t g = 0; g < GROUPS; g++) {
      const lanes32 *const w = m + 8 * g + odd;
      const lanes32 low02 = (w[0] & 0x00ff00ff) | (w[2] << 8 & 0xff00ff00);
      const lanes32 low13 = (w[0] >> 8 & 0x00ff00ff) | (w[2] & 0xff00ff00);
      const lanes32 high02 = (w[4] & 0x00ff00ff) | (w[6] << 8 & 0xff00ff00);
      const lanes32 high13 = (w[4] >> 8 & 0x00ff00ff) | (w[6] & 0xff00ff00);
      x[4 * odd][g] = (low02 & 0xffff) | high02 << 16;
      x[4 * odd + 1][g] = (low13 & 0xffff) | high13 << 16;
      x[4 * odd + 2][g] = low02 >> 16 | (high02 & 0xffff0000);
      x[4 * odd + 3][g] = low13 >> 16 | (high13 & 0xffff0000);
    }
  }
}

static inline lanes32 add_products(lanes32 sum, lanes32 inputs, lanes32 factors) {
  return (lanes32)_mm512_dpbusd_epi32((__m512i)sum, (__m512i)inputs, (__m512i)factors);
}

// The bytes of each lane times 3, -3, 3 and -3.
static inline lanes32 alternating_sum(lanes32 added, lanes32 x) {
  return add_products(added, x, lanes32_all(0xfd03fd03));
}

static inline halves pack(lanes32 a, lanes32 b) {
  return (halves)_mm512_packus_epi32((__m512i)a, (__m512i)b);
}

// Lanes of a half of a and one of b, the inverse of `pack`.
static inline void unpack(lanes32 *first, lanes32 *second, halves a, halves b) {
  *first = (lanes32)_mm512_unpacklo_epi16((__m512i)a, (__m512i)b);
  *second = (lanes32)_mm512_unpackhi_epi16((__m512i)a, (__m512i)b);
}

// The upper 16 bits of the product.
static inline halves high_product(halves a, uint16_t b) {
  return (halves)_mm512_mulhi_epu16((__m512i)a, _mm512_set1_epi16((short)b));
}

static inline lanes32 choose(lanes32 a, lanes32 b, lanes32 c) {
  return (lanes32)_mm512_ternarylogic_epi32((__m512i)a, (__m512i)b, (__m512i)c, 0xca);
}

static inline lanes32 majority(lanes32 a, lanes32 b, lanes32 c) {
  return (lanes32)_mm512_ternarylogic_epi32((__m512i)a, (__m512i)b, (__m512i)c, 0xe8);
}

#define HASH_IMPL "vnni-x16"
#define HASH_CPU_FLAGS "avx512_vnni avx512bw avx512f"

#endif  // LYDITE_CORES_SIMD_SW_LANES_VNNI_H_
