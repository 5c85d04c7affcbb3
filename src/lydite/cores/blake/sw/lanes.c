// SPDX-License-Identifier: Apache-2.0
//
// BLAKE, a message in each lane of AVX-512 or AVX2.

#include "../../common/sw/lanes32.h"

#define WORD lanes32
#define RIGHT(word, count) lanes32_rotate(word, 32 - (count))
#include "rounds.h"

// Works on a block of each message.
static inline void add_blocks(lanes32 h[8], const uint8_t *const in[LANES], size_t at,
                              uint64_t counter) {
  lanes32 m[16];
  for (size_t i = 0; i < 16; i += 4) lanes32_load(m + i, in, at + 4 * i);
  for (size_t i = 0; i < 16; i++) m[i] = lanes32_swap(m[i]);
  blake_compress(h, m, counter);
}

static void hash(uint8_t *const out[LANES], const uint8_t *const in[LANES], size_t in_bytes) {
  lanes32 h[8];
  for (size_t i = 0; i < 8; i++) h[i] = lanes32_all(blake_iv[i]);
  for (size_t at = 0; at + BLAKE_BLOCK_BYTES <= in_bytes; at += BLAKE_BLOCK_BYTES) {
    add_blocks(h, in, at, 8 * (uint64_t)(at + BLAKE_BLOCK_BYTES));
  }
  uint8_t last[LANES][2 * BLAKE_BLOCK_BYTES];
  const uint8_t *blocks[LANES];
  size_t count = 0;
  for (size_t lane = 0; lane < LANES; lane++) {
    count = blake_last_blocks(last[lane], in[lane], in_bytes);
    blocks[lane] = last[lane];
  }
  // A block without bytes of the message counts none.
  add_blocks(h, blocks, 0, in_bytes % BLAKE_BLOCK_BYTES != 0 ? 8 * (uint64_t)in_bytes : 0);
  if (count == 2) add_blocks(h, blocks, BLAKE_BLOCK_BYTES, 0);
  for (size_t i = 0; i < 8; i++) h[i] = lanes32_swap(h[i]);
  lanes32_store(out, h, BLAKE_DIGEST_BYTES / 4);
}

#define HASH_DIGEST_BYTES BLAKE_DIGEST_BYTES
#define HASH_IMPL LANES32_IMPL
#define HASH_CPU_FLAGS LANES32_CPU_FLAGS
#include "../../common/sw/hash_lanes.h"
