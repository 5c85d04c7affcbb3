// SPDX-License-Identifier: Apache-2.0
//
// The code and the S-box of Hamsi-256 for sixteen messages. A byte of a word makes each byte of the
// eight words by a matrix of 8 by 8 bits, which an instruction of GFNI multiplies eight bytes by.

#ifndef LYDITE_CORES_HAMSI_SW_LANES_GFNI_H_
#define LYDITE_CORES_HAMSI_SW_LANES_GFNI_H_

#include "hamsi.h"

#define TERNARY(a, b, c, f) \
  (lanes32)_mm512_ternarylogic_epi32((__m512i)(a), (__m512i)(b), (__m512i)(c), f)

// Of each word of the code and each byte of the word: matrices of its four bytes, each twice, for
// eight messages each. The constants of the first round are in that order of bytes too.
static _Alignas(64) uint64_t matrices[8][4][8];
static _Alignas(64) uint8_t constants_of_bytes[8][64];
// Orders of bytes: those in one place of all messages four times, and from bytes to words.
static _Alignas(64) uint8_t to_bytes[4][64], to_words[64];

// Runs when this library is loaded, before any other thread can call it.
__attribute__((constructor)) static void fill_tables(void) {
  for (size_t bit = 0; bit < 32; bit++) {
    uint32_t one[8];
    hamsi_expand_bit(one, bit);
    for (size_t i = 0; i < 256; i++) {
      const size_t word = i / 32, byte = i / 8 % 4, row = 7 - i % 8;
      const uint64_t entry = (uint64_t)(one[word] >> i % 32 & 1) << (8 * row + bit % 8);
      matrices[word][bit / 8][2 * byte] |= entry;
      matrices[word][bit / 8][2 * byte + 1] |= entry;
    }
  }
  for (size_t i = 0; i < 64; i++) {
    for (size_t byte = 0; byte < 4; byte++) to_bytes[byte][i] = (uint8_t)(4 * (i % 16) + byte);
    to_words[i] = (uint8_t)(16 * (i % 4) + i / 4);
    for (size_t word = 0; word < 8; word++) {
      const uint32_t constant = hamsi_alpha[0][code_places[word] / 4][code_places[word] % 4];
      constants_of_bytes[word][i] = (uint8_t)(constant >> i / 16 * 8);
    }
  }
}

static inline __m512i permuted(__m512i bytes, const uint8_t order[64]) {
  return _mm512_permutexvar_epi8(_mm512_load_si512(order), bytes);
}

static inline lanes32 times(__m512i bytes, const uint64_t matrix[8]) {
  return (lanes32)_mm512_gf2p8affine_epi64_epi8(bytes, _mm512_load_si512(matrix), 0);
}

static inline void expand(lanes32 m[8], lanes32 word) {
  const __m512i b0 = permuted((__m512i)word, to_bytes[0]);
  const __m512i b1 = permuted((__m512i)word, to_bytes[1]);
  const __m512i b2 = permuted((__m512i)word, to_bytes[2]);
  const __m512i b3 = permuted((__m512i)word, to_bytes[3]);
#pragma GCC unroll 8
  for (size_t i = 0; i < 8; i++) {
    const lanes32 constant = (lanes32)_mm512_load_si512(constants_of_bytes[i]);
    const lanes32 sum = constant ^ times(b0, matrices[i][0]) ^ times(b1, matrices[i][1]);
    const lanes32 bytes = sum ^ times(b2, matrices[i][2]) ^ times(b3, matrices[i][3]);
    m[i] = (lanes32)permuted((__m512i)bytes, to_words);
  }
}

// A circuit of seven operations, which is the fewest.
static inline void substitute(lanes32 *w0, lanes32 *w1, lanes32 *w2, lanes32 *w3) {
  const lanes32 a = *w0, b = *w1, c = *w2, d = *w3;
  const lanes32 p = TERNARY(a, c, d, 0x6a), q = TERNARY(a, b, d, 0x36);
  *w0 = TERNARY(b, c, p, 0x96);
  *w3 = TERNARY(a, *w0, TERNARY(b, c, *w0, 0x06), 0x69);
  *w1 = TERNARY(q, p, *w3, 0x39);
  *w2 = TERNARY(q, *w3, *w1, 0x69);
}

#define HASH_IMPL "gfni-x16"
#define HASH_CPU_FLAGS "avx512f avx512vbmi gfni"

#endif  // LYDITE_CORES_HAMSI_SW_LANES_GFNI_H_
