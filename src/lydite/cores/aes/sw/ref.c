// SPDX-License-Identifier: Apache-2.0
//
// AES-128 as FIPS 197 writes it: the readable reference, byte by byte. The S-box is computed when
// the library is loaded. Not meant to be fast.

#include "aes.h"

typedef struct {
  uint8_t round[AES_ROUNDS + 1][AES_BLOCK_BYTES];
} aes_keys;

static uint8_t sbox[256], inv_sbox[256];

// FIPS 197, 4.2: a * b modulo x^8 + x^4 + x^3 + x + 1.
static uint8_t multiply(uint8_t a, uint8_t b) {
  uint8_t product = 0;
  for (; b != 0; b >>= 1) {
    if (b & 1) product ^= a;
    a = (uint8_t)(a << 1 ^ (a & 0x80 ? 0x1b : 0));
  }
  return product;
}

// FIPS 197, 5.1.1. Runs when this library is loaded, before any other thread can call it.
__attribute__((constructor)) static void fill_sboxes(void) {
  for (unsigned value = 0; value < 256; value++) {
    uint8_t inverse = 0;
    for (unsigned b = 1; b < 256; b++) {
      if (multiply((uint8_t)value, (uint8_t)b) == 1) inverse = (uint8_t)b;
    }
    uint8_t result = 0x63;
    for (unsigned turn = 0; turn < 5; turn++) {
      result ^= (uint8_t)(inverse << turn | inverse >> (8 - turn));
    }
    sbox[value] = result;
    inv_sbox[result] = (uint8_t)value;
  }
}

// FIPS 197, 5.1.1 and 5.3.2.
static void substitute(uint8_t state[AES_BLOCK_BYTES], const uint8_t table[256]) {
  for (size_t i = 0; i < AES_BLOCK_BYTES; i++) state[i] = table[state[i]];  // leaks: state
}

// FIPS 197, 5.1.2 and, with `columns` = 3, 5.3.1: row r moves to the left by r * columns.
static void shift_rows(uint8_t state[AES_BLOCK_BYTES], size_t columns) {
  uint8_t old[AES_BLOCK_BYTES];
  memcpy(old, state, sizeof old);
  for (size_t c = 0; c < 4; c++) {
    for (size_t r = 0; r < 4; r++) state[4 * c + r] = old[4 * ((c + r * columns) % 4) + r];
  }
}

// FIPS 197, 5.1.3 and 5.3.3: the circulant matrix with this first row.
static void mix_columns(uint8_t state[AES_BLOCK_BYTES], const uint8_t row[4]) {
  for (size_t c = 0; c < 4; c++) {
    uint8_t old[4];
    memcpy(old, state + 4 * c, sizeof old);
    for (size_t r = 0; r < 4; r++) {
      state[4 * c + r] = 0;
      for (size_t i = 0; i < 4; i++) state[4 * c + r] ^= multiply(old[i], row[(i + 4 - r) % 4]);
    }
  }
}

// FIPS 197, 5.1.4.
static void add_round_key(uint8_t state[AES_BLOCK_BYTES], const uint8_t key[AES_BLOCK_BYTES]) {
  for (size_t i = 0; i < AES_BLOCK_BYTES; i++) state[i] ^= key[i];
}

// FIPS 197, 5.2, a round key at a time.
static void expand_encrypt(aes_keys *keys, const uint8_t key[AES_KEY_BYTES]) {
  uint8_t constant = 1;
  memcpy(keys->round[0], key, AES_KEY_BYTES);
  for (size_t n = 1; n <= AES_ROUNDS; n++) {
    const uint8_t *const before = keys->round[n - 1];
    uint8_t *const next = keys->round[n];
    // RotWord and SubWord of the last word.
    for (size_t i = 0; i < 4; i++) {
      next[i] = before[i] ^ sbox[before[12 + (i + 1) % 4]];  // leaks: key
    }
    next[0] ^= constant;
    for (size_t i = 4; i < AES_KEY_BYTES; i++) next[i] = before[i] ^ next[i - 4];
    constant = multiply(constant, 2);
  }
}

static void expand_decrypt(aes_keys *keys, const uint8_t key[AES_KEY_BYTES]) {
  expand_encrypt(keys, key);
}

// FIPS 197, 5.1, algorithm 1.
static void encrypt_block(uint8_t out[AES_BLOCK_BYTES], const uint8_t in[AES_BLOCK_BYTES],
                          const aes_keys *keys) {
  static const uint8_t row[4] = {2, 3, 1, 1};
  memmove(out, in, AES_BLOCK_BYTES);
  add_round_key(out, keys->round[0]);
  for (size_t n = 1; n <= AES_ROUNDS; n++) {
    substitute(out, sbox);
    shift_rows(out, 1);
    if (n < AES_ROUNDS) mix_columns(out, row);
    add_round_key(out, keys->round[n]);
  }
}

// FIPS 197, 5.3, algorithm 3.
static void decrypt_block(uint8_t out[AES_BLOCK_BYTES], const uint8_t in[AES_BLOCK_BYTES],
                          const aes_keys *keys) {
  static const uint8_t row[4] = {14, 11, 13, 9};
  memmove(out, in, AES_BLOCK_BYTES);
  add_round_key(out, keys->round[AES_ROUNDS]);
  for (size_t n = AES_ROUNDS; n-- > 0;) {
    shift_rows(out, 3);
    substitute(out, inv_sbox);
    add_round_key(out, keys->round[n]);
    if (n > 0) mix_columns(out, row);
  }
}

#define AES_IMPL "ref"

#include "one_block.h"
