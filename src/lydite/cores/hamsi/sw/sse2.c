// SPDX-License-Identifier: Apache-2.0
//
// Hamsi-256, one message, SSE2: a row of the state is a register, the expansion tables of a byte.

#include <emmintrin.h>

#include "table.h"

#define XOR(a, b) _mm_xor_si128(a, b)
#define AND(a, b) _mm_and_si128(a, b)
#define WITHOUT(a, b) _mm_andnot_si128(b, a)  // a and not b
#define LEFT(a, count) _mm_or_si128(_mm_slli_epi32(a, count), _mm_srli_epi32(a, 32 - (count)))

// Four words of what a byte makes.
static inline __m128i expanded(const uint8_t word[4], size_t byte, size_t i) {
  return _mm_load_si128((const void *)(hamsi_table[byte][word[byte]] + 4 * i));
}

static inline void round_of(__m128i s[4], const __m128i constants[4], int round) {
  const __m128i a = XOR(XOR(s[0], constants[0]), _mm_set_epi32(0, 0, round, 0));
  const __m128i b = XOR(s[1], constants[1]), c = XOR(s[2], constants[2]);
  const __m128i d = XOR(s[3], constants[3]);
  // The S-box, as sums of products.
  const __m128i c_not_a = WITHOUT(c, a), bc = AND(b, c), ab = XOR(a, b), abc = XOR(ab, c);
  __m128i w0 = XOR(XOR(b, d), c_not_a);
  __m128i w1 = XOR(XOR(abc, WITHOUT(bc, a)), AND(d, XOR(WITHOUT(a, b), c_not_a)));
  __m128i w2 = XOR(XOR(ab, XOR(d, bc)), AND(WITHOUT(d, a), XOR(b, c)));
  __m128i w3 = XOR(XOR(abc, AND(a, bc)), XOR(AND(b, d), _mm_set1_epi32(-1)));
  // L on diagonals, which are made columns, and turned back.
  w1 = _mm_shuffle_epi32(w1, 0x39);
  w2 = _mm_shuffle_epi32(w2, 0x4e);
  w3 = _mm_shuffle_epi32(w3, 0x93);
  w0 = LEFT(w0, 13);
  w2 = LEFT(w2, 3);
  w1 = XOR(w1, XOR(w0, w2));
  w3 = XOR(w3, XOR(w2, _mm_slli_epi32(w0, 3)));
  w1 = LEFT(w1, 1);
  w3 = LEFT(w3, 7);
  w0 = XOR(w0, XOR(w1, w3));
  w2 = XOR(w2, XOR(w3, _mm_slli_epi32(w1, 7)));
  s[0] = LEFT(w0, 5);
  s[1] = _mm_shuffle_epi32(w1, 0x93);
  s[2] = _mm_shuffle_epi32(LEFT(w2, 22), 0x4e);
  s[3] = _mm_shuffle_epi32(w3, 0x39);
}

static inline void compress(__m128i chain[2], const uint8_t word[4], size_t final) {
  __m128i m[2], s[4], constants[4];
  memcpy(constants, hamsi_alpha[final], sizeof constants);
  for (size_t i = 0; i < 2; i++) {
    m[i] = XOR(XOR(expanded(word, 0, i), expanded(word, 1, i)),
               XOR(expanded(word, 2, i), expanded(word, 3, i)));
  }
  s[0] = _mm_unpacklo_epi64(m[0], chain[0]);
  s[1] = _mm_unpackhi_epi64(chain[0], m[0]);
  s[2] = _mm_unpacklo_epi64(m[1], chain[1]);
  s[3] = _mm_unpackhi_epi64(chain[1], m[1]);
  for (int round = 0; round < HAMSI_ROUNDS; round++) round_of(s, constants, round);
  if (final) {
    for (int round = HAMSI_ROUNDS; round < HAMSI_FINAL_ROUNDS; round++) {
      round_of(s, constants, round);
    }
  }
  chain[0] = XOR(chain[0], s[0]);
  chain[1] = XOR(chain[1], s[2]);
}

static void hash(uint8_t *out, const uint8_t *in, size_t in_bytes) {
  __m128i chain[2];
  memcpy(chain, hamsi_initial, sizeof chain);
  for (size_t at = 0; at + 4 <= in_bytes; at += 4) compress(chain, in + at, 0);
  uint8_t last[12];
  hamsi_last_words(last, in, in_bytes);
  compress(chain, last, 0);
  compress(chain, last + 4, 0);
  compress(chain, last + 8, 1);
  uint32_t words[8];
  memcpy(words, chain, sizeof words);
  for (size_t i = 0; i < 8; i++) store32_be(out + 4 * i, words[i]);
}

#define HASH_DIGEST_BYTES HAMSI_DIGEST_BYTES
#define HASH_IMPL "sse2"
#define HASH_CPU_FLAGS "sse2"

#include "../../common/sw/hash_single.h"
