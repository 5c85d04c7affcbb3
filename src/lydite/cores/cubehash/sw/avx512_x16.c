// SPDX-License-Identifier: Apache-2.0
//
// CubeHash16/32-256, sixteen messages, AVX-512: word i of all of them in register i, of which there
// are as many as words. Lanes beyond the end of a batch have its last message again.

#include <immintrin.h>

#include "cubehash.h"
#include "../../common/sw/lydite_sw.h"

#define LANES 16

static inline void half_round(__m512i x[32], const int rotation, const size_t swap0,
                              const size_t swap1) {
  __m512i sum[16], old[16];
#pragma GCC unroll 16
  for (size_t i = 0; i < 16; i++) {
    sum[i] = _mm512_add_epi32(x[i], x[16 + i]);
    old[i] = rotation == 7 ? _mm512_rol_epi32(x[i], 7) : _mm512_rol_epi32(x[i], 11);
  }
#pragma GCC unroll 16
  for (size_t i = 0; i < 16; i++) {
    x[i] = _mm512_xor_si512(old[i ^ swap0], sum[i]);
    x[16 + i] = sum[i ^ swap1];
  }
}

static inline void rounds(__m512i x[32], size_t count) {
  for (size_t i = 0; i < count; i++) {
    half_round(x, 7, 8, 2);
    half_round(x, 11, 4, 1);
  }
}

// Adds a block of each message.
static inline void add_blocks(__m512i x[32], const uint8_t *const blocks[LANES], size_t at) {
  uint32_t words[8][LANES];
  for (size_t lane = 0; lane < LANES; lane++) {
    for (size_t i = 0; i < 8; i++) words[i][lane] = load32_le(blocks[lane] + at + 4 * i);
  }
  for (size_t i = 0; i < 8; i++) x[i] = _mm512_xor_si512(x[i], _mm512_loadu_si512(words[i]));
  rounds(x, CUBEHASH_ROUNDS);
}

static void hash(uint8_t *const out[LANES], const uint8_t *const in[LANES], size_t in_bytes) {
  __m512i x[32];
  for (size_t i = 0; i < 32; i++) x[i] = _mm512_set1_epi32((int)cubehash_initial[i]);
  for (size_t i = 0; i < in_bytes / CUBEHASH_BLOCK_BYTES; i++) {
    add_blocks(x, in, i * CUBEHASH_BLOCK_BYTES);
  }
  uint8_t last[LANES][CUBEHASH_BLOCK_BYTES];
  const uint8_t *blocks[LANES];
  for (size_t lane = 0; lane < LANES; lane++) {
    cubehash_last_block(last[lane], in[lane], in_bytes);
    blocks[lane] = last[lane];
  }
  add_blocks(x, blocks, 0);
  x[31] = _mm512_xor_si512(x[31], _mm512_set1_epi32(1));
  rounds(x, CUBEHASH_FINAL_ROUNDS);
  for (size_t i = 0; i < 8; i++) {
    uint32_t words[LANES];
    _mm512_storeu_si512(words, x[i]);
    for (size_t lane = 0; lane < LANES; lane++) store32_le(out[lane] + 4 * i, words[lane]);
  }
}

const char *lydite_impl(void) { return "avx512-x16"; }

size_t lydite_lanes(void) { return LANES; }

const char *lydite_cpu_flags(void) { return "avx512f"; }

int lydite_available(void) { return 1; }

void lydite_hash(const struct lydite_batch *batch) {
  for (size_t first = 0; first < batch->count; first += LANES) {
    const uint8_t *in[LANES];
    uint8_t *out[LANES];
    for (size_t lane = 0; lane < LANES; lane++) {
      const size_t i = first + lane < batch->count ? first + lane : batch->count - 1;
      in[lane] = batch->in[0] + i * batch->in_bytes[0];
      out[lane] = batch->out[0] + i * CUBEHASH_DIGEST_BYTES;
    }
    hash(out, in, batch->in_bytes[0]);
  }
}
