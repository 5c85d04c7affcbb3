// SPDX-License-Identifier: Apache-2.0
//
// SHAvite-3-256, one message, with the AES instructions of x86: subkeys are made while rounds wait
// for each other.

#include <tmmintrin.h>
#include <wmmintrin.h>

#include "shavite.h"

#define XOR(a, b) _mm_xor_si128(a, b)

// 3.1: subkey n is k[n % 4]. Puts the next but three in the place of one: with a round of AES,
// whose key is the subkey before it and the counter, or without.
#define WITH_AES(k, n, added) \
  k[(n) % 4] = _mm_aesenc_si128(_mm_shuffle_epi32(k[(n) % 4], 0x39), XOR(k[((n) + 3) % 4], added))
#define WITHOUT(k, n)                                                                        \
  do {                                                                                       \
    /* Words 1, 2, 3 of the subkey before it, and the first one of its own. */               \
    const __m128i own = XOR(k[(n) % 4], _mm_srli_si128(k[((n) + 3) % 4], 4));                \
    k[(n) % 4] = XOR(own, _mm_slli_si128(own, 12));                                          \
  } while (0)

// Adds three rounds of AES of one half, with three subkeys, to the other one.
#define AES3(to, from, k0, k1, k2)                                       \
  do {                                                                   \
    __m128i x = _mm_aesenc_si128(XOR(from, k0), k1);                     \
    x = _mm_aesenc_si128(x, k2);                                         \
    to = XOR(to, _mm_aesenc_si128(x, _mm_setzero_si128()));              \
  } while (0)

static inline __m128i words(uint32_t a, uint32_t b, uint32_t c, uint32_t d) {
  return _mm_set_epi32((int)d, (int)c, (int)b, (int)a);
}

static void compress(uint32_t chain[8], const uint8_t block[SHAVITE_BLOCK_BYTES], uint64_t bits) {
  const uint32_t low = (uint32_t)bits, high = (uint32_t)(bits >> 32);
  const __m128i none = _mm_setzero_si128();
  __m128i k[4], keys[SHAVITE_KEY_WORDS / 4], text[2];
  memcpy(k, block, sizeof k);
  memcpy(keys, k, sizeof k);
  memcpy(text, chain, sizeof text);
#pragma GCC unroll 32
  for (size_t n = 4; n < SHAVITE_KEY_WORDS / 4; n++) {
    if (n / 4 % 2 == 1) {
      const __m128i added = n == 4    ? words(low, ~high, 0, 0)
                            : n == 14 ? words(0, high, ~low, 0)
                            : n == 21 ? words(0, 0, high, ~low)
                            : n == 31 ? words(low, 0, 0, ~high)
                                      : none;
      WITH_AES(k, n, added);
    } else {
      WITHOUT(k, n);
    }
    keys[n] = k[n % 4];
  }
#pragma GCC unroll 6
  for (size_t at = 0; at < SHAVITE_KEY_WORDS / 4; at += 6) {
    AES3(text[0], text[1], keys[at], keys[at + 1], keys[at + 2]);
    AES3(text[1], text[0], keys[at + 3], keys[at + 4], keys[at + 5]);
  }
  __m128i sums[2];
  memcpy(sums, chain, sizeof sums);
  sums[0] = XOR(sums[0], text[0]);
  sums[1] = XOR(sums[1], text[1]);
  memcpy(chain, sums, sizeof sums);
}

#define HASH_DIGEST_BYTES SHAVITE_DIGEST_BYTES
#define HASH_IMPL "aesni"
#define HASH_CPU_FLAGS "aes ssse3"

#include "../../common/sw/hash_single.h"
