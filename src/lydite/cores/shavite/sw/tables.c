// SPDX-License-Identifier: Apache-2.0
//
// SHAvite-3-256, one message, portable C: rounds of AES by tables of 32-bit words.

#include "../../common/sw/aes_table.h"
#include "shavite.h"

// The fifth subkey from here, with a round of AES (3.1).
static inline void with_aes(uint32_t *k) {
  uint32_t a = k[1], b = k[2], c = k[3], d = k[0];
  aes_round(&a, &b, &c, &d);
  k[16] = a ^ k[12];
  k[17] = b ^ k[13];
  k[18] = c ^ k[14];
  k[19] = d ^ k[15];
}

static inline void make_keys(uint32_t k[SHAVITE_KEY_WORDS], uint32_t low, uint32_t high) {
  for (size_t at = 0; at < SHAVITE_KEY_WORDS - 16; at += 32) {
    for (size_t i = at; i < at + 16; i += 4) {
      with_aes(k + i);
      if (i == 0) {
        k[16] ^= low;
        k[17] ^= ~high;
      } else if (i == 40) {
        k[57] ^= high;
        k[58] ^= ~low;
      } else if (i == 68) {
        k[86] ^= high;
        k[87] ^= ~low;
      } else if (i == 108) {
        k[124] ^= low;
        k[127] ^= ~high;
      }
    }
    for (size_t i = at + 16; i < at + 32; i++) k[i + 16] = k[i] ^ k[i + 13];
  }
}

// A round of AES with a subkey.
#define KEYED(k)                                  \
  do {                                            \
    a ^= (k)[0], b ^= (k)[1], c ^= (k)[2], d ^= (k)[3]; \
    aes_round(&a, &b, &c, &d);                    \
  } while (0)

static void compress(uint32_t chain[8], const uint8_t block[SHAVITE_BLOCK_BYTES], uint64_t bits) {
  uint32_t keys[SHAVITE_KEY_WORDS];
  for (size_t i = 0; i < 16; i++) keys[i] = load32_le(block + 4 * i);
  make_keys(keys, (uint32_t)bits, (uint32_t)(bits >> 32));
  uint32_t p0 = chain[0], p1 = chain[1], p2 = chain[2], p3 = chain[3];
  uint32_t p4 = chain[4], p5 = chain[5], p6 = chain[6], p7 = chain[7];
  for (const uint32_t *k = keys; k < keys + SHAVITE_KEY_WORDS; k += 24) {
    uint32_t a = p4, b = p5, c = p6, d = p7;
    KEYED(k);
    KEYED(k + 4);
    KEYED(k + 8);
    a = p0 ^= a, b = p1 ^= b, c = p2 ^= c, d = p3 ^= d;
    KEYED(k + 12);
    KEYED(k + 16);
    KEYED(k + 20);
    p4 ^= a, p5 ^= b, p6 ^= c, p7 ^= d;
  }
  chain[0] ^= p0, chain[1] ^= p1, chain[2] ^= p2, chain[3] ^= p3;
  chain[4] ^= p4, chain[5] ^= p5, chain[6] ^= p6, chain[7] ^= p7;
}

#define HASH_IMPL "tables"
#define HASH_CPU_FLAGS ""
#include "single.h"
