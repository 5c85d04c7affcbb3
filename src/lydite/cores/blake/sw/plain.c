// SPDX-License-Identifier: Apache-2.0
//
// BLAKE, one message, portable C.

#define WORD uint32_t
#define RIGHT(word, count) ((word) >> (count) | (word) << (32 - (count)))
#include "rounds.h"

static void compress(uint32_t h[8], const uint8_t block[BLAKE_BLOCK_BYTES], uint64_t counter) {
  uint32_t m[16];
  for (size_t i = 0; i < 16; i++) m[i] = load32_be(block + 4 * i);
  blake_compress(h, m, counter);
}

#define HASH_IMPL "plain"
#define HASH_CPU_FLAGS ""
#include "single.h"
