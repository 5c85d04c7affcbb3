// SPDX-License-Identifier: Apache-2.0
//
// Luffa-256 v2 as "Hash Function Luffa: Specification", version 2.0.1, writes it: the readable
// reference, a place of four words and a word at a time. Not meant to be fast.

#include "luffa.h"

static const uint8_t sbox[16] = {13, 14, 0, 1, 5, 10, 7, 6, 11, 3, 9, 12, 15, 8, 2, 4};

static uint32_t rotate_left(uint32_t word, unsigned count) {
  return count == 0 ? word : word << count | word >> (32 - count);
}

// x times a block in the ring, modulo x^8 + x^4 + x^3 + x + 1 (3.3).
static void times_x(uint32_t block[8]) {
  const uint32_t top = block[7];
  memmove(block + 1, block, 7 * sizeof *block);
  block[0] = top;
  block[1] ^= top;
  block[3] ^= top;
  block[4] ^= top;
}

// 3.3
static void inject(uint32_t state[3][8], const uint32_t block[8]) {
  uint32_t total[8], message[8];
  for (size_t k = 0; k < 8; k++) total[k] = state[0][k] ^ state[1][k] ^ state[2][k];
  times_x(total);
  memcpy(message, block, sizeof message);
  for (size_t j = 0; j < 3; j++) {
    for (size_t k = 0; k < 8; k++) state[j][k] ^= total[k] ^ message[k];
    times_x(message);
  }
}

// 3.4.1: bit i of an entry is of word i.
static void sub_crumb(uint32_t *const words[4]) {
  uint32_t out[4] = {0};
  for (unsigned place = 0; place < 32; place++) {
    unsigned value = 0;
    for (unsigned i = 0; i < 4; i++) value |= (*words[i] >> place & 1) << i;
    for (unsigned i = 0; i < 4; i++) out[i] |= (uint32_t)(sbox[value] >> i & 1) << place;
  }
  for (size_t i = 0; i < 4; i++) *words[i] = out[i];
}

// 3.4.2
static void mix_word(uint32_t *left, uint32_t *right) {
  *right ^= *left;
  *left = rotate_left(*left, 2) ^ *right;
  *right = rotate_left(*right, 14) ^ *left;
  *left = rotate_left(*left, 10) ^ *right;
  *right = rotate_left(*right, 1);
}

// 3.4, with the tweak before it; j is the number of the permutation.
static void permute(uint32_t a[8], size_t j) {
  for (size_t k = 4; k < 8; k++) a[k] = rotate_left(a[k], (unsigned)j);
  for (size_t step = 0; step < LUFFA_STEPS; step++) {
    sub_crumb((uint32_t *const[4]){&a[0], &a[1], &a[2], &a[3]});
    sub_crumb((uint32_t *const[4]){&a[5], &a[6], &a[7], &a[4]});
    for (size_t k = 0; k < 4; k++) mix_word(&a[k], &a[k + 4]);
    a[0] ^= luffa_constants0[j][step];
    a[4] ^= luffa_constants4[j][step];
  }
}

static void add_block(uint32_t state[3][8], const uint8_t *block) {
  uint32_t words[8];
  for (size_t k = 0; k < 8; k++) words[k] = load32_be(block + 4 * k);
  inject(state, words);
  for (size_t j = 0; j < 3; j++) permute(state[j], j);
}

static void hash(uint8_t *out, const uint8_t *in, size_t in_bytes) {
  uint32_t state[3][8];
  memcpy(state, luffa_initial, sizeof state);
  for (size_t i = 0; i < in_bytes / LUFFA_BLOCK_BYTES; i++) {
    add_block(state, in + i * LUFFA_BLOCK_BYTES);
  }
  uint8_t last[LUFFA_BLOCK_BYTES];
  luffa_last_block(last, in, in_bytes);
  add_block(state, last);
  memset(last, 0, sizeof last);
  add_block(state, last);
  for (size_t k = 0; k < 8; k++) {
    store32_be(out + 4 * k, state[0][k] ^ state[1][k] ^ state[2][k]);
  }
}

#define HASH_DIGEST_BYTES LUFFA_DIGEST_BYTES
#define HASH_IMPL "ref"
#define HASH_CPU_FLAGS ""

#include "../../common/sw/hash_single.h"
