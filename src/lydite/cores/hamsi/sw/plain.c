// SPDX-License-Identifier: Apache-2.0
//
// Hamsi-256, one message, portable C: each word of the state is a variable, the expansion tables of
// a byte.

#include "table.h"

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

// L, that of Serpent.
static inline void diffuse(uint32_t *w0, uint32_t *w1, uint32_t *w2, uint32_t *w3) {
  const uint32_t a = left(*w0, 13), c = left(*w2, 3);
  const uint32_t b = left(*w1 ^ a ^ c, 1), d = left(*w3 ^ c ^ a << 3, 7);
  *w0 = left(a ^ b ^ d, 5);
  *w1 = b;
  *w2 = left(c ^ d ^ b << 7, 22);
  *w3 = d;
}

#define ROUND(alpha, round)                                        \
  do {                                                             \
    s0 ^= (alpha)[0][0], s1 ^= (alpha)[0][1] ^ (round);            \
    s2 ^= (alpha)[0][2], s3 ^= (alpha)[0][3];                      \
    s4 ^= (alpha)[1][0], s5 ^= (alpha)[1][1];                      \
    s6 ^= (alpha)[1][2], s7 ^= (alpha)[1][3];                      \
    s8 ^= (alpha)[2][0], s9 ^= (alpha)[2][1];                      \
    s10 ^= (alpha)[2][2], s11 ^= (alpha)[2][3];                    \
    s12 ^= (alpha)[3][0], s13 ^= (alpha)[3][1];                    \
    s14 ^= (alpha)[3][2], s15 ^= (alpha)[3][3];                    \
    substitute(&s0, &s4, &s8, &s12), substitute(&s1, &s5, &s9, &s13);   \
    substitute(&s2, &s6, &s10, &s14), substitute(&s3, &s7, &s11, &s15); \
    diffuse(&s0, &s5, &s10, &s15), diffuse(&s1, &s6, &s11, &s12);  \
    diffuse(&s2, &s7, &s8, &s13), diffuse(&s3, &s4, &s9, &s14);    \
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
