// SPDX-License-Identifier: Apache-2.0
//
// What variants of ECHO-256 share: its parameters, the last blocks and the counter
// ("SHA-3 Proposal: ECHO", 1.5, 2009, section 3).

#ifndef LYDITE_CORES_ECHO_SW_ECHO_H_
#define LYDITE_CORES_ECHO_SW_ECHO_H_

#include <stddef.h>
#include <stdint.h>
#include <string.h>

#include "../../common/sw/bytes.h"

#define ECHO_ROUNDS 8
#define ECHO_WORDS 16  // of 16 bytes; the first four are the chaining variable
#define ECHO_CHAIN_BYTES 64
#define ECHO_BLOCK_BYTES 192
#define ECHO_DIGEST_BYTES 32
// Size of the digest, and the number of bits of the message, at the end of the last block.
#define ECHO_TAIL_BYTES 18

// Writes what follows the whole blocks of a message: its rest, a one, zeros, the size of the digest
// and the number of bits. Returns the number of blocks.
static inline size_t echo_last_blocks(uint8_t last[2 * ECHO_BLOCK_BYTES], const uint8_t *in,
                                      size_t in_bytes) {
  const size_t rest = in_bytes % ECHO_BLOCK_BYTES;
  const size_t count = rest < ECHO_BLOCK_BYTES - ECHO_TAIL_BYTES ? 1 : 2;
  uint8_t *const tail = last + count * ECHO_BLOCK_BYTES - ECHO_TAIL_BYTES;
  memset(last, 0, 2 * ECHO_BLOCK_BYTES);
  if (rest != 0) memcpy(last, in + in_bytes - rest, rest);
  last[rest] = 0x80;
  tail[1] = 1;  // 256, lower byte first
  store64_le(tail + 2, 8 * (uint64_t)in_bytes);
  return count;
}

// The bits of the message up to the end of a block of it, 0 if none is in the block.
static inline uint64_t echo_bits(size_t block, size_t in_bytes) {
  const size_t begin = block * ECHO_BLOCK_BYTES, end = begin + ECHO_BLOCK_BYTES;
  return begin >= in_bytes ? 0 : 8 * (uint64_t)(end < in_bytes ? end : in_bytes);
}

#endif  // LYDITE_CORES_ECHO_SW_ECHO_H_
