// SPDX-License-Identifier: Apache-2.0
//
// Luffa-256 v2, one message, portable C.

#include <stdint.h>

#define VECTOR uint32_t
#define ROL(a, n) ((a) << (n) | (a) >> (32 - (n)))
#include "block.h"

static inline void add_bytes(uint32_t state[3][8], const uint8_t *in) {
  uint32_t block[8];
  for (size_t k = 0; k < 8; k++) block[k] = load32_be(in + 4 * k);
  add_block(state, block);
}

static void hash(uint8_t *out, const uint8_t *in, size_t in_bytes) {
  uint32_t state[3][8];
  memcpy(state, luffa_initial, sizeof state);
  for (size_t i = 0; i < in_bytes / LUFFA_BLOCK_BYTES; i++) {
    add_bytes(state, in + i * LUFFA_BLOCK_BYTES);
  }
  uint8_t last[LUFFA_BLOCK_BYTES];
  luffa_last_block(last, in, in_bytes);
  add_bytes(state, last);
  const uint32_t zeros[8] = {0};
  add_block(state, zeros);
  for (size_t k = 0; k < 8; k++) {
    store32_be(out + 4 * k, state[0][k] ^ state[1][k] ^ state[2][k]);
  }
}

#define HASH_DIGEST_BYTES LUFFA_DIGEST_BYTES
#define HASH_IMPL "plain"
#define HASH_CPU_FLAGS ""
#include "../../common/sw/hash_single.h"
