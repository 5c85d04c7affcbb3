// SPDX-License-Identifier: Apache-2.0
//
// SIMD-256 of one message. The including file defines before: compress(state, block, final), which
// works on a block, which may be the final one; HASH_IMPL, HASH_CPU_FLAGS.

#ifndef LYDITE_CORES_SIMD_SW_SINGLE_H_
#define LYDITE_CORES_SIMD_SW_SINGLE_H_

#include "simd.h"

static void hash(uint8_t *out, const uint8_t *in, size_t in_bytes) {
  uint32_t state[16];
  memcpy(state, simd_initial, sizeof state);
  size_t at = 0;
  for (; at + SIMD_BLOCK_BYTES <= in_bytes; at += SIMD_BLOCK_BYTES) compress(state, in + at, 0);
  uint8_t last[2 * SIMD_BLOCK_BYTES];
  const size_t count = simd_last_blocks(last, in, in_bytes);
  if (count == 2) compress(state, last, 0);
  compress(state, last + (count - 1) * SIMD_BLOCK_BYTES, 1);
  for (size_t i = 0; i < 8; i++) store32_le(out + 4 * i, state[i]);
}

#define HASH_DIGEST_BYTES SIMD_DIGEST_BYTES
#include "../../common/sw/hash_single.h"

#endif  // LYDITE_CORES_SIMD_SW_SINGLE_H_
