// SPDX-License-Identifier: Apache-2.0
//
// The compression of BLAKE3 (one function, fast everywhere; sections are that paper's) and the
// stream of jobs, for the cores that `lydite hls` compiles.

#pragma once

#include <lydite_stream.h>

// What a beat holds.
#ifdef WIDE
typedef struct words {
  uint32_t word[16];
} words;
#else
typedef uint64_t words;
#endif
LYDITE_STREAM_USER(job_stream, words, 32)
LYDITE_STREAM(output_stream, words)

enum operation { HASH, KEYED_HASH, DERIVE_KEY };
// 2.2, table 3.
enum {
  CHUNK_START = 1,
  CHUNK_END = 2,
  PARENT = 4,
  ROOT = 8,
  KEYED = 16,
  CONTEXT = 32,
  MATERIAL = 64,
};

#define ROUNDS 7
#define CHUNK_BLOCKS 16
#define LEVELS 64

// 2.2, table 1.
static const uint32_t iv[8] = {0x6a09e667, 0xbb67ae85, 0x3c6ef372, 0xa54ff53a,
                               0x510e527f, 0x9b05688c, 0x1f83d9ab, 0x5be0cd19};

static uint32_t rotate(uint32_t word, int bits) { return word >> bits | word << (32 - bits); }

// 2.2
static void mix(uint32_t v[16], int a, int b, int c, int d, uint32_t x, uint32_t y) {
#pragma HLS inline
  v[a] += x + v[b];
  v[d] = rotate(v[d] ^ v[a], 16);
  v[c] += v[d];
  v[b] = rotate(v[b] ^ v[c], 12);
  v[a] += y + v[b];
  v[d] = rotate(v[d] ^ v[a], 8);
  v[c] += v[d];
  v[b] = rotate(v[b] ^ v[c], 7);
}

// 2.2: the state before the first round.
static void begin(uint32_t v[16], const uint32_t chaining[8], uint64_t counter, uint32_t bytes,
                  uint32_t flags) {
  for (int i = 0; i < 8; i++) v[i] = chaining[i];
  for (int i = 0; i < 4; i++) v[8 + i] = iv[i];
  v[12] = (uint32_t)counter;
  v[13] = (uint32_t)(counter >> 32);
  v[14] = bytes;
  v[15] = flags;
}

// 2.2: a round, and the words of the block in the order of the next one.
static void mix_all(uint32_t v[16], uint32_t m[16]) {
#pragma HLS inline
  static const uint8_t permutation[16] = {2, 6, 3, 10, 7, 0, 4, 13, 1, 11, 12, 5, 9, 14, 15, 8};
  uint32_t next[16];
  for (int i = 0; i < 4; i++) mix(v, i, 4 + i, 8 + i, 12 + i, m[2 * i], m[2 * i + 1]);
  for (int i = 0; i < 4; i++) {
    mix(v, i, 4 + (i + 1) % 4, 8 + (i + 2) % 4, 12 + (i + 3) % 4, m[8 + 2 * i], m[9 + 2 * i]);
  }
  for (int i = 0; i < 16; i++) next[i] = m[permutation[i]];
  for (int i = 0; i < 16; i++) m[i] = next[i];
}

// 2.2: all 16 words, a round after the other.
static inline void compress(uint32_t out[16], const uint32_t chaining[8], const uint32_t block[16],
                            uint64_t counter, uint32_t bytes, uint32_t flags) {
  uint32_t v[16], m[16];
  begin(v, chaining, counter, bytes, flags);
  for (int i = 0; i < 16; i++) m[i] = block[i];
  for (int round = 0; round < ROUNDS; round++) {
#pragma HLS pipeline
    mix_all(v, m);
  }
  for (int i = 0; i < 8; i++) {
    out[i] = v[i] ^ v[i + 8];
    out[i + 8] = v[i + 8] ^ chaining[i];
  }
}
