// SPDX-License-Identifier: Apache-2.0
//
// What variants of Luffa-256 share: its tables ("Hash Function Luffa: Specification", version
// 2.0.1, appendix), and the last block.

#ifndef LYDITE_CORES_LUFFA_SW_LUFFA_H_
#define LYDITE_CORES_LUFFA_SW_LUFFA_H_

#include <stddef.h>
#include <stdint.h>
#include <string.h>

#include "../../common/sw/bytes.h"

#define LUFFA_STEPS 8
#define LUFFA_BLOCK_BYTES 32
#define LUFFA_DIGEST_BYTES 32

static const uint32_t luffa_initial[3][8] = {
    {0x6d251e69, 0x44b051e0, 0x4eaa6fb4, 0xdbf78465,
     0x6e292011, 0x90152df4, 0xee058139, 0xdef610bb},
    {0xc3b44b95, 0xd9d2f256, 0x70eee9a0, 0xde099fa3,
     0x5d9b0557, 0x8fc944b3, 0xcf1ccf0e, 0x746cd581},
    {0xf7efc89d, 0x5dba5781, 0x04016ce5, 0xad659c05,
     0x0306194f, 0x666d1836, 0x24aa230a, 0x8b264ae7},
};

// What a step of each permutation adds to word 0, and to word 4.
static const uint32_t luffa_constants0[3][LUFFA_STEPS] = {
    {0x303994a6, 0xc0e65299, 0x6cc33a12, 0xdc56983e,
     0x1e00108f, 0x7800423d, 0x8f5b7882, 0x96e1db12},
    {0xb6de10ed, 0x70f47aae, 0x0707a3d4, 0x1c1e8f51,
     0x707a3d45, 0xaeb28562, 0xbaca1589, 0x40a46f3e},
    {0xfc20d9d2, 0x34552e25, 0x7ad8818f, 0x8438764a,
     0xbb6de032, 0xedb780c8, 0xd9847356, 0xa2c78434},
};
static const uint32_t luffa_constants4[3][LUFFA_STEPS] = {
    {0xe0337818, 0x441ba90d, 0x7f34d442, 0x9389217f,
     0xe5a8bce6, 0x5274baf4, 0x26889ba7, 0x9a226e9d},
    {0x01685f3d, 0x05a17cf4, 0xbd09caca, 0xf4272b28,
     0x144ae5cc, 0xfaa7ae2b, 0x2e48f1c1, 0xb923c704},
    {0xe25e72c1, 0xe623bb72, 0x5c58a4a4, 0x1e38e2e7,
     0x78e38b9d, 0x27586719, 0x36eda57f, 0x703aace7},
};

// The end of a message, a bit 1, and zeros.
static inline void luffa_last_block(uint8_t block[LUFFA_BLOCK_BYTES], const uint8_t *in,
                                    size_t in_bytes) {
  const size_t rest = in_bytes % LUFFA_BLOCK_BYTES;
  memset(block, 0, LUFFA_BLOCK_BYTES);
  if (rest != 0) memcpy(block, in + in_bytes - rest, rest);
  block[rest] = 0x80;
}

#endif  // LYDITE_CORES_LUFFA_SW_LUFFA_H_
