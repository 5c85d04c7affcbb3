// SPDX-License-Identifier: Apache-2.0
//
// JH-256, a message in each lane of AVX-512 with GFNI, or of AVX2. A variable is two words, and a
// round works on the first ones and then on the second ones, since eight words and what is made of
// them are about as much as AVX2 has registers for.

#include "../../common/sw/lanes64.h"

#define LANE lanes64
#define AND(a, b) ((a) & (b))
#define OR(a, b) ((a) | (b))
#define XOR(a, b) ((a) ^ (b))
#define NOT_AND(a, b) (~(a) & (b))
#define NOT(a) (~(a))
#define SWAP(a, r) (a) = swap(a, r)
#define CONSTANT(words) lanes64_all(*(words))

// Each pair of bytes the other way round.
#define SWAPPED_BYTES 1, 0, 3, 2, 5, 4, 7, 6, 9, 8, 11, 10, 13, 12, 15, 14

// The exchange after round 6 is that of a variable's words, which is left to their user.
#if LANES == 8

#define TERNARY(a, b, c, f) \
  (lanes64)_mm512_ternarylogic_epi64((__m512i)(a), (__m512i)(b), (__m512i)(c), f)
// Multiplies the bits of each byte by a matrix.
#define TIMES(a, matrix) \
  (lanes64)_mm512_gf2p8affine_epi64_epi8((__m512i)(a), _mm512_set1_epi64(matrix), 0)

static inline __attribute__((always_inline)) lanes64 swap(lanes64 a, const unsigned r) {
  switch (r) {
    case 0:
      return TIMES(a, 0x0201080420108040);
    case 1:
      return TIMES(a, 0x0408010240801020);
    case 2:
      return TIMES(a, 0x1020408001020408);
    case 3:
      return (lanes64)_mm512_shuffle_epi8(
          (__m512i)a, _mm512_broadcast_i32x4(_mm_setr_epi8(SWAPPED_BYTES)));
    case 4:
      return (lanes64)_mm512_rol_epi32((__m512i)a, 16);
    case 5:
      return lanes64_rotate(a, 32);
    default:
      return a;
  }
}

#define HASH_IMPL "gfni-x8"
#define HASH_CPU_FLAGS "avx512bw avx512f gfni"

#elif LANES == 4

// Exchanges neighbours of `count` bits each, of which the mask has the lower one.
#define EXCHANGE(a, count, mask) (((a) >> (count) & (mask)) | ((a) & (mask)) << (count))

static inline __attribute__((always_inline)) lanes64 swap(lanes64 a, const unsigned r) {
  switch (r) {
    case 0:
      return EXCHANGE(a, 1, 0x5555555555555555);
    case 1:
      return EXCHANGE(a, 2, 0x3333333333333333);
    case 2:
      return EXCHANGE(a, 4, 0x0f0f0f0f0f0f0f0f);
    case 3:
      return (lanes64)_mm256_shuffle_epi8(
          (__m256i)a, _mm256_broadcastsi128_si256(_mm_setr_epi8(SWAPPED_BYTES)));
    case 4:
      return (lanes64)_mm256_shufflehi_epi16(_mm256_shufflelo_epi16((__m256i)a, 0xb1), 0xb1);
    case 5:
      return (lanes64)_mm256_shuffle_epi32((__m256i)a, 0xb1);
    default:
      return a;
  }
}

#define HASH_IMPL LANES64_IMPL
#define HASH_CPU_FLAGS LANES64_CPU_FLAGS

#endif

#include "bitslice.h"

static inline void bijection(lanes64 even[2][4], lanes64 odd[2][4]) {
  for (size_t first = 0; first < ROUNDS; first += 7) {
#pragma GCC unroll 7
    for (unsigned r = 0; r < 7; r++) {
      const uint64_t *const constants = jh_constants[first + r];
      jh_round(even[0], odd[0], constants, r);
      jh_round(even[1], odd[1], constants + 1, r);
    }
    for (size_t i = 0; i < 4; i++) {
      const lanes64 word = odd[0][i];
      odd[0][i] = odd[1][i];
      odd[1][i] = word;
    }
  }
  if (JH_LAYERS == ROUNDS) return;
  for (size_t i = 0; i < 2; i++) {
    jh_substitute(even[i], CONSTANT(jh_constants[ROUNDS] + i));
    jh_substitute(odd[i], CONSTANT(jh_constants[ROUNDS] + 2 + i));
  }
}

// Works on whole blocks of each message.
static void compress(lanes64 h[16], const uint8_t *const in[LANES], size_t bytes) {
  for (size_t at = 0; at != bytes; at += JH_BLOCK_BYTES) {
    lanes64 m[8], even[2][4], odd[2][4];
    lanes64_load(m, in, at);
    lanes64_load(m + 4, in, at + 32);
    for (size_t i = 0; i < 8; i++) h[i] ^= m[i];
    for (size_t i = 0; i < 4; i++) {
      for (size_t k = 0; k < 2; k++) {
        even[k][i] = h[4 * i + k];
        odd[k][i] = h[4 * i + 2 + k];
      }
    }
    bijection(even, odd);
    for (size_t i = 0; i < 4; i++) {
      for (size_t k = 0; k < 2; k++) {
        h[4 * i + k] = even[k][i];
        h[4 * i + 2 + k] = odd[k][i];
      }
    }
    for (size_t i = 0; i < 8; i++) h[8 + i] ^= m[i];
  }
}

static void hash(uint8_t *const out[LANES], const uint8_t *const in[LANES], size_t in_bytes) {
  lanes64 h[16];
  for (size_t i = 0; i < 16; i++) h[i] = lanes64_all(jh_iv[i]);
  const size_t rest = in_bytes % JH_BLOCK_BYTES;
  uint8_t last[LANES][2 * JH_BLOCK_BYTES];
  const uint8_t *blocks[LANES];
  size_t padded = 0;
  for (size_t lane = 0; lane < LANES; lane++) {
    padded = jh_last_blocks(last[lane], in[lane] + in_bytes - rest, rest, in_bytes);
    blocks[lane] = last[lane];
  }
  compress(h, in, in_bytes - rest);
  compress(h, blocks, padded);
  lanes64_store(out, h + 12, JH_DIGEST_BYTES / 8);
}

#define HASH_DIGEST_BYTES JH_DIGEST_BYTES
#include "../../common/sw/hash_lanes.h"
