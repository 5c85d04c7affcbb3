// SPDX-License-Identifier: Apache-2.0
//
// ECHO-256 as "SHA-3 Proposal: ECHO", 1.5, 2009, writes it: the readable reference, a byte at a
// time. Words are AES states of FIPS 197, whose S-box is computed. Not meant to be fast.
// leaks: by the S-box's addresses; messages of a hash are no secret here.

#include "echo.h"

typedef uint8_t echo_word[16];

// FIPS 197, 4.2
static uint8_t twice(uint8_t a) { return (uint8_t)(a << 1 ^ (a >> 7) * 0x1b); }

static uint8_t multiply(uint8_t a, uint8_t b) {
  uint8_t product = 0;
  for (; b != 0; b >>= 1, a = twice(a)) product ^= (uint8_t)((b & 1) * a);
  return product;
}

// FIPS 197, 5.1.1
static void make_sbox(uint8_t sbox[256]) {
  for (unsigned i = 0; i < 256; i++) {
    uint8_t inverse = 1;
    for (unsigned n = 0; n < 254; n++) inverse = multiply(inverse, (uint8_t)i);
    const unsigned x = inverse | (unsigned)inverse << 8;
    sbox[i] = (uint8_t)(x ^ x >> 4 ^ x >> 5 ^ x >> 6 ^ x >> 7 ^ 0x63);
  }
}

// FIPS 197, 5.1.3, of the four bytes of a column
static void mix_column(uint8_t *const a[4]) {
  const uint8_t in[4] = {*a[0], *a[1], *a[2], *a[3]};
  for (size_t i = 0; i < 4; i++) {
    const uint8_t next = in[(i + 1) % 4];
    *a[i] = (uint8_t)(twice(in[i]) ^ twice(next) ^ next ^ in[(i + 2) % 4] ^ in[(i + 3) % 4]);
  }
}

// A round of AES without a key.
static void aes_round(echo_word word, const uint8_t sbox[256]) {
  echo_word old;
  memcpy(old, word, sizeof old);
  for (size_t i = 0; i < 16; i++) word[i] = sbox[old[(4 * (i / 4 + i % 4) + i % 4) % 16]];
  for (size_t c = 0; c < 16; c += 4) {
    mix_column((uint8_t *const[4]){word + c, word + c + 1, word + c + 2, word + c + 3});
  }
}

// BIG.SubWords (2.2.1): the counter is the first key, the salt, which is zero, the second.
static void big_sub_words(echo_word w[ECHO_WORDS], const uint8_t sbox[256], uint64_t counter) {
  for (size_t i = 0; i < ECHO_WORDS; i++) {
    uint8_t key[8];
    store64_le(key, counter + i);
    aes_round(w[i], sbox);
    for (size_t j = 0; j < sizeof key; j++) w[i][j] ^= key[j];
    aes_round(w[i], sbox);
  }
}

// BIG.ShiftRows and BIG.MixColumns (2.2.2, 2.2.3): as those of AES, of words.
static void big_shift_and_mix(echo_word w[ECHO_WORDS]) {
  echo_word old[ECHO_WORDS];
  memcpy(old, w, sizeof old);
  for (size_t i = 0; i < 16; i++) memcpy(w[i], old[(4 * (i / 4 + i % 4) + i % 4) % 16], 16);
  for (size_t c = 0; c < 16; c += 4) {
    for (size_t j = 0; j < 16; j++) {
      mix_column((uint8_t *const[4]){w[c] + j, w[c + 1] + j, w[c + 2] + j, w[c + 3] + j});
    }
  }
}

static void compress(uint8_t chain[ECHO_CHAIN_BYTES], const uint8_t block[ECHO_BLOCK_BYTES],
                     uint64_t bits) {
  uint8_t sbox[256];
  make_sbox(sbox);
  echo_word start[ECHO_WORDS], w[ECHO_WORDS];
  memcpy(start, chain, ECHO_CHAIN_BYTES);
  memcpy(start[4], block, ECHO_BLOCK_BYTES);
  memcpy(w, start, sizeof w);
  for (uint64_t round = 0; round < ECHO_ROUNDS; round++) {
    big_sub_words(w, sbox, bits + ECHO_WORDS * round);
    big_shift_and_mix(w);
  }
  memset(chain, 0, ECHO_CHAIN_BYTES);
  for (size_t i = 0; i < ECHO_WORDS; i++) {  // BIG.Final (2.2.4)
    for (size_t j = 0; j < 16; j++) chain[i % 4 * 16 + j] ^= start[i][j] ^ w[i][j];
  }
}

#define HASH_IMPL "ref"
#define HASH_CPU_FLAGS ""
#include "single.h"
