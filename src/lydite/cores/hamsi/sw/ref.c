// SPDX-License-Identifier: Apache-2.0
//
// Hamsi-256 as "The Hash Function Hamsi", 2009, writes it: the readable reference, bits one by one.
// Not meant to be fast. leaks: by the S-box's addresses; messages of a hash are no secret here.

#include "hamsi.h"

// An S-box of Serpent; row 0 is the lowest bit.
static const uint8_t sbox[16] = {8, 6, 7, 9, 3, 12, 10, 15, 13, 1, 14, 4, 0, 11, 5, 2};

typedef uint32_t rows[4][4];

static void expand(uint32_t m[8], const uint8_t word[4]) {
  memset(m, 0, 8 * sizeof m[0]);
  for (size_t bit = 0; bit < 32; bit++) {
    if (!(word[bit / 8] >> bit % 8 & 1)) continue;
    uint32_t added[8];
    hamsi_expand_bit(added, bit);
    for (size_t i = 0; i < 8; i++) m[i] ^= added[i];
  }
}

static void concatenate(rows s, const uint32_t m[8], const uint32_t c[8]) {
  for (size_t i = 0; i < 2; i++) {
    s[0][i] = m[i];
    s[0][2 + i] = c[i];
    s[1][i] = c[2 + i];
    s[1][2 + i] = m[2 + i];
    s[2][i] = m[4 + i];
    s[2][2 + i] = c[4 + i];
    s[3][i] = c[6 + i];
    s[3][2 + i] = m[6 + i];
  }
}

static void substitute(rows s) {
  for (size_t column = 0; column < 4; column++) {
    uint32_t new[4] = {0};
    for (unsigned bit = 0; bit < 32; bit++) {
      unsigned index = 0;
      for (size_t row = 0; row < 4; row++) index |= (s[row][column] >> bit & 1) << row;
      for (size_t row = 0; row < 4; row++) new[row] |= (uint32_t)(sbox[index] >> row & 1) << bit;
    }
    for (size_t row = 0; row < 4; row++) s[row][column] = new[row];
  }
}

static uint32_t left(uint32_t word, unsigned count) { return word << count | word >> (32 - count); }

// L, that of Serpent.
static void diffuse(uint32_t *a, uint32_t *b, uint32_t *c, uint32_t *d) {
  *a = left(*a, 13);
  *c = left(*c, 3);
  *b = left(*b ^ *a ^ *c, 1);
  *d = left(*d ^ *c ^ *a << 3, 7);
  *a = left(*a ^ *b ^ *d, 5);
  *c = left(*c ^ *d ^ *b << 7, 22);
}

static void compress(uint32_t chain[8], const uint8_t word[4], size_t final) {
  uint32_t m[8];
  rows s;
  expand(m, word);
  concatenate(s, m, chain);
  for (uint32_t round = 0; round < (final ? HAMSI_FINAL_ROUNDS : HAMSI_ROUNDS); round++) {
    for (size_t i = 0; i < 16; i++) s[i / 4][i % 4] ^= hamsi_alpha[final][i / 4][i % 4];
    s[0][1] ^= round;
    substitute(s);
    for (size_t j = 0; j < 4; j++) {
      diffuse(&s[0][j], &s[1][(j + 1) % 4], &s[2][(j + 2) % 4], &s[3][(j + 3) % 4]);
    }
  }
  for (size_t i = 0; i < 8; i++) chain[i] ^= s[i / 4 * 2][i % 4];
}

static void hash(uint8_t *out, const uint8_t *in, size_t in_bytes) {
  uint32_t chain[8];
  memcpy(chain, hamsi_initial, sizeof chain);
  for (size_t at = 0; at + 4 <= in_bytes; at += 4) compress(chain, in + at, 0);
  uint8_t last[12];
  hamsi_last_words(last, in, in_bytes);
  for (size_t i = 0; i < 3; i++) compress(chain, last + 4 * i, i == 2);
  for (size_t i = 0; i < 8; i++) store32_be(out + 4 * i, chain[i]);
}

#define HASH_DIGEST_BYTES HAMSI_DIGEST_BYTES
#define HASH_IMPL "ref"
#define HASH_CPU_FLAGS ""

#include "../../common/sw/hash_single.h"
