// SPDX-License-Identifier: Apache-2.0
//
// BLAKE3 in portable C, a chunk at a time.

#include "one.h"

#define LANES 1
#define BLAKE3_IMPL "plain"
#define BLAKE3_CPU_FLAGS ""

static void hash_lanes(uint8_t (*out)[BLAKE3_KEY_BYTES], const uint8_t *const in[LANES],
                       size_t blocks, const uint32_t key[8], uint64_t counter, unsigned step,
                       uint32_t mode, uint32_t start, uint32_t end) {
  uint32_t h[16];
  (void)step;
  memcpy(h, key, 8 * sizeof h[0]);
  for (size_t block = 0; block < blocks; block++) {
    const uint32_t flags =
        mode | (block == 0 ? start : 0) | (block + 1 == blocks ? end : 0);
    one_compress(h, h, in[0] + block * BLAKE3_BLOCK_BYTES, counter, BLAKE3_BLOCK_BYTES, flags);
  }
  for (size_t word = 0; word < 8; word++) store32_le(out[0] + 4 * word, h[word]);
}

#include "tree.h"
