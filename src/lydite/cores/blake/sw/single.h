// SPDX-License-Identifier: Apache-2.0
//
// Padding (BLAKE-32, 2.1.3) and the interface of lydite_sw.h for variants that hash one message at
// a time. The including file defines before: compress(h, block, counter), HASH_IMPL,
// HASH_CPU_FLAGS.

#ifndef LYDITE_CORES_BLAKE_SW_SINGLE_H_
#define LYDITE_CORES_BLAKE_SW_SINGLE_H_

#include "blake.h"

static void hash(uint8_t *out, const uint8_t *in, size_t bytes) {
  uint32_t h[8];
  memcpy(h, blake_iv, sizeof h);
  uint64_t counter = 0;
  size_t rest = bytes;
  for (; rest >= BLAKE_BLOCK_BYTES; rest -= BLAKE_BLOCK_BYTES) {
    counter += 8 * BLAKE_BLOCK_BYTES;
    compress(h, in, counter);
    in += BLAKE_BLOCK_BYTES;
  }
  uint8_t last[2 * BLAKE_BLOCK_BYTES] = {0};
  if (rest != 0) memcpy(last, in, rest);
  last[rest] = 0x80;
  const size_t end = rest + 9 <= BLAKE_BLOCK_BYTES ? BLAKE_BLOCK_BYTES : 2 * BLAKE_BLOCK_BYTES;
  last[end - 9] |= 0x01;
  const uint64_t bits = 8 * (uint64_t)bytes;
  store32_be(last + end - 8, (uint32_t)(bits >> 32));
  store32_be(last + end - 4, (uint32_t)bits);
  // A block without bytes of the message counts none.
  compress(h, last, rest != 0 ? bits : 0);
  if (end == 2 * BLAKE_BLOCK_BYTES) compress(h, last + BLAKE_BLOCK_BYTES, 0);
  for (size_t i = 0; i < 8; i++) store32_be(out + 4 * i, h[i]);
}

#define HASH_DIGEST_BYTES BLAKE_DIGEST_BYTES
#include "../../common/sw/hash_single.h"

#endif  // LYDITE_CORES_BLAKE_SW_SINGLE_H_
