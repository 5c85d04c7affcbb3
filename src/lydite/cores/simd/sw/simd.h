// SPDX-License-Identifier: Apache-2.0
//
// What variants of SIMD-256 share: its parameters and padding ("SIMD Is a Message Digest", tweaked
// version, 2009).

#ifndef LYDITE_CORES_SIMD_SW_SIMD_H_
#define LYDITE_CORES_SIMD_SW_SIMD_H_

#include <stddef.h>
#include <stdint.h>
#include <string.h>

#include "../../common/sw/bytes.h"

#define SIMD_BLOCK_BYTES 64
#define SIMD_DIGEST_BYTES 32
#define SIMD_POINTS 128
#define SIMD_STEPS 8  // of a round, of which there are four, and half of one behind them

// What becomes of zeros with the block "SIMD-256 v1.1".
static const uint32_t simd_initial[16] = {
    0x4d567983, 0x07190ba9, 0x8474577b, 0x39d726e9, 0xaaf3d925, 0x3ee20b03, 0xafd5e751, 0xc96006d3,
    0xc2c2ba14, 0x49b3bcb4, 0xf67caf46, 0x668626c9, 0xe2eaa8d2, 0x1ff47833, 0xd0c661a5, 0x55693de1,
};

// Which eight pairs of points a step takes in: of rounds 2 and 3 counted from their first one.
static const uint8_t simd_order[4][SIMD_STEPS] = {
    {4, 6, 0, 2, 7, 5, 3, 1},
    {15, 11, 12, 8, 9, 13, 10, 14},
    {1, 2, 7, 4, 6, 5, 0, 3},
    {6, 0, 1, 7, 3, 5, 4, 2},
};
static const uint8_t simd_rotations[4][4] = {
    {3, 23, 17, 27}, {28, 19, 22, 7}, {29, 9, 15, 5}, {4, 13, 10, 25}};

// Writes what follows the whole blocks of a message: its rest and zeros, if there is one, and the
// final block, its length in bits. Returns the blocks: one or two.
static inline size_t simd_last_blocks(uint8_t out[2 * SIMD_BLOCK_BYTES], const uint8_t *in,
                                      size_t in_bytes) {
  const size_t rest = in_bytes % SIMD_BLOCK_BYTES, count = rest == 0 ? 1 : 2;
  memset(out, 0, 2 * SIMD_BLOCK_BYTES);
  if (rest != 0) memcpy(out, in + in_bytes - rest, rest);
  store64_le(out + (count - 1) * SIMD_BLOCK_BYTES, 8 * (uint64_t)in_bytes);
  return count;
}

#endif  // LYDITE_CORES_SIMD_SW_SIMD_H_
