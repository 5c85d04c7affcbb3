// SPDX-License-Identifier: Apache-2.0
//
// Skein-512-256 as its designers write it ("The Skein Hash Function Family"): the readable
// reference, not meant to be fast.

#include "skein.h"

// 3.3.1, tables 3 and 4.
static const uint8_t permutation[8] = {2, 1, 4, 7, 6, 5, 0, 3};
static const uint8_t rotations[8][4] = {
    {46, 36, 19, 37}, {33, 27, 14, 42}, {17, 49, 36, 39}, {44, 9, 54, 56},
    {39, 30, 34, 24}, {13, 50, 10, 17}, {25, 29, 39, 43}, {8, 35, 56, 22},
};

// 3.3.2: adds subkey `index` of the extended key and tweak.
static void add_subkey(uint64_t v[8], const uint64_t key[9], const uint64_t tweak[3],
                       size_t index) {
  for (size_t i = 0; i < 8; i++) v[i] += key[(index + i) % 9];
  v[5] += tweak[index % 3];
  v[6] += tweak[(index + 1) % 3];
  v[7] += index;
}

// 3.3.1
static void round_of(uint64_t v[8], const uint8_t rotation[4]) {
  uint64_t f[8];
  for (size_t j = 0; j < 4; j++) {
    const uint64_t x = v[2 * j + 1];
    f[2 * j] = v[2 * j] + x;
    f[2 * j + 1] = (x << rotation[j] | x >> (64 - rotation[j])) ^ f[2 * j];
  }
  for (size_t i = 0; i < 8; i++) v[i] = f[permutation[i]];
}

// Threefish-512 (3.3) of a block, and UBI (3.4).
static void block(uint64_t chain[8], const uint8_t in[SKEIN_BLOCK_BYTES], uint64_t position,
                  uint64_t flags) {
  uint64_t key[9], v[8];
  key[8] = SKEIN_PARITY;
  for (size_t i = 0; i < 8; i++) {
    key[i] = chain[i];
    key[8] ^= chain[i];
    v[i] = load64_le(in + 8 * i);
  }
  const uint64_t tweak[3] = {position, flags, position ^ flags};
  for (size_t d = 0; d < SKEIN_ROUNDS; d++) {
    if (d % 4 == 0) add_subkey(v, key, tweak, d / 4);
    round_of(v, rotations[d % 8]);
  }
  add_subkey(v, key, tweak, SKEIN_ROUNDS / 4);
  for (size_t i = 0; i < 8; i++) chain[i] = v[i] ^ load64_le(in + 8 * i);
}

// 3.5.2: the configuration, "SHA3", version 1, 256 bits of output.
static void initial(uint64_t chain[8]) {
  static const uint8_t configuration[SKEIN_BLOCK_BYTES] = {'S', 'H', 'A', '3', 1, 0, 0, 0, 0, 1};
  memset(chain, 0, 8 * sizeof *chain);
  block(chain, configuration, 32, SKEIN_CONFIGURATION | SKEIN_FIRST | SKEIN_FINAL);
}

#define HASH_IMPL "ref"
#define HASH_CPU_FLAGS ""
#include "single.h"
