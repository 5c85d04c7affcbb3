// SPDX-License-Identifier: Apache-2.0
//
// Hamsi-256, one message, portable C: each word of the state is a variable, the expansion tables of
// a byte.

#include "table.h"

typedef uint32_t hamsi_word;

static inline uint32_t left(uint32_t word, unsigned count) {
  return word << count | word >> (32 - count);
}

// The S-box on the bits in one place of four words, as sums of products.
static inline void substitute(uint32_t *w0, uint32_t *w1, uint32_t *w2, uint32_t *w3) {
  const uint32_t a = *w0, b = *w1, c = *w2, d = *w3;
  const uint32_t c_not_a = c & ~a, bc = b & c, ab = a ^ b;
  *w0 = b ^ d ^ c_not_a;
  *w1 = ab ^ c ^ (bc & ~a) ^ (d & ((a & ~b) ^ c_not_a));
  *w2 = ab ^ d ^ bc ^ (d & ~a & (b ^ c));
  *w3 = ~(ab ^ c ^ (a & bc) ^ (b & d));
}

#define LEFT(a, count) left(a, count)
#include "rounds.h"

#define ROUND(alpha, number)        \
  do {                              \
    HAMSI_CONSTANTS(alpha, number); \
    HAMSI_ROUND;                    \
  } while (0)

static inline void compress(uint32_t c[8], const uint8_t word[4], size_t final) {
  uint32_t m[8];
  for (size_t i = 0; i < 8; i++) {
    m[i] = hamsi_table[0][word[0]][i] ^ hamsi_table[1][word[1]][i] ^ hamsi_table[2][word[2]][i] ^
           hamsi_table[3][word[3]][i];
  }
  uint32_t s0 = m[0], s1 = m[1], s2 = c[0], s3 = c[1], s4 = c[2], s5 = c[3], s6 = m[2], s7 = m[3];
  uint32_t s8 = m[4], s9 = m[5], s10 = c[4], s11 = c[5];
  uint32_t s12 = c[6], s13 = c[7], s14 = m[6], s15 = m[7];
  ROUND(hamsi_alpha[final], 0);
  ROUND(hamsi_alpha[final], 1);
  ROUND(hamsi_alpha[final], 2);
  if (final) {
    ROUND(hamsi_alpha[1], 3);
    ROUND(hamsi_alpha[1], 4);
    ROUND(hamsi_alpha[1], 5);
  }
  c[0] ^= s0, c[1] ^= s1, c[2] ^= s2, c[3] ^= s3;
  c[4] ^= s8, c[5] ^= s9, c[6] ^= s10, c[7] ^= s11;
}

static void hash(uint8_t *out, const uint8_t *in, size_t in_bytes) {
  uint32_t chain[8];
  memcpy(chain, hamsi_initial, sizeof chain);
  for (size_t at = 0; at + 4 <= in_bytes; at += 4) compress(chain, in + at, 0);
  uint8_t last[12];
  hamsi_last_words(last, in, in_bytes);
  compress(chain, last, 0);
  compress(chain, last + 4, 0);
  compress(chain, last + 8, 1);
  for (size_t i = 0; i < 8; i++) store32_be(out + 4 * i, chain[i]);
}

#define HASH_DIGEST_BYTES HAMSI_DIGEST_BYTES
#define HASH_IMPL "plain"
#define HASH_CPU_FLAGS ""

#include "../../common/sw/hash_single.h"
