// SPDX-License-Identifier: Apache-2.0
//
// Groestl-256, eight messages, with GFNI of AVX-512. A register has 128 bits of each of four
// messages: a row of both permutations, P in the lower half, Q in the upper one, or between blocks
// two rows of the chaining value. The rounds of two sets of registers fill each other's waiting.

#include <immintrin.h>

#include "../../common/sw/quarters.h"
#include "groestl.h"

#define LANES 8
#define WIDTH 4  // messages in a register
#define SETS (LANES / WIDTH)

#define XOR(a, b) _mm512_xor_si512(a, b)
#define XOR3(a, b, c) _mm512_ternarylogic_epi64(a, b, c, 0x96)
#define TIMES(a, factor) _mm512_gf2p8mul_epi8(a, _mm512_set1_epi8(factor))
// The S-box of AES: inversion, this matrix of bits, and a sum.
#define SBOX(a) \
  _mm512_gf2p8affineinv_epi64_epi8(a, _mm512_set1_epi64((long long)0xf1e3c78f1f3e7cf8), 0x63)
// A row to the left by `count` bytes, in both halves.
#define MOVED(row, count) _mm512_ror_epi64(row, 8 * (count))
#define PAIR(low, high) _mm512_set4_epi64(high, low, high, low)

// MixBytes (3.4.4): row i is 4 p_i+3 + 2 q_i+7 + q_i+4, where p and q are these sums of rows; 2 and
// 4 times are those in GF(2^8) of AES.
static inline void mix(__m512i x[8]) {
  __m512i pairs[8], p[8], q[8];
  for (size_t i = 0; i < 8; i++) pairs[i] = XOR(x[i], x[(i + 1) % 8]);
  for (size_t i = 0; i < 8; i++) {
    p[i] = XOR(pairs[i], pairs[(i + 3) % 8]);
    q[i] = XOR3(pairs[i], pairs[(i + 2) % 8], x[(i + 6) % 8]);
  }
  for (size_t i = 0; i < 8; i++) {
    x[i] = XOR3(TIMES(p[(i + 3) % 8], 4), TIMES(q[(i + 7) % 8], 2), q[(i + 4) % 8]);
  }
}

static inline void round_of(__m512i x[8], __m512i constants) {
  // P adds to the first byte of row 0, Q to that of row 7.
  x[0] = _mm512_mask_xor_epi64(x[0], 0x55, x[0], constants);
  x[7] = _mm512_mask_xor_epi64(x[7], 0xaa, x[7], constants);
  for (size_t i = 0; i < 8; i++) x[i] = SBOX(x[i]);
  x[1] = MOVED(x[1], 1);
  x[2] = MOVED(x[2], 2);
  x[3] = MOVED(x[3], 3);
  x[4] = MOVED(x[4], 4);
  x[5] = MOVED(x[5], 5);
  x[6] = MOVED(x[6], 6);
  x[7] = MOVED(x[7], 7);
  mix(x);
}

static inline void permute_both(__m512i x[SETS][8]) {
  __m512i constants = PAIR(0, 0xff);
  for (size_t round = 0; round < GROESTL_ROUNDS; round++) {
    for (size_t set = 0; set < SETS; set++) round_of(x[set], constants);
    constants = _mm512_add_epi64(constants, PAIR(1, -1));
  }
}

// Columns 2 i and 2 i + 1 in v[i] become rows 2 i and 2 i + 1, and the other way round.
static inline void transpose(__m512i v[4]) {
  const __m512i zip = _mm512_broadcast_i32x4(
      _mm_setr_epi8(0, 8, 1, 9, 2, 10, 3, 11, 4, 12, 5, 13, 6, 14, 7, 15));
  for (size_t i = 0; i < 4; i++) v[i] = _mm512_shuffle_epi8(v[i], zip);
  const __m512i low0 = _mm512_unpacklo_epi16(v[0], v[1]), low4 = _mm512_unpacklo_epi16(v[2], v[3]);
  const __m512i high0 = _mm512_unpackhi_epi16(v[0], v[1]);
  const __m512i high4 = _mm512_unpackhi_epi16(v[2], v[3]);
  v[0] = _mm512_unpacklo_epi32(low0, low4);
  v[1] = _mm512_unpackhi_epi32(low0, low4);
  v[2] = _mm512_unpacklo_epi32(high0, high4);
  v[3] = _mm512_unpackhi_epi32(high0, high4);
}

// Sixteen bytes of each message of a set.
static inline __m512i load(const uint8_t *const in[WIDTH], size_t at) {
  return load_quarters(in[0] + at, in[1] + at, in[2] + at, in[3] + at);
}

// Works on a block of each message.
static inline void compress(__m512i h[SETS][4], const uint8_t *const in[LANES], size_t at) {
  __m512i x[SETS][8];
  for (size_t set = 0; set < SETS; set++) {
    __m512i m[4];
    for (size_t i = 0; i < 4; i++) m[i] = load(in + WIDTH * set, at + 16 * i);
    transpose(m);
    for (size_t i = 0; i < 4; i++) {
      const __m512i sum = XOR(h[set][i], m[i]);
      x[set][2 * i] = _mm512_unpacklo_epi64(sum, m[i]);
      x[set][2 * i + 1] = _mm512_unpackhi_epi64(sum, m[i]);
    }
  }
  permute_both(x);
  for (size_t set = 0; set < SETS; set++) {
    for (size_t i = 0; i < 4; i++) {
      const __m512i even = x[set][2 * i], odd = x[set][2 * i + 1];
      const __m512i p = _mm512_unpacklo_epi64(even, odd), q = _mm512_unpackhi_epi64(even, odd);
      h[set][i] = XOR3(h[set][i], p, q);
    }
  }
}

// The output transformation (3.3); the columns stand in `h` afterwards. Nothing reads Q.
static inline void finish(__m512i h[SETS][4]) {
  __m512i x[SETS][8];
  for (size_t set = 0; set < SETS; set++) {
    for (size_t i = 0; i < 4; i++) {
      x[set][2 * i] = h[set][i];
      x[set][2 * i + 1] = _mm512_unpackhi_epi64(h[set][i], h[set][i]);
    }
  }
  permute_both(x);
  for (size_t set = 0; set < SETS; set++) {
    for (size_t i = 0; i < 4; i++) {
      h[set][i] = XOR(h[set][i], _mm512_unpacklo_epi64(x[set][2 * i], x[set][2 * i + 1]));
    }
    transpose(h[set]);
  }
}

static void hash(uint8_t *const out[LANES], const uint8_t *const in[LANES], size_t in_bytes) {
  const size_t whole = in_bytes / GROESTL_BLOCK_BYTES, rest = in_bytes % GROESTL_BLOCK_BYTES;
  uint8_t last[LANES][2 * GROESTL_BLOCK_BYTES];
  const uint8_t *blocks[LANES];
  size_t last_bytes = 0;
  for (size_t lane = 0; lane < LANES; lane++) {
    last_bytes = groestl_last_blocks(last[lane], in[lane] + in_bytes - rest, rest, whole);
    blocks[lane] = last[lane];
  }
  __m512i h[SETS][4] = {0};
  // 256, the bits of the digest: column 7 of row 6.
  for (size_t set = 0; set < SETS; set++) h[set][3] = PAIR(1LL << 56, 0);
  for (size_t i = 0; i < whole; i++) compress(h, in, i * GROESTL_BLOCK_BYTES);
  for (size_t i = 0; i < last_bytes; i += GROESTL_BLOCK_BYTES) compress(h, blocks, i);
  finish(h);
  for (size_t lane = 0; lane < LANES; lane++) {
    for (size_t i = 0; i < 2; i++) {  // columns 4 to 7
      const uint8_t *const lanes = (const uint8_t *)&h[lane / WIDTH][2 + i];
      memcpy(out[lane] + 16 * i, lanes + 16 * (lane % WIDTH), 16);
    }
  }
}

#define HASH_DIGEST_BYTES GROESTL_DIGEST_BYTES
#define HASH_IMPL "gfni-x8"
#define HASH_CPU_FLAGS "avx512bw avx512f gfni"
#include "../../common/sw/hash_lanes.h"
