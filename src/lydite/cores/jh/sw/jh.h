// SPDX-License-Identifier: Apache-2.0
//
// What the variants of JH-256 ("The Hash Function JH") share. Macro of the build: ROUNDS (35: round
// 2 of the SHA-3 contest, 42: round 3).

#ifndef LYDITE_CORES_JH_SW_JH_H_
#define LYDITE_CORES_JH_SW_JH_H_

#include <stddef.h>
#include <stdint.h>
#include <string.h>

#include "../../common/sw/bytes.h"

#ifndef ROUNDS
#define ROUNDS 35
#endif

#define JH_BLOCK_BYTES 64
#define JH_STATE_BYTES 128
#define JH_DIGEST_BYTES 32
// Layers of S-boxes: behind 35 rounds one more follows.
#define JH_LAYERS (ROUNDS == 35 ? 36 : ROUNDS)

// The chain value before the first block, words little-endian: F_8 of the digest's length and of
// a block of zeros; the specification in Python computes it.
static const uint64_t jh_iv[16] = {
#if ROUNDS == 35
    0x6e593ac5e2b868c9, 0xe5e67a1def457e42, 0x7a1f7106d9b74561, 0x0122a9067861c72f,
    0xe22919b9c191297b, 0xd6a2c58ce14c2bc4, 0xdf5d1b90cabe2062, 0x5faca78e6305b2d3,
    0x0431316dba8c3e14, 0x717252905400e7b0, 0x10e55d071e32ce4c, 0x785102e2ec00a81b,
    0xa504d15f7972579f, 0x38b2f52534b6b8f0, 0x177f905f3efa7016, 0x90ac69e764c08fe2,
#else
    0xebd3202c41a398eb, 0xc145b29c7bbecd92, 0xfac7d4609151931c, 0x038a507ed6820026,
    0x45b92677269e23a4, 0x77941ad4481afbe0, 0x7a176b0226abb5cd, 0xa82fff0f4224f056,
    0x754d2e7f8996a371, 0x62e27df70849141d, 0x948f2476f7957627, 0x6c29804757b6d587,
    0x6c0d8eac2d275e5c, 0x0f7a0557c6508451, 0xea12247067d3e47b, 0x69d71cd313abe389,
#endif
};

// Writes what follows the whole blocks of a message: its rest, a one, zeros and its length in bits.
// Returns the bytes: a block or two.
static inline size_t jh_last_blocks(uint8_t out[2 * JH_BLOCK_BYTES], const uint8_t *rest,
                                    size_t rest_bytes, uint64_t message_bytes) {
  const size_t bytes = rest_bytes == 0 ? JH_BLOCK_BYTES : 2 * JH_BLOCK_BYTES;
  memset(out, 0, 2 * JH_BLOCK_BYTES);
  if (rest_bytes != 0) memcpy(out, rest, rest_bytes);
  out[rest_bytes] = 0x80;
  store64_be(out + bytes - 16, message_bytes >> 61);
  store64_be(out + bytes - 8, message_bytes << 3);
  return bytes;
}

#endif  // LYDITE_CORES_JH_SW_JH_H_
