// SPDX-License-Identifier: Apache-2.0
//
// Fugue-256 as "The Hash Function Fugue", 2009, writes it: the readable reference, a byte at a
// time. Not meant to be fast. leaks: by the S-box's addresses; messages of a hash are no secret
// here.

#include "fugue.h"

#define ENTRY(s) s,
static const uint8_t sbox[256] = {AES_SBOX(ENTRY)};

// The first row of the matrix, which is circulant.
static const uint8_t matrix[4] = {1, 4, 7, 1};

typedef uint8_t fugue_state[FUGUE_COLUMNS][4];  // column, row

// In GF(2^8) of AES.
static uint8_t multiply(uint8_t a, uint8_t factor) {
  uint8_t product = 0;
  for (; factor != 0; factor >>= 1) {
    if (factor & 1) product ^= a;
    a = (uint8_t)(a << 1 ^ (a >> 7) * 0x1b);
  }
  return product;
}

static void add(uint8_t to[4], const uint8_t from[4]) {
  for (size_t i = 0; i < 4; i++) to[i] ^= from[i];
}

// Turns the columns to the right.
static void turn(fugue_state s, size_t count) {
  fugue_state old;
  memcpy(old, s, sizeof old);
  for (size_t i = 0; i < FUGUE_COLUMNS; i++) memcpy(s[(i + count) % FUGUE_COLUMNS], old[i], 4);
}

static void cmix(fugue_state s) {
  for (size_t i = 0; i < 3; i++) {
    add(s[i], s[4 + i]);
    add(s[15 + i], s[4 + i]);
  }
}

// The S-box, and Super-Mix: M U + D M', of which row i is turned to the left by i. D is diagonal;
// it has for each row of U the sum of its bytes but that of the diagonal.
static void smix(fugue_state s) {
  uint8_t u[4][4], mixed[4][4];  // row, column
  for (size_t i = 0; i < 4; i++) {
    for (size_t j = 0; j < 4; j++) u[i][j] = sbox[s[j][i]];
  }
  for (size_t i = 0; i < 4; i++) {
    const uint8_t d = u[i][(i + 1) % 4] ^ u[i][(i + 2) % 4] ^ u[i][(i + 3) % 4];
    for (size_t j = 0; j < 4; j++) {
      mixed[i][j] = multiply(d, matrix[(4 + i - j) % 4]);
      for (size_t k = 0; k < 4; k++) mixed[i][j] ^= multiply(u[k][j], matrix[(4 + k - i) % 4]);
    }
  }
  for (size_t i = 0; i < 4; i++) {
    for (size_t j = 0; j < 4; j++) s[j][i] = mixed[i][(i + j) % 4];
  }
}

static void subround(fugue_state s) {
  turn(s, 3);
  cmix(s);
  smix(s);
}

// TIX, and two subrounds.
static void absorb(fugue_state s, const uint8_t word[4]) {
  add(s[10], s[0]);
  memcpy(s[0], word, 4);
  add(s[8], word);
  add(s[1], s[24]);
  subround(s);
  subround(s);
}

static void finish(uint8_t *out, fugue_state s) {
  for (size_t i = 0; i < 2 * FUGUE_FIRST_ROUNDS; i++) subround(s);
  for (size_t i = 0; i < FUGUE_LAST_ROUNDS; i++) {
    add(s[4], s[0]);
    add(s[15], s[0]);
    turn(s, 15);
    smix(s);
    add(s[4], s[0]);
    add(s[16], s[0]);
    turn(s, 14);
    smix(s);
  }
  add(s[4], s[0]);
  add(s[15], s[0]);
  memcpy(out, s[1], 16);
  memcpy(out + 16, s[15], 16);
}

static void hash(uint8_t *out, const uint8_t *in, size_t in_bytes) {
  fugue_state s = {{0}};
  for (size_t i = 0; i < 8; i++) store32_le(s[FUGUE_COLUMNS - 8 + i], fugue_initial[i]);
  for (size_t at = 0; at + 4 <= in_bytes; at += 4) absorb(s, in + at);
  uint8_t last[12];
  const size_t words = fugue_last_words(last, in, in_bytes);
  for (size_t i = 0; i < words; i++) absorb(s, last + 4 * i);
  finish(out, s);
}

#define HASH_DIGEST_BYTES FUGUE_DIGEST_BYTES
#define HASH_IMPL "ref"
#define HASH_CPU_FLAGS ""

#include "../../common/sw/hash_single.h"
