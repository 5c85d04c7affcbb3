// SPDX-License-Identifier: Apache-2.0
//
// CubeHash16/32-256, a message in each lane of AVX-512, of which there are as many registers as the
// state has words, or of AVX2.

#include "../../common/sw/lanes32.h"

#define WORD lanes32
#define ROL(word, count) lanes32_rotate(word, count)
#include "rounds.h"

// Adds a block of each message.
static inline void add_blocks(lanes32 x[32], const uint8_t *const in[LANES], size_t at) {
  lanes32 m[8];
  lanes32_load(m, in, at);
  lanes32_load(m + 4, in, at + 16);
  for (size_t i = 0; i < 8; i++) x[i] ^= m[i];
  rounds(x, CUBEHASH_ROUNDS);
}

static void hash(uint8_t *const out[LANES], const uint8_t *const in[LANES], size_t in_bytes) {
  lanes32 x[32];
  for (size_t i = 0; i < 32; i++) x[i] = lanes32_all(cubehash_initial[i]);
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
  x[31] ^= 1;
  rounds(x, CUBEHASH_FINAL_ROUNDS);
  lanes32_store(out, x, CUBEHASH_DIGEST_BYTES / 4);
}

#define HASH_DIGEST_BYTES CUBEHASH_DIGEST_BYTES
#define HASH_IMPL LANES32_IMPL
#define HASH_CPU_FLAGS LANES32_CPU_FLAGS
#include "../../common/sw/hash_lanes.h"
