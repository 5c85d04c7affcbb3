// SPDX-License-Identifier: Apache-2.0
//
// Constants and padding of BLAKE-32 of round 2 and BLAKE-256 of round 3 ("SHA-3 proposal BLAKE",
// 2.1.1). Macro of the build: ROUNDS (10, 14).

#ifndef LYDITE_CORES_BLAKE_SW_BLAKE_H_
#define LYDITE_CORES_BLAKE_SW_BLAKE_H_

#include <stddef.h>
#include <stdint.h>
#include <string.h>

#include "../../common/sw/bytes.h"

#ifndef ROUNDS
#define ROUNDS 10
#endif

#define BLAKE_BLOCK_BYTES 64
#define BLAKE_DIGEST_BYTES 32
#define BLAKE_SIGMAS 10

static const uint32_t blake_iv[8] = {
    0x6a09e667, 0xbb67ae85, 0x3c6ef372, 0xa54ff53a, 0x510e527f, 0x9b05688c, 0x1f83d9ab, 0x5be0cd19,
};

static const uint32_t blake_constants[16] = {
    0x243f6a88, 0x85a308d3, 0x13198a2e, 0x03707344, 0xa4093822, 0x299f31d0, 0x082efa98, 0xec4e6c89,
    0x452821e6, 0x38d01377, 0xbe5466cf, 0x34e90c6c, 0xc0ac29b7, 0xc97c50dd, 0x3f84d5b5, 0xb5470917,
};

// The permutation of each round; behind the last the first again.
static const uint8_t blake_sigma[BLAKE_SIGMAS][16] = {
    {0, 1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12, 13, 14, 15},
    {14, 10, 4, 8, 9, 15, 13, 6, 1, 12, 0, 2, 11, 7, 5, 3},
    {11, 8, 12, 0, 5, 2, 15, 13, 10, 14, 3, 6, 7, 1, 9, 4},
    {7, 9, 3, 1, 13, 12, 11, 14, 2, 6, 5, 10, 4, 0, 15, 8},
    {9, 0, 5, 7, 2, 4, 10, 15, 14, 1, 11, 12, 6, 8, 3, 13},
    {2, 12, 6, 10, 0, 11, 8, 3, 4, 13, 7, 5, 15, 14, 1, 9},
    {12, 5, 1, 15, 14, 13, 4, 10, 0, 7, 6, 3, 9, 2, 8, 11},
    {13, 11, 7, 14, 12, 1, 3, 9, 5, 0, 15, 4, 8, 6, 2, 10},
    {6, 15, 14, 9, 11, 3, 0, 8, 12, 2, 13, 7, 1, 4, 10, 5},
    {10, 2, 8, 4, 7, 6, 1, 5, 15, 11, 9, 14, 3, 12, 13, 0},
};

// The end of a message (2.1.3): a bit 1, zeros, a bit 1, the length in bits. Returns how many
// blocks that are.
static inline size_t blake_last_blocks(uint8_t blocks[2 * BLAKE_BLOCK_BYTES], const uint8_t *in,
                                       size_t in_bytes) {
  const size_t rest = in_bytes % BLAKE_BLOCK_BYTES;
  const size_t count = rest + 9 <= BLAKE_BLOCK_BYTES ? 1 : 2;
  uint8_t *const end = blocks + count * BLAKE_BLOCK_BYTES;
  memset(blocks, 0, 2 * BLAKE_BLOCK_BYTES);
  if (rest != 0) memcpy(blocks, in + in_bytes - rest, rest);
  blocks[rest] = 0x80;
  end[-9] |= 0x01;
  store64_be(end - 8, 8 * (uint64_t)in_bytes);
  return count;
}

#endif  // LYDITE_CORES_BLAKE_SW_BLAKE_H_
