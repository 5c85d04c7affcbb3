// SPDX-License-Identifier: Apache-2.0
//
// CubeHash16/32-256 as "CubeHash specification (2.B.1)" writes it: the readable reference. Word
// x[ijklm] of the document has the index of which i is the highest bit.

#include "cubehash.h"

static uint32_t rotate_left(uint32_t word, unsigned count) {
  return word << count | word >> (32 - count);
}

static void swap(uint32_t *a, uint32_t *b) {
  const uint32_t old = *a;
  *a = *b;
  *b = old;
}

// Half a round: five of its ten steps. Words of x0 whose indices differ in the bit swap0 are
// exchanged, and of x1 those that differ in swap1.
static void half_round(uint32_t x[32], unsigned rotation, size_t swap0, size_t swap1) {
  uint32_t *x0 = x, *x1 = x + 16;
  for (size_t i = 0; i < 16; i++) x1[i] += x0[i];
  for (size_t i = 0; i < 16; i++) x0[i] = rotate_left(x0[i], rotation);
  for (size_t i = 0; i < 16; i++) {
    if ((i & swap0) == 0) swap(&x0[i], &x0[i ^ swap0]);
  }
  for (size_t i = 0; i < 16; i++) x0[i] ^= x1[i];
  for (size_t i = 0; i < 16; i++) {
    if ((i & swap1) == 0) swap(&x1[i], &x1[i ^ swap1]);
  }
}

static void rounds(uint32_t x[32], size_t count) {
  for (size_t i = 0; i < count; i++) {
    half_round(x, 7, 8, 2);
    half_round(x, 11, 4, 1);
  }
}

static void add_block(uint32_t x[32], const uint8_t block[CUBEHASH_BLOCK_BYTES]) {
  for (size_t i = 0; i < 8; i++) x[i] ^= load32_le(block + 4 * i);
  rounds(x, CUBEHASH_ROUNDS);
}

static void hash(uint8_t *out, const uint8_t *in, size_t in_bytes) {
  uint32_t x[32];
  memcpy(x, cubehash_initial, sizeof x);
  for (size_t i = 0; i < in_bytes / CUBEHASH_BLOCK_BYTES; i++) {
    add_block(x, in + i * CUBEHASH_BLOCK_BYTES);
  }
  uint8_t last[CUBEHASH_BLOCK_BYTES];
  cubehash_last_block(last, in, in_bytes);
  add_block(x, last);
  x[31] ^= 1;
  rounds(x, CUBEHASH_FINAL_ROUNDS);
  for (size_t i = 0; i < 8; i++) store32_le(out + 4 * i, x[i]);
}

#define HASH_DIGEST_BYTES CUBEHASH_DIGEST_BYTES
#define HASH_IMPL "ref"
#define HASH_CPU_FLAGS ""

#include "../../common/sw/hash_single.h"
