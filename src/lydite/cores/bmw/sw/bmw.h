// SPDX-License-Identifier: Apache-2.0
//
// What variants of BMW-256 share: its parameters, and the end of a message.

#ifndef LYDITE_CORES_BMW_SW_BMW_H_
#define LYDITE_CORES_BMW_SW_BMW_H_

#include <stddef.h>
#include <stdint.h>
#include <string.h>

#include "../../common/sw/bytes.h"

#define BMW_BLOCK_BYTES 64
#define BMW_DIGEST_BYTES 32

// "Blue Midnight Wish", 2009, tables 1.1 and 1.2: the double pipe before the first block, and that
// of the last compression.
static const uint32_t bmw_initial[16] = {
    0x40414243, 0x44454647, 0x48494a4b, 0x4c4d4e4f, 0x50515253, 0x54555657, 0x58595a5b, 0x5c5d5e5f,
    0x60616263, 0x64656667, 0x68696a6b, 0x6c6d6e6f, 0x70717273, 0x74757677, 0x78797a7b, 0x7c7d7e7f,
};
static const uint32_t bmw_final[16] = {
    0xaaaaaaa0, 0xaaaaaaa1, 0xaaaaaaa2, 0xaaaaaaa3, 0xaaaaaaa4, 0xaaaaaaa5, 0xaaaaaaa6, 0xaaaaaaa7,
    0xaaaaaaa8, 0xaaaaaaa9, 0xaaaaaaaa, 0xaaaaaaab, 0xaaaaaaac, 0xaaaaaaad, 0xaaaaaaae, 0xaaaaaaaf,
};

// The end of a message, a bit 1, zeros, its length in bits. Returns how many blocks that are.
static inline size_t bmw_last_blocks(uint8_t blocks[2 * BMW_BLOCK_BYTES], const uint8_t *in,
                                     size_t in_bytes) {
  const size_t rest = in_bytes % BMW_BLOCK_BYTES;
  const size_t count = rest < BMW_BLOCK_BYTES - 8 ? 1 : 2;
  memset(blocks, 0, 2 * BMW_BLOCK_BYTES);
  if (rest != 0) memcpy(blocks, in + in_bytes - rest, rest);
  blocks[rest] = 0x80;
  store64_le(blocks + count * BMW_BLOCK_BYTES - 8, 8 * (uint64_t)in_bytes);
  return count;
}

#endif  // LYDITE_CORES_BMW_SW_BMW_H_
