// SPDX-License-Identifier: Apache-2.0
//
// BMW-256, sixteen messages, AVX-512: a word of each in the lanes of a vector, on which the
// operators of C work (an extension of gcc and clang). Lanes beyond the end of a batch have its
// last message again.

#include "../../common/sw/lydite_sw.h"
#include "bmw.h"

#define LANES 16

typedef uint32_t bmw_word __attribute__((vector_size(4 * LANES)));

#include "../compress.h"

static inline void compress(bmw_word h[BMW_WORDS], const bmw_word m[BMW_WORDS],
                            const bmw_word pipe[BMW_WORDS]) {
  bmw_word q[2 * BMW_WORDS];
  bmw_f0(q, m, pipe);
  bmw_f1(q, m, pipe);
  bmw_f2(h, m, q);
}

// Works on a block of each message.
static void add_blocks(bmw_word h[BMW_WORDS], const uint8_t *const blocks[LANES], size_t at) {
  bmw_word m[BMW_WORDS];
  for (size_t i = 0; i < BMW_WORDS; i++) {
    for (size_t lane = 0; lane < LANES; lane++) m[i][lane] = load32_le(blocks[lane] + at + 4 * i);
  }
  compress(h, m, h);
}

static void hash(uint8_t *const out[LANES], const uint8_t *const in[LANES], size_t in_bytes) {
  bmw_word h[BMW_WORDS], pipe[BMW_WORDS], digest[BMW_WORDS];
  for (size_t i = 0; i < BMW_WORDS; i++) {
    h[i] = (bmw_word){0} + bmw_initial[i];
    pipe[i] = (bmw_word){0} + bmw_final[i];
  }
  for (size_t i = 0; i < in_bytes / BMW_BLOCK_BYTES; i++) add_blocks(h, in, i * BMW_BLOCK_BYTES);
  uint8_t last[LANES][2 * BMW_BLOCK_BYTES];
  const uint8_t *blocks[LANES];
  size_t count = 0;
  for (size_t lane = 0; lane < LANES; lane++) {
    count = bmw_last_blocks(last[lane], in[lane], in_bytes);
    blocks[lane] = last[lane];
  }
  for (size_t i = 0; i < count; i++) add_blocks(h, blocks, i * BMW_BLOCK_BYTES);
  compress(digest, h, pipe);
  for (size_t i = 0; i < 8; i++) {
    for (size_t lane = 0; lane < LANES; lane++) store32_le(out[lane] + 4 * i, digest[8 + i][lane]);
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
      out[lane] = batch->out[0] + i * BMW_DIGEST_BYTES;
    }
    hash(out, in, batch->in_bytes[0]);
  }
}
