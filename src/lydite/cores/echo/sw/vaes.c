// SPDX-License-Identifier: Apache-2.0
//
// ECHO-256, one message or two (LANES), with VAES: a row of the state, four words, in each register
// of 512 bits. The rounds of two messages fill each other's waiting.

#include <immintrin.h>

#include "echo.h"

#define XOR(a, b) _mm512_xor_si512(a, b)
#define XOR3(a, b, c) _mm512_ternarylogic_epi64(a, b, c, 0x96)
// The words of a row `count` places to the left.
#define TURN(row, count) _mm512_alignr_epi64(row, row, 2 * (count))
// The same number as the lower half of each word.
#define NUMBER(n) _mm512_maskz_set1_epi64(0x55, (long long)(n))

// BIG.MixColumns: row i becomes 2 (a_i + a_i+1) + a_i+1 + a_i+2 + a_i+3.
static inline void mix(__m512i rows[4]) {
  __m512i a[4], twice[4];
  for (size_t i = 0; i < 4; i++) a[i] = rows[i];
  for (size_t i = 0; i < 4; i++) twice[i] = _mm512_gf2p8mul_epi8(a[i], _mm512_set1_epi8(2));
  for (size_t i = 0; i < 4; i++) {
    const __m512i others = XOR3(a[(i + 1) % 4], a[(i + 2) % 4], a[(i + 3) % 4]);
    rows[i] = XOR3(others, twice[i], twice[(i + 1) % 4]);
  }
}

// Row 0, which is not turned, comes last.
static inline void big_round(__m512i rows[4], const __m512i keys[4]) {
  const __m512i none = _mm512_setzero_si512();
  for (size_t i = 4; i-- > 0;) {
    rows[i] = _mm512_aesenc_epi128(_mm512_aesenc_epi128(rows[i], keys[i]), none);
  }
  rows[1] = TURN(rows[1], 1);
  rows[2] = TURN(rows[2], 2);
  rows[3] = TURN(rows[3], 3);
  mix(rows);
}

static inline __m128i load(const uint8_t *word) { return _mm_loadu_si128((const void *)word); }

// Words of a row: of the chaining variable, which is in all its lanes, and three of the block.
static inline __m512i row_of(__m512i chain, const uint8_t *in) {
  __m512i row = _mm512_broadcast_i32x4(load(in));
  row = _mm512_inserti32x4(row, load(in + 64), 2);
  row = _mm512_inserti32x4(row, load(in + 128), 3);
  return _mm512_mask_mov_epi64(row, 3, chain);
}

// Works on a block of each message.
static inline void compress(__m512i chain[LANES][4], const uint8_t *const in[LANES], size_t at,
                            uint64_t bits) {
  __m512i start[LANES][4], rows[LANES][4], keys[4];
  for (size_t i = 0; i < 4; i++) {
    keys[i] = _mm512_add_epi64(_mm512_set_epi64(0, 12, 0, 8, 0, 4, 0, 0), NUMBER(bits + i));
    for (size_t m = 0; m < LANES; m++) {
      rows[m][i] = start[m][i] = row_of(chain[m][i], in[m] + at + 16 * i);
    }
  }
#pragma GCC unroll 8
  for (size_t round = 0; round < ECHO_ROUNDS; round++) {
    for (size_t m = 0; m < LANES; m++) big_round(rows[m], keys);
    for (size_t i = 0; i < 4; i++) keys[i] = _mm512_add_epi64(keys[i], NUMBER(ECHO_WORDS));
  }
  for (size_t m = 0; m < LANES; m++) {
    for (size_t i = 0; i < 4; i++) {
      const __m512i sum = XOR(start[m][i], rows[m][i]), half = XOR(sum, TURN(sum, 2));
      chain[m][i] = XOR(half, TURN(half, 1));
    }
  }
}

static void hash(uint8_t *const out[LANES], const uint8_t *const in[LANES], size_t in_bytes) {
  __m512i chain[LANES][4];
  uint8_t last[LANES][2 * ECHO_BLOCK_BYTES];
  const uint8_t *blocks[LANES];
  size_t count = 0;
  for (size_t m = 0; m < LANES; m++) {
    for (size_t i = 0; i < 4; i++) chain[m][i] = NUMBER(8 * ECHO_DIGEST_BYTES);
    count = echo_last_blocks(last[m], in[m], in_bytes);
    blocks[m] = last[m];
  }
  const size_t whole = in_bytes / ECHO_BLOCK_BYTES;
  for (size_t i = 0; i < whole; i++) {
    compress(chain, in, i * ECHO_BLOCK_BYTES, echo_bits(i, in_bytes));
  }
  for (size_t i = 0; i < count; i++) {
    compress(chain, blocks, i * ECHO_BLOCK_BYTES, echo_bits(whole + i, in_bytes));
  }
  for (size_t m = 0; m < LANES; m++) {
    for (size_t i = 0; i < 2; i++) {
      _mm_storeu_si128((void *)(out[m] + 16 * i), _mm512_castsi512_si128(chain[m][i]));
    }
  }
}

#define HASH_DIGEST_BYTES ECHO_DIGEST_BYTES
#define HASH_IMPL (LANES == 1 ? "vaes" : "vaes-x2")
#define HASH_CPU_FLAGS "avx512f gfni vaes"
#include "../../common/sw/hash_lanes.h"
