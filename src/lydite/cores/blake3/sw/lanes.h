// SPDX-License-Identifier: Apache-2.0
//
// LANES inputs at once, word i of each in the lanes of vector i. A variant defines before it is
// included:
//   VECTOR, LANES, LANE_ADD, LANE_XOR, LANE_ROR, LANE_ALL(word)
//   LANE_LOAD(words)           LANES words of 32 bits
//   transpose(words)           of LANES vectors in place; or LANE_LOAD_BLOCKS instead

#ifndef LYDITE_CORES_BLAKE3_SW_LANES_H_
#define LYDITE_CORES_BLAKE3_SW_LANES_H_

#include "blake3.h"
#include "prefetch.h"
#include "rounds.h"

#ifndef LANE_LOAD_BLOCKS
#define LANE_LOAD_BLOCKS load_blocks
// Vectors that hold the block of an input.
#define BLOCK_VECTORS (16 / LANES)

// Blocks at `at`: words of the lanes.
static inline void load_blocks(VECTOR m[16], const uint8_t *const in[LANES], size_t at) {
  for (size_t part = 0; part < BLOCK_VECTORS; part++) {
    for (size_t i = 0; i < LANES; i++) {
      if (part == 0) LANE_PREFETCH(in[i] + at);
      m[part * LANES + i] = LANE_LOAD(in[i] + at + part * sizeof(VECTOR));
    }
    transpose(m + part * LANES);
  }
}

#endif
static inline void compress_lanes(VECTOR h[8], const VECTOR m[16], VECTOR low, VECTOR high,
                                  uint32_t flags) {
  VECTOR v[16] = {
      h[0],
      h[1],
      h[2],
      h[3],
      h[4],
      h[5],
      h[6],
      h[7],
      LANE_ALL(blake3_iv[0]),
      LANE_ALL(blake3_iv[1]),
      LANE_ALL(blake3_iv[2]),
      LANE_ALL(blake3_iv[3]),
      low,
      high,
      LANE_ALL(BLAKE3_BLOCK_BYTES),
      LANE_ALL(flags),
  };
  BLAKE3_ALL_ROUNDS(LANE, v, m);
  for (size_t i = 0; i < 8; i++) h[i] = LANE_XOR(v[i], v[i + 8]);
}

static void hash_lanes(uint8_t (*out)[BLAKE3_KEY_BYTES], const uint8_t *const in[LANES],
                       size_t blocks, const uint32_t key[8], uint64_t counter, unsigned step,
                       uint32_t mode, uint32_t start, uint32_t end) {
  VECTOR h[8];
  uint32_t low[LANES], high[LANES], words[8][LANES];
  for (size_t i = 0; i < LANES; i++) {
    const uint64_t own = counter + i * step;
    low[i] = (uint32_t)own;
    high[i] = (uint32_t)(own >> 32);
  }
  const VECTOR lows = LANE_LOAD(low), highs = LANE_LOAD(high);
  for (size_t i = 0; i < 8; i++) h[i] = LANE_ALL(key[i]);
  for (size_t block = 0; block < blocks; block++) {
    VECTOR m[16];
    const uint32_t first = block == 0 ? start : 0;
    const uint32_t last = block + 1 == blocks ? end : 0;
    LANE_LOAD_BLOCKS(m, in, block * BLAKE3_BLOCK_BYTES);
    compress_lanes(h, m, lows, highs, mode | first | last);
  }
  memcpy(words, h, sizeof words);
  for (size_t i = 0; i < LANES; i++) {
    for (size_t word = 0; word < 8; word++) store32_le(out[i] + 4 * word, words[word][i]);
  }
}

#endif  // LYDITE_CORES_BLAKE3_SW_LANES_H_
