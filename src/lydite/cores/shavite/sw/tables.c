// SPDX-License-Identifier: Apache-2.0
//
// SHAvite-3-256, one message, portable C: rounds of AES by tables of 32-bit words. Each subkey is
// made beside a round of AES that waits for the one before it. leaks: by the tables' addresses;
// messages of a hash are no secret here.

#include "../../common/sw/aes_table.h"
#include "shavite.h"

// Compilers would else take the bytes of many columns ahead, for which there are no registers.
#define KEEP_ORDER() __asm__ volatile("" ::: "memory")

// A round of AES as aes_round does it, but one column taken apart after the other, so that bytes
// need no registers: with that the subkeys fit in beside, 2 % faster.
static inline void by_columns(uint32_t *a, uint32_t *b, uint32_t *c, uint32_t *d) {
  const uint32_t old[4] = {*a, *b, *c, *d};
  uint32_t made[4] = {0};
#pragma GCC unroll 4
  for (size_t j = 0; j < 4; j++) {
    uint32_t column = old[j];
#pragma GCC unroll 4
    for (size_t i = 0; i < 4; i++, column >>= 8) {
      made[(j + 4 - i) % 4] ^= aes_table[i][column & 0xff];
    }
  }
  *a = made[0], *b = made[1], *c = made[2], *d = made[3];
}

// The fifth subkey from here, with a round of AES (3.1).
static inline void with_aes(uint32_t *k) {
  uint32_t a = k[1], b = k[2], c = k[3], d = k[0];
  by_columns(&a, &b, &c, &d);
  k[16] = a ^ k[12];
  k[17] = b ^ k[13];
  k[18] = c ^ k[14];
  k[19] = d ^ k[15];
}

// Subkey 4 + i / 4, of the sixteen words before it (3.1): by a round of AES or, of every second
// sixteen words, by sums; four of them take in the counter.
static inline void make_key(uint32_t keys[SHAVITE_KEY_WORDS], size_t i, uint32_t low,
                            uint32_t high) {
  uint32_t *const k = keys + i;
  if (i % 32 >= 16) {
    for (size_t n = 0; n < 4; n++) k[16 + n] = k[n] ^ k[13 + n];
    return;
  }
  with_aes(k);
  if (i == 0) {
    k[16] ^= low;
    k[17] ^= ~high;
  } else if (i == 40) {
    k[17] ^= high;
    k[18] ^= ~low;
  } else if (i == 68) {
    k[18] ^= high;
    k[19] ^= ~low;
  } else if (i == 108) {
    k[16] ^= low;
    k[19] ^= ~high;
  }
}

static void compress(uint32_t chain[8], const uint8_t block[SHAVITE_BLOCK_BYTES], uint64_t bits) {
  const uint32_t low = (uint32_t)bits, high = (uint32_t)(bits >> 32);
  uint32_t keys[SHAVITE_KEY_WORDS], halves[2][4];
  for (size_t i = 0; i < 16; i++) keys[i] = load32_le(block + 4 * i);
  memcpy(halves, chain, sizeof halves);
#pragma GCC unroll 12
  for (size_t round = 0; round < SHAVITE_ROUNDS; round++) {
    uint32_t *const half = halves[round % 2], *const other = halves[1 - round % 2];
    uint32_t a = other[0], b = other[1], c = other[2], d = other[3];
#pragma GCC unroll 3
    for (size_t i = 0; i < SHAVITE_AES_ROUNDS; i++) {
      const size_t at = 4 * (SHAVITE_AES_ROUNDS * round + i);
      a ^= keys[at], b ^= keys[at + 1], c ^= keys[at + 2], d ^= keys[at + 3];
      by_columns(&a, &b, &c, &d);
      KEEP_ORDER();
      if (at + 16 < SHAVITE_KEY_WORDS) make_key(keys, at, low, high);
      KEEP_ORDER();
    }
    half[0] ^= a, half[1] ^= b, half[2] ^= c, half[3] ^= d;
  }
  for (size_t i = 0; i < 4; i++) chain[i] ^= halves[0][i], chain[4 + i] ^= halves[1][i];
}

#define HASH_IMPL "tables"
#define HASH_CPU_FLAGS ""
#include "single.h"
