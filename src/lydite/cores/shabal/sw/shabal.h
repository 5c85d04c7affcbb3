// SPDX-License-Identifier: Apache-2.0
//
// Constants and padding of Shabal-256 ("Shabal, a Submission to NIST's Cryptographic Hash Algorithm
// Competition").

#ifndef LYDITE_CORES_SHABAL_SW_SHABAL_H_
#define LYDITE_CORES_SHABAL_SW_SHABAL_H_

#include <stddef.h>
#include <stdint.h>
#include <string.h>

#include "../../common/sw/bytes.h"

#define SHABAL_BLOCK_BYTES 64
#define SHABAL_DIGEST_BYTES 32
#define SHABAL_FINAL_ROUNDS 3

// The state behind the two blocks of the prefix, which ref.c computes; the counter is then 1.
static const uint32_t shabal_iv_a[12] = {
    0x52f84552, 0xe54b7999, 0x2d8ee3ec, 0xb9645191, 0xe0078b86, 0xbb7c44c9, 0xd2b5c1ca, 0xb0d2eb8c,
    0x14ce5a45, 0x22af50dc, 0xeffdbc6b, 0xeb21b74a,
};
static const uint32_t shabal_iv_b[16] = {
    0xb555c6ee, 0x3e710596, 0xa72a652f, 0x9301515f, 0xda28c1fa, 0x696fd868, 0x9cb6bf72, 0x0afe4002,
    0xa6e03615, 0x5138c1d4, 0xbe216306, 0xb38b8890, 0x3ea8b96b, 0x3299ace4, 0x30924dd4, 0x55cb34a5,
};
static const uint32_t shabal_iv_c[16] = {
    0xb405f031, 0xc4233eba, 0xb3733979, 0xc0dd9d55, 0xc51c28ae, 0xa327b8e1, 0x56c56167, 0xed614433,
    0x88b59d60, 0x60e2ceba, 0x758b4b8b, 0x83e82a7f, 0xbc968828, 0xe6e00bf7, 0xba839e55, 0x9b491c60,
};

// The end of a message, a bit 1, and zeros.
static inline void shabal_last_block(uint8_t block[SHABAL_BLOCK_BYTES], const uint8_t *in,
                                     size_t in_bytes) {
  const size_t rest = in_bytes % SHABAL_BLOCK_BYTES;
  memset(block, 0, SHABAL_BLOCK_BYTES);
  if (rest != 0) memcpy(block, in + in_bytes - rest, rest);
  block[rest] = 0x80;
}

#endif  // LYDITE_CORES_SHABAL_SW_SHABAL_H_
