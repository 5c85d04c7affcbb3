// SPDX-License-Identifier: Apache-2.0
//
// BMW-256, a message in each lane of AVX-512 or AVX2.

#include "../../common/sw/lanes32.h"
#include "bmw.h"

typedef lanes32 bmw_word;

#include "../compress.h"

static inline void compress(bmw_word h[BMW_WORDS], const bmw_word m[BMW_WORDS],
                            const bmw_word pipe[BMW_WORDS]) {
  bmw_word q[2 * BMW_WORDS];
  bmw_f0(q, m, pipe);
  bmw_f1(q, m, pipe);
  bmw_f2(h, m, q);
}

// Works on a block of each message.
static void add_blocks(bmw_word h[BMW_WORDS], const uint8_t *const in[LANES], size_t at) {
  bmw_word m[BMW_WORDS];
  for (size_t i = 0; i < BMW_WORDS; i += 4) lanes32_load(m + i, in, at + 4 * i);
  compress(h, m, h);
}

static void hash(uint8_t *const out[LANES], const uint8_t *const in[LANES], size_t in_bytes) {
  bmw_word h[BMW_WORDS], pipe[BMW_WORDS], digest[BMW_WORDS];
  for (size_t i = 0; i < BMW_WORDS; i++) {
    h[i] = lanes32_all(bmw_initial[i]);
    pipe[i] = lanes32_all(bmw_final[i]);
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
  lanes32_store(out, digest + 8, BMW_DIGEST_BYTES / 4);
}

#define HASH_DIGEST_BYTES BMW_DIGEST_BYTES
#define HASH_IMPL LANES32_IMPL
#define HASH_CPU_FLAGS LANES32_CPU_FLAGS
#include "../../common/sw/hash_lanes.h"
