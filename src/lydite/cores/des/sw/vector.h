// SPDX-License-Identifier: Apache-2.0
//
// Bitsliced DES (Biham, "A Fast New DES Implementation in Software", 1997): a vector has one bit of
// VECTOR_BITS blocks. VECTOR_BITS is 512 (AVX-512, ternary logic), 256 (AVX2) or 64 (any machine).
//
// Bits of blocks, halves and keys are counted from 0 in the standard's order.

#ifndef LYDITE_CORES_DES_SW_VECTOR_H_
#define LYDITE_CORES_DES_SW_VECTOR_H_

#include "des.h"

#define LANES VECTOR_BITS
#define WORDS (VECTOR_BITS / 64)
#define INLINE static inline __attribute__((always_inline))

#if VECTOR_BITS == 64
typedef uint64_t vec;
#define CPU_FLAGS ""
#define IMPL "bitslice-64"
#else
#include <immintrin.h>
typedef uint64_t vec __attribute__((vector_size(VECTOR_BITS / 8)));
#endif

#define SBOX(name)                                                                               \
  INLINE void name(vec g0, vec g1, vec g2, vec g3, vec g4, vec g5, vec *restrict o0,             \
                   vec *restrict o1, vec *restrict o2, vec *restrict o3)
#define SBOX_GIVE(a, b, c, d) *o0 = a, *o1 = b, *o2 = c, *o3 = d

#if VECTOR_BITS == 512
#define CPU_FLAGS "avx512f"
#define IMPL "bitslice-avx512"
#define LUT(a, b, c, function)                                                               \
  ((vec)_mm512_ternarylogic_epi64((__m512i)(a), (__m512i)(b), (__m512i)(c), function))
#include "sboxes_ternary.h"
#else
#if VECTOR_BITS == 256
#define CPU_FLAGS "avx2"
#define IMPL "bitslice-avx2"
#endif
#define AND(a, b) ((a) & (b))
#define OR(a, b) ((a) | (b))
#define XOR(a, b) ((a) ^ (b))
#define ANDN(a, b) ((a) & ~(b))
#define NOT(a) (~(a))
#include "sboxes_gates.h"
#endif

INLINE vec vec_all(uint64_t word) {
#if VECTOR_BITS == 64
  return word;
#else
  return word - (vec){0};
#endif
}

INLINE int vec_any(vec v) {
#if VECTOR_BITS == 512
  return _mm512_test_epi64_mask((__m512i)v, (__m512i)v) != 0;
#elif VECTOR_BITS == 256
  return !_mm256_testz_si256((__m256i)v, (__m256i)v);
#else
  return v != 0;
#endif
}

INLINE void vec_words(uint64_t words[WORDS], vec v) { memcpy(words, &v, sizeof v); }

// Of each S-box the places of its four bits in f (FIPS 46-3, P).
static const uint8_t box_out[8][4] = {{8, 16, 22, 30}, {12, 27, 1, 17},  {23, 15, 29, 5},
                                      {25, 19, 9, 0},  {7, 13, 24, 2},   {3, 28, 10, 18},
                                      {31, 11, 21, 6}, {4, 26, 14, 20}};

// Key bits of each round as places in C and D, filled when the library is loaded.
static uint8_t key_places[DES_ROUNDS][48];

__attribute__((constructor)) static void fill_key_places(void) {
  for (unsigned round = 0; round < DES_ROUNDS; round++) {
    for (unsigned i = 0; i < 48; i++) key_places[round][i] = (uint8_t)des_key_place(round, i);
  }
}

// One S-box of f(in, key): its bits of out are those of base, added to them.
#define BOX(n, s)                                                                                \
  INLINE void box##n(vec *out, const vec *base, const vec *in, const vec *key,                   \
                     const uint8_t *place) {                                                     \
    vec o[4];                                                                                    \
    place += 6 * (n);                                                                            \
    s(in[(4 * (n) + 31) % 32] ^ key[place[0]], in[4 * (n)] ^ key[place[1]],                      \
      in[4 * (n) + 1] ^ key[place[2]], in[4 * (n) + 2] ^ key[place[3]],                          \
      in[4 * (n) + 3] ^ key[place[4]], in[(4 * (n) + 4) % 32] ^ key[place[5]], &o[0], &o[1],     \
      &o[2], &o[3]);                                                                             \
    for (int i = 0; i < 4; i++) out[box_out[n][i]] = base[box_out[n][i]] ^ o[i];                 \
  }
BOX(0, s1)
BOX(1, s2)
BOX(2, s3)
BOX(3, s4)
BOX(4, s5)
BOX(5, s6)
BOX(6, s7)
BOX(7, s8)

// out = base ^ f(in, key), a round; out may be base.
static __attribute__((noinline)) void round_of(vec *out, const vec *base, const vec *in,
                                               const vec *key, const uint8_t *place) {
  box0(out, base, in, key, place);
  box1(out, base, in, key, place);
  box2(out, base, in, key, place);
  box3(out, base, in, key, place);
  box4(out, base, in, key, place);
  box5(out, base, in, key, place);
  box6(out, base, in, key, place);
  box7(out, base, in, key, place);
}

// All rounds in place; left and right are then R16 and L16.
INLINE void rounds_of(vec *left, vec *right, const vec *key, int backwards) {
  for (int n = 0; n < DES_ROUNDS; n += 2) {
    round_of(left, left, right, key, key_places[backwards ? 15 - n : n]);
    round_of(right, right, left, key, key_places[backwards ? 14 - n : n + 1]);
  }
}

// Transposes 64 x 64 bits in each word of 64 vectors: bit i of vector j becomes bit j of vector i.
INLINE void transpose(vec x[64]) {
  static const uint64_t masks[6] = {0x00000000ffffffff, 0x0000ffff0000ffff, 0x00ff00ff00ff00ff,
                                    0x0f0f0f0f0f0f0f0f, 0x3333333333333333, 0x5555555555555555};
  for (unsigned step = 0; step < 6; step++) {
    const unsigned width = 32U >> step;
    const vec mask = vec_all(masks[step]);
    for (unsigned start = 0; start < 64; start += 2 * width) {
      for (unsigned i = start; i < start + width; i++) {
        const vec swap = ((x[i] >> width) ^ x[i + width]) & mask;
        x[i + width] ^= swap;
        x[i] ^= swap << width;
      }
    }
  }
}

// The vector of a bit of blocks whose bytes were loaded lowest first, and transposed.
INLINE unsigned row_of(unsigned bit) { return bit ^ 7; }

#endif  // LYDITE_CORES_DES_SW_VECTOR_H_
