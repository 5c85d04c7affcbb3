// SPDX-License-Identifier: Apache-2.0
//
// JH-256 of one message. The including file defines before: compress(h, in, blocks), which takes
// whole blocks into the chain value's 16 words; HASH_IMPL, HASH_CPU_FLAGS.

#ifndef LYDITE_CORES_JH_SW_SINGLE_H_
#define LYDITE_CORES_JH_SW_SINGLE_H_

#include "jh.h"

static void hash(uint8_t *out, const uint8_t *in, size_t bytes) {
  uint64_t h[16];
  memcpy(h, jh_iv, sizeof h);
  const size_t blocks = bytes / JH_BLOCK_BYTES;
  if (blocks != 0) compress(h, in, blocks);
  uint8_t last[2 * JH_BLOCK_BYTES];
  const uint8_t *rest = in + blocks * JH_BLOCK_BYTES;
  const size_t padded = jh_last_blocks(last, rest, bytes % JH_BLOCK_BYTES, bytes);
  compress(h, last, padded / JH_BLOCK_BYTES);
  for (size_t i = 0; i < 4; i++) store64_le(out + 8 * i, h[12 + i]);
}

#define HASH_DIGEST_BYTES JH_DIGEST_BYTES
#include "../../common/sw/hash_single.h"

#endif  // LYDITE_CORES_JH_SW_SINGLE_H_
