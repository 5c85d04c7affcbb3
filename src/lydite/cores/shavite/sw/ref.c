// SPDX-License-Identifier: Apache-2.0
//
// SHAvite-3-256 as "The SHAvite-3 Hash Function", tweaked version, 2009, writes it: the readable
// reference, a round of AES a byte at a time. Not meant to be fast.
// leaks: by the S-box's addresses; messages of a hash are no secret here.

#include "../../common/sw/aes_table.h"
#include "shavite.h"

// FIPS 197, 4.2
static uint8_t twice(uint8_t a) { return (uint8_t)(a << 1 ^ (a >> 7) * 0x1b); }

#define ENTRY(s) s,
static const uint8_t sbox[256] = {AES_SBOX(ENTRY)};

// A round of AES without a key (FIPS 197, 5.1); a word is a column, row 0 its lowest byte.
static void round_of_aes(uint32_t state[4]) {
  uint32_t old[4];
  memcpy(old, state, sizeof old);
  for (size_t i = 0; i < 4; i++) {
    uint8_t a[4];
    for (size_t row = 0; row < 4; row++) a[row] = sbox[old[(i + row) % 4] >> 8 * row & 0xff];
    state[i] = 0;
    for (size_t row = 0; row < 4; row++) {
      const uint8_t next = a[(row + 1) % 4];
      const uint8_t byte =
          (uint8_t)(twice(a[row]) ^ twice(next) ^ next ^ a[(row + 2) % 4] ^ a[(row + 3) % 4]);
      state[i] |= (uint32_t)byte << 8 * row;
    }
  }
}

// 3.1: four subkeys of the block, and by turns four with a round of AES and four without; four of
// them have the counter in them.
static void make_keys(uint32_t k[SHAVITE_KEY_WORDS], const uint8_t block[SHAVITE_BLOCK_BYTES],
                      uint64_t bits) {
  const uint32_t low = (uint32_t)bits, high = (uint32_t)(bits >> 32);
  for (size_t i = 0; i < 16; i++) k[i] = load32_le(block + 4 * i);
  for (size_t at = 16; at < SHAVITE_KEY_WORDS; at += 4) {
    if (at / 16 % 2 == 1) {
      uint32_t turned[4] = {k[at - 15], k[at - 14], k[at - 13], k[at - 16]};
      round_of_aes(turned);
      for (size_t i = 0; i < 4; i++) k[at + i] = turned[i] ^ k[at + i - 4];
    } else {
      for (size_t i = at; i < at + 4; i++) k[i] = k[i - 16] ^ k[i - 3];
    }
    if (at == 16) {
      k[16] ^= low;
      k[17] ^= ~high;
    } else if (at == 56) {
      k[57] ^= high;
      k[58] ^= ~low;
    } else if (at == 84) {
      k[86] ^= high;
      k[87] ^= ~low;
    } else if (at == 124) {
      k[124] ^= low;
      k[127] ^= ~high;
    }
  }
}

static void compress(uint32_t chain[8], const uint8_t block[SHAVITE_BLOCK_BYTES], uint64_t bits) {
  uint32_t keys[SHAVITE_KEY_WORDS], left[4], right[4];
  make_keys(keys, block, bits);
  memcpy(left, chain, sizeof left);
  memcpy(right, chain + 4, sizeof right);
  for (size_t at = 0; at < SHAVITE_KEY_WORDS; at += 4 * SHAVITE_AES_ROUNDS) {
    uint32_t mixed[4];
    memcpy(mixed, right, sizeof mixed);
    for (size_t i = at; i < at + 4 * SHAVITE_AES_ROUNDS; i += 4) {
      for (size_t j = 0; j < 4; j++) mixed[j] ^= keys[i + j];
      round_of_aes(mixed);
    }
    for (size_t j = 0; j < 4; j++) mixed[j] ^= left[j];
    memcpy(left, right, sizeof left);
    memcpy(right, mixed, sizeof right);
  }
  for (size_t j = 0; j < 4; j++) {
    chain[j] ^= left[j];
    chain[4 + j] ^= right[j];
  }
}

#define HASH_IMPL "ref"
#define HASH_CPU_FLAGS ""
#include "single.h"
