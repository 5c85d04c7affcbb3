// SPDX-License-Identifier: Apache-2.0
//
// BLAKE as its designers write it ("SHA-3 proposal BLAKE", 2.1): the readable reference, not meant
// to be fast. It shares nothing with the fast variants but the tables.

#include "blake.h"

static uint32_t rotate_right(uint32_t word, unsigned count) {
  return word >> count | word << (32 - count);
}

// 2.1.2: G_i of a round on the words a, b, c, d of the state.
static void mix(uint32_t v[16], const uint32_t m[16], const uint8_t sigma[16], size_t i, size_t a,
                size_t b, size_t c, size_t d) {
  const size_t first = sigma[2 * i], second = sigma[2 * i + 1];
  v[a] += v[b] + (m[first] ^ blake_constants[second]);
  v[d] = rotate_right(v[d] ^ v[a], 16);
  v[c] += v[d];
  v[b] = rotate_right(v[b] ^ v[c], 12);
  v[a] += v[b] + (m[second] ^ blake_constants[first]);
  v[d] = rotate_right(v[d] ^ v[a], 8);
  v[c] += v[d];
  v[b] = rotate_right(v[b] ^ v[c], 7);
}

// 2.1.2; the salt is zero.
static void compress(uint32_t h[8], const uint8_t block[BLAKE_BLOCK_BYTES], uint64_t counter) {
  uint32_t m[16], v[16];
  for (size_t i = 0; i < 16; i++) m[i] = load32_be(block + 4 * i);
  for (size_t i = 0; i < 8; i++) v[i] = h[i];
  for (size_t i = 0; i < 8; i++) v[8 + i] = blake_constants[i];
  v[12] ^= (uint32_t)counter;
  v[13] ^= (uint32_t)counter;
  v[14] ^= (uint32_t)(counter >> 32);
  v[15] ^= (uint32_t)(counter >> 32);
  for (size_t round = 0; round < ROUNDS; round++) {
    const uint8_t *sigma = blake_sigma[round % BLAKE_SIGMAS];
    for (size_t i = 0; i < 4; i++) mix(v, m, sigma, i, i, 4 + i, 8 + i, 12 + i);
    for (size_t i = 0; i < 4; i++) {
      mix(v, m, sigma, 4 + i, i, 4 + (i + 1) % 4, 8 + (i + 2) % 4, 12 + (i + 3) % 4);
    }
  }
  for (size_t i = 0; i < 8; i++) h[i] ^= v[i] ^ v[8 + i];
}

#define HASH_IMPL "ref"
#define HASH_CPU_FLAGS ""
#include "single.h"
