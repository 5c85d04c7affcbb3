// SPDX-License-Identifier: Apache-2.0
//
// What variants of CubeHash16/32-256 share: its parameters, the initial state, the last block.

#ifndef LYDITE_CORES_CUBEHASH_SW_CUBEHASH_H_
#define LYDITE_CORES_CUBEHASH_SW_CUBEHASH_H_

#include <stddef.h>
#include <stdint.h>
#include <string.h>

#include "../../common/sw/bytes.h"

#define CUBEHASH_ROUNDS 16
#define CUBEHASH_FINAL_ROUNDS 160
#define CUBEHASH_BLOCK_BYTES 32
#define CUBEHASH_DIGEST_BYTES 32

// The parameters of the function, 32, 32, 16, 0, ..., after 160 rounds.
static const uint32_t cubehash_initial[32] = {
    0xea2bd4b4, 0xccd6f29f, 0x63117e71, 0x35481eae, 0x22512d5b, 0xe5d94e63, 0x7e624131, 0xf4cc12be,
    0xc2d0b696, 0x42af2070, 0xd0720c35, 0x3361da8c, 0x28cceca4, 0x8ef8ad83, 0x4680ac00, 0x40e5fbab,
    0xd89041c3, 0x6107fbd5, 0x6c859d41, 0xf0b26679, 0x09392549, 0x5fa25603, 0x65c892fd, 0x93cb6285,
    0x2af2b5ae, 0x9e4b4e60, 0x774abfdd, 0x85254725, 0x15815aeb, 0x4ab6aad6, 0x9cdaf8af, 0xd6032c0a,
};

// The end of a message, a bit 1, and zeros.
static inline void cubehash_last_block(uint8_t block[CUBEHASH_BLOCK_BYTES], const uint8_t *in,
                                       size_t in_bytes) {
  const size_t rest = in_bytes % CUBEHASH_BLOCK_BYTES;
  memset(block, 0, CUBEHASH_BLOCK_BYTES);
  if (rest != 0) memcpy(block, in + in_bytes - rest, rest);
  block[rest] = 0x80;
}

#endif  // LYDITE_CORES_CUBEHASH_SW_CUBEHASH_H_
