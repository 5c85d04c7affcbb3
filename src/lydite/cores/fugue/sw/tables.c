// SPDX-License-Identifier: Apache-2.0
//
// Fugue-256, one message, portable C: a column is a word, row 0 lowest, S-box and matrix are
// tables, and no column is ever moved: five words of a message turn the state once.
// leaks: by the tables' addresses; messages of a hash are no secret here.

#include "fugue.h"

// What the S-box and the matrix make of a byte in row 0 to 3 of a column: columns of the matrix.
#define FOUR(a) AES_TWICE(AES_TWICE(a) & 0xff)
#define SEVEN(a) (FOUR(a) ^ AES_TWICE(a) ^ (a))
#define ROW0(a) AES_COLUMN(a, a, SEVEN(a), FOUR(a)),
#define ROW1(a) AES_COLUMN(FOUR(a), a, a, SEVEN(a)),
#define ROW2(a) AES_COLUMN(SEVEN(a), FOUR(a), a, a),
#define ROW3(a) AES_COLUMN(a, SEVEN(a), FOUR(a), a),
static const uint32_t table[4][256] = {
    {AES_SBOX(ROW0)}, {AES_SBOX(ROW1)}, {AES_SBOX(ROW2)}, {AES_SBOX(ROW3)}};

#define BYTE(word, row) ((word) >> 8 * (row) & 0xff)
#define ROWS(b0, b1, b2, b3) \
  (((b0) & 0xff) | ((b1) & 0xff00) | ((b2) & 0xff0000) | ((b3) & 0xff000000))

typedef uint32_t column;

static inline uint32_t left(uint32_t word, unsigned count) {
  return word << count | word >> (32 - count);
}

// SMIX of four columns. c_j is column j of M U; of r_i, which is M times the sum of row i but for
// its diagonal, row k is added to row i of column k.
static inline void smix(uint32_t *x0, uint32_t *x1, uint32_t *x2, uint32_t *x3) {
  const uint32_t a = *x0, b = *x1, c = *x2, d = *x3;
  const uint32_t a1 = table[1][BYTE(a, 1)], a2 = table[2][BYTE(a, 2)], a3 = table[3][BYTE(a, 3)];
  const uint32_t b0 = table[0][BYTE(b, 0)], b2 = table[2][BYTE(b, 2)], b3 = table[3][BYTE(b, 3)];
  const uint32_t c0 = table[0][BYTE(c, 0)], c1 = table[1][BYTE(c, 1)], c3 = table[3][BYTE(c, 3)];
  const uint32_t d0 = table[0][BYTE(d, 0)], d1 = table[1][BYTE(d, 1)], d2 = table[2][BYTE(d, 2)];
  const uint32_t m0 = table[0][BYTE(a, 0)] ^ a1 ^ a2 ^ a3;
  const uint32_t m1 = b0 ^ table[1][BYTE(b, 1)] ^ b2 ^ b3;
  const uint32_t m2 = c0 ^ c1 ^ table[2][BYTE(c, 2)] ^ c3;
  const uint32_t m3 = d0 ^ d1 ^ d2 ^ table[3][BYTE(d, 3)];
  const uint32_t r0 = b0 ^ c0 ^ d0, r1 = a1 ^ c1 ^ d1, r2 = a2 ^ b2 ^ d2, r3 = a3 ^ b3 ^ c3;
  *x0 = ROWS(m0 ^ r0, m1 ^ r1, m2 ^ r2, m3 ^ r3);
  *x1 = ROWS(m1 ^ r0 >> 8, m2 ^ r1 >> 8, m3 ^ r2 >> 8, m0 ^ left(r3, 24));
  *x2 = ROWS(m2 ^ r0 >> 16, m3 ^ r1 >> 16, m0 ^ left(r2, 16), m1 ^ left(r3, 16));
  *x3 = ROWS(m3 ^ r0 >> 24, m0 ^ left(r1, 8), m1 ^ left(r2, 8), m2 ^ left(r3, 8));
}

#include "columns.h"

static void hash(uint8_t *out, const uint8_t *in, size_t in_bytes) {
  uint32_t s[FUGUE_COLUMNS] = {0};
  for (size_t i = 0; i < 8; i++) s[FUGUE_COLUMNS - 8 + i] = fugue_initial[i];
  size_t at = 0, base = 0;
  for (; at + 20 <= in_bytes; at += 20) {
    absorb(s, 0, load32_le(in + at));
    absorb(s, 24, load32_le(in + at + 4));
    absorb(s, 18, load32_le(in + at + 8));
    absorb(s, 12, load32_le(in + at + 12));
    absorb(s, 6, load32_le(in + at + 16));
  }
  for (; at + 4 <= in_bytes; at += 4, base += 24) absorb(s, base, load32_le(in + at));
  uint8_t last[12];
  const size_t words = fugue_last_words(last, in, in_bytes);
  for (size_t i = 0; i < words; i++, base += 24) absorb(s, base, load32_le(last + 4 * i));
  uint32_t digest[8];
  finish(digest, s, base);
  for (size_t i = 0; i < 8; i++) store32_le(out + 4 * i, digest[i]);
}

#define HASH_DIGEST_BYTES FUGUE_DIGEST_BYTES
#define HASH_IMPL "tables"
#define HASH_CPU_FLAGS ""

#include "../../common/sw/hash_single.h"
