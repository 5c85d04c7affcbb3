// SPDX-License-Identifier: Apache-2.0
//
// What the variants of Groestl-256 of rounds 1 and 2 ("Groestl, a SHA-3 candidate") share.

#ifndef LYDITE_CORES_GROESTL_SW_GROESTL_H_
#define LYDITE_CORES_GROESTL_SW_GROESTL_H_

#include <stddef.h>
#include <stdint.h>
#include <string.h>

#include "../../common/sw/bytes.h"

#define GROESTL_BLOCK_BYTES 64
#define GROESTL_DIGEST_BYTES 32
#define GROESTL_ROUNDS 10

// Writes what follows the whole blocks of a message: its rest, a one, zeros, and the number of all
// blocks (3.5). Returns the bytes: a block or two.
static inline size_t groestl_last_blocks(uint8_t out[2 * GROESTL_BLOCK_BYTES], const uint8_t *rest,
                                         size_t rest_bytes, uint64_t blocks_before) {
  const size_t blocks = rest_bytes + 9 <= GROESTL_BLOCK_BYTES ? 1 : 2;
  memset(out, 0, 2 * GROESTL_BLOCK_BYTES);
  if (rest_bytes != 0) memcpy(out, rest, rest_bytes);
  out[rest_bytes] = 0x80;
  store64_be(out + blocks * GROESTL_BLOCK_BYTES - 8, blocks_before + blocks);
  return blocks * GROESTL_BLOCK_BYTES;
}

#endif  // LYDITE_CORES_GROESTL_SW_GROESTL_H_
