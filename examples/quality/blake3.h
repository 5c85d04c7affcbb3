// SPDX-License-Identifier: Apache-2.0
// What the compression of BLAKE3 is made of ("BLAKE3: one function, fast everywhere", 2.2), and
// its streams.

#pragma once

#include <lydite_stream.h>

#define ROUNDS 7

enum { CHUNK_START = 1, CHUNK_END = 2, PARENT = 4, ROOT = 8 };

static const uint32_t IV[8] = {0x6a09e667, 0xbb67ae85, 0x3c6ef372, 0xa54ff53a,
                               0x510e527f, 0x9b05688c, 0x1f83d9ab, 0x5be0cd19};

static inline uint32_t rotr32(uint32_t x, unsigned n) { return (x >> n) | (x << (32 - n)); }

static inline void mix(uint32_t v[16], int a, int b, int c, int d, uint32_t x, uint32_t y) {
  v[a] += v[b] + x;
  v[d] = rotr32(v[d] ^ v[a], 16);
  v[c] += v[d];
  v[b] = rotr32(v[b] ^ v[c], 12);
  v[a] += v[b] + y;
  v[d] = rotr32(v[d] ^ v[a], 8);
  v[c] += v[d];
  v[b] = rotr32(v[b] ^ v[c], 7);
}

// What a block is compressed with.
typedef struct setting {
  uint32_t chaining[8];
  uint64_t counter;
  uint32_t length;  // of the block, 0 to 64 bytes; what is behind them is 0
  uint32_t flags;
} setting;

typedef struct words16 {
  uint32_t word[16];
} words16;

LYDITE_STREAM(setting_stream, setting)
LYDITE_STREAM(block_stream, words16)

// Table 2: the permutation between rounds.
static const uint8_t order[16] = {2, 6, 3, 10, 7, 0, 4, 13, 1, 11, 12, 5, 9, 14, 15, 8};

static inline void round_of_mixes(uint32_t v[16], uint32_t m[16]) {
  mix(v, 0, 4, 8, 12, m[0], m[1]);
  mix(v, 1, 5, 9, 13, m[2], m[3]);
  mix(v, 2, 6, 10, 14, m[4], m[5]);
  mix(v, 3, 7, 11, 15, m[6], m[7]);
  mix(v, 0, 5, 10, 15, m[8], m[9]);
  mix(v, 1, 6, 11, 12, m[10], m[11]);
  mix(v, 2, 7, 8, 13, m[12], m[13]);
  mix(v, 3, 4, 9, 14, m[14], m[15]);
  uint32_t next[16];
  for (int i = 0; i < 16; i++) next[i] = m[order[i]];
  for (int i = 0; i < 16; i++) m[i] = next[i];
}
