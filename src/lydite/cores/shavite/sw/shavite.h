// SPDX-License-Identifier: Apache-2.0
//
// What variants of SHAvite-3-256 share: its parameters, the last blocks and the counter
// ("The SHAvite-3 Hash Function", tweaked version, 2009, section 4).

#ifndef LYDITE_CORES_SHAVITE_SW_SHAVITE_H_
#define LYDITE_CORES_SHAVITE_SW_SHAVITE_H_

#include <stddef.h>
#include <stdint.h>
#include <string.h>

#include "../../common/sw/bytes.h"

#define SHAVITE_ROUNDS 12
#define SHAVITE_AES_ROUNDS 3  // of a round
#define SHAVITE_KEY_WORDS 144
#define SHAVITE_BLOCK_BYTES 64
#define SHAVITE_DIGEST_BYTES 32
// Bits of the message in 8 bytes, of the digest in 2, at the end of the last block.
#define SHAVITE_TAIL_BYTES 10

static const uint32_t shavite_initial[8] = {
    0x49bb3e47, 0x2674860d, 0xa8b392ac, 0x021ac4e6, 0x409283cf, 0x620e5d86, 0x6d929dcb, 0x96cc2a8b,
};

// Writes what follows the whole blocks of a message: its rest, a one, zeros, the number of bits and
// the size of the digest. Returns the number of blocks.
static inline size_t shavite_last_blocks(uint8_t last[2 * SHAVITE_BLOCK_BYTES], const uint8_t *in,
                                         size_t in_bytes) {
  const size_t rest = in_bytes % SHAVITE_BLOCK_BYTES;
  const size_t count = rest < SHAVITE_BLOCK_BYTES - SHAVITE_TAIL_BYTES ? 1 : 2;
  uint8_t *const tail = last + count * SHAVITE_BLOCK_BYTES - SHAVITE_TAIL_BYTES;
  memset(last, 0, 2 * SHAVITE_BLOCK_BYTES);
  if (rest != 0) memcpy(last, in + in_bytes - rest, rest);
  last[rest] = 0x80;
  store64_le(tail, 8 * (uint64_t)in_bytes);
  tail[9] = 1;  // 256, lower byte first
  return count;
}

// The bits of the message up to the end of a block of it, 0 if none is in the block.
static inline uint64_t shavite_bits(size_t block, size_t in_bytes) {
  const size_t begin = block * SHAVITE_BLOCK_BYTES, end = begin + SHAVITE_BLOCK_BYTES;
  return begin >= in_bytes ? 0 : 8 * (uint64_t)(end < in_bytes ? end : in_bytes);
}

#endif  // LYDITE_CORES_SHAVITE_SW_SHAVITE_H_
