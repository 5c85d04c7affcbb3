// SPDX-License-Identifier: Apache-2.0
//
// What variants of ECHO-256 share: its parameters, and hashing with a compression function
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

// The variant's: works on a block; up to its end are `bits` of the message, 0 if none is in it.
static void compress(uint8_t chain[ECHO_CHAIN_BYTES], const uint8_t block[ECHO_BLOCK_BYTES],
                     uint64_t bits);

static void hash(uint8_t *out, const uint8_t *in, size_t in_bytes) {
  uint8_t chain[ECHO_CHAIN_BYTES] = {0};
  for (size_t i = 0; i < 4; i++) chain[16 * i + 1] = 1;  // 256, the bits of the digest
  const size_t whole = in_bytes / ECHO_BLOCK_BYTES, rest = in_bytes % ECHO_BLOCK_BYTES;
  for (size_t i = 0; i < whole; i++) {
    compress(chain, in + i * ECHO_BLOCK_BYTES, 8 * (uint64_t)ECHO_BLOCK_BYTES * (i + 1));
  }
  uint8_t last[2 * ECHO_BLOCK_BYTES] = {0};
  const size_t count = rest < ECHO_BLOCK_BYTES - ECHO_TAIL_BYTES ? 1 : 2;
  uint8_t *const tail = last + count * ECHO_BLOCK_BYTES - ECHO_TAIL_BYTES;
  const uint64_t bits = 8 * (uint64_t)in_bytes;
  if (rest != 0) memcpy(last, in + whole * ECHO_BLOCK_BYTES, rest);
  last[rest] = 0x80;
  tail[1] = 1;
  store64_le(tail + 2, bits);
  compress(chain, last, rest != 0 ? bits : 0);
  if (count == 2) compress(chain, last + ECHO_BLOCK_BYTES, 0);
  memcpy(out, chain, ECHO_DIGEST_BYTES);
}

#endif  // LYDITE_CORES_ECHO_SW_ECHO_H_
