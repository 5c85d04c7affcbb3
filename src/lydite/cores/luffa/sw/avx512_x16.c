// SPDX-License-Identifier: Apache-2.0
//
// Luffa-256 v2, sixteen messages, AVX-512: a word of each in the lanes of a register. Lanes beyond
// the end of a batch have its last message again.

#include <immintrin.h>

#include "../../common/sw/lydite_sw.h"
#include "luffa.h"

#define LANES 16
#define VECTOR __m512i
#define XOR(a, b) _mm512_xor_si512(a, b)
#define AND(a, b) _mm512_and_si512(a, b)
#define ANDNOT(a, b) _mm512_andnot_si512(a, b)
#define OR(a, b) _mm512_or_si512(a, b)
#define NOT(a) _mm512_xor_si512(a, _mm512_set1_epi32(-1))
#define ROL(a, n) _mm512_rol_epi32(a, n)

#include "step.h"

static inline void add_block(__m512i state[3][8], const __m512i block[8]) {
  __m512i total[8], message[8];
  for (size_t k = 0; k < 8; k++) {
    total[k] = XOR(state[0][k], XOR(state[1][k], state[2][k]));
    message[k] = block[k];
  }
  times_x(total);
  for (size_t j = 0; j < 3; j++) {
    __m512i *a = state[j];
    for (size_t k = 0; k < 8; k++) {
      a[k] = XOR(a[k], XOR(total[k], message[k]));
      // The tweak (3.4).
      if (k >= 4) a[k] = j == 0 ? a[k] : j == 1 ? ROL(a[k], 1) : ROL(a[k], 2);
    }
    times_x(message);
    for (size_t i = 0; i < LUFFA_STEPS; i++) {
      step(a, _mm512_set1_epi32((int)luffa_constants0[j][i]),
           _mm512_set1_epi32((int)luffa_constants4[j][i]));
    }
  }
}

// Adds a block of each message.
static inline void add_bytes(__m512i state[3][8], const uint8_t *const blocks[LANES], size_t at) {
  uint32_t words[8][LANES];
  __m512i block[8];
  for (size_t lane = 0; lane < LANES; lane++) {
    for (size_t k = 0; k < 8; k++) words[k][lane] = load32_be(blocks[lane] + at + 4 * k);
  }
  for (size_t k = 0; k < 8; k++) block[k] = _mm512_loadu_si512(words[k]);
  add_block(state, block);
}

static void hash(uint8_t *const out[LANES], const uint8_t *const in[LANES], size_t in_bytes) {
  __m512i state[3][8];
  for (size_t j = 0; j < 3; j++) {
    for (size_t k = 0; k < 8; k++) state[j][k] = _mm512_set1_epi32((int)luffa_initial[j][k]);
  }
  for (size_t i = 0; i < in_bytes / LUFFA_BLOCK_BYTES; i++) {
    add_bytes(state, in, i * LUFFA_BLOCK_BYTES);
  }
  uint8_t last[LANES][LUFFA_BLOCK_BYTES];
  const uint8_t *blocks[LANES];
  for (size_t lane = 0; lane < LANES; lane++) {
    luffa_last_block(last[lane], in[lane], in_bytes);
    blocks[lane] = last[lane];
  }
  add_bytes(state, blocks, 0);
  __m512i zeros[8];
  for (size_t k = 0; k < 8; k++) zeros[k] = _mm512_setzero_si512();
  add_block(state, zeros);
  for (size_t k = 0; k < 8; k++) {
    uint32_t words[LANES];
    _mm512_storeu_si512(words, XOR(state[0][k], XOR(state[1][k], state[2][k])));
    for (size_t lane = 0; lane < LANES; lane++) store32_be(out[lane] + 4 * k, words[lane]);
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
      out[lane] = batch->out[0] + i * LUFFA_DIGEST_BYTES;
    }
    hash(out, in, batch->in_bytes[0]);
  }
}
