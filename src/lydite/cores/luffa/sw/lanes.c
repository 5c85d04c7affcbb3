// SPDX-License-Identifier: Apache-2.0
//
// Luffa-256 v2, a message in each lane of AVX-512 or AVX2.

#include "../../common/sw/lanes32.h"

#define VECTOR lanes32
#define ROL(a, n) lanes32_rotate(a, n)
#include "block.h"

// Adds a block of each message.
static inline void add_bytes(lanes32 state[3][8], const uint8_t *const in[LANES], size_t at) {
  lanes32 block[8];
  lanes32_load(block, in, at);
  lanes32_load(block + 4, in, at + 16);
  for (size_t k = 0; k < 8; k++) block[k] = lanes32_swap(block[k]);
  add_block(state, block);
}

static void hash(uint8_t *const out[LANES], const uint8_t *const in[LANES], size_t in_bytes) {
  lanes32 state[3][8];
  for (size_t j = 0; j < 3; j++) {
    for (size_t k = 0; k < 8; k++) state[j][k] = lanes32_all(luffa_initial[j][k]);
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
  const lanes32 zeros[8] = {0};
  add_block(state, zeros);
  lanes32 digest[8];
  for (size_t k = 0; k < 8; k++) {
    digest[k] = lanes32_swap(state[0][k] ^ state[1][k] ^ state[2][k]);
  }
  lanes32_store(out, digest, LUFFA_DIGEST_BYTES / 4);
}

#define HASH_DIGEST_BYTES LUFFA_DIGEST_BYTES
#define HASH_IMPL LANES32_IMPL
#define HASH_CPU_FLAGS LANES32_CPU_FLAGS
#include "../../common/sw/hash_lanes.h"
