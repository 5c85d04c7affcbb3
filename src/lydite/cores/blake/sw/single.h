// SPDX-License-Identifier: Apache-2.0
//
// BLAKE of one message. The including file defines before: compress(h, block, counter),
// HASH_IMPL, HASH_CPU_FLAGS.

#ifndef LYDITE_CORES_BLAKE_SW_SINGLE_H_
#define LYDITE_CORES_BLAKE_SW_SINGLE_H_

#include "blake.h"

static void hash(uint8_t *out, const uint8_t *in, size_t in_bytes) {
  uint32_t h[8];
  memcpy(h, blake_iv, sizeof h);
  const size_t whole = in_bytes / BLAKE_BLOCK_BYTES;
  for (size_t i = 0; i < whole; i++) {
    compress(h, in + i * BLAKE_BLOCK_BYTES, 8 * (uint64_t)BLAKE_BLOCK_BYTES * (i + 1));
  }
  uint8_t last[2 * BLAKE_BLOCK_BYTES];
  const size_t count = blake_last_blocks(last, in, in_bytes);
  // A block without bytes of the message counts none.
  compress(h, last, in_bytes % BLAKE_BLOCK_BYTES != 0 ? 8 * (uint64_t)in_bytes : 0);
  if (count == 2) compress(h, last + BLAKE_BLOCK_BYTES, 0);
  for (size_t i = 0; i < 8; i++) store32_be(out + 4 * i, h[i]);
}

#define HASH_DIGEST_BYTES BLAKE_DIGEST_BYTES
#include "../../common/sw/hash_single.h"

#endif  // LYDITE_CORES_BLAKE_SW_SINGLE_H_
