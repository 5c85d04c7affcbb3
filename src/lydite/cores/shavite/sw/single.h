// SPDX-License-Identifier: Apache-2.0
//
// SHAvite-3-256 of one message. The including file defines before: compress(chain, block, bits),
// which works on a block, up to whose end are `bits` of the message; HASH_IMPL, HASH_CPU_FLAGS.

#ifndef LYDITE_CORES_SHAVITE_SW_SINGLE_H_
#define LYDITE_CORES_SHAVITE_SW_SINGLE_H_

#include "shavite.h"

static void hash(uint8_t *out, const uint8_t *in, size_t in_bytes) {
  uint32_t chain[8];
  memcpy(chain, shavite_initial, sizeof chain);
  const size_t whole = in_bytes / SHAVITE_BLOCK_BYTES;
  for (size_t i = 0; i < whole; i++) {
    compress(chain, in + i * SHAVITE_BLOCK_BYTES, shavite_bits(i, in_bytes));
  }
  uint8_t last[2 * SHAVITE_BLOCK_BYTES];
  const size_t count = shavite_last_blocks(last, in, in_bytes);
  for (size_t i = 0; i < count; i++) {
    compress(chain, last + i * SHAVITE_BLOCK_BYTES, shavite_bits(whole + i, in_bytes));
  }
  for (size_t i = 0; i < 8; i++) store32_le(out + 4 * i, chain[i]);
}

#define HASH_DIGEST_BYTES SHAVITE_DIGEST_BYTES
#include "../../common/sw/hash_single.h"

#endif  // LYDITE_CORES_SHAVITE_SW_SINGLE_H_
