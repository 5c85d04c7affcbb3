// SPDX-License-Identifier: Apache-2.0
//
// What variants of SHAvite-3-256 share: its parameters, and hashing with a compression function
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

// The variant's: works on a block; up to its end are `bits` of the message, 0 if none is in it.
static void compress(uint32_t chain[8], const uint8_t block[SHAVITE_BLOCK_BYTES], uint64_t bits);

static void hash(uint8_t *out, const uint8_t *in, size_t in_bytes) {
  uint32_t chain[8];
  memcpy(chain, shavite_initial, sizeof chain);
  const size_t whole = in_bytes / SHAVITE_BLOCK_BYTES, rest = in_bytes % SHAVITE_BLOCK_BYTES;
  for (size_t i = 0; i < whole; i++) {
    compress(chain, in + i * SHAVITE_BLOCK_BYTES, 8 * (uint64_t)SHAVITE_BLOCK_BYTES * (i + 1));
  }
  uint8_t last[2 * SHAVITE_BLOCK_BYTES] = {0};
  const size_t count = rest < SHAVITE_BLOCK_BYTES - SHAVITE_TAIL_BYTES ? 1 : 2;
  uint8_t *const tail = last + count * SHAVITE_BLOCK_BYTES - SHAVITE_TAIL_BYTES;
  const uint64_t bits = 8 * (uint64_t)in_bytes;
  if (rest != 0) memcpy(last, in + whole * SHAVITE_BLOCK_BYTES, rest);
  last[rest] = 0x80;
  store64_le(tail, bits);
  tail[9] = 1;  // 256, lower byte first
  compress(chain, last, rest != 0 ? bits : 0);
  if (count == 2) compress(chain, last + SHAVITE_BLOCK_BYTES, 0);
  for (size_t i = 0; i < 8; i++) store32_le(out + 4 * i, chain[i]);
}

#endif  // LYDITE_CORES_SHAVITE_SW_SHAVITE_H_
