// SPDX-License-Identifier: Apache-2.0
//
// Groestl-256, one message, portable 64-bit C: a column in each word, SubBytes and MixBytes of a
// byte by a table for each row. leaks: by the tables' addresses; messages of a hash are no secret
// here.

#include "../../common/sw/aes_table.h"
#include "groestl.h"

#define TWO(a) AES_TWICE(a)
#define THREE(a) (TWO(a) ^ (a))
#define FOUR(a) TWO(TWO(a))
#define FIVE(a) (FOUR(a) ^ (a))
#define SEVEN(a) (FOUR(a) ^ TWO(a) ^ (a))
#define COLUMN(row0, row1, row2, row3, row4, row5, row6, row7) \
  (AES_COLUMN(row0, row1, row2, row3) | (uint64_t)AES_COLUMN(row4, row5, row6, row7) << 32),
// What the S-box and MixBytes (3.4.4) make of a byte in row 0 to 7 of a column.
#define ROW0(a) COLUMN(TWO(a), SEVEN(a), FIVE(a), THREE(a), FIVE(a), FOUR(a), THREE(a), TWO(a))
#define ROW1(a) COLUMN(TWO(a), TWO(a), SEVEN(a), FIVE(a), THREE(a), FIVE(a), FOUR(a), THREE(a))
#define ROW2(a) COLUMN(THREE(a), TWO(a), TWO(a), SEVEN(a), FIVE(a), THREE(a), FIVE(a), FOUR(a))
#define ROW3(a) COLUMN(FOUR(a), THREE(a), TWO(a), TWO(a), SEVEN(a), FIVE(a), THREE(a), FIVE(a))
#define ROW4(a) COLUMN(FIVE(a), FOUR(a), THREE(a), TWO(a), TWO(a), SEVEN(a), FIVE(a), THREE(a))
#define ROW5(a) COLUMN(THREE(a), FIVE(a), FOUR(a), THREE(a), TWO(a), TWO(a), SEVEN(a), FIVE(a))
#define ROW6(a) COLUMN(FIVE(a), THREE(a), FIVE(a), FOUR(a), THREE(a), TWO(a), TWO(a), SEVEN(a))
#define ROW7(a) COLUMN(SEVEN(a), FIVE(a), THREE(a), FIVE(a), FOUR(a), THREE(a), TWO(a), TWO(a))
static const uint64_t table[8][256] = {
    {AES_SBOX(ROW0)}, {AES_SBOX(ROW1)}, {AES_SBOX(ROW2)}, {AES_SBOX(ROW3)},
    {AES_SBOX(ROW4)}, {AES_SBOX(ROW5)}, {AES_SBOX(ROW6)}, {AES_SBOX(ROW7)},
};

typedef struct {
  uint64_t h[8];
} chain;

// SubBytes, ShiftBytes, which moves row i to the left by i, and MixBytes. A column is taken apart
// at once, byte by byte, so that it is in one register, and what it becomes in eight.
static inline void round_of(uint64_t x[8]) {
  uint64_t y[8] = {0};
#pragma GCC unroll 8
  for (size_t j = 0; j < 8; j++) {
    uint64_t column = x[j];
#pragma GCC unroll 8
    for (size_t i = 0; i < 8; i++, column >>= 8) y[(j + 8 - i) % 8] ^= table[i][column & 0xff];
  }
  memcpy(x, y, sizeof y);
}

static void start(chain *c) {
  memset(c, 0, sizeof *c);
  c->h[7] = UINT64_C(1) << 48;  // the bits of the digest, 256, as the last bytes of a block
}

static void permute_p(uint64_t x[8]) {
  for (uint64_t i = 0; i < GROESTL_ROUNDS; i++) {
    x[0] ^= i;
    round_of(x);
  }
}

static void permute_q(uint64_t x[8]) {
  for (uint64_t i = 0; i < GROESTL_ROUNDS; i++) {
    x[0] ^= (i ^ 0xff) << 56;
    round_of(x);
  }
}

static void compress(chain *c, const uint8_t *in, size_t blocks) {
  for (; blocks != 0; blocks--, in += GROESTL_BLOCK_BYTES) {
    uint64_t p[8], q[8];
    for (size_t j = 0; j < 8; j++) {
      q[j] = load64_le(in + 8 * j);
      p[j] = c->h[j] ^ q[j];
    }
    permute_p(p);
    permute_q(q);
    for (size_t j = 0; j < 8; j++) c->h[j] ^= p[j] ^ q[j];
  }
}

static void finish(uint8_t *out, const chain *c) {
  uint64_t p[8];
  memcpy(p, c->h, sizeof p);
  permute_p(p);
  for (size_t j = 4; j < 8; j++) store64_le(out + 8 * (j - 4), p[j] ^ c->h[j]);
}

#define HASH_IMPL "table64"
#define HASH_CPU_FLAGS ""
#include "single.h"
