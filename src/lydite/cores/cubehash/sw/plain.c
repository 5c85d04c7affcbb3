// SPDX-License-Identifier: Apache-2.0
//
// CubeHash16/32-256, one message, portable C.

#define WORD uint32_t
#define ROL(word, count) ((word) << (count) | (word) >> (32 - (count)))
#include "rounds.h"

static inline void add_block(uint32_t x[32], const uint8_t *block) {
  for (size_t i = 0; i < 8; i++) x[i] ^= load32_le(block + 4 * i);
  rounds(x, CUBEHASH_ROUNDS);
}

static void hash(uint8_t *out, const uint8_t *in, size_t in_bytes) {
  uint32_t x[32];
  memcpy(x, cubehash_initial, sizeof x);
  for (size_t i = 0; i < in_bytes / CUBEHASH_BLOCK_BYTES; i++) {
    add_block(x, in + i * CUBEHASH_BLOCK_BYTES);
  }
  uint8_t last[CUBEHASH_BLOCK_BYTES];
  cubehash_last_block(last, in, in_bytes);
  add_block(x, last);
  x[31] ^= 1;
  rounds(x, CUBEHASH_FINAL_ROUNDS);
  for (size_t i = 0; i < CUBEHASH_DIGEST_BYTES / 4; i++) store32_le(out + 4 * i, x[i]);
}

#define HASH_DIGEST_BYTES CUBEHASH_DIGEST_BYTES
#define HASH_IMPL "plain"
#define HASH_CPU_FLAGS ""
#include "../../common/sw/hash_single.h"
