// SPDX-License-Identifier: Apache-2.0
//
// ECHO-256, one message, portable C: rounds of AES by tables of 32-bit words, MixColumns on eight
// bytes of each word at once. leaks: by the tables' addresses; messages of a hash are no secret
// here.

#include "../../common/sw/aes_table.h"
#include "echo.h"

// Compilers would else take the bytes of many words ahead, for which there are no registers.
#define KEEP_ORDER() __asm__ volatile("" ::: "memory")

typedef struct {
  uint64_t half[2];  // columns 0 and 1, 2 and 3
} echo_word;

// Two rounds of AES, the counter as the first key (2.2.1).
static inline echo_word sub_word(echo_word w, uint64_t counter) {
  uint32_t a = (uint32_t)w.half[0], b = (uint32_t)(w.half[0] >> 32);
  uint32_t c = (uint32_t)w.half[1], d = (uint32_t)(w.half[1] >> 32);
  aes_round(&a, &b, &c, &d);
  a ^= (uint32_t)counter;
  b ^= (uint32_t)(counter >> 32);
  aes_round(&a, &b, &c, &d);
  return (echo_word){{a | (uint64_t)b << 32, c | (uint64_t)d << 32}};
}

// 2 times each byte (FIPS 197, 4.2).
static inline uint64_t twice(uint64_t a) {
  return (a & 0x7f7f7f7f7f7f7f7f) << 1 ^ (a >> 7 & 0x0101010101010101) * 0x1b;
}

// MixColumns (FIPS 197, 5.1.3) of four words: row i is a_i + all + 2 (a_i + a_i+1).
static inline void mix(echo_word *a, echo_word *b, echo_word *c, echo_word *d) {
  for (size_t i = 0; i < 2; i++) {
    const uint64_t ab = a->half[i] ^ b->half[i], bc = b->half[i] ^ c->half[i];
    const uint64_t cd = c->half[i] ^ d->half[i], all = ab ^ cd, da = all ^ bc;
    a->half[i] ^= all ^ twice(ab);
    b->half[i] ^= all ^ twice(bc);
    c->half[i] ^= all ^ twice(cd);
    d->half[i] ^= all ^ twice(da);
  }
}

static inline echo_word load_word(const uint8_t *in) {
  return (echo_word){{load64_le(in), load64_le(in + 8)}};
}

static void compress(uint8_t chain[ECHO_CHAIN_BYTES], const uint8_t block[ECHO_BLOCK_BYTES],
                     uint64_t bits) {
  echo_word w[ECHO_WORDS], sums[4];
  for (size_t i = 0; i < 4; i++) w[i] = load_word(chain + 16 * i);
  for (size_t i = 4; i < ECHO_WORDS; i++) w[i] = load_word(block + 16 * (i - 4));
  memset(sums, 0, sizeof sums);
  for (size_t i = 0; i < ECHO_WORDS; i++) {
    for (size_t k = 0; k < 2; k++) sums[i % 4].half[k] ^= w[i].half[k];
  }
  for (uint64_t counter = bits; counter < bits + ECHO_ROUNDS * ECHO_WORDS; counter += ECHO_WORDS) {
    echo_word old[ECHO_WORDS];
#pragma GCC unroll 16
    for (size_t i = 0; i < ECHO_WORDS; i++) {
      old[i] = sub_word(w[i], counter + i);
      KEEP_ORDER();
    }
    for (size_t i = 0; i < ECHO_WORDS; i++) w[i] = old[(4 * (i / 4 + i % 4) + i % 4) % 16];
    for (size_t c = 0; c < ECHO_WORDS; c += 4) mix(w + c, w + c + 1, w + c + 2, w + c + 3);
  }
  for (size_t i = 0; i < ECHO_WORDS; i++) {
    for (size_t k = 0; k < 2; k++) sums[i % 4].half[k] ^= w[i].half[k];
  }
  for (size_t i = 0; i < 4; i++) {
    for (size_t k = 0; k < 2; k++) store64_le(chain + 16 * i + 8 * k, sums[i].half[k]);
  }
}

#define HASH_IMPL "tables"
#define HASH_CPU_FLAGS ""
#include "single.h"
